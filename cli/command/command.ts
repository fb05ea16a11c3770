import type { Io } from "../../engine/io";
import type { Output } from "../report/output";
import type { OptionSpecs } from "./option";

/** The exit codes of all commands. `endpoint-monitoring help exit-codes` explains each code. */
export type ExitCode = 0 | 1 | 2 | 3 | 130;

/** Definition of a subcommand. The parser, the help and the documentation use the same definition. */
export interface Command<O extends OptionSpecs = OptionSpecs> {
  readonly name: string;
  readonly summary: string;
  readonly about: string;
  /** Arguments after the command's name, as the help shows them. @defaultValue `[OPTIONS]` */
  readonly usage?: string;
  /** Example command lines, the simplest first. The placeholder `{}` represents the program name. */
  readonly examples: readonly string[];
  /**
   * Paragraphs that the help shows before the options, separated by empty lines. In the help, a line that begins with white space keeps its
   * line break.
   */
  readonly details?: string;
  readonly options: O;
  /** Description of the `--json` output for the help. */
  readonly json?: string;
  readonly notes?: string;
  readonly exitCodes?: Readonly<Partial<Record<Exclude<ExitCode, 130>, string>>>;
  /**
   * Returns the allowed values of the command's argument.
   * @param commands names of all commands
   */
  readonly words?: (commands: readonly string[]) => readonly string[];
  readonly needsWord?: boolean;
  /** Name of the argument in messages. @defaultValue `argument` */
  readonly wordName?: string;
}

export interface Commands {
  all(): Command[];
  groups(): [group: string, commands: Command[]][];
  named(name: string): Command | undefined;
}

export interface Invocation {
  readonly out: Output;
  readonly io: Io;
  /** The command's argument, such as the task for the command `ci`. */
  readonly word?: string | undefined;
  /** Arguments after `--`. */
  readonly rest: readonly string[];
  readonly commands: Commands;
  /** Runs another command line in this process. */
  readonly invoke: (line: readonly string[], io: Io) => Promise<ExitCode>;
}

/**
 * Runs a command.
 * @throws UsageError if the user made a mistake
 * @throws API client errors
 */
export type Run = (values: never, invocation: Invocation) => Promise<ExitCode>;

export function defineCommand<const O extends OptionSpecs>(command: Command<O>): Command<O> {
  return command;
}
