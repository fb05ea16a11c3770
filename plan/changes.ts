import { cut } from "../common/text";
import type { Change } from "../provider/compare";
import { isUnknown } from "../provider/values";

/** Maximum length of a value that has a line of its own, in characters. */
export const maxLineValue = 120;

export interface PropertyChange {
  property: string;
  how: "added" | "changed" | "removed";
  /** Absent for an added property, and for a secret. */
  before?: unknown;
  /** Absent for a removed property, for a value that is unknown before the update, and for a secret. */
  after?: unknown;
  secret?: true;
  /** True if the new value is known only after the update. */
  unknown?: true;
  /** True if only a create can set the property. */
  replaces?: true;
  /** True if the service has a value that no program can declare. */
  derived?: true;
  /** URNs of the new resources whose ids are the unknown parts of the value. */
  from?: string[];
  /** URNs of the resources with outputs that any other unknown value uses. */
  madeFrom?: string[];
  /** True if the update sends no request: the value is only in the state, or an import could not know the declared value. */
  recordsOnly?: true;
  /** The added and deleted items of a list. Items that the service treats as equal count as one item. */
  gained?: readonly unknown[];
  lost?: readonly unknown[];
}

/** Returns the changes of a comparison, without the values of secrets. */
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

/** Returns a value in one line: text unchanged, any other value as JSON. If the value is cut, its length follows. */
export function valueText(value: unknown, maxCharacters = maxLineValue): string {
  if (isUnknown(value)) return "(known after the update)";
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const { length } = Array.from(text);
  return length > maxCharacters ? `${cut(text, maxCharacters)} (${length} characters)` : text;
}
