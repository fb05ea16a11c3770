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
    help: "Import only records with a name or id that matches GLOB; repeatable. In GLOB, * matches any sequence of characters, and ? matches one character",
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
    help: "Account groups to import from, comma-separated (default: the configured account group, otherwise the token's default account group)",
  },
  "all-account-groups": { type: "boolean", help: "Import from every account group that the token can access" },
  stack: stackOption("import into"),
  secrets: {
    type: "string",
    value: "FILE",
    help: 'JSON file with the passwords that the service never returns. Format: { "CONFIGURATION_KEY": "password" }',
  },
  "dry-run": { type: "boolean", help: "Show the planned files and imports without writing anything" },
  run: {
    type: "boolean",
    help:
      "Import without asking for confirmation. `import` sets the stack's secrets, previews the program, and imports the records. If " +
      "the next update would change an imported record, `import` imports nothing",
  },
  native: {
    type: "boolean",
    help: "Use the native plugin's classes, and add the plugin to Pulumi.yaml (default if the program already uses native classes)",
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
    "Writes declarations for existing records, and imports the records into a stack. The records in the service do not change. " +
    "Without --run, `import` asks for confirmation first. Without a terminal, `import` writes the files and prints the " +
    "commands for the import.",
  examples: ["{} import --match 'Office*' --dry-run", "{} import --match 'Office*' --run"],
  options: { ...flags, ...named },
  notes: `\`import\` writes a TypeScript file for each resource type. The program's entry file, which must be TypeScript, loads the written files. If the program already declares a record, the import uses the resource name from that declaration. A second run adds declarations for new records, and leaves existing lines unchanged.

In a project with several stacks, the name of each written file contains the stack's name. The program's entry file loads only the files of the current stack. Until the import is complete, import.STACK.json contains the input for \`pulumi import\`.`,
  exitCodes: {
    1: "failed, or an update would change the imported resources",
    2: "done, but the report lists records that a program cannot express",
  },
});
