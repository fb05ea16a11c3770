import { statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { isNativeError } from "node:util/types";
import { EndpointMonitoringError } from "../api/errors";
import { type ExitCode } from "./command";
import { helpOf, program } from "./command/help";
import { commandNamed, commandNames, commands, runOf, unknownCommand } from "./command/list";
import { commonOptions, parsed } from "./command/option";
import { type Interruptible, interruptible } from "./interrupt";
import { closeAll, type Io, ioWith } from "../engine/io";
import { Output } from "./report/output";
import { InterruptedError, NotApprovedError, UsageError } from "../common/errors";

/**
 * Runs a command line. Several command lines can run at the same time, because the process keeps no state.
 * @returns the exit code
 */
export async function main(line: readonly string[], outer: Io): Promise<ExitCode> {
  const out = new Output(ownArguments(line).includes("--json"), outer);
  const folder = folderIn(line);
  const command = interruptible(folder === undefined ? outer : ioWith(outer, { cwd: resolve(outer.cwd, folder) }), out);
  const code = await run(withCommandFirst(line), out, command);
  command.end();
  out.endProgress();
  const closed = closeAll(command.io);
  // An interrupted command does not wait for its requests.
  if (code !== 130) await closed;
  return code;
}

/** Returns the value of `-C` if it precedes the command. */
function folderIn(line: readonly string[]): string | undefined {
  const options = { cwd: commonOptions.cwd };
  const { cwd } = parseArgs({ args: [...ownArguments(line)], options, strict: false }).values;
  return typeof cwd === "string" ? cwd : undefined;
}

/** Moves `-C DIR` from the start of the line to a position after the command. */
function withCommandFirst(line: readonly string[]): readonly string[] {
  const length = /^(?:-C|--cwd)$/.test(line[0] ?? "") ? 2 : /^(?:-C|--cwd=)/.test(line[0] ?? "") ? 1 : 0;
  if (length === 0 || line[length] === undefined) return line;
  return [line[length], ...line.slice(0, length), ...line.slice(length + 1)];
}

/** Options that select a command. */
const aliases: Readonly<Record<string, string>> = { "-v": "version", "--version": "version", "-h": "help", "--help": "help" };

async function run([first = "help", ...args]: readonly string[], out: Output, interrupts: Interruptible): Promise<ExitCode> {
  const { io } = interrupts;
  const name = aliases[first] ?? first;
  const command = commandNamed(name);
  // If the arguments of `help` are invalid, the message suggests the general help.
  const about = command && command.name !== "help" ? `${program} ${command.name}` : program;
  try {
    if (!command) throw new UsageError(unknownCommand(name));
    if (ownArguments(args).some((arg) => arg === "--help" || arg === "-h")) {
      io.stdout.write(helpOf(command));
      return 0;
    }
    const words = command.words?.(commandNames) ?? [];
    const { values, word, rest } = parsed(args, command.options, { words, name: command.wordName });
    if (word === undefined && command.needsWord) throw new UsageError(`Missing argument. Expected: ${words.join(", ")}`);
    if (values.cwd !== undefined && !statSync(io.cwd, { throwIfNoEntry: false })?.isDirectory()) {
      throw new UsageError(`The folder ${io.cwd} does not exist`, "work");
    }
    // The compile cache shortens the start of commands with many modules. Commands without options, such as `help`, do not need the compile
    // cache.
    if (Object.keys(command.options).length > 0) require("../provider/compile-cache");
    out.progress(`Preparing ${command.name}`, "nowhere");
    const work = runOf(command.name);
    if (!work) throw new TypeError(`The command ${command.name} has no implementation`);
    // The cast is safe, because the parser created the values from the option table of this command.
    return await interrupts.until(work(values as never, { out, io, word, rest, commands, invoke: main }));
  } catch (error) {
    if (error instanceof EndpointMonitoringError) {
      out.failure(error.code, `${about}: ${error.message}`);
      return 1;
    }
    if (error instanceof InterruptedError) {
      out.failure("interrupted", `${about}: ${error.message}`);
      return 130;
    }
    if (!(error instanceof UsageError)) {
      const shown = (isNativeError(error) && error.stack) || String(error);
      out.failure("bug", `${about}: ${shown}\nThis is a bug in this command. Please report it with the lines above.`);
      return 1;
    }
    const hint = error.about === "command line" ? ` Try "${about} --help".` : "";
    // If a message ends with a command line, the function adds no period.
    const message = /\n {2}\S.*$/.test(error.message) ? error.message : error.message.replace(/\.?$/, ".");
    out.failure("usage", `${about}: ${message}${hint}`);
    return error instanceof NotApprovedError ? 2 : 1;
  }
}

function ownArguments(line: readonly string[]): readonly string[] {
  return line.includes("--") ? line.slice(0, line.indexOf("--")) : line;
}
