import { parseArgs, type ParseArgsConfig } from "node:util";
import type { Io } from "./io";
import type { Output } from "./report/output";
import { messageOf } from "./report/text";

/**
 * What a command ends with, the same for all: 0 done and nothing found, 1 failed (the command line, the engine, the service), 2
 * done, and it found what it looks for: drift, a change worth stopping for, a test out of bounds. 130 is an interrupted one.
 */
export type ExitCode = 0 | 1 | 2 | 130;

/** A subcommand of `endpoint-monitoring`: one file each, one entry in the list of `commands.ts`. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Full help, with an example and the exit codes. */
  readonly help: () => string;
  /** Does the work. @throws UsageError for a user's mistake, and the client's errors */
  run(args: readonly string[], out: Output, io: Io): Promise<ExitCode>;
}

/** A user's mistake or a condition they can change: reported in a line, without a stack. */
export class UsageError extends Error {
  override readonly name = "UsageError";

  /** @param about `command line` where the help has the answer, `work` for anything else */
  constructor(
    message: string,
    readonly about: "command line" | "work" = "command line",
  ) {
    super(message);
  }
}

/** Ctrl+C, or SIGTERM, ended the work before it was done. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
}

const commonOptions = { json: { type: "boolean" } } as const;

/** Parses the options of a command, strictly and without positional arguments. @throws UsageError */
export function options<const O extends NonNullable<ParseArgsConfig["options"]>>(args: readonly string[], known: O) {
  try {
    return parseArgs({ args: [...args], options: { ...commonOptions, ...known }, allowPositionals: false }).values;
  } catch (error) {
    // Node explains at length; its first sentence names the culprit.
    const [reason = ""] = messageOf(error).split(/\.\s|\n/);
    throw new UsageError(reason);
  }
}

export function wholeNumber(option: string, value: string): number {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new UsageError(`--${option} takes a whole number, not "${value}"`);
}

/** A number from 0 on given as an option, or nothing. @throws UsageError */
export function positiveNumber(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  throw new UsageError(`--${option} takes a number such as 2.5, not "${value}"`);
}

/** Words given as an option, comma-separated and as often as wanted, each one of those allowed. @throws UsageError */
export function wordsOf<const W extends string>(option: string, values: readonly string[], allowed: readonly W[]): W[] {
  return listOf(values).map((word) => {
    const found = allowed.find((one) => one === word);
    if (found === undefined) throw new UsageError(`--${option} takes ${allowed.join(", ")}, not "${word}"`);
    return found;
  });
}

/** Values of an option that may be given comma-separated and as often as wanted. */
export function listOf(values: readonly string[] = []): string[] {
  return values.flatMap((value) => value.split(",").map((part) => part.trim())).filter((part) => part !== "");
}
