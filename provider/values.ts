/** Values by property name, in the shape of a kind's inputs: from a program or from a record. */
export type Properties = Record<string, unknown>;

/**
 * The engine's string for a value that is unknown until the update, at any depth. An unknown array or object is one such
 * string.
 */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Key of objects that represent values other than JSON in the engine's protocol. The value of this key is the type. */
export const signatureKey = "4dabf18193072939515e22adb298388d";

/** The value of {@link signatureKey} for a secret. */
export const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** Returns a value as a secret of the protocol. */
export function secretOf(value: unknown): Properties {
  return { [signatureKey]: secretSignature, value };
}

export function isUnknown(value: unknown): boolean {
  return value === unknownValue;
}

/** Whether `value` is unknown, or contains an unknown value. */
export function hasUnknown(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasUnknown);
  return isObject(value) ? Object.values(value).some(hasUnknown) : isUnknown(value);
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns text without space around it and with composed characters, as a service may store it. */
export function normalText(text: string): string {
  return text.trim().normalize("NFC");
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the members of an object, and no members for any other value. */
export function objectOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

/**
 * Removes `undefined` and `null` members of objects at every depth. If a result contains `undefined`, the engine loses the
 * object from its state although the service has stored it. The engine passes `null` for absent values. List items are kept, so
 * that check refuses a list with gaps.
 */
export function compact<T>(value: T): T {
  if (!hasAbsent(value)) return value;
  const compacted: unknown = Array.isArray(value)
    ? value.map(compact)
    : Object.fromEntries(
        Object.entries(value as Properties).flatMap(([k, v]) => (v === undefined || v === null ? [] : [[k, compact(v)]])),
      );
  // Only absent members are removed, and T allows that for optional members.
  return compacted as T;
}

/** Whether any object in a value has an absent member. Most values have none, and this check is faster than a copy. */
function hasAbsent(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasAbsent);
  if (!isObject(value)) return false;
  for (const name in value) {
    const member = value[name];
    if (member === undefined || member === null || (typeof member === "object" && hasAbsent(member))) return true;
  }
  return false;
}

/** Whether two JSON values are equal. Absent members and the order of members do not count. */
export function sameValue(a: unknown, b: unknown): boolean {
  return a === b || stable(a) === stable(b);
}

/** Whether two lists are equal. Order and repetitions do not count. */
export function sameSet(a: unknown, b: unknown): boolean {
  const set = (list: unknown): unknown => (Array.isArray(list) ? [...new Set(list.map(stable))].toSorted() : list);
  return sameValue(set(a), set(b));
}

/** Returns JSON text with the members sorted by name, so that equal values have equal text. */
export function stable(value: unknown): string {
  return (
    JSON.stringify(value, (_, member: unknown) =>
      isObject(member) ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1))) : member,
    ) ?? ""
  );
}

/** Returns the value at a path, or undefined. Every part of an unknown value is unknown. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at: unknown = value;
  for (const part of path) {
    if (isUnknown(at)) return at;
    at = typeof at === "object" && at !== null ? (at as Record<PropertyKey, unknown>)[part] : undefined;
  }
  return at;
}

/** Returns a noun with its indefinite article. */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
}

/** Whether two ids or lists of ids are equal. The case of a UUID does not count (RFC 9562). */
export function sameIds(a: unknown, b: unknown): boolean {
  return sameSet(folded(a), folded(b));
}

function folded(ids: unknown): unknown {
  if (Array.isArray(ids)) return ids.map(folded);
  return typeof ids === "string" ? ids.toLowerCase() : ids;
}
