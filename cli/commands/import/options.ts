import { defineCommand, type OptionSpecs, stackOption, type Values } from "../../command";
import { kindWords, wordsOnRequest } from "../../generated/kind-words";

const named = {
  only: {
    type: "string",
    multiple: true,
    value: "KINDS",
    words: kindWords,
    help: `Kinds to import, comma-separated (default: all but ${wordsOnRequest.join(", ")}): ${kindWords.join(", ")}`,
  },
  match: {
    type: "string",
    multiple: true,
    value: "GLOB",
    help: "Import records with a matching name or id only; repeatable. * stands for any characters, ? for one",
  },
  exclude: { type: "string", multiple: true, value: "GLOB", help: "Skip records with a matching name or id; repeatable" },
  "account-group": {
    type: "string",
    multiple: true,
    value: "ID",
    help: "Account groups to import from, comma-separated (default: the configured one, otherwise the token's own)",
  },
  "all-account-groups": { type: "boolean", help: "Import from every account group that the token can see" },
  stack: stackOption("import into"),
  secrets: {
    type: "string",
    value: "FILE",
    help: 'JSON object with passwords, which the service never returns, by configuration key: { "KEY": "value" }',
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
    help: "Write classes of the native plugin, and add it to Pulumi.yaml (default for a program that uses them)",
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
    "asks before the import; without a terminal, it prints the commands.",
  examples: ["{} import --match 'Office*' --dry-run", "{} import --match 'Office*' --run"],
  options: { ...flags, ...named },
  notes: `Each resource type gets a TypeScript file, which the program's entry file loads. A program in JavaScript is not extended. If the program already declares a record, the record is imported under that name. A second run adds declarations for new records and changes no existing line. In a project with several stacks, the files have the stack's name, and the entry file loads them for that stack only. Until the import, import.STACK.json holds the input for "pulumi import".`,
  exitCodes: {
    1: "failed, or an update would change the imported resources",
    2: "done, but the program cannot express some records, which the report lists",
  },
});
