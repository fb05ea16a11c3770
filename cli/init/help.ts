import type { OptionSpecs } from "../command";
import { forges } from "./forges";
import { emulatorPort } from "./options";

export const initOptions = {
  emulator: { type: "boolean" },
  port: { type: "string" },
  name: { type: "string" },
  ci: { type: "string", words: forges },
  native: { type: "boolean" },
  "dry-run": { type: "boolean" },
} as const satisfies OptionSpecs;

export const help = `Makes a Pulumi project in this folder, or adds what an existing one lacks, and prints the commands to run next.

Usage: endpoint-monitoring init [OPTIONS]

In a folder without Pulumi.yaml it writes Pulumi.yaml, a program (index.ts), tsconfig.json, package.json and .gitignore: a project that
previews as it is. In a Pulumi project it adds the files and dependencies that are missing. A file that exists is never overwritten; a
package.json gets the missing dependencies and stays as it is otherwise. No engine is run and nothing is installed.

Options:
  --emulator     Use the emulator on this machine, so that no account is needed: writes Pulumi.dev.yaml with its address and its token
  --port N       Port of the emulator (default ${emulatorPort})
  --name NAME    Name of the project (default: that of the folder)
  --ci FORGE     Also write the pipelines: github or gitlab
  --native       Use the native plugin of this package instead of dynamic providers: Pulumi.yaml names it under plugins, also one
                 that exists, and the program imports its classes from pulumi-endpoint-monitoring/native
  --dry-run      Report what would be written, and write nothing
  --json         Print the result as JSON: { data: { folder, files: [{ path, outcome, added? }], emulator?, commands } }
  --help         This text

Example:
  endpoint-monitoring init --emulator

Exit codes: 0 done; 1 failed; 130 interrupted.
`;
