import { defineCommand, type OptionSpecs, type Values } from "../../command";

export const ciProviders = ["github", "gitlab"] as const;
export type CiProviderName = (typeof ciProviders)[number];

export const emulatorPort = 8080;

const options = {
  emulator: {
    type: "boolean",
    help:
      "Use an emulator on this machine instead of a ThousandEyes account. `init` writes the emulator's " +
      "base URL and token to Pulumi.dev.yaml",
  },
  port: { type: "string", value: "N", help: `Port of the emulator (default ${emulatorPort})` },
  ci: {
    type: "string",
    value: "PROVIDER",
    words: ciProviders,
    help: "Also write pipelines for this CI provider (github or gitlab) to the root of the repository",
  },
  native: {
    type: "boolean",
    help:
      "Use this package's native plugin instead of dynamic providers. `init` adds the plugin to Pulumi.yaml. A new program imports " +
      "classes from pulumi-endpoint-monitoring/native",
  },
  "dry-run": { type: "boolean", help: "Show the files without writing them" },
} as const satisfies OptionSpecs;

export type InitValues = Values<typeof options>;

export const init = defineCommand({
  name: "init",
  summary: "Create a Pulumi project, or add files to an existing project",
  about:
    "Creates a Pulumi project in this folder, or adds missing files and dependencies to an existing project. At the end, `init` prints the commands to run next.",
  examples: ["{} init --emulator", "{} init --ci github"],
  details:
    "In a folder without Pulumi.yaml, `init` writes Pulumi.yaml, a program (index.ts), tsconfig.json, package.json and .gitignore. You " +
    "can preview the new project after you install its packages. In an existing Pulumi project, `init` adds missing files, and adds " +
    "missing dependencies to package.json. `init` does not overwrite existing files, run the engine or install packages.",
  options,
  json: "{ folder, files: [{ path, outcome, added? }], emulator?, commands }",
});
