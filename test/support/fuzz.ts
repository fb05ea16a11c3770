/**
 * Shared parts of rows with damaged input: unexpected values, and the evaluation of results. It needs no test runner, so that
 * a command may run the rows many thousand times.
 */
import { type CaseResult, type Order, type Outcome, Random } from "../chaos/row";

/** Milliseconds within which each try must be answered. A damaged input that takes longer counts as hanging. */
const patienceMs = 20_000;

/** Runs tries one after another. A thrown error or a timeout is a fault. */
export async function tryEach(
  { seed, count, progress }: Order,
  runCase: (random: Random) => Promise<CaseResult>,
): Promise<Outcome> {
  const tried: Outcome = { tried: 0, reported: 0, wrong: [] };
  for (let at = seed; at < seed + count; at += 1) {
    const outcome = await soon(runCase(new Random(at)));
    tried.tried += 1;
    if (outcome.reported) tried.reported += 1;
    if (outcome.wrong.length > 0) tried.wrong.push({ seed: at, what: outcome.wrong.join("; ") });
    if (tried.tried % 500 === 0) progress(tried.tried);
  }
  return tried;
}

async function soon(work: Promise<CaseResult>): Promise<CaseResult> {
  let timer: NodeJS.Timeout | undefined;
  const started = performance.now();
  const late: CaseResult = { reported: false, wrong: [`no answer within ${patienceMs} ms`] };
  const tooLate = new Promise<CaseResult>((resolve) => (timer = setTimeout(() => resolve(late), patienceMs)));
  const thrown = (error: unknown): CaseResult => ({ reported: false, wrong: [`threw ${textOf(error)}`] });
  const outcome = await Promise.race([work.catch(thrown), tooLate]);
  clearTimeout(timer);
  // A blocked thread is only noticed afterwards.
  return performance.now() - started > patienceMs ? late : outcome;
}

/** Returns an error with its stack trace in one line, truncated. */
export function textOf(error: unknown): string {
  const text = error instanceof Error ? error.stack || error.message : String(error);
  return text.slice(0, 600).replaceAll("\n", " | ");
}

/** Returns faults of a message: a secret, a stack trace, or no content. */
export function messageProblems(message: string, secret: string): string[] {
  return [
    ...(message.includes(secret) ? [`shows a value: ${message.slice(0, 300)}`] : []),
    ...(/\n\s+at .*[:(]\d+/.test(message) ? [`has a stack: ${message.slice(0, 300)}`] : []),
    ...(message.trim() === "" ? ["says nothing"] : []),
  ];
}

/** Returns values that no property expects. Each text contains `secret`, so that a message which shows one is found. */
export function oddValue(random: Random, secret: string): unknown {
  return random.of<() => unknown>([
    () => null,
    () => true,
    () => random.of([0, -0, -1, 1.5, 2 ** 53 + 2, 1e308, -1e-7]),
    () => "",
    () => secret,
    () => `${secret}\u0000\u202e\u{1f600}\ud800\n`,
    () => secret.repeat(random.of([2, 500, 5_000])),
    () => "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
    () => [],
    () => [null],
    () => [[secret]],
    () => [{ key: secret }, secret, null, 7],
    () => Array.from({ length: random.of([300, 3_000]) }, () => secret),
    () => ({}),
    () => ({ toString: secret, valueOf: secret, length: 3 }),
    () => JSON.parse(`{"then":"${secret}","constructor":{"prototype":"${secret}"}}`) as unknown,
    () => JSON.parse(`{"__proto__":{"polluted":"${secret}"},"hasOwnProperty":"${secret}"}`) as unknown,
    () => ({ "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value: secret }),
    () => ({ values: secret, key: [secret], mode: { in: secret } }),
    () => nested(random, secret, random.of([3, 40, 101, 6_000])),
  ])();
}

function nested(random: Random, innermost: unknown, levels: number): unknown {
  let value = innermost;
  for (let level = 0; level < levels; level += 1) value = random.isOne(2) ? [value] : { a: value };
  return value;
}

/**
 * Returns a copy of a JSON value with one difference: a member or an item is changed, missing, duplicated, added or renamed.
 */
export function mutated(random: Random, value: unknown, secret: string): unknown {
  const isContainer = typeof value === "object" && value !== null;
  if (!isContainer || random.isOne(12)) return oddValue(random, secret);
  const entries: [string, unknown][] = Object.entries(value);
  const at = random.below(entries.length + 1);
  const [name, member] = entries[at] ?? [random.of(["new", "__proto__", "id", "name", "toString"]), undefined];
  const change =
    at < entries.length && random.below(10) < 5 ? "deeper" : random.of(["other", "gone", "doubled", "renamed"] as const);
  const changed: [string, unknown][] = {
    deeper: (): [string, unknown][] => [[name, mutated(random, member, secret)]],
    other: (): [string, unknown][] => [[name, oddValue(random, secret)]],
    gone: (): [string, unknown][] => [],
    doubled: (): [string, unknown][] => [
      [name, member],
      [`${name}2`, member],
    ],
    renamed: (): [string, unknown][] => [[random.of(["x", "constructor", "values", "items"]), member]],
  }[change]();
  const all = [...entries.slice(0, at), ...changed, ...entries.slice(at + 1)];
  return Array.isArray(value) ? all.map(([, item]) => item) : Object.fromEntries(all);
}

/** Returns JSON text of a value. For a value that is too deep for the writer, it returns text that is much deeper. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return "[".repeat(100_000) + "]".repeat(100_000);
  }
}

/**
 * Returns a copy of a text with typical damage of files: truncated, with a duplicated, missing or swapped part, or with
 * strange characters.
 */
export function damagedText(random: Random, text: string, secret: string): string {
  const at = random.below(text.length + 1);
  const to = Math.min(text.length, at + random.of([1, 3, 20, 200]));
  const part = text.slice(at, to);
  const between = random.of<() => string>([
    () => "",
    () => part + part,
    () => part.split("").toReversed().join(""),
    () =>
      random.of(["\u0000", "\ufeff", "\ud800", "\u2028", "`", '"', "{", "}", "[", "/*", "${", "\\", "<<<<<<<\n", "\r\n"]) +
      part,
    () => `${secret}${part}`,
    () => "(".repeat(random.of([10, 400])) + part,
  ])();
  return random.isOne(6) ? text.slice(0, at) : text.slice(0, at) + between + text.slice(to);
}
