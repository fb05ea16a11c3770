import type { Change } from "../provider/compare";
import { isObject, isUnknown, stable } from "../provider/values";

/** A property that changes, as a person or a program may see it: values of secrets are left out. */
export interface PropertyChange {
  property: string;
  how: "added" | "changed" | "removed";
  /** Absent where there was none, and of a secret. */
  before?: unknown;
  /** Absent where there is none, where it is not known before the update, and of a secret. */
  after?: unknown;
  secret?: true;
  /** The new value is known after the update only. */
  unknown?: true;
  /** It can be set at creation only. */
  replaces?: true;
}

/** Changes of a comparison made fit to be shown. */
export function shownChanges(changes: readonly Change[], secrets: ReadonlySet<string>): PropertyChange[] {
  return changes.map(({ property, how, before, after, unknown, replaces }) => ({
    property,
    how,
    ...(secrets.has(property)
      ? { secret: true as const }
      : { ...(before === undefined ? {} : { before }), ...(after === undefined || unknown ? {} : { after }) }),
    ...(unknown ? { unknown: true as const } : {}),
    ...(replaces ? { replaces: true as const } : {}),
  }));
}

/** Longest text of one value, in characters. */
const longest = 120;

/** A value in one line: text as it is, anything else as JSON. */
export function wholeText(value: unknown): string {
  if (isUnknown(value)) return "(known after the update)";
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** The same; a long one is cut. */
export function valueText(value: unknown): string {
  const text = wholeText(value);
  const characters = Array.from(text);
  return characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : text;
}

/** One step from before to after: a value for a value, or an item that a list gains or loses. */
export interface Step {
  sign: "+" | "-" | "~";
  before?: string;
  after?: string;
}

/**
 * What a change does, step by step: a list is told by the items it gains and loses, as their order does not count. A secret and
 * a value that is not known have no steps.
 */
export function stepsOf(change: PropertyChange): Step[] {
  return stepsIn(change, valueText);
}

/** The same with other texts of values: each in one line. */
export function stepsIn({ how, before, after, secret, unknown }: PropertyChange, text: (value: unknown) => string): Step[] {
  if (secret) return [];
  if (unknown) return before === undefined ? [] : [{ sign: "-", before: text(before) }];
  if (Array.isArray(before) && Array.isArray(after)) {
    const [had, has] = [new Set(before.map(stable)), new Set(after.map(stable))];
    const lost = before
      .filter((item) => !has.has(stable(item)))
      .map((item): Step => ({ sign: "-", before: itemText(item, text) }));
    const gained = after
      .filter((item) => !had.has(stable(item)))
      .map((item): Step => ({ sign: "+", after: itemText(item, text) }));
    return [...lost, ...gained];
  }
  if (how === "added") return [{ sign: "+", after: text(after) }];
  if (how === "removed") return [{ sign: "-", before: text(before) }];
  return [{ sign: "~", before: text(before), after: text(after) }];
}

/** An item of a list in one line; an object of plain values as `key: value` pairs. */
export function itemText(item: unknown, text = valueText): string {
  if (!isObject(item)) return text(item);
  const pairs = Object.entries(item).map(([key, value]) => {
    const shown = Array.isArray(value) ? value.map(text).join(", ") : text(value);
    return `${key}: ${shown}`;
  });
  return text(pairs.join("; "));
}
