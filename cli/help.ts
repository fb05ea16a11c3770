import { type Command, type ExitCode, UsageError, wordAmong } from "./command";
import { commands } from "./commands";
import { suggestion } from "./nearest";
import type { Output } from "./report/output";

export const program = "endpoint-monitoring";

/** Options that stand in the place of a command. */
const globalOptions = ["--help", "--version"];

/** What the program does: every command in a line. */
export function overview(): string {
  const nameWidth = Math.max(...commands.map(({ name }) => name.length));
  return `${program}: endpoint monitoring as code

Usage: ${program} COMMAND [OPTIONS]

Commands:
${commands.map(({ name, summary }) => `  ${name.padEnd(nameWidth)}  ${summary}`).join("\n")}

Every command takes --json: one object on standard output, { data, warnings } or { error }.
Exit codes: 0 done, 1 failed, 2 done and found what it looks for (see each command), 130 interrupted.

"${program} COMMAND --help" has more. "${program} --version" prints the version.
`;
}

export async function runHelp(args: readonly string[], out: Output): Promise<ExitCode> {
  const name = wordAmong(args);
  const help = name === undefined ? overview() : commandHelp(name);
  out.result({ help }, help);
  return 0;
}

function commandHelp(name: string): string {
  const command = commandNamed(name);
  if (command) return command.help();
  throw new UsageError(`${unknownCommand(name)}. "${program} help" lists them`, "work");
}

export function commandNamed(name: string | undefined): Command | undefined {
  return commands.find((one) => one.name === name);
}

/** What to say of a word that stands where a command should, and is none. */
export function unknownCommand(name: string): string {
  return `Unknown command "${name}"${suggestion(name, [...commands.map((one) => one.name), ...globalOptions])}`;
}
