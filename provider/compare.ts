import { check, defaultsOf } from "./check";
import type { Kind } from "./kind";
import { isNewRequest, isReshaped } from "./reshaped";
import { isSame } from "./shape";
import { type Properties, compact, hasUnknown, sameValue } from "./values";

/** A property with different values in the state and in the program. */
export interface Change {
  property: string;
  how: "added" | "changed" | "removed";
  before: unknown;
  after: unknown;
  unknown: boolean;
  /** Whether the change requires a replacement, because an update request cannot set the property. */
  replaces: boolean;
  /** Whether an update only stores the change in the state and sends no request to the service. */
  recordsOnly: boolean;
  /** True if the program cannot avoid the difference, because a program cannot declare the value in the state. */
  derived?: true;
}

/**
 * Compares a state with the declared inputs. Two values are equal if the service treats them as equal, such as UUIDs in upper and lower
 * case. A declared value is also equal to the value that the service returned for it after an earlier write.
 */
export function compare(kind: Kind, state: Properties, inputs: Properties): Change[] {
  return withDerived(kind, state, inputs, changesOf(kind, state, inputs));
}

/** Whether the only reason for a replacement is a value from the service that a program cannot declare. */
export function isDerivedReplacement(changes: readonly { replaces?: boolean; derived?: true }[]): boolean {
  const replacing = changes.filter(({ replaces }) => replaces);
  return replacing.length > 0 && replacing.every(({ derived }) => derived);
}

function changesOf(kind: Kind, state: Properties, inputs: Properties): Change[] {
  const [unknownFields, unmanagedFields] = [listOf(state["unknownFields"]), listOf(state["unmanagedFields"])];
  return Object.keys(kind.schema.shape).flatMap((property): Change[] => {
    if (kind.providerOptions.includes(property)) return [];
    const [before, after] = [state[property], inputs[property]];
    const replaces = kind.createOnly.includes(property);
    const recordsOnly = kind.localOnly.includes(property);
    const change = { property, before, after, unknown: hasUnknown(after), replaces, recordsOnly };
    if (isReshaped(kind, property, state, after)) return [];
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
    // A newly declared property must be recorded in the state, because a refresh compares only declared properties.
    return unmanagedFields.includes(property) && !replaces ? [{ ...change, how: "added", recordsOnly: true }] : [];
  });
}

/** Marks replacements that occur only because a program cannot declare the value that the service returned. */
function withDerived(kind: Kind, state: Properties, inputs: Properties, changes: Change[]): Change[] {
  const replacing = changes.filter(({ replaces, unknown }) => replaces && !unknown);
  if (!replacing.some(({ before }) => before !== undefined)) return changes;
  const otherForm = kind.inOtherForm?.(state, inputs) ?? [];
  return changes.map((change) => {
    if (!replacing.includes(change) || isNewRequest(kind, change.property, state, change.after)) return change;
    const isDerived = otherForm.includes(change.property) || !isDeclarable(kind, change, inputs, replacing);
    return isDerived ? { ...change, derived: true } : change;
  });
}

function isDeclarable(
  kind: Kind,
  { property, before }: Pick<Change, "property" | "before">,
  inputs: Properties,
  changes: readonly Pick<Change, "property" | "before">[],
): boolean {
  // For a write-only property, the state contains the declared value, because the service never returns the property.
  if (before === undefined || kind.writeOnly.includes(property)) return true;
  if (typeof before === "string" && mask.test(before)) return false;
  const asReturned = compact({ ...inputs, ...Object.fromEntries(changes.map((change) => [change.property, change.before])) });
  return !check(kind, asReturned).failures.some(({ path }) => /^[^.[]*/.exec(path)?.[0] === property);
}

/** Matches a value that the service masks with asterisks or dots. */
const mask = /\*{3}|•{3}/;

export function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

const maxShown = 200;

/**
 * Describes a property that the service returned with a different value than the program declares.
 *
 * @param isLearned whether the next update accepts the returned value without a request
 */
export function describeKept(kind: Kind, change: Change, inputs: Properties, isLearned: boolean): string {
  const { property, before, after, replaces } = change;
  const cost = replaces ? "; only a replacement can change it" : "";
  const remedies = [
    ...(before === undefined && !isLearned ? ["If the service never returns this property, omit it from the program"] : []),
    ...(before !== undefined && isDeclarable(kind, change, inputs, [change])
      ? [`If the service always returns this value, declare ${property}: ${shown(before)}`]
      : []),
    ...(isLearned ? ["The next update accepts this value and does not change the record"] : []),
  ];
  if (remedies.length === 0) {
    remedies.push(
      "Set the program's value in the service, or replace the record (`pulumi up --replace URN`), which loses its existing result history",
    );
  }
  return [`${property}: sent ${shown(after)}, but the service returned ${shown(before)}${cost}`, ...remedies].join(". ");
}

export function describeDerived({ property, before, after }: Change): string {
  return `${property}: the program declares ${shown(after)}, but the service has ${shown(before)}`;
}

/** Describes a property that the service always returns in a different form than the program declares. */
export function describeReshaped(kind: Kind, property: string, state: Properties, inputs: Properties): string {
  const [before, after] = [state[property], inputs[property]];
  const advice = isDeclarable(kind, { property, before }, inputs, [{ property, before }]) && before !== undefined;
  const end = advice ? `. To end this warning, declare ${property}: ${shown(before)}` : "";
  return `warning: ${property}: the program declares ${shown(after)}, but the service changes it to ${shown(before)}${end}`;
}

/** Describes a property with a value that the service did not accept. The description omits the value, which may be secret. */
export function describeKeptDiscreetly({ property, replaces }: Change): string {
  return replaces
    ? `${property} is not as declared, and only a replacement can change it`
    : `the service ignored or changed the sent value of ${property}`;
}

/** Returns a value as JSON for a message, shortened to {@link maxShown} characters. */
export function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

export function isRecordedOnly(changes: readonly Change[]): boolean {
  return changes.length > 0 && changes.every((change) => change.recordsOnly);
}
