export type Properties = Record<string, unknown>;

/** The engine's placeholder for a value that is unknown until the update. The placeholder can also replace a whole array or object. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Name of the member that marks special values, such as secrets, in the engine's protocol. */
export const signatureKey = "4dabf18193072939515e22adb298388d";

/** The value of {@link signatureKey} that marks a secret. */
export const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

export function secretOf(value: unknown): Properties {
  return { [signatureKey]: secretSignature, value };
}

export function isUnknown(value: unknown): boolean {
  return value === unknownValue;
}

export function hasUnknown(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasUnknown);
  return isObject(value) ? Object.values(value).some(hasUnknown) : isUnknown(value);
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns a string in the form that the service may store: trimmed, with composed characters (Unicode NFC). */
export function normalText(text: string): string {
  return text.trim().normalize("NFC");
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value if it is an object, and an empty object otherwise. */
export function objectOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

/**
 * Removes `undefined` and `null` members of objects at every depth. If a result contains `undefined`, the engine drops the
 * resource from its state. Lists keep `undefined` and `null` items, so that `check` refuses the list.
 */
export function compact<T>(value: T): T {
  if (!hasAbsent(value)) return value;
  const compacted: unknown = Array.isArray(value)
    ? value.map(compact)
    : Object.fromEntries(
        Object.entries(value as Properties).flatMap(([k, v]) => (v === undefined || v === null ? [] : [[k, compact(v)]])),
      );
  return compacted as T;
}

/**
 * Whether an object contains a `null` or `undefined` member at any depth. Most values contain no `null` or `undefined` member, and checking
 * a value is faster than copying it.
 */
function hasAbsent(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasAbsent);
  if (!isObject(value)) return false;
  for (const name in value) {
    const member = value[name];
    if (member === undefined || member === null || (typeof member === "object" && hasAbsent(member))) return true;
  }
  return false;
}

/** Whether two JSON values are equal, ignoring absent members and the order of members. */
export function sameValue(a: unknown, b: unknown): boolean {
  return a === b || stable(a) === stable(b);
}

/** Whether two lists are equal, ignoring order and repetitions. */
export function sameSet(a: unknown, b: unknown): boolean {
  const set = (list: unknown): unknown => (Array.isArray(list) ? [...new Set(list.map(stable))].toSorted() : list);
  return sameValue(set(a), set(b));
}

/** Returns JSON with sorted members, so that equal values yield equal strings. */
export function stable(value: unknown): string {
  return (
    JSON.stringify(value, (_, member: unknown) =>
      isObject(member) ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1))) : member,
    ) ?? ""
  );
}

/** Returns the value at a path. If a value on the path is unknown, the result is unknown. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at: unknown = value;
  for (const part of path) {
    if (isUnknown(at)) return at;
    at = typeof at === "object" && at !== null ? (at as Record<PropertyKey, unknown>)[part] : undefined;
  }
  return at;
}

export function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
}

/** Whether two ids or lists of ids are equal, ignoring the case of UUIDs (RFC 9562). */
export function sameIds(a: unknown, b: unknown): boolean {
  return sameSet(folded(a), folded(b));
}

function folded(ids: unknown): unknown {
  if (Array.isArray(ids)) return ids.map(folded);
  return typeof ids === "string" ? ids.toLowerCase() : ids;
}
