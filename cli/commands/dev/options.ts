import { defineCommand, type OptionSpecs, type Values } from "../../command";

const options = {
  stack: {
    type: "string",
    short: "s",
    value: "NAME",
    help: "Stack to read the settings of, from Pulumi.NAME.yaml (default dev)",
  },
  config: {
    type: "string",
    short: "c",
    multiple: true,
    value: "KEY=VALUE",
    help: "Configuration for this session only; repeatable. Missing required values get a placeholder",
  },
  port: {
    type: "string",
    value: "N",
    help: "Port of the emulator (default: the port in the stack's base URL, or 8080 in a new project)",
  },
  here: { type: "boolean", help: "Create the project in this folder, even if a folder above has one" },
} as const satisfies OptionSpecs;

export type DevValues = Values<typeof options>;

export const dev = defineCommand({
  name: "dev",
  summary: "Try the program against an emulator after each save",
  about:
    "Runs the program against an emulator while you write it. It validates and reviews each save, and shows the result here and on the " +
    "emulator's page. In an empty folder, it creates a project first.",
  examples: ["{} dev", "{} dev --config portalPassword=secret"],
  details: `Applies the program once and runs its tests. After each save, it shows what an update would change. On the emulator's page you can create, change and delete records as in the UI of the service. Keys: a applies the program, t runs the tests, d shows manual changes, p prints the page's URL, q or Ctrl+C ends the session.

Records and state exist until this command ends. It does not use your backend, stacks or account, and sends requests to the emulator only. If the stack settings contain a base URL, it must point to this machine. Encrypted settings require the stack's passphrase.`,
  options,
  json: "{ url, stack }",
  exitCodes: { 0: "stopped by a key or a signal" },
});
