/** The parts of two names that differ, without the common words at the start and at the end of the names. */
export interface TokenChange {
  before: string;
  after: string;
}

/**
 * Returns the words that differ between two names: `hr` and `people` for `hr-london` and `people-london`. If the names are
 * equal, `before` and `after` are empty. The result is undefined if the names have no common word.
 */
export function changedTokens(before: string, after: string): TokenChange | undefined {
  const [a, b] = [tokensOf(before), tokensOf(after)];
  const shortest = Math.min(a.length, b.length);
  let start = 0;
  while (start < shortest && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shortest - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [head, tail] = [a.slice(0, start), a.slice(a.length - end)];
  if (![...head, ...tail].some((token) => /[\p{L}\p{N}]/u.test(token))) return undefined;
  return { before: a.slice(start, a.length - end).join(""), after: b.slice(start, b.length - end).join("") };
}

/** Splits a name into words and separators. */
export function tokensOf(name: string): string[] {
  return name.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]+/gu) ?? [];
}
