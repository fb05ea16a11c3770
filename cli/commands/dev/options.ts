import { defineCommand, type OptionSpecs, type Values } from "../../command";

const options = {
  stack: {
    type: "string",
    short: "s",
    value: "NAME",
    help: "Stack whose settings (Pulumi.NAME.yaml) the program gets (default dev)",
  },
  config: {
    type: "string",
    short: "c",
    multiple: true,
    value: "KEY=VALUE",
    help: "Configuration for this session only; repeatable. A required value that the stack lacks gets a placeholder",
  },
  port: { type: "string", value: "N", help: "Port of the emulator (default: the stack's, or 8080 in a new project)" },
  here: { type: "boolean", help: "Create the project in this folder, even if a folder above has one" },
  speed: { type: "string", value: "N", help: "Run scheduled tests N times faster, up to 60 (default 60)" },
  agents: { type: "string", value: "N", help: "Agents of the emulator; the first one is this machine (default 25)" },
} as const satisfies OptionSpecs;

export type DevValues = Values<typeof options>;

export const dev = defineCommand({
  name: "dev",
  summary: "Try the program at each save, against an emulator",
  about:
    "Runs the program against an emulator as you write it: each save is validated and reviewed, here and on the emulator's page. " +
    "In an empty folder it creates a project first.",
  examples: ["{} dev", "{} dev --config portalPassword=secret"],
  details: `The program is applied once at the start, and its tests are run. From then on a save shows what an update would change. On the page, you can change, delete and create records as in the UI of the service. Keys: a applies the program, t runs the tests now, d shows what was changed by hand, p prints the address of the page, q or Ctrl+C ends.

Records and state last as long as this command. Your backend, stacks, account and passphrase are not used, and only the emulator gets requests. It listens where the settings of the stack lead, which have to be on this machine. An encrypted value in them needs the passphrase of the stack, as with Pulumi.`,
  options,
  json: "{ url, stack }",
  exitCodes: { 0: "ended by a key or a signal" },
});
