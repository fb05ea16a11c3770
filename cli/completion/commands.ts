import { commonOptions, type OptionSpec } from "../command";
import { commands } from "../commands";

/** A command as a shell completes it. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** Words that it takes beside options. */
  readonly words: readonly string[];
}

export interface CompletedOption extends OptionSpec {
  /** With its dashes. */
  readonly flag: string;
  /** What it does, in a line. */
  readonly summary: string;
}

/** Options that stand in the place of a command, with what they do. */
export const programOptions: readonly (readonly [flag: string, summary: string])[] = [
  ["--help", "Show what commands there are"],
  ["--version", "Print the version"],
];

/** Every command and option that there is, from the list by which the commands themselves run. */
export function completedCommands(): CompletedCommand[] {
  return commands.map(({ name, summary, help, options, words }) => {
    const text = help();
    const all = Object.entries({ ...options(), ...commonOptions });
    return {
      name,
      summary,
      options: all.map(([option, spec]) => ({ ...spec, flag: `--${option}`, summary: summaryOf(text, option) })),
      words: words?.() ?? [],
    };
  });
}

/** Longest summary of an option, in characters: a shell shows it in a column beside the option. */
const maxSummary = 72;

/** What help says of an option in its first line: `  --out DIR   Folder of the program`, or below where the option is long. */
export function summaryOf(help: string, option: string): string {
  const line = new RegExp(`^ {2}(?:--[\\w-]+, )*--${option}(?=[ ,]).*?(?: {2,}|\\n +)(\\S.*)$`, "m").exec(help)?.[1] ?? "";
  const plain = line.replace(/[:;,.]$/, "");
  return plain.length > maxSummary ? `${plain.slice(0, maxSummary - 1).trimEnd()}…` : plain;
}
