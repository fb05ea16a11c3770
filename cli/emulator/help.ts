import { defaults } from "../../emulator/defaults";
import type { OptionSpecs } from "../command";

export const emulatorOptions = {
  port: { type: "string" },
  host: { type: "string" },
  data: { type: "string", names: "file" },
  "rate-limit": { type: "string" },
  "token-lifetime": { type: "string" },
  agents: { type: "string" },
  nights: { type: "boolean" },
  "transfer-delay": { type: "string" },
  licenses: { type: "string" },
  speed: { type: "string" },
  "allow-targets": { type: "string" },
  "unique-test-names": { type: "boolean" },
  "client-id": { type: "string" },
  "client-secret": { type: "string" },
  token: { type: "string" },
  "allow-hosts": { type: "string" },
  "url-as-sent": { type: "boolean" },
  as: { type: "string" },
} as const satisfies OptionSpecs;

export const help = `Runs the Endpoint Monitoring Service on this machine, for trying, testing and CI. No account is needed.

Usage: endpoint-monitoring emulator [OPTIONS]

Options:
  --port N              Port to listen on; 0 takes a free one (default 0)
  --host ADDRESS        Address to listen on (default ${defaults.host}); any other than loopback lets others in
  --data FILE           SQLite file that keeps the records (default: memory, gone at the end)
  --rate-limit N|off    Requests a minute (default ${defaults.rateLimit})
  --token-lifetime N    Seconds an issued token lasts (default ${defaults.tokenLifetimeSeconds})
  --agents N            Agents of a new store, 0 to 100000; the first one is this machine (default ${defaults.agents})
  --nights              Agents sleep at night, by the time of their place, and lose their labels
  --transfer-delay MS   Milliseconds until a transferred agent arrives (default ${defaults.transferDelayMs})
  --licenses TYPE=N,…   Licenses there are, such as advantage=10,essentials=5 (default: no limit)
  --speed N             Run tests N times faster, up to 60: one of every minute runs every second (default ${defaults.speed})
  --allow-targets LIST  Targets off this machine that tests may contact: HOST or HOST:PORT,… (default: none)
  --unique-test-names   Refuse a second test of the same name and kind
  --url-as-sent         Return the url of an HTTP test as it was sent (default: with scheme and port)
  --as LIST             Answer as a service that differs: NAME,… of docs/service-differences.md, such as trim-names,lag=3s
  --token TOKEN         API token of the administrator (default ${defaults.token})
  --client-id ID        Client id for issued tokens (default ${defaults.clientId})
  --client-secret TEXT  Its secret (default ${defaults.clientSecret})
  --allow-hosts LIST    Names it is reached by, beside --host and localhost: HOST,… (default: none); others are refused
  --json                Print address and credentials as JSON
  --help                This text

Example:
  endpoint-monitoring emulator --port 8080 --data emulator.db

It runs until Ctrl+C (SIGINT) or SIGTERM.

Exit codes: 0 ended so, 1 could not start
`;
