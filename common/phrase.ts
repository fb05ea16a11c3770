import { andMore, count, cut, visible } from "./text";

/**
 * A part of a sentence. A plain string is our own text. Other text is marked, because each medium renders it differently and
 * must escape it: a `name` (in quotes or as code), a `word` of the interface such as a property or an id, the text of an
 * `error`, and a `place` in a program. `strong` marks our own words that a reader should not miss.
 */
export type Span = string | { readonly as: "name" | "word" | "error" | "place" | "strong"; readonly text: string };

/** A sentence of this package that contains text from outside, such as names. */
export type Phrase = readonly Span[];

/**
 * Builds a phrase. The template is our own text. Strings in its placeholders are names from outside.
 *
 * @example phrase`label ${name} selects ${count} agents`
 */
export function phrase(literals: TemplateStringsArray, ...parts: (string | number | Span | Phrase)[]): Phrase {
  return literals.flatMap((literal, at): Phrase => [literal, ...spansOf(parts[at] ?? [])]).filter((span) => span !== "");
}

function spansOf(part: string | number | Span | Phrase): Phrase {
  if (typeof part === "string") return [{ as: "name", text: part }];
  if (typeof part === "number") return [count(part)];
  return "as" in part ? [part] : part;
}

export function word(text: string): Span {
  return { as: "word", text };
}

export function errorText(text: string): Span {
  return { as: "error", text };
}

export function place(text: string): Span {
  return { as: "place", text };
}

export function strong(text: string): Phrase {
  return [{ as: "strong", text }];
}

/** Marks a string from this package, such as a kind's noun, as text that needs no escaping. */
export function ours(text: string): Phrase {
  return text === "" ? [] : [text];
}

export function joined(parts: readonly Phrase[], separator: string): Phrase {
  return parts.flatMap((part, at) => (at === 0 ? part : [separator, ...part]));
}

/**
 * Returns the first phrases and the number of the others: `a, b and 3 more`. @param total the number of all phrases, if `parts`
 * has only some of them
 */
export function few(parts: readonly Phrase[], max: number, separator = ", ", total = parts.length): Phrase {
  const shown = parts.slice(0, max);
  return [...joined(shown, separator), ...ours(andMore(total - shown.length))];
}

export function fewNames(names: readonly string[], max: number, total = names.length): Phrase {
  const parts = names.map((name) => phrase`${name}`);
  return few(parts, max, ", ", total);
}

export function words(texts: readonly string[], max = texts.length): Phrase {
  const parts = texts.map((text) => [word(text)]);
  return few(parts, max);
}

/** Maximum number of characters that a sentence shows of a name or an error. */
export const [maxSpan, maxErrorSpan] = [80, 500];

/** Returns a phrase as plain text, for terminals and JSON. @param paint colors a place in a program. Default: no color */
export function phraseText(sentence: Phrase, paint: (text: string) => string = (text) => text): string {
  return sentence.map((span) => spanText(span, paint)).join("");
}

function spanText(span: Span, paint: (text: string) => string): string {
  if (typeof span === "string") return span;
  if (span.as === "strong") return span.text;
  const text = visible(cut(span.text, span.as === "error" ? maxErrorSpan : maxSpan));
  if (span.as === "name") return `"${text}"`;
  return span.as === "place" ? paint(text) : text;
}
