import { phrase, type Phrase, word, words } from "../../../common/phrase";
import { compareNames } from "../../../common/text";
import { tokensOf } from "../../../common/token-change";

/** Maximum number of exceptions in a range of names, and maximum number of names in a list. */
const [maxExceptions, maxListed] = [3, 3];

/** A pattern with the common start and end of names, such as `erp-site-*`. */
export interface NamePattern {
  readonly text: string;
  matches(name: string): boolean;
}

/**
 * Returns names as `site-01 … site-40 except site-13`, as `*-site-40`, or as a list.
 *
 * @param names sorted names
 * @param exceptions names between the first and the last name that do not belong to the group
 */
export function rangeOf(names: readonly string[], exceptions: readonly string[]): Phrase {
  if (exceptions.length <= maxExceptions) {
    return phrase`${range(names)}${exceptions.length === 0 ? [] : phrase` except ${words(exceptions, maxListed)}`}`;
  }
  const pattern = patternOf(names);
  return pattern && !exceptions.some((name) => pattern.matches(name)) ? [word(pattern.text)] : words(names, maxListed);
}

/**
 * Returns a pattern for names, such as `erp-site-*`. If other names also match the pattern, the function returns a range of names. The
 * result is an empty phrase if neither a pattern nor a range identifies the names.
 */
export function sharedName(names: readonly string[], others: readonly string[]): Phrase {
  const pattern = patternOf(names);
  if (!pattern) return [];
  const similar = others.filter((name) => pattern.matches(name));
  if (similar.length === 0) return [word(pattern.text)];
  const sorted = names.toSorted(compareNames);
  const [first = "", last = first] = [sorted[0], sorted.at(-1)];
  const isBetween = (name: string): boolean => compareNames(first, name) < 0 && compareNames(name, last) < 0;
  return similar.some(isBetween) ? [] : range(sorted);
}

function range(names: readonly string[]): Phrase {
  const [first = "", last = first] = [names[0], names.at(-1)];
  return first === last ? [word(first)] : phrase`${word(first)} … ${word(last)}`;
}

/** Returns the common pattern of names, or undefined if the names have no common word. */
export function patternOf(names: readonly string[]): NamePattern | undefined {
  const [first, ...others] = [...new Set(names)];
  if (first === undefined) return undefined;
  if (others.length === 0) return { text: first, matches: (name) => name === first };
  let [start, end] = [tokensOf(first), tokensOf(first)];
  for (const tokens of others.map(tokensOf)) {
    start = start.slice(0, sharedLength(start, tokens));
    end = end.slice(end.length - sharedLength(end.toReversed(), tokens.toReversed()));
  }
  const shortest = others.reduce((least, name) => Math.min(least, name.length), first.length);
  const head = start.join("");
  const tail = head.length + end.join("").length > shortest ? "" : end.join("");
  if (!/[\p{L}\p{N}]/u.test(head + tail)) return undefined;
  return { text: `${head}*${tail}`, matches: (name) => name.startsWith(head) && name.endsWith(tail) };
}

function sharedLength(a: readonly string[], b: readonly string[]): number {
  const different = a.findIndex((token, at) => token !== b[at]);
  return different === -1 ? a.length : different;
}
