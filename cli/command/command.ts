import type { Io } from "../../engine/io";
import type { Output } from "../report/output";
import type { OptionSpecs } from "./option";

/**
 * The exit codes of all commands. 0: done, without findings. 1: failed (command line, engine or service). 2: done, with findings such as
 * drift, a failed check or a test outside its limits. 3: inconclusive, because there are too few measurements. 130: interrupted.
 */
export type ExitCode = 0 | 1 | 2 | 3 | 130;

/** A subcommand of `endpoint-monitoring`. The parser, the help and the documentation page use this table. */
export interface Command<O extends OptionSpecs = OptionSpecs> {
  readonly name: string;
  readonly summary: string;
  readonly about: string;
  /** Arguments after the command's name, as the help shows them. @defaultValue `[OPTIONS]` */
  readonly usage?: string;
  /** Examples: command lines without the program name, the simplest first. */
  readonly examples: readonly string[];
  /** Paragraphs before the options, separated by empty lines. Lines that begin with white space keep their line breaks. */
  readonly details?: string;
  /** Options of this command only. */
  readonly options: O;
  /** The members of `data` with `--json`. */
  readonly json?: string;
  readonly notes?: string;
  /** Meanings of exit codes other than 0 (done), 1 (failed) and 130. */
  readonly exitCodes?: Readonly<Partial<Record<Exclude<ExitCode, 130>, string>>>;
  /** Allowed words for the argument next to the options. @param commands names of all commands */
  readonly words?: (commands: readonly string[]) => readonly string[];
  readonly needsWord?: boolean;
  /** Name of the argument in messages. @defaultValue `argument` */
  readonly wordName?: string;
}

/** The tables of all commands, in the order of the help. */
export interface Commands {
  all(): Command[];
  groups(): [group: string, commands: Command[]][];
  named(name: string): Command | undefined;
}

/** Input of a command in addition to its options. */
export interface Invocation {
  readonly out: Output;
  readonly io: Io;
  /** The argument next to the options. */
  readonly word?: string | undefined;
  /** Arguments after `--`. */
  readonly rest: readonly string[];
  readonly commands: Commands;
  /** Runs another command line in this process. */
  readonly invoke: (line: readonly string[], io: Io) => Promise<ExitCode>;
}

/** Runs a command. @throws UsageError for a user's mistake, and errors of the API client */
export type Run = (values: never, invocation: Invocation) => Promise<ExitCode>;

export function defineCommand<const O extends OptionSpecs>(command: Command<O>): Command<O> {
  return command;
}
