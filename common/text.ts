import { isNativeError } from "node:util/types";

/**
 * Replaces characters of untrusted text that could control a terminal or CI runner, or hide text. Control characters, line
 * breaks, zero-width characters and text direction marks are replaced by their Unicode escapes. In `##[` and `##vso[`, which
 * start CI commands, the second `#` is also escaped. Emoji are unchanged.
 */
export function visible(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
      const point = character.codePointAt(0) ?? 0;
      const joins = point === 0x200c || point === 0x200d || (point >= 0xe0020 && point <= 0xe007f);
      return joins ? character : (escapes[character] ?? `\\u{${point.toString(16)}}`);
    })
    .replace(inlineCommand, "#\\u{23}");
}

/** Escapes untrusted text like the function `visible`, but keeps line breaks and tabs. */
export function printable(text: string): string {
  return withoutCommands(text.replace(/[^\n\t]+/g, visible));
}

/** Escapes CI commands of the form `::name::`, which a runner executes at the start of a line. */
export function withoutCommands(lines: string): string {
  return lines.replace(/^(\s*):(?=:[\w-]+(?:[^\S\n][^\n]*)?::)/gm, "$1\\u{3a}");
}

/** Matches the start of a CI command that a runner executes anywhere in a line: `##[error]`, `##vso[task.complete]`. */
export const inlineCommand = /##(?=[\w.-]*\[)/g;

/** Returns a value as JSON text, with escapes for characters that could control a terminal or a CI runner. */
export function printableJson(value: unknown, space?: number): string {
  const text = JSON.stringify(value, undefined, space).replace(inlineCommand, "#\\u0023");
  return text.replace(/[\u007f-\u009f\p{Cf}\u2028\u2029]/gu, (character) =>
    Array.from({ length: character.length }, (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`).join(""),
  );
}

const escapes: Record<string, string | undefined> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

export function cut(text: string, maxCharacters: number): string {
  const characters = Array.from(text);
  return characters.length > maxCharacters ? `${characters.slice(0, maxCharacters - 1).join("")}…` : text;
}

/** Returns labels with their counts, such as `deletes (40), secrets (11)`. */
export function tallyText(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([label, number]) => `${label} (${count(number)})`).join(", ");
}

/** Formats an integer with commas, such as `1,234`, without `Intl`, which takes 15 ms to load. */
export function count(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Returns a number with its noun, such as `1 agent` or `2 agents`. */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`;
}

/** Returns at most `max` words, followed by the number of omitted words: `a, b and 3 more`. */
export function few(words: readonly string[], max = 10): string {
  return `${words.slice(0, max).join(", ")}${andMore(words.length - max)}`;
}

/** Returns a string such as ` and 3 more`, or an empty string for zero. */
export function andMore(left: number): string {
  return left > 0 ? ` and ${count(left)} more` : "";
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Formats a UTC time for messages, such as `2026-11-28 18:00:00 UTC`. */
export function timeText(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** Quotes a command-line argument for a shell if necessary. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Compares strings in an order that does not depend on the locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

let collator: Intl.Collator | undefined;

/**
 * Compares names so that `site-9` comes before `site-10`. The collator is created on first use, because `Intl.Collator` takes
 * 15 ms to load.
 */
export function compareNames(a: string, b: string): number {
  collator ??= new Intl.Collator("en", { numeric: true });
  return collator.compare(a, b);
}

/**
 * Returns the message of an error. The function does not use `instanceof`, which does not recognize errors from another
 * JavaScript realm, such as a test's sandbox.
 */
export function messageOf(error: unknown): string {
  return isNativeError(error) ? error.message : String(error);
}

/** The text that replaces an encrypted secret in reports, as in Pulumi's previews. */
export const secretMask = "[secret]";
