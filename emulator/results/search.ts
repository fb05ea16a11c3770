/** Attributes of a result by the name of the search filter that looks at them. */
export type Attributes = Readonly<Record<string, readonly (string | undefined)[]>>;

/** Whether every filter finds one of its values; an empty or absent one lets everything through. */
export function matchesFilters(
  filters: Readonly<Record<string, readonly string[] | undefined>> = {},
  attributes: Attributes,
): boolean {
  return Object.entries(filters).every(
    ([name, values = []]) =>
      values.length === 0 || (attributes[name] ?? []).some((one) => one !== undefined && values.includes(one)),
  );
}

export interface Thresholds {
  readonly filters?: readonly { readonly name: string; readonly value: number; readonly operator: "gte" | "lte" }[];
  readonly conditionalOperator?: "and" | "or";
}

/** Whether a result's figures pass; one that was not measured passes nothing. All must, unless `or` is said. */
export function passesThresholds(
  { filters = [], conditionalOperator = "and" }: Thresholds = {},
  figure: (name: string) => number | undefined,
): boolean {
  if (filters.length === 0) return true;
  const passes = ({ name, value, operator }: (typeof filters)[number]) => {
    const measured = figure(name) ?? NaN;
    return operator === "gte" ? measured >= value : measured <= value;
  };
  return conditionalOperator === "and" ? filters.every(passes) : filters.some(passes);
}

export type Sort = readonly { readonly sort: string; readonly order?: "asc" | "desc" }[];

/**
 * Order of results: by each key in turn, largest first unless `asc` is said, what was not measured last; then the newest first.
 */
export function orderBy<T extends { readonly sequence: number }>(
  sort: Sort = [],
  figure: (one: T, name: string) => number | undefined,
): (a: T, b: T) => number {
  return (a, b) => {
    for (const { sort: name, order } of sort) {
      const [left, right] = [figure(a, name), figure(b, name)];
      if (left === right) continue;
      if (left === undefined) return 1;
      if (right === undefined) return -1;
      return order === "asc" ? left - right : right - left;
    }
    return b.sequence - a.sequence;
  };
}
