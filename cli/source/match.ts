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

/** Above so many comparisons, items are no longer paired by likeness. */
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

/** Matches lists whose order counts: each wanted one takes the next item that is the same, else the next one if that is alike. */
export function matchedInOrder<I, W>(
  items: readonly I[],
  wanted: readonly W[],
  { same, alike }: Pick<Comparison<I, W>, "same" | "alike">,
): Matched<I, W>[] {
  let next = 0;
  return wanted.map((as, i): Matched<I, W> => {
    const at = items.findIndex((item, j) => j >= next && same(item, as));
    const here = items[next];
    // An item that another wanted one is the same as is left to that.
    const isFree = here !== undefined && !wanted.some((one, j) => j > i && same(here, one));
    if (at < 0 && !(isFree && here !== undefined && alike(here, as) > 0)) return { add: as };
    const item = items[at < 0 ? next : at];
    next = (at < 0 ? next : at) + 1;
    return item === undefined ? { add: as } : { item, as };
  });
}
