import { parseArgs } from "node:util";
import { suggestion } from "../../api/error-text";
import { UsageError } from "../../common/errors";

export interface OptionSpec {
  readonly type: "boolean" | "string";
  readonly multiple?: boolean;
  /** The letter of its short form. */
  readonly short?: string;
  /** The value as help names it, such as `NAME`. */
  readonly value?: string;
  /** Words that the option takes, separated by commas. */
  readonly words?: readonly string[];
  /** The text in the help. Lines that begin with white space stay as they are. */
  readonly help: string;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

export const commonOptions = {
  cwd: { type: "string", short: "C", value: "DIR", help: "Run in this folder" },
  json: { type: "boolean", help: "Print the result as one JSON object" },
  help: { type: "boolean", short: "h", help: "Print this text" },
} as const satisfies OptionSpecs;

/** The values of a command's options, and of those that all commands have. */
export type Values<O extends OptionSpecs> = ReturnType<typeof parsed<O>>["values"];

/** The option `--stack` of a command that works on one stack. @param what what happens to the stack, such as `preview` */
export function stackOption(what: string) {
  const help = `Stack to ${what} (default: the selected one, or the only one)`;
  return { type: "string", short: "s", value: "NAME", help } as const;
}

/** The argument that a command takes next to its options: one of some words. */
interface Argument {
  readonly words: readonly string[];
  /** The name of the argument in messages. */
  readonly name?: string;
}

/**
 * Parses the options of a command, and its argument. Arguments after `--` are `rest`.
 *
 * @throws UsageError
 */
export function parsed<const O extends OptionSpecs>(args: readonly string[], known: O, argument: Argument) {
  const all = { ...commonOptions, ...known };
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const own = args.slice(0, end);
  checkArguments(own, all, argument);
  const { values, positionals } = parseArgs({ args: own, options: all, allowPositionals: true });
  return { values, word: positionals[0], rest: args.slice(end + 1) };
}

/** Reports mistakes in our own words: those of `parseArgs` are long, and suggest nothing. @throws UsageError */
function checkArguments(args: readonly string[], known: OptionSpecs, { words, name = "argument" }: Argument): void {
  const { tokens } = parseArgs({ args: [...args], options: known, strict: false, tokens: true });
  for (const token of tokens) if (token.kind === "option") checkOption(token, known);
  const [word, other] = tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : []));
  const unexpected = words.length === 0 ? word : other;
  if (unexpected !== undefined) throw new UsageError(`Unexpected argument "${unexpected}"`);
  if (word === undefined || words.includes(word)) return;
  const expected = name === "argument" ? `. Expected: ${words.join(", ")}` : "";
  throw new UsageError(`Unknown ${name} "${word}"${suggestion(word, words)}${expected}`);
}

interface OptionToken {
  readonly name: string;
  /** The option as the user typed it, such as `-s`. */
  readonly rawName: string;
  readonly value?: string | undefined;
  /** Whether the value is part of the same word, as in `--stack=prod`. */
  readonly inlineValue?: boolean | undefined;
}

function checkOption({ name, rawName, value, inlineValue }: OptionToken, known: OptionSpecs): void {
  const spec = Object.hasOwn(known, name) ? known[name] : undefined;
  if (spec === undefined) {
    const names = Object.keys(known).map((option) => `--${option}`);
    throw new UsageError(`Unknown option ${rawName}${rawName.startsWith("--") ? suggestion(rawName, names) : ""}`);
  }
  if (spec.type === "boolean") {
    if (inlineValue) throw new UsageError(`${rawName} does not take a value`);
    return;
  }
  if (value === undefined) throw new UsageError(`${rawName} requires a value: ${rawName} ${spec.value}`);
  // Most likely the value was forgotten, and this is the next option.
  if (!inlineValue && /^-./.test(value)) {
    throw new UsageError(
      `${rawName} requires a value, and ${value} is an option. If it is the value, write --${name}=${value}`,
    );
  }
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
    const known = allowed.find((candidate) => candidate === word);
    if (known === undefined) throw new UsageError(`--${option} takes ${allowed.join(", ")}, not "${word}"`);
    return known;
  });
}

/** The parts of values separated by commas, of an option that may be repeated. */
export function listOf(values: readonly string[] = []): string[] {
  return values.flatMap((value) => value.split(",").map((part) => part.trim())).filter((part) => part !== "");
}
