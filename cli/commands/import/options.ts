import { defineCommand, type OptionSpecs, stackOption, type Values } from "../../command";
import { kindWords, wordsOnRequest } from "../../generated/kind-words";

const named = {
  only: {
    type: "string",
    multiple: true,
    value: "KINDS",
    words: kindWords,
    help: `Resource types to import, comma-separated (default: all except ${wordsOnRequest.join(", ")}): ${kindWords.join(", ")}`,
  },
  match: {
    type: "string",
    multiple: true,
    value: "GLOB",
    help: "Import only records with a name or id that matches GLOB; repeatable. * matches any characters, ? matches one character",
  },
  exclude: {
    type: "string",
    multiple: true,
    value: "GLOB",
    help: "Skip records with a name or id that matches GLOB; repeatable",
  },
  "account-group": {
    type: "string",
    multiple: true,
    value: "ID",
    help: "Account groups to import from, comma-separated (default: the configured account group, otherwise the token's default)",
  },
  "all-account-groups": { type: "boolean", help: "Import from every account group that the token can see" },
  stack: stackOption("import into"),
  secrets: {
    type: "string",
    value: "FILE",
    help: 'JSON file with the passwords, which the service never returns, by configuration key: { "KEY": "password" }',
  },
  "dry-run": { type: "boolean", help: "Show what would be done, and write nothing" },
  run: {
    type: "boolean",
    help:
      "Import without asking: set the stack's secrets, preview the program, and import. Imports nothing if the next update would change " +
      "an imported record",
  },
  native: {
    type: "boolean",
    help: "Use classes of the native plugin, and add the plugin to Pulumi.yaml (default if the program already uses such classes)",
  },
} as const satisfies OptionSpecs;

const flags = Object.fromEntries(
  wordsOnRequest.map((word) => [word, { type: "boolean" as const, help: `Also import ${word}` }]),
);

export type ImportOptionName = keyof typeof named;
export type ImportValues = Values<typeof named>;

export const importCommand = defineCommand({
  name: "import",
  summary: "Write code for existing records, and import them",
  about:
    "Writes declarations for existing records, and imports the records into a stack. It does not change the records. Without --run, it " +
    "asks before it imports. Without a terminal, it prints the commands for the import instead.",
  examples: ["{} import --match 'Office*' --dry-run", "{} import --match 'Office*' --run"],
  options: { ...flags, ...named },
  notes: `It writes a TypeScript file for each resource type. The program's entry file, which must be TypeScript, loads these files. If the program already declares a record, the import uses the resource name of the declaration. A second run adds declarations for new records and changes no existing line. In a project with several stacks, the files have the stack's name, and the entry file loads them for that stack only. Until the records are imported, import.STACK.json contains the input for "pulumi import".`,
  exitCodes: {
    1: "failed, or an update would change the imported resources",
    2: "done, but the program cannot express some records: the report lists them",
  },
});
