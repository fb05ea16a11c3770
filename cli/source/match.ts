/** What a list becomes, in order: items that stay, each with what it is to be, and wanted ones that come. */
export type Matched<I, W> = { item: I; as: W } | { add: W };

/** How items and wanted ones are compared. */
export interface Comparison<I, W> {
  same: (item: I, wanted: W) => boolean;
  /** How much of an item a wanted one keeps; 0 for nothing. */
  alike: (item: I, wanted: W) => number;
  /** Text that is equal for the same plain values; absent for an item that has to be compared. */
  keyOfItem: (item: I) => string | undefined;
  /** The same of a wanted one. */
  keyOf: (wanted: W) => string | undefined;
}

/** Above so many comparisons, items are no longer paired by likeness, nor kept between others that change. */
const bound = 1_000_000;

/**
 * Matches lists whose order does not count: what is the same stays where it is, what is alike is changed where it is, the rest
 * comes at the end.
 */
export function matchedInAnyOrder<I, W>(
  items: readonly I[],
  wanted: readonly W[],
  { same, alike, keyOfItem, keyOf }: Comparison<I, W>,
): Matched<I, W>[] {
  const free = new Set(wanted);
  const byKey = Map.groupBy(wanted, keyOf);
  const compared = byKey.get(undefined) ?? [];
  const found = new Map<I, W>();
  const take = (item: I, one: W | undefined): void => {
    if (one !== undefined && free.delete(one)) found.set(item, one);
  };
  for (const item of items) {
    const key = keyOfItem(item);
    take(item, key === undefined ? compared.find((one) => free.has(one) && same(item, one)) : byKey.get(key)?.shift());
  }
  const left = items.filter((item) => !found.has(item));
  if (left.length * free.size <= bound) {
    const pairs = left.flatMap((item) => [...free].map((one) => ({ item, one, score: alike(item, one) })));
    for (const { item, one, score } of pairs.toSorted((a, b) => b.score - a.score)) {
      if (score > 0 && !found.has(item)) take(item, one);
    }
  }
  const staying = items.flatMap((item): Matched<I, W>[] => {
    const as = found.get(item);
    return as === undefined ? [] : [{ item, as }];
  });
  return [...staying, ...[...free].map((add) => ({ add }))];
}

/** Matches lists whose order counts: of what is the same, as much as possible stays; between, what is alike is changed. */
export function matchedInOrder<I, W>(
  items: readonly I[],
  wanted: readonly W[],
  { same, alike }: Pick<Comparison<I, W>, "same" | "alike">,
): Matched<I, W>[] {
  const matched: Matched<I, W>[] = [];
  let [from, next] = [0, 0];
  const between = (until: number, end: number): void => {
    for (const one of wanted.slice(next, end)) {
      const at = items.slice(0, until).findIndex((item, i) => i >= from && alike(item, one) > 0);
      const item = items[at];
      if (at < 0 || item === undefined) matched.push({ add: one });
      else {
        matched.push({ item, as: one });
        from = at + 1;
      }
    }
  };
  for (const [i, j] of longestCommon(items, wanted, same)) {
    between(i, j);
    const [item, as] = [items[i], wanted[j]];
    if (item !== undefined && as !== undefined) matched.push({ item, as });
    [from, next] = [i + 1, j + 1];
  }
  between(items.length, wanted.length);
  return matched;
}

/** Places of a longest common subsequence; where the lists are too long for that, of what they begin and end with. */
function longestCommon<I, W>(
  items: readonly I[],
  wanted: readonly W[],
  same: (item: I, wanted: W) => boolean,
): [number, number][] {
  const isSame = ([item]: readonly I[], [one]: readonly W[]): boolean =>
    item !== undefined && one !== undefined && same(item, one);
  const shorter = Math.min(items.length, wanted.length);
  let start = 0;
  while (start < shorter && isSame(items.slice(start), wanted.slice(start))) start += 1;
  let end = 0;
  while (end < shorter - start && isSame(items.slice(-1 - end), wanted.slice(-1 - end))) end += 1;
  const [rows, columns] = [items.slice(start, items.length - end), wanted.slice(start, wanted.length - end)];
  const middle = rows.length * columns.length > bound ? [] : commonOf(rows.map((row) => columns.map((one) => same(row, one))));
  return [
    ...Array.from({ length: start }, (_, i): [number, number] => [i, i]),
    ...middle.map(([row, column]): [number, number] => [start + row, start + column]),
    ...Array.from({ length: end }, (_, i): [number, number] => [items.length - end + i, wanted.length - end + i]),
  ];
}

/** The longest way through a table that goes down and right, by places that are true; `lengths` is what is left from each. */
function commonOf(table: readonly (readonly boolean[])[]): [number, number][] {
  const lengths: number[][] = [];
  for (const [row, line] of [...table.entries()].toReversed()) {
    const below = lengths[row + 1] ?? [];
    const here: number[] = [];
    for (const [column, isSame] of [...line.entries()].toReversed()) {
      here[column] = isSame ? (below[column + 1] ?? 0) + 1 : Math.max(below[column] ?? 0, here[column + 1] ?? 0);
    }
    lengths[row] = here;
  }
  const found: [number, number][] = [];
  for (let [row, column] = [0, 0]; row < table.length && column < (table[row]?.length ?? 0);) {
    if (table[row]?.[column]) {
      found.push([row, column]);
      [row, column] = [row + 1, column + 1];
    } else if ((lengths[row + 1]?.[column] ?? 0) >= (lengths[row]?.[column + 1] ?? 0)) row += 1;
    else column += 1;
  }
  return found;
}
