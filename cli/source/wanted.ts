import { isObject } from "../../provider/values";
import { Expression } from "./literal";

/** What an expression is to say. */
export interface Wanted {
  /** The value in full, defaults included. */
  full: unknown;
  /** The value as a person writes it: without defaults, with `Expression`s where it refers to something. */
  lean: unknown;
}

/** The items of a list, each in full and as it is written. */
export function eachOf({ full, lean }: Wanted): Wanted[] {
  const written = listOf(lean);
  return listOf(full).map((item, i) => ({ full: item, lean: i in written ? written[i] : item }));
}

/** The items of a list; none of anything else. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A copy of an object that has no members but its own. */
export function recordOf(value: unknown): Record<string, unknown> {
  return Object.assign(Object.create(null) as Record<string, unknown>, isObject(value) ? value : {});
}

/** The outline that a reader finds of a value that was written. */
export function outlineOf(lean: unknown): unknown {
  if (lean instanceof Expression) return { expression: lean.text };
  if (Array.isArray(lean)) return lean.map(outlineOf);
  if (!isObject(lean)) return lean;
  return Object.fromEntries(
    Object.entries(lean).flatMap(([key, member]) => (member === undefined ? [] : [[key, outlineOf(member)]])),
  );
}
