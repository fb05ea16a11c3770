import { parseArgs } from "node:util";
import { suggestion } from "../../api/error-text";
import { UsageError } from "../../common/errors";

export interface OptionSpec {
  readonly type: "boolean" | "string";
  readonly multiple?: boolean;
  readonly short?: string;
  /** Name of the value in the help, such as `NAME`. */
  readonly value?: string;
  /** Allowed values. The user can enter several values, separated by commas. */
  readonly words?: readonly string[];
  readonly help: string;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

export const commonOptions = {
  cwd: { type: "string", short: "C", value: "DIR", help: "Run the command in this folder" },
  json: { type: "boolean", help: "Print the result as one JSON object" },
  help: { type: "boolean", short: "h", help: "Print this help" },
} as const satisfies OptionSpecs;

export type Values<O extends OptionSpecs> = ReturnType<typeof parsed<O>>["values"];

/**
 * Returns the option `--stack`.
 * @param what verb for the help text, such as `preview`
 */
export function stackOption(what: string) {
  const help = `Stack to ${what} (default: the selected stack, or the only stack)`;
  return { type: "string", short: "s", value: "NAME", help } as const;
}

interface Argument {
  readonly words: readonly string[];
  readonly name?: string;
}

/**
 * Parses the options and the argument of a command. The result contains the arguments after `--` as `rest`.
 *
 * @throws UsageError
 */
export function parsed<const O extends OptionSpecs>(args: readonly string[], known: O, argument: Argument) {
  const specs = { ...commonOptions, ...known };
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const commandArgs = args.slice(0, end);
  checkArguments(commandArgs, specs, argument);
  const { values, positionals } = parseArgs({ args: commandArgs, options: specs, allowPositionals: true });
  return { values, word: positionals[0], rest: args.slice(end + 1) };
}

/**
 * Throws an error for the first invalid argument, with a short message and a suggestion. The messages from Node's `parseArgs` are long and
 * lack suggestions.
 * @throws UsageError
 */
function checkArguments(args: readonly string[], known: OptionSpecs, { words, name = "argument" }: Argument): void {
  const { tokens } = parseArgs({ args: [...args], options: known, strict: false, tokens: true });
  for (const token of tokens) if (token.kind === "option") checkOption(token, known);
  const [word, secondWord] = tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : []));
  const unexpected = words.length === 0 ? word : secondWord;
  if (unexpected !== undefined) throw new UsageError(`Unexpected argument "${unexpected}"`);
  if (word === undefined || words.includes(word)) return;
  const expected = name === "argument" ? `. Expected: ${words.join(", ")}` : "";
  throw new UsageError(`Unknown ${name} "${word}"${suggestion(word, words)}${expected}`);
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  /** Whether the option and its value form a single argument, as in `--stack=prod`. */
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
  // If the user forgets a value, Node's `parseArgs` takes the next option as the value.
  if (!inlineValue && /^-./.test(value)) {
    throw new UsageError(
      `${rawName} requires a value, but ${value} looks like an option. To pass ${value} as the value, write --${name}=${value}`,
    );
  }
}

/** Returns a whole number, or undefined if the option is absent. @throws UsageError */
export function wholeNumber(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new UsageError(`--${option} takes a whole number, not "${value}"`);
}

/** Returns a number of at least 0, or undefined if the option is absent. @throws UsageError */
export function positiveNumber(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  throw new UsageError(`--${option} takes a number such as 2.5, not "${value}"`);
}

/**
 * Returns the comma-separated words of a repeatable option.
 * @throws UsageError for a word that is not allowed
 */
export function wordsOf<const W extends string>(option: string, values: readonly string[], allowed: readonly W[]): W[] {
  return listOf(values).map((word) => {
    const known = allowed.find((candidate) => candidate === word);
    if (known === undefined) throw new UsageError(`--${option} takes ${allowed.join(", ")}, not "${word}"`);
    return known;
  });
}

export function listOf(values: readonly string[] = []): string[] {
  return values.flatMap((value) => value.split(",").map((part) => part.trim())).filter((part) => part !== "");
}
