import { parseArgs, type ParseArgsConfig } from "node:util";
import { suggestion } from "../../api/error-text";
import { messageOf } from "../report/text";
import { UsageError } from "./errors";

export interface OptionSpec {
  readonly type: "boolean" | "string";
  readonly multiple?: boolean;
  /** The value as help names it, such as `NAME`. */
  readonly value?: string;
  /** Words that the option takes, separated by commas. */
  readonly words?: readonly string[];
  /** The kind of path that a shell completes. */
  readonly names?: "file";
  /** The text in the help. Completion shows its first sentence. Lines that begin with white space stay as they are. */
  readonly help: string;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

export const commonOptions = {
  json: { type: "boolean", help: "Print the result as one JSON object" },
  help: { type: "boolean", help: "Print this text" },
} as const satisfies OptionSpecs;

/** The values of a command's options, and of those that all commands have. */
export type Values<O extends OptionSpecs> = ReturnType<typeof parsed<O>>["values"];

/** The option `--stack` of a command that works on one stack. @param what what happens to the stack, such as `preview` */
export function stackOption(what: string) {
  return { type: "string", value: "NAME", help: `Stack to ${what} (default: the selected one, or the only one)` } as const;
}

/**
 * Parses the options of a command, and the word beside them. Arguments after `--` are `rest`.
 *
 * @param words the words of which the command takes one
 * @throws UsageError
 */
export function parsed<const O extends OptionSpecs>(args: readonly string[], known: O, words: readonly string[]) {
  const all = { ...commonOptions, ...known };
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const own = args.slice(0, end);
  const rest = args.slice(end + 1);
  try {
    const { values, positionals } = parseArgs({ args: own, options: all, allowPositionals: words.length > 0 });
    const [word, other] = positionals;
    if (other !== undefined) throw new UsageError(`One word is enough, but there is "${other}", too`);
    if (word !== undefined && !words.includes(word)) {
      throw new UsageError(`It takes ${words.join(", ")}, not "${word}"${suggestion(word, words)}`);
    }
    return { values, word, rest };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    // Node explains at length; its first sentence names the culprit.
    const [reason = ""] = messageOf(error).split(/\.\s|\n/);
    throw new UsageError(reason + meantOption(own, all));
  }
}

/** Suggests the option that an unknown one was probably meant to be. */
function meantOption(args: readonly string[], known: NonNullable<ParseArgsConfig["options"]>): string {
  const { tokens } = parseArgs({ args: [...args], options: known, strict: false, tokens: true });
  const unknown = tokens.find((token) => token.kind === "option" && !(token.name in known));
  const names = Object.keys(known).map((name) => `--${name}`);
  return unknown?.kind === "option" ? suggestion(unknown.rawName, names) : "";
}

/** Reads a whole number; undefined if the option is not given. @throws UsageError */
export function wholeNumber(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new UsageError(`--${option} takes a whole number, not "${value}"`);
}

/** Reads a number from 0 on; undefined if the option is not given. @throws UsageError */
export function positiveNumber(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  throw new UsageError(`--${option} takes a number such as 2.5, not "${value}"`);
}

/** Reads words separated by commas, of an option that may be repeated. @throws UsageError for a word that is not allowed */
export function wordsOf<const W extends string>(option: string, values: readonly string[], allowed: readonly W[]): W[] {
  return listOf(values).map((word) => {
    const found = allowed.find((one) => one === word);
    if (found === undefined) throw new UsageError(`--${option} takes ${allowed.join(", ")}, not "${word}"`);
    return found;
  });
}

/** The parts of values separated by commas, of an option that may be repeated. */
export function listOf(values: readonly string[] = []): string[] {
  return values.flatMap((value) => value.split(",").map((part) => part.trim())).filter((part) => part !== "");
}
