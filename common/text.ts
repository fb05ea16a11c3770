import { isNativeError } from "node:util/types";

/**
 * Returns text from outside in a form that cannot control a terminal, be invisible to a reader, or command a CI runner. Control
 * characters, line breaks, zero-width characters and characters that reverse the text direction become their codes. A part of
 * `##[` and `##vso[` also becomes its code, because runners search for these texts anywhere in a line. Emoji are kept.
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

/** Returns text of several lines like {@link visible}, but keeps line breaks and tabs. */
export function printable(text: string): string {
  return withoutCommands(text.replace(/[^\n\t]+/g, visible));
}

/** Returns lines that contain no command to a CI runner. A runner recognizes `::name::` at the start of a line only. */
export function withoutCommands(lines: string): string {
  return lines.replace(/^(\s*):(?=:[\w-]+(?:[^\S\n][^\n]*)?::)/gm, "$1\\u{3a}");
}

/** Matches the beginning of a command to a CI runner anywhere in a line: `##[error]`, `##vso[task.complete]`. */
export const inlineCommand = /##(?=[\w.-]*\[)/g;

/** Returns JSON text, and escapes all characters that control a terminal or a CI runner. */
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

/** Returns a text such as `deletes (40), secrets (11)`. */
export function tallyText(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([label, number]) => `${label} (${count(number)})`).join(", ");
}

/** Returns an integer with commas between thousands: `1,234`. Loading Intl would take 15 ms. */
export function count(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Returns a number with its noun: `1 agent`, `2 agents`. */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`;
}

/** Returns the first words and the number of the others: `a, b and 3 more`. */
export function few(words: readonly string[], max = 10): string {
  return `${words.slice(0, max).join(", ")}${andMore(words.length - max)}`;
}

/** Returns ` and 3 more`, or an empty text if nothing is left. */
export function andMore(left: number): string {
  return left > 0 ? ` and ${count(left)} more` : "";
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns a time in a readable form, in UTC. */
export function timeText(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** Returns a command-line word as a person types it into a shell. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Compares texts in an order that does not depend on the locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

let collator: Intl.Collator | undefined;

/** Compares names so that numbers in them count as numbers: `site-9` is before `site-10`. The rules take 15 ms to load. */
export function compareNames(a: string, b: string): number {
  collator ??= new Intl.Collator("en", { numeric: true });
  return collator.compare(a, b);
}

/** Returns the message of an error. Node's own errors may come from another realm, so `instanceof` does not recognize them. */
export function messageOf(error: unknown): string {
  return isNativeError(error) ? error.message : String(error);
}

/** The text in place of an encrypted secret. Previews contain the same text. */
export const secretMask = "[secret]";
