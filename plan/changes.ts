import { cut } from "../common/text";
import type { Change } from "../provider/compare";
import { isUnknown } from "../provider/values";

/** Most characters of a value in a line of its own. */
export const maxLineValue = 120;

export interface PropertyChange {
  property: string;
  how: "added" | "changed" | "removed";
  /** Absent if there was none, and for a secret. */
  before?: unknown;
  /** Absent if there is none, if it is not known before the update, and for a secret. */
  after?: unknown;
  secret?: true;
  /** True if the new value is known only after the update. */
  unknown?: true;
  /** True if only a create can set the property. */
  replaces?: true;
  /** True if no program can declare the value that the service has. */
  derived?: true;
  /** The resources whose new ids a value that is not known yet holds, by URN. */
  from?: string[];
  /** The resources from which any other value that is not known yet is made, by URN. */
  madeFrom?: string[];
  /** True if nothing is sent: the value is kept in state alone, or an import could not know the one that is declared now. */
  recordsOnly?: true;
  /** The items that a list gains and loses. Spellings that the service treats as equal are one item. */
  gained?: readonly unknown[];
  lost?: readonly unknown[];
}

/** Returns the changes of a comparison without the values of secrets. */
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

/** Returns a value in one line: text as it is, any other value as JSON. If it is cut, its length follows. */
export function valueText(value: unknown, maxCharacters = maxLineValue): string {
  if (isUnknown(value)) return "(known after the update)";
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const { length } = Array.from(text);
  return length > maxCharacters ? `${cut(text, maxCharacters)} (${length} characters)` : text;
}
