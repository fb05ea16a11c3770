import { isNativeError } from "node:util/types";
import { EndpointMonitoringError } from "../api/errors";
import { type ExitCode, InterruptedError, UsageError } from "./command";
import { helpOf, overview, program } from "./command/help";
import { commandNamed, unknownCommand } from "./command/list";
import { parsed } from "./command/option";
import { type Interruptible, interruptible } from "./interrupt";
import { closeAll, type Io } from "./io";
import { Output } from "./report/output";

/** Runs a command line. Nothing is kept in this process, so that many may run in it. @returns the exit code */
export async function main(line: readonly string[], io: Io): Promise<ExitCode> {
  const out = new Output(ownArguments(line).includes("--json"), io);
  const command = interruptible(io, out);
  const code = await run(line, out, command);
  command.end();
  out.endProgress();
  const closed = closeAll(command.io);
  // Nobody waits for requests of a command that was interrupted.
  if (code !== 130) await closed;
  return code;
}

async function run([name, ...args]: readonly string[], out: Output, interrupts: Interruptible): Promise<ExitCode> {
  const { io } = interrupts;
  if (name === "--help" || name === "-h") {
    io.stdout.write(overview());
    return 0;
  }
  if (name === "--version") {
    const { ownManifest } = require("../api/manifest") as typeof import("../api/manifest");
    const { version } = ownManifest();
    out.result({ version }, version);
    return 0;
  }
  const command = name === undefined ? undefined : commandNamed(name);
  const about = command ? `${program} ${command.name}` : program;
  try {
    if (!command) throw new UsageError(name === undefined ? "No command given" : unknownCommand(name));
    if (ownArguments(args).some((arg) => arg === "--help" || arg === "-h")) {
      io.stdout.write(helpOf(command));
      return 0;
    }
    const words = command.words?.() ?? [];
    const { values, word, rest } = parsed(args, command.options, words);
    if (word === undefined && command.needsWord) throw new UsageError(`A word is missing: ${words.join(", ")}`);
    // What a command loads takes longer than the start of Node. Those without options, such as help, load next to nothing.
    if (Object.keys(command.options).length > 0) require("../provider/compile-cache");
    out.progress(`Preparing ${command.name}`, "nowhere");
    return await interrupts.until(command.run(values, out, io, word, rest));
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
      out.failure("bug", `${about}: ${shown}\nThis is a bug of this command. Please report it with the lines above.`);
      return 1;
    }
    const hint = error.about === "command line" ? ` Try "${about} --help".` : "";
    out.failure("usage", `${about}: ${error.message.replace(/\.?$/, ".")}${hint}`);
    return 1;
  }
}

function ownArguments(line: readonly string[]): readonly string[] {
  return line.includes("--") ? line.slice(0, line.indexOf("--")) : line;
}
