import { Order } from "../order";

/** Attributes of a result by the name of the search filter. */
export type Attributes = Readonly<Record<string, readonly (string | undefined)[]>>;

/** Whether every filter contains one of its attribute's values. An empty or absent filter matches all results. */
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
 * Whether a result's values pass the thresholds: all of them, or one if the search has `or`. A value that was not measured
 * passes no threshold.
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
 * Returns the order of results: by each key in turn, in descending order unless the search has `asc`. Unmeasured values come
 * last. Equal results are in order of recording, the newest first.
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
