import { andMore, count, cut, visible } from "./text";

/**
 * A part of a sentence. A plain string is trusted text of this package. The member `as` marks untrusted text, because each
 * report format escapes untrusted text differently. Reports show a `name` in quotes or as code. A `word` is a property or an
 * id, an `error` is an error message, and a `place` is a position in a program. `strong` emphasizes text of this package.
 */
export type Span = string | { readonly as: "name" | "word" | "error" | "place" | "strong"; readonly text: string };

/** A sentence for messages and reports. A phrase may contain untrusted text, such as resource names. */
export type Phrase = readonly Span[];

/**
 * Builds a phrase from a template literal, which is trusted text of this package. Strings in placeholders are untrusted and
 * escaped as names.
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

/** Marks text of this package, such as a resource type's noun, as safe. Reports do not escape safe text. */
export function ours(text: string): Phrase {
  return text === "" ? [] : [text];
}

export function joined(parts: readonly Phrase[], separator: string): Phrase {
  return parts.flatMap((part, at) => (at === 0 ? part : [separator, ...part]));
}

/**
 * Returns at most `max` phrases, followed by the number of omitted phrases: `a, b and 3 more`.
 *
 * @param total total number of phrases, if `parts` does not contain all phrases
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

/** Maximum lengths of a name and of an error message within a sentence, in characters. */
export const [maxSpan, maxErrorSpan] = [80, 500];

/**
 * Returns a phrase as plain text for terminals and JSON.
 *
 * @param paint function that colors a source position. By default, source positions have no color
 */
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
