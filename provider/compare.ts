import { defaultsOf } from "./check";
import type { Kind } from "./kind";
import { isSame } from "./shape";
import { type Properties, hasUnknown, sameValue } from "./values";

/** One property that differs between what the service holds and what the program declares. */
export interface Change {
  property: string;
  how: "added" | "changed" | "removed";
  before: unknown;
  after: unknown;
  /** True where the new value is not known before the update. */
  unknown: boolean;
  /** True where the property can be set at creation only. */
  replaces: boolean;
  /** True where nothing needs to be sent: the value is for later, or first declared of what an import could not know. */
  recordsOnly: boolean;
}

/**
 * Compares a state with what is declared, property by property. Only what the program owns counts: a property left to the
 * service is not compared. Never a change without a change: values are compared the way the service folds them.
 */
export function compare(kind: Kind, state: Properties, inputs: Properties): Change[] {
  const unknownFields = listOf(state["unknownFields"]);
  const defaults = defaultsOf(kind);
  return Object.keys(kind.schema.shape).flatMap((property): Change[] => {
    if (kind.providerOptions.includes(property)) return [];
    const [before, after] = [state[property], inputs[property]];
    const replaces = kind.createOnly.includes(property);
    const recordsOnly = kind.localOnly.includes(property);
    const change = { property, before, after, unknown: hasUnknown(after), replaces, recordsOnly };
    if (after === undefined) {
      return before === undefined || kind.leftToService.includes(property) ? [] : [{ ...change, how: "removed" }];
    }
    if (before === undefined) {
      if (!unknownFields.includes(property)) return [{ ...change, how: "added" }];
      const isDefault = property in defaults && sameValue(after, defaults[property]);
      return isDefault ? [] : [{ ...change, how: "added", replaces: false, recordsOnly: true }];
    }
    return !change.unknown && isSame(kind, property, before, after) ? [] : [{ ...change, how: "changed" }];
  });
}

export function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
