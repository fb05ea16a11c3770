import { Order } from "../order";

/** Attributes of a result, keyed by the name of the search filter. */
export type Attributes = Readonly<Record<string, readonly (string | undefined)[]>>;

/** Whether a result matches every filter of a search. An empty filter matches all results. */
export function matchesFilters(
  filters: Readonly<Record<string, readonly string[] | undefined>> = {},
  attributes: Attributes,
): boolean {
  return Object.entries(filters).every(
    ([name, values = []]) =>
      values.length === 0 || (attributes[name] ?? []).some((value) => value !== undefined && values.includes(value)),
  );
}

export interface Thresholds {
  readonly filters?: readonly { readonly name: string; readonly value: number; readonly operator: "gte" | "lte" }[];
  readonly conditionalOperator?: "and" | "or";
}

/**
 * Whether a result passes all thresholds of a search. If the search contains `or`, one threshold is sufficient. A missing measurement does
 * not pass any threshold.
 */
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
 * Returns the sort order of the results. Each sort key sorts in descending order, unless the search requests `asc`.
 *
 * Results without the measurement of a sort key come last. Among equal results, the newest result comes first.
 */
export function orderBy<T extends { readonly sequence: number }>(
  sort: Sort = [],
  figure: (record: T, name: string) => number | undefined,
): Order<T> {
  const keys = sort.map(({ sort: name, order }) => ({
    value: (record: T) => figure(record, name),
    descending: order !== "asc",
  }));
  return new Order(keys, "newest first");
}
