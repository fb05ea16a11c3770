import { type Properties, isObject, valueAt } from "../../provider/values";

/** A property path as the engine writes it, `filters[0].values` or `tags["a.b"]`, in parts. */
export function propertyPath(text: string): string[] {
  const parts = text.matchAll(/\["(?<quoted>(?:[^"\\]|\\.)*)"\]|\[(?<index>\d+|\*)\]|(?<plain>[^.[\]]+)/g);
  return [...parts].map(
    ({ groups = {} }) => groups["quoted"]?.replace(/\\(.)/g, "$1") ?? groups["index"] ?? groups["plain"] ?? "",
  );
}

/** The properties with another value at a path; as they were where the path leads nowhere. */
export function withValue(properties: Properties, path: readonly string[], value: unknown): Properties {
  const copy = structuredClone(properties);
  const place = valueAt(copy, path.slice(0, -1));
  const last = path.at(-1);
  if (last !== undefined && (isObject(place) || Array.isArray(place))) Reflect.set(place, last, value);
  return copy;
}
