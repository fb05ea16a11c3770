import { parseArgs, type ParseArgsConfig } from "node:util";
import type { Io } from "./io";
import { suggestion } from "./nearest";
import type { Output } from "./report/output";
import { messageOf } from "./report/text";

/**
 * What a command ends with, the same for all: 0 done and nothing found, 1 failed (the command line, the engine, the service), 2
 * done, and it found what it looks for: drift, a change worth stopping for, a test out of bounds. 3 is no verdict: it was done, and too
 * little was measured to say either. 130 is an interrupted one.
 */
export type ExitCode = 0 | 1 | 2 | 3 | 130;

/** A subcommand of `endpoint-monitoring`: one file each, one entry in the list of `commands.ts`. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Full help, with an example and the exit codes. */
  readonly help: () => string;
  /** Every option that it takes, beside those of all commands: shell completion is made of these. */
  readonly options: () => OptionSpecs;
  /** What it takes beside options, where that is one of a few words: `bash` of `completion bash`. */
  readonly words?: () => readonly string[];
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

/** An option of a command, and what a shell can complete after it. */
export interface OptionSpec {
  readonly type: "boolean" | "string";
  readonly multiple?: boolean;
  /** The words that it takes, several of them with commas between. */
  readonly words?: readonly string[];
  /** What it names, where that is no word. */
  readonly names?: "file" | "folder";
}

/** Options of a command by name, without the dashes. */
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** Options of every command. */
export const commonOptions = { json: { type: "boolean" }, help: { type: "boolean" } } as const satisfies OptionSpecs;

/** Parses the options of a command, strictly and without positional arguments. @throws UsageError */
export function options<const O extends OptionSpecs>(args: readonly string[], known: O) {
  return parsed(args, known, false).values;
}

/** The only word that a command takes beside its options; nothing where none is given. @throws UsageError */
export function wordAmong(args: readonly string[]): string | undefined {
  const [word, ...others] = parsed(args, {}, true).positionals;
  if (others.length > 0) throw new UsageError(`One word is enough, but there is "${others[0]}", too`);
  return word;
}

function parsed<const O extends OptionSpecs>(args: readonly string[], known: O, allowPositionals: boolean) {
  const all = { ...commonOptions, ...known };
  try {
    return parseArgs({ args: [...args], options: all, allowPositionals });
  } catch (error) {
    // Node explains at length; its first sentence names the culprit.
    const [reason = ""] = messageOf(error).split(/\.\s|\n/);
    throw new UsageError(reason + meantOption(args, all));
  }
}

/** What an option that there is none of was probably meant to be. */
function meantOption(args: readonly string[], known: NonNullable<ParseArgsConfig["options"]>): string {
  const { tokens } = parseArgs({ args: [...args], options: known, strict: false, tokens: true });
  const unknown = tokens.find((token) => token.kind === "option" && !(token.name in known));
  const names = Object.keys(known).map((name) => `--${name}`);
  return unknown?.kind === "option" ? suggestion(unknown.rawName, names) : "";
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
