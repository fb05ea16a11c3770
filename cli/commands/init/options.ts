import { defineCommand, type OptionSpecs, type Values } from "../../command";

export const forges = ["github", "gitlab"] as const;
export type Forge = (typeof forges)[number];

export const emulatorPort = 8080;

const options = {
  emulator: {
    type: "boolean",
    help: "Use an emulator on this machine, which needs no account. Writes its base URL and token to Pulumi.dev.yaml",
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
      "Use the native plugin of this package instead of dynamic providers. Adds the plugin to Pulumi.yaml. A new program imports its " +
      "classes from pulumi-endpoint-monitoring/native",
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
    "In a folder without Pulumi.yaml it writes Pulumi.yaml, a program (index.ts), tsconfig.json, package.json and .gitignore. After " +
    "you install its packages, you can preview this project. In a Pulumi project, it adds missing files, and missing dependencies to " +
    "package.json. It does not overwrite existing files, run the engine or install packages.",
  options,
  json: "{ folder, files: [{ path, outcome, added? }], emulator?, commands }",
});
