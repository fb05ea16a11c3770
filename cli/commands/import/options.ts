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
    help: "Only records whose name or id fits; may be repeated. * is any run of characters, ? is one",
  },
  exclude: { type: "string", multiple: true, value: "GLOB", help: "Not those whose name or id fits; may be repeated" },
  "account-group": {
    type: "string",
    multiple: true,
    value: "ID",
    help: "Account groups to import from, comma-separated (default: that of the stack's settings, else the token's own)",
  },
  "all-account-groups": { type: "boolean", help: "Import from all account groups that the token may see" },
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
      "Import without a question: set the stack's secrets, preview the program, and import. If the next update would change any of the " +
      "records, nothing is imported",
  },
  references: {
    type: "boolean",
    help: "Note beside each declaration which alert rules and streams name the record: each rule takes a request",
  },
  native: {
    type: "boolean",
    help: "Write the classes of the native plugin, and name it in Pulumi.yaml. Chosen by itself for a program that has them already",
  },
} as const satisfies OptionSpecs;

const flags = Object.fromEntries(
  wordsOnRequest.map((word) => [
    word,
    { type: "boolean" as const, help: `Import ${word}, too: otherwise only when --only names them` },
  ]),
);

export type ImportOptionName = keyof typeof named;
export type ImportValues = Values<typeof named>;

export const importCommand = defineCommand({
  name: "import",
  summary: "Write code for existing records, and import them",
  about:
    "Writes the code that declares existing records, and imports them into a stack. The records themselves stay as they are. Without " +
    "--run it asks before the import; if there is no terminal, it prints the commands.",
  examples: ["{} import --match 'Office*' --dry-run", "{} import --match 'Office*' --run"],
  options: { ...flags, ...named },
  notes: `Each kind gets a file of its own, which the program's first file loads. They are in TypeScript: a program in JavaScript is not extended. A record that the program declares itself is imported under the name that it has there. Running it again adds what is new and changes no existing line. Until the import there is a file import.STACK.json for "pulumi import". In a project of several stacks the files have the stack's name, and the program's first file loads them for that stack alone. Layout is left to the project's formatter.`,
  exitCodes: {
    1: "failed, or an update would change the imported resources",
    2: "done, but the program cannot express some records, which the report lists",
  },
});
