import { defineCommand, type OptionSpecs, type Values } from "../../command";
import { defaults } from "../../../emulator/defaults";

const options = {
  port: { type: "string", value: "N", help: "Port to listen on; 0 selects a free port (default 0)" },
  host: {
    type: "string",
    value: "ADDRESS",
    help: `Address to listen on (default ${defaults.host}). Other machines can connect unless the address is a loopback address`,
  },
  data: {
    type: "string",
    value: "FILE",
    help: "SQLite file for the records. By default, the emulator keeps records in memory until it stops",
  },
  "rate-limit": { type: "string", value: "N|off", help: `Maximum number of requests a minute (default ${defaults.rateLimit})` },
  agents: {
    type: "string",
    value: "N",
    help:
      `Number of agents to create at the first start, from 0 to 100000 (default ${defaults.agents}). ` +
      "The first agent represents this machine",
  },
  licenses: {
    type: "string",
    value: "TYPE=N,…",
    help: "Number of licenses of each type, such as advantage=10,essentials=5 (default: no limit)",
  },
  speed: {
    type: "string",
    value: "N",
    help: `Speed of tests relative to the service, from 1 to 60 (default ${defaults.speed}). With the value 60, a test with a one-minute interval runs every second`,
  },
  "allow-targets": {
    type: "string",
    value: "LIST",
    help: "Targets on other machines that tests may contact, comma-separated: HOST or HOST:PORT (default: none)",
  },
  "unique-test-names": { type: "boolean", help: "Reject a test with the same name and type as an existing test" },
  token: { type: "string", value: "TOKEN", help: `API token of the administrator (default ${defaults.token})` },
  "allow-hosts": {
    type: "string",
    value: "LIST",
    help: "Additional host names that requests may use, comma-separated (default: only --host and localhost)",
  },
} as const satisfies OptionSpecs;

export type EmulatorValues = Values<typeof options>;

export const emulator = defineCommand({
  name: "emulator",
  summary: "Run an emulator of the ThousandEyes API on this machine",
  about:
    "Runs an emulator of the ThousandEyes Endpoint Monitoring API on this machine, for trials, tests and CI. You do not " +
    "need a ThousandEyes account.",
  examples: ["{} emulator", "{} emulator --port 8080 --data emulator.db"],
  details: "The emulator runs until it receives SIGINT (Ctrl+C) or SIGTERM.",
  options,
  json: "{ url, clientId, clientSecret, token, readOnlyToken }",
  exitCodes: { 0: "stopped by a signal" },
});
