/** Values by property name, in the shape of a kind's inputs: what a program declares, or what a record says. */
export type Properties = Record<string, unknown>;

/**
 * How the engine writes a value that is not known before the update, at any depth; the Output of a whole array or object is
 * one such string.
 */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export function isUnknown(value: unknown): boolean {
  return value === unknownValue;
}

/** Whether `value` is unknown, or holds something unknown. */
export function hasUnknown(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasUnknown);
  return isObject(value) ? Object.values(value).some(hasUnknown) : isUnknown(value);
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Drops `undefined` and `null` members of objects at every depth. The engine loses an object from its state when `undefined`
 * is anywhere in what it is given, after the service has stored it; and it hands in `null` for what is absent. Items of arrays
 * stay, so that a hole in a list is seen and refused.
 */
export function compact<T>(value: T): T {
  const compacted: unknown = Array.isArray(value)
    ? value.map(compact)
    : isObject(value)
      ? Object.fromEntries(Object.entries(value).flatMap(([k, v]) => (v === undefined || v === null ? [] : [[k, compact(v)]])))
      : value;
  // Only absent members have gone: an optional member may be absent in T.
  return compacted as T;
}

/** Equality of JSON values; the order of members and absent members do not count. */
export function sameValue(a: unknown, b: unknown): boolean {
  return stable(a) === stable(b);
}

/** Equality of lists of which the order and repetitions do not count. */
export function sameSet(a: unknown, b: unknown): boolean {
  const set = (list: unknown): unknown => (Array.isArray(list) ? [...new Set(list.map(stable))].toSorted() : list);
  return sameValue(set(a), set(b));
}

/** JSON text with members in order of their names: equal values give equal text. */
export function stable(value: unknown): string {
  return (
    JSON.stringify(value, (_, member: unknown) =>
      isObject(member) ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1))) : member,
    ) ?? ""
  );
}

/** The value at a path, or undefined where the path leads nowhere. An unknown value on the way stands for all below it. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at: unknown = value;
  for (const part of path) {
    if (isUnknown(at)) return at;
    at = typeof at === "object" && at !== null ? (at as Record<PropertyKey, unknown>)[part] : undefined;
  }
  return at;
}
