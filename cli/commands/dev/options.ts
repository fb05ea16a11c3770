import { defineCommand, type OptionSpecs, type Values } from "../../command";

const options = {
  stack: {
    type: "string",
    short: "s",
    value: "NAME",
    help: "Read the stack's settings from Pulumi.NAME.yaml (default: Pulumi.dev.yaml)",
  },
  config: {
    type: "string",
    short: "c",
    multiple: true,
    value: "KEY=VALUE",
    help: "Configuration value for this session only; repeatable. `dev` sets each missing required value to a placeholder",
  },
  port: {
    type: "string",
    value: "N",
    help: "Port of the emulator (default: the port in the stack's base URL, or 8080 in a new project)",
  },
  here: { type: "boolean", help: "Create the project in this folder, even if a parent folder contains a project" },
} as const satisfies OptionSpecs;

export type DevValues = Values<typeof options>;

export const dev = defineCommand({
  name: "dev",
  summary: "Try the program against an emulator after each save",
  about:
    "Runs the program against an emulator while you edit the program. After each save, `dev` validates and reviews the program, and " +
    "shows the result in the terminal and on the emulator's page. In an empty folder, `dev` first creates a project.",
  examples: ["{} dev", "{} dev --config portalPassword=secret"],
  details: `At the start, \`dev\` applies the program once, then runs the tests that the program declares. After each save, \`dev\` shows the changes that an update would make. On the emulator's page, you can create, change and delete records as in the service's UI.

Press \`a\` to apply the program, \`t\` to run the tests, or \`d\` to show the changes that you made on the emulator's page. Press \`p\` to print the page's URL. Press \`q\` or Ctrl+C to end the session.

Records and state exist only until \`dev\` ends. \`dev\` does not use your backend, stacks or account, and sends requests only to the emulator. A base URL in the stack settings must point to this machine. Encrypted settings require the stack's passphrase.`,
  options,
  json: "{ url, stack }",
  exitCodes: { 0: "stopped by a key or a signal" },
});
