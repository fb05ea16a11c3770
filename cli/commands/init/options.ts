import { defineCommand, type OptionSpecs, type Values } from "../../command";

export const forges = ["github", "gitlab"] as const;
export type Forge = (typeof forges)[number];

/** Default port of a new project's emulator. */
export const emulatorPort = 8080;

const options = {
  emulator: {
    type: "boolean",
    help: "Use the emulator on this machine, without an account: writes Pulumi.dev.yaml with its base URL and token",
  },
  port: { type: "string", value: "N", help: `Port of the emulator (default ${emulatorPort})` },
  ci: {
    type: "string",
    value: "PROVIDER",
    words: forges,
    help: "Also write the pipelines, into the root of the repository: github or gitlab",
  },
  native: {
    type: "boolean",
    help:
      "Use the native plugin of this package instead of dynamic providers: adds it to Pulumi.yaml, including an existing one, " +
      "and the program imports its classes from pulumi-endpoint-monitoring/native",
  },
  "dry-run": { type: "boolean", help: "Show the files without writing them" },
} as const satisfies OptionSpecs;

export type InitValues = Values<typeof options>;

export const init = defineCommand({
  name: "init",
  summary: "Create a project in this folder, or complete an existing one",
  about: "Creates a Pulumi project in this folder, or adds missing parts to an existing one, and prints the next commands.",
  examples: ["{} init --emulator", "{} init --ci github"],
  details:
    "In a folder without Pulumi.yaml it writes Pulumi.yaml, a program (index.ts), tsconfig.json, package.json and .gitignore. You can preview " +
    "this project at once. In a Pulumi project it adds missing files and dependencies. It never overwrites an existing file, " +
    "but adds missing dependencies to package.json. It does not run the engine and does not install packages.",
  options,
  json: "{ folder, files: [{ path, outcome, added? }], emulator?, commands }",
});
