import type { Io } from "../../engine/io";
import type { Output } from "../report/output";
import type { OptionSpecs } from "./option";

/**
 * The exit codes of all commands: 0 done and nothing found, 1 failed (the command line, the engine, the service), 2 done, and it found
 * drift, a finding of a review, or a test out of bounds. 3 is no verdict: too little was measured for either.
 * 130 is an interrupted command.
 */
export type ExitCode = 0 | 1 | 2 | 3 | 130;

/** A subcommand of `endpoint-monitoring`: the table that parsing, help and the page of commands follow from. */
export interface Command<O extends OptionSpecs = OptionSpecs> {
  readonly name: string;
  readonly summary: string;
  /** The first sentences of the help. */
  readonly about: string;
  /** Arguments after the name. @defaultValue `[OPTIONS]` */
  readonly usage?: string;
  /** Command lines without the name of the program, the simplest first. */
  readonly examples: readonly string[];
  /** Paragraphs before the options, separated by empty lines. Lines that begin with white space stay as they are. */
  readonly details?: string;
  /** Options of this command only. */
  readonly options: O;
  /** The members of `data` with `--json`. */
  readonly json?: string;
  readonly notes?: string;
  /** Meanings of exit codes that differ from "done" for 0 and "failed" for 1. 130 is the same for all. */
  readonly exitCodes?: Readonly<Partial<Record<Exclude<ExitCode, 130>, string>>>;
  /** The argument next to the options is one of these words. @param commands names of all commands */
  readonly words?: (commands: readonly string[]) => readonly string[];
  readonly needsWord?: boolean;
  /** The name of that argument in messages. @defaultValue `argument` */
  readonly wordName?: string;
}

/** The tables of all commands, in the order of the help. */
export interface Commands {
  all(): Command[];
  groups(): [group: string, commands: Command[]][];
  named(name: string): Command | undefined;
}

/** What a command gets in addition to the values of its options. */
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

/** Does the work of a command. @throws UsageError for a user's mistake, and the client's errors */
export type Run = (values: never, invocation: Invocation) => Promise<ExitCode>;

/** Returns the table of a command, with the types of its options. */
export function defineCommand<const O extends OptionSpecs>(command: Command<O>): Command<O> {
  return command;
}
