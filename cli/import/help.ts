import type { OptionSpecs } from "../command";
import { kindWords, wordsOnRequest } from "../kind-words";

const named = {
  stack: { type: "string" },
  "account-group": { type: "string", multiple: true },
  "all-account-groups": { type: "boolean" },
  only: { type: "string", multiple: true, words: kindWords },
  match: { type: "string", multiple: true },
  exclude: { type: "string", multiple: true },
  out: { type: "string", names: "folder" },
  file: { type: "string", names: "file" },
  secrets: { type: "string", names: "file" },
  run: { type: "boolean" },
  "dry-run": { type: "boolean" },
  adopt: { type: "boolean" },
  native: { type: "boolean" },
} as const satisfies OptionSpecs;

/** Options for kinds that are imported on request alone. */
const flags = Object.fromEntries(wordsOnRequest.map((word) => [word, { type: "boolean" as const }]));

export const importOptions = { ...flags, ...named };
export type ImportOptionName = keyof typeof named;

export const help = `Writes the program that declares what the service holds, and hands it to Pulumi without touching the service.

Usage: endpoint-monitoring import [OPTIONS]

What:
  --only KINDS          Kinds to import, comma-separated (default: all but ${wordsOnRequest.join(", ")}):
                        ${kindWords.join(", ")}
${wordsOnRequest.map((word) => `  --${word.padEnd(20)}Import ${word}, too: otherwise only when --only names them`).join("\n")}
  --match GLOB          Only records whose name or id fits; may be repeated. * is any run of characters, ? is one
  --exclude GLOB        Not those whose name or id fits; may be repeated
  --account-group ID    Account groups to import from, comma-separated
                        (default: that of the stack's settings, else the token's own)
  --all-account-groups  All that the token may see

Where to:
  --stack NAME          Stack to import into (default: the selected one, or the only one)
  --out DIR             Folder of the program (default: the project's)
  --file FILE           Import file (default: import.STACK.json in the project's folder)
  --secrets FILE        JSON object with passwords, which the service never returns: { "KEY": "value" }.
                        KEY is a configuration key, a resource name or an id

How:
  --dry-run             Show what would be done, and write nothing
  --run                 Import into the stack, set its secrets, and preview the program: anything that an update
                        would change of what is imported is a failure. Without it the commands are printed
  --adopt               Write adopt: true and no import file: the next update adopts the records.
                        Chosen by itself for a Pulumi before 3.254
  --native              Write the classes of the native plugin, and name it in Pulumi.yaml. Chosen by itself for a program that
                        has them already
  --json                Print the result as JSON
  --help                This text

Example, in the folder of a Pulumi project:
  endpoint-monitoring import --match 'Office*' --dry-run
  endpoint-monitoring import --match 'Office*' --run

Each kind gets a file of its own, which the program's first file loads: in TypeScript, or in JavaScript where that file is. A record
that the program declares itself is imported under the name that it has there. Running it again adds what is new and changes no
existing line. Files are formatted by the project's prettier, where it has one, else in the style of the program's first file and of
.editorconfig; line ends are those of the program. Outside a Pulumi project the settings come from the environment
(ENDPOINT_MONITORING_BASE_URL, …_TOKEN).

Exit codes: 0 done; 1 failed, or an update would change what has been imported; 2 done, but some records cannot be
expressed, which are listed; 130 interrupted.
`;
