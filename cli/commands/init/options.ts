import { defineCommand, type OptionSpecs, type Values } from "../../command";

export const forges = ["github", "gitlab"] as const;
export type Forge = (typeof forges)[number];

/** Port that the emulator of a new project listens on, unless another is given. */
export const emulatorPort = 8080;

const options = {
  emulator: {
    type: "boolean",
    help: "Use the emulator on this machine, so that no account is needed: writes Pulumi.dev.yaml with its address and its token",
  },
  port: { type: "string", value: "N", help: `Port of the emulator (default ${emulatorPort})` },
  name: { type: "string", value: "NAME", help: "Name of the project (default: that of the folder)" },
  ci: { type: "string", value: "FORGE", words: forges, help: "Also write the pipelines: github or gitlab" },
  native: {
    type: "boolean",
    help:
      "Use the native plugin of this package instead of dynamic providers: Pulumi.yaml names it under plugins, also one that exists, " +
      "and the program imports its classes from pulumi-endpoint-monitoring/native",
  },
  "dry-run": { type: "boolean", help: "Report what would be written, and write nothing" },
} as const satisfies OptionSpecs;

export type InitValues = Values<typeof options>;

export const init = defineCommand({
  name: "init",
  summary: "Create a project in this folder, or complete one",
  about: "Makes a Pulumi project in this folder, or adds what an existing one lacks, and prints the commands to run next.",
  examples: ["{} init --emulator", "{} init --ci github"],
  details:
    "In a folder without Pulumi.yaml it writes Pulumi.yaml, a program (index.ts), tsconfig.json, package.json and .gitignore: a project " +
    "that previews as it is. In a Pulumi project it adds the files and dependencies that are missing. It never overwrites a file that " +
    "exists; a package.json gets the missing dependencies and stays as it is otherwise. It runs no engine and installs nothing.",
  options,
  json: "{ folder, files: [{ path, outcome, added? }], emulator?, commands }",
});
