import { cut } from "../common/text";
import type { Change } from "../provider/compare";
import { isUnknown } from "../provider/values";

export const maxLineValue = 120;

export interface PropertyChange {
  property: string;
  how: "added" | "changed" | "removed";
  before?: unknown;
  after?: unknown;
  secret?: true;
  unknown?: true;
  /** Whether only a create request can set the property. */
  replaces?: true;
  /** Whether the service returned a value that no program can declare. */
  derived?: true;
  /** URNs of new resources, if their ids are the only unknown parts of the value. */
  from?: string[];
  /** URNs of the resources that the value depends on, if the value has unknown parts other than new ids. */
  madeFrom?: string[];
  /** Whether the update only changes the state and sends no request. */
  recordsOnly?: true;
  /** The added items of a list. Items that the service treats as equal count as one item. */
  gained?: readonly unknown[];
  lost?: readonly unknown[];
}

export function shownChanges(changes: readonly Change[], secrets: ReadonlySet<string>): PropertyChange[] {
  return changes.map(({ property, how, before, after, unknown, replaces, derived, recordsOnly }) => ({
    property,
    how,
    ...(secrets.has(property)
      ? { secret: true as const }
      : { ...(before === undefined ? {} : { before }), ...(after === undefined || unknown ? {} : { after }) }),
    ...(unknown ? { unknown: true as const } : {}),
    ...(replaces ? { replaces: true as const } : {}),
    ...(replaces && derived ? { derived } : {}),
    ...(recordsOnly ? { recordsOnly: true as const } : {}),
  }));
}

/** Returns a value as a single line: a string unchanged, and any other value as JSON. A shortened value ends with its full length. */
export function valueText(value: unknown, maxCharacters = maxLineValue): string {
  if (isUnknown(value)) return "(known after the update)";
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const { length } = Array.from(text);
  return length > maxCharacters ? `${cut(text, maxCharacters)} (${length} characters)` : text;
}
