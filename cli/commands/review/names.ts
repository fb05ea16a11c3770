import { phrase, type Phrase, word, words } from "../../../common/phrase";
import { tokensOf } from "../../../common/token-change";
import type { ChangeGroup } from "../../../plan/judge/model";

/** Maximum number of exceptions in a range of names, and maximum number of names in a list. */
const [maxExceptions, maxListed] = [3, 3];

/** Returns the names of a group as `site-01 … site-40 except site-13`, or as `*-site-40`. */
export function rangeOf({ members, exceptions }: ChangeGroup): Phrase {
  const names = members.map(({ name }) => name);
  const [first = "", last = first] = [names[0], names.at(-1)];
  if (exceptions.length <= maxExceptions) {
    const except = exceptions.length === 0 ? [] : phrase` except ${listed(exceptions)}`;
    return phrase`${word(first)} … ${word(last)}${except}`;
  }
  const pattern = namePattern(names) ?? "*";
  const [head = "", tail = ""] = pattern.split("*");
  return exceptions.some((name) => name.startsWith(head) && name.endsWith(tail)) ? listed(names) : [word(pattern)];
}

/** Returns a range such as `hr-site-01 … hr-site-40`, if all names in it belong to the group. */
export function nameRange(names: readonly string[]): Phrase {
  const [first = "", last = first] = [names[0], names.at(-1)];
  return first === last ? [word(first)] : phrase`${word(first)} … ${word(last)}`;
}

function listed(names: readonly string[]): Phrase {
  return words(names, maxListed);
}

/** Returns the pattern of names, such as `erp-site-*`: their common start and end. Returns undefined without a common word. */
export function namePattern(names: readonly string[]): string | undefined {
  const [first, ...others] = [...new Set(names)];
  if (first === undefined || others.length === 0) return first;
  let [start, end] = [tokensOf(first), tokensOf(first)];
  for (const tokens of others.map(tokensOf)) {
    start = start.slice(0, sharedLength(start, tokens));
    end = end.slice(end.length - sharedLength(end.toReversed(), tokens.toReversed()));
  }
  const [head, tail] = [start.join(""), end.join("")];
  const shortest = others.reduce((least, name) => Math.min(least, name.length), first.length);
  const pattern = head.length + tail.length > shortest ? `${head}*` : `${head}*${tail}`;
  return /[\p{L}\p{N}]/u.test(pattern) ? pattern : undefined;
}

function sharedLength(a: readonly string[], b: readonly string[]): number {
  const different = a.findIndex((token, at) => token !== b[at]);
  return different === -1 ? a.length : different;
}
