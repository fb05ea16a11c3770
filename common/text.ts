import { isNativeError } from "node:util/types";

/**
 * Text of others with everything shown that would act on a terminal, hide from a reader or command a runner of CI: control characters,
 * line breaks, characters without a width and those that turn the direction of text round stand as their code, and so does a part of
 * `##[` and `##vso[`, which runners look for anywhere in a line. Emoji stay whole.
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

/** Text of several lines whose characters can all be seen: line breaks and tabs stay what they are. */
export function printable(text: string): string {
  return withoutCommands(text.replace(/[^\n\t]+/g, visible));
}

/** Lines of which none is a command to a runner of CI, which takes `::name::` for one only at the start of a line. */
export function withoutCommands(lines: string): string {
  return lines.replace(/^(\s*):(?=:[\w-]+(?:[^\S\n][^\n]*)?::)/gm, "$1\\u{3a}");
}

/** The beginning of a command to a runner of CI, anywhere in a line: `##[error]`, `##vso[task.complete]`. */
export const inlineCommand = /##(?=[\w.-]*\[)/g;

/** JSON text in which what a terminal or a runner of CI would act on is written as escapes. */
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

/** A number without fraction, with commas between thousands: `1,234`. Intl would take 15 ms to load. */
export function count(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 agent`, `2 agents`. */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`;
}

/** The first of some words, and how many there are beyond: `a, b and 3 more`. */
export function few(words: readonly string[], max = 10): string {
  return `${words.slice(0, max).join(", ")}${andMore(words.length - max)}`;
}

/** ` and 3 more`; nothing where there is no more. */
export function andMore(left: number): string {
  return left > 0 ? ` and ${count(left)} more` : "";
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A time as people read it, in UTC. */
export function timeText(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** A word of a command line as a person types it into a shell. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The order of texts, the same everywhere. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The message of an error. One of Node's own may come from another realm than this code, and is one all the same. */
export function messageOf(error: unknown): string {
  return isNativeError(error) ? error.message : String(error);
}

/** The mask of an encrypted secret, which previews also show. */
export const secretMask = "[secret]";
