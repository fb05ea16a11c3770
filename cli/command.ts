import { parseArgs, type ParseArgsConfig } from "node:util";

/** A subcommand of `endpoint-monitoring`: one file each, one line in the list of `main.ts`. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Full help, with an example. */
  readonly help: string;
  /** Does the work. @returns the exit code @throws UsageError for a user's mistake */
  run(args: readonly string[]): Promise<number>;
}

/** A user's mistake or a condition they can change: told in a line, without a stack. */
export class UsageError extends Error {
  override readonly name = "UsageError";

  /** @param exitCode 2 for a wrong command line, 1 for what failed at work */
  constructor(
    message: string,
    readonly exitCode: 1 | 2 = 2,
  ) {
    super(message);
  }
}

/** Parses the options of a command, strictly and without positional arguments. @throws UsageError */
export function options<const O extends NonNullable<ParseArgsConfig["options"]>>(args: readonly string[], known: O) {
  try {
    return parseArgs({ args: [...args], options: known, allowPositionals: false }).values;
  } catch (error) {
    // Node explains at length; its first sentence names the culprit.
    const [reason] = error instanceof Error ? error.message.split(/\.\s|\n/) : [];
    throw new UsageError(reason ?? String(error));
  }
}

/** A whole number given as an option. @throws UsageError */
export function wholeNumber(option: string, value: string): number {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new UsageError(`--${option} takes a whole number, not "${value}"`);
}
