import type { Command, Commands } from "./command";
import { rows, wrapped } from "./layout";
import { commonOptions, type OptionSpec } from "./option";
import { topics } from "./topics";

export const program = "endpoint-monitoring";

export function overview(groupsOfCommands: ReturnType<Commands["groups"]>): string {
  const groups = groupsOfCommands.map(([group, tables]): [string, [string, string][]] => [
    group,
    tables.map(({ name, summary }) => [name, summary]),
  ]);
  const named = Object.entries(topics).map(([name, { summary }]): [string, string] => [name, summary]);
  // The descriptions of commands and topics start in the same column.
  const lines = rows([...groups.flatMap(([, commands]) => commands), ...named]).split("\n");
  const sections = [...groups, ["Topics", named] as const].map(([title, entries]) => {
    return `${title}:\n${lines.splice(0, entries.length).join("\n")}`;
  });
  return `${program}: ThousandEyes Endpoint Monitoring as code

Usage: ${program} [-C DIR] COMMAND [OPTIONS]

${sections.join("\n\n")}

For more information, run "${program} help COMMAND" or "${program} help TOPIC".
`;
}

export function helpOf(command: Command): string {
  const { name, about, usage = "[OPTIONS]", examples, details, notes, exitCodes = {} } = command;
  const options = Object.entries(command.options);
  const parts = [
    wrapped(about),
    `Usage: ${program} ${name} ${usage}`,
    ["Examples:", ...examples.map((line) => `  ${line.replaceAll("{}", program)}`)].join("\n"),
    ...(details === undefined ? [] : [wrapped(details)]),
    ...(options.length === 0 ? [] : [`Options:\n${rows(options.map(([option, spec]) => [flagOf(option, spec), spec.help]))}`]),
    ...(notes === undefined ? [] : [wrapped(notes)]),
    ...(Object.keys(exitCodes).length === 0 ? [] : [`Exit codes:\n${rows(Object.entries(exitCodes))}`]),
    `Every command accepts -C DIR, --json and --help. Help topics: ${Object.keys(topics).join(", ")}.`,
  ];
  return `${parts.join("\n\n")}\n`;
}

export function allOptions({ options }: Pick<Command, "options">): [string, OptionSpec][] {
  return Object.entries({ ...options, ...commonOptions });
}

function flagOf(option: string, { short, value }: OptionSpec): string {
  return `${short === undefined ? "" : `-${short}, `}--${option}${value === undefined ? "" : ` ${value}`}`;
}
