import { defaultsOf } from "./check";
import type { Kind } from "./kind";
import { isSame } from "./shape";
import { type Properties, hasUnknown, sameValue } from "./values";

/** One property whose value in the state differs from the declared value. */
export interface Change {
  property: string;
  how: "added" | "changed" | "removed";
  before: unknown;
  after: unknown;
  /** Whether the new value is unknown until the update. */
  unknown: boolean;
  /** Whether only a create can set the property. */
  replaces: boolean;
  /**
   * Whether the change is recorded in state without a request: the property is kept in state alone, or the program declares a value
   * that the import could not know.
   */
  recordsOnly: boolean;
}

/**
 * Compares a state with the declared inputs, property by property. A property that the program leaves to the service is not compared.
 * Values are compared in the form to which the service normalizes them, so a different spelling is no change.
 */
export function compare(kind: Kind, state: Properties, inputs: Properties): Change[] {
  const [unknownFields, unmanagedFields] = [listOf(state["unknownFields"]), listOf(state["unmanagedFields"])];
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
      const defaults = defaultsOf(kind);
      const isDefault = property in defaults && sameValue(after, defaults[property]);
      return isDefault ? [] : [{ ...change, how: "added", replaces: false, recordsOnly: true }];
    }
    if (change.unknown || !isSame(kind, property, before, after)) return [{ ...change, how: "changed" }];
    // From now on the program declares what it left to the service before, and a refresh has to know that.
    return unmanagedFields.includes(property) && !replaces ? [{ ...change, how: "added", recordsOnly: true }] : [];
  });
}

export function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** Longest value that a message shows, in characters. */
const maxShown = 200;

/** Describes a value that the service returned after a write, and that is not the declared one, with what to do about it. */
export function describeKept({ property, before, after, replaces }: Change): string {
  const remedy =
    before === undefined
      ? "If the service does not return it, leave it out of the program"
      : `If that is what the service makes of it, declare ${property}: ${shown(before)}`;
  const cost = replaces ? "; only a replacement can change it" : "";
  return `${property}: sent ${shown(after)}, and the service returned ${shown(before)}${cost}. ${remedy}`;
}

/** The same without the values, some of which are secret. */
export function describeKeptDiscreetly({ property, replaces }: Change): string {
  return replaces
    ? `${property} is not as declared, and only a replacement can change it`
    : `the service kept ${property} as it was, or changed what was sent`;
}

function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

/** Whether the state only has to record the changes, so that an update sends no request. */
export function isRecordedOnly(changes: readonly Change[]): boolean {
  return changes.length > 0 && changes.every((change) => change.recordsOnly);
}
