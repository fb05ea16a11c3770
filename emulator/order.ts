export interface SortKey<T> {
  /** Returns the value to sort by. Records without a value for this key come last in both sort directions. */
  readonly value: (record: T) => string | number | undefined;
  readonly descending: boolean;
}

/** The position of a record in a sort order: its sort values, and its place in the order of creation. */
export type OrderPosition = readonly (string | number | null)[];

export class Order<T extends { readonly sequence: number }> {
  constructor(
    private readonly keys: readonly SortKey<T>[],
    private readonly ties: "oldest first" | "newest first",
  ) {}

  placeOf(record: T): OrderPosition {
    return [...this.keys.map(({ value }) => value(record) ?? null), record.sequence];
  }

  sorted<U extends T>(items: readonly U[]): U[] {
    return items
      .map((item) => ({ item, place: this.placeOf(item) }))
      .toSorted((a, b) => this.#compare(a.place, b.place))
      .map(({ item }) => item);
  }

  indexAfter(items: readonly T[], place: OrderPosition): number {
    const next = items.findIndex((item) => this.#compare(this.placeOf(item), place) > 0);
    return next < 0 ? items.length : next;
  }

  parsePlace(value: unknown): OrderPosition | undefined {
    if (!Array.isArray(value) || value.length !== this.keys.length + 1) return undefined;
    if (!Number.isSafeInteger(value.at(-1))) return undefined;
    return value.every((part) => part === null || typeof part === "string" || typeof part === "number") ? value : undefined;
  }

  #compare(a: OrderPosition, b: OrderPosition): number {
    for (const [at, { descending }] of this.keys.entries()) {
      const [first, second] = [a[at] ?? null, b[at] ?? null];
      if (first === second) continue;
      if (first === null || second === null) return first === null ? 1 : -1;
      return first < second === descending ? 1 : -1;
    }
    const older = Number(a.at(-1)) - Number(b.at(-1));
    return this.ties === "oldest first" ? older : -older;
  }
}
