import type { Command } from "./command";
import { allCommands } from "./list";
import { commonOptions, type OptionSpec } from "./option";

export const program = "endpoint-monitoring";

const maxColumns = 110;
/** Column in which the texts of options begin at most: a longer option has its text below. */
const maxOptionColumn = 24;

export function overview(): string {
  return `${program}: endpoint monitoring as code

Usage: ${program} COMMAND [OPTIONS]

Commands:
${rows(allCommands().map(({ name, summary }) => [name, summary]))}

Every command takes --json: one object on standard output, { data, warnings } or { error }.
Exit codes: 0 done, 1 failed, 2 done and found what it looks for (see each command), 130 interrupted.

"${program} COMMAND --help" has more. "${program} --version" prints the version.
`;
}

export function helpOf(command: Command): string {
  const { name, about, usage = "[OPTIONS]", examples, details, notes, json, exitCodes } = command;
  const codes = Object.entries({ ...exitCodes, 130: "interrupted" });
  const parts = [
    wrapped(about, ""),
    `Usage: ${program} ${name} ${usage}`,
    ["Examples:", ...examples.map((line) => `  ${line.replaceAll("{}", program)}`)].join("\n"),
    ...(details === undefined ? [] : [wrapped(details, "")]),
    `Options:\n${rows(allOptions(command).map(([option, spec]) => [flagOf(option, spec), optionText(option, spec, json)]))}`,
    ...(notes === undefined ? [] : [wrapped(notes, "")]),
    `Exit codes:\n${rows(codes)}`,
  ];
  return `${parts.join("\n\n")}\n`;
}

/** The options of a command, those of all commands last. */
export function allOptions({ options }: Pick<Command, "options">): [string, OptionSpec][] {
  return Object.entries({ ...options, ...commonOptions });
}

function flagOf(option: string, { value }: OptionSpec): string {
  return `--${option}${value === undefined ? "" : ` ${value}`}`;
}

function optionText(option: string, { help }: OptionSpec, json: string | undefined): string {
  return option === "json" && json !== undefined ? `${help}: { data: ${json} }` : help;
}

function rows(entries: readonly (readonly [string, string])[]): string {
  const column = Math.min(maxOptionColumn, Math.max(...entries.map(([term]) => term.length)) + 4);
  return entries
    .flatMap(([term, text]) => {
      const lines = wrapped(text, " ".repeat(column));
      const head = `  ${term}`.padEnd(column);
      return head.length > column || head === `  ${term}` ? [head, lines] : [head + lines.slice(column)];
    })
    .join("\n");
}

/** Fits text into the columns of the help. A line that begins with white space stays a line, and goes on below its own text. */
function wrapped(text: string, indent: string): string {
  return text
    .replaceAll(/(?<=^\S.*)\n(?=\S)/gm, " ")
    .split("\n")
    .flatMap((line) => {
      const [head = ""] = /^\s+(?:- |\S+ {2,})?/.exec(line) ?? [];
      const [first = "", ...others] = filled(line.slice(head.length), maxColumns - indent.length - head.length);
      return [`${indent}${head}${first}`.trimEnd(), ...others.map((one) => indent + " ".repeat(head.length) + one)];
    })
    .join("\n");
}

function filled(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const one of text.split(/ /)) {
    if (line !== "" && line.length + 1 + one.length > columns) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? one : ` ${one}`;
  }
  return [...lines, line];
}
