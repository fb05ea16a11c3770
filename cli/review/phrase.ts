import { code, plain } from "../markdown";
import { count, cut, visible } from "../words";

/** Text of others inside a sentence of ours, such as a name: each medium has its own way to show it without acting on it. */
export class Quoted {
  constructor(
    readonly text: string,
    /** A name stands in quotes; a word of the interface, such as that of a property, and the text of an error stand as they are. */
    readonly as: "name" | "word" | "error",
  ) {}
}

/** Words of ours that a reader should not miss. */
export class Strong {
  constructor(readonly text: string) {}
}

/** A sentence of ours around text of others. */
export type Phrase = readonly (string | Quoted | Strong)[];

/** Longest text of others in a sentence, in characters. */
const longest = 80;
/** The same of an error. */
const longestError = 500;

/**
 * Builds a phrase: what stands in the template is ours, text put into it is a name of others.
 *
 * @example phrase`label ${name} selects ${count} agents`
 */
export function phrase(literals: TemplateStringsArray, ...parts: (string | number | Quoted | Phrase)[]): Phrase {
  return literals.flatMap((literal, at): Phrase => [literal, ...shown(parts[at])]);
}

function shown(part: string | number | Quoted | Phrase | undefined): Phrase {
  if (part === undefined) return [];
  if (typeof part === "string") return [new Quoted(part, "name")];
  if (typeof part === "number") return [count(part)];
  return part instanceof Quoted ? [part] : part;
}

/** A word of the interface: a property, an identifier. */
export function word(text: string): Quoted {
  return new Quoted(text, "word");
}

/** The text of an error: it may quote others. */
export function said(text: string): Quoted {
  return new Quoted(text, "error");
}

export function strong(text: string): Phrase {
  return [new Strong(text)];
}

/** Text of ours that comes from elsewhere in the code, such as a kind's noun. */
export function ours(text: string): Phrase {
  return [text];
}

export function joined(parts: readonly Phrase[], separator: string): Phrase {
  return parts.flatMap((part, at) => (at === 0 ? part : [separator, ...part]));
}

/** The first of some phrases, and how many there are beyond. */
export function few(parts: readonly Phrase[], most: number, separator = ", "): Phrase {
  const first = joined(parts.slice(0, most), separator);
  return parts.length > most ? phrase`${first} and ${parts.length - most} more` : first;
}

/** A phrase on a terminal, or in JSON. */
export function inText(some: Phrase): string {
  return some
    .map((part) => {
      if (typeof part === "string") return part;
      if (part instanceof Strong) return part.text;
      const text = visible(cut(part.text, lengthOf(part)));
      return part.as === "name" ? `"${text}"` : text;
    })
    .join("");
}

/** A phrase in Markdown. What is ours holds nothing that means anything there. */
export function inMarkdown(some: Phrase): string {
  return some
    .map((part) => {
      if (typeof part === "string") return part;
      if (part instanceof Strong) return `**${part.text}**`;
      const text = cut(part.text, lengthOf(part));
      return part.as === "error" ? plain(text) : code(text);
    })
    .join("");
}

function lengthOf({ as }: Quoted): number {
  return as === "error" ? longestError : longest;
}
