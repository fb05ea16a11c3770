import { defaultsOf } from "../provider/check";
import { compare, type Change } from "../provider/compare";
import { reshapedProperty } from "../provider/reshaped";
import { isObject, objectOf, type Properties, sameValue } from "../provider/values";
import { someDeep } from "../engine/state";
import { secretMask } from "../common/text";
import type { Op, Step } from "./model";
import { shownChanges, type PropertyChange } from "./changes";

type ChangedValues = Omit<Step, "changes" | "hidden" | "disagreement">;

/** Compares the state with the declaration in the same way as the provider. */
export function comparisonOf(planned: ChangedValues): Pick<Step, "op" | "changes" | "hidden" | "disagreement"> {
  const { op, kind, state, declared, secrets } = planned;
  if (!state || !declared) return { op, changes: declared ? creation(planned) : [], hidden: [] };
  const differing = compare(kind, state.outputs, declared.inputs);
  const certain = differing.filter((change) => {
    if (change.unknown) return true;
    return !hidesBehindMask(change) && (!isPairMasked(state.outputs, change) || isReported(planned, change));
  });
  const masked = Object.keys(kind.schema.shape).filter(
    (property) =>
      [state.outputs, declared.inputs].some((side) => holdsMask(side[property])) &&
      state.outputs[property] !== undefined &&
      declared.inputs[property] !== undefined &&
      !certain.some((change) => change.property === property),
  );
  // The engine reports the properties that force a replacement, including masked properties.
  const forcing = masked.filter((property) => planned.reasons.includes(property));
  const others = op === "same" || op === "options" ? [] : masked.filter((property) => !kind.createOnly.includes(property));
  const changedSecrets = others.filter((property) => planned.changedInputs?.has(property));
  const changes = [
    ...shownChanges(certain, secrets),
    ...forcing.map((property): PropertyChange => ({ property, how: "changed", secret: true, replaces: true })),
    ...changedSecrets.map((property): PropertyChange => ({ property, how: "changed", secret: true })),
  ];
  return {
    op: opOf(changes),
    changes,
    hidden: planned.changedInputs ? [] : others,
    disagreement: disagreement(planned, changes, masked),
  };
}

function creation({ kind, declared, secrets }: ChangedValues): PropertyChange[] {
  const defaults = defaultsOf(kind);
  const added = compare(kind, {}, declared?.inputs ?? {});
  const chosen = added.filter(({ property, after }) => !(property in defaults && sameValue(after, defaults[property])));
  return shownChanges(
    chosen.map((change) => ({ ...change, replaces: false, recordsOnly: false })),
    secrets,
  );
}

function opOf(changes: readonly PropertyChange[]): Op {
  if (changes.some(({ replaces }) => replaces)) return "replace";
  return changes.length > 0 ? "update" : "same";
}

/** Returns the operation that this package expects, if the engine plans a different operation. A masked value counts as unchanged. */
function disagreement(planned: ChangedValues, changes: readonly PropertyChange[], masked: readonly string[]): Op | undefined {
  const { op, asked, unfinished } = planned;
  // The engine does not know about adoptions. Only the engine knows the reasons for a requested replacement.
  if (op === "adopt" || (op === "replace" && asked)) return undefined;
  const expected = op === "options" && changes.length === 0 ? op : opOf(changes);
  if (op === "update" && expected === "same" && (masked.length > 0 || unfinished)) return undefined;
  return op === expected ? undefined : expected;
}

/** Whether the preview masks both the declared and the returned value of a property, so that their different formats look like a change. */
function isPairMasked({ [reshapedProperty]: pairs }: Properties, { property }: Change): boolean {
  return pairs === secretMask || objectOf(pairs)[property] === secretMask;
}

function isReported({ op, reasons }: ChangedValues, { property, replaces }: Change): boolean {
  return replaces ? reasons.includes(property) : op === "update" || op === "replace";
}

/** Whether the two values of a change may differ only in masked parts. */
export function hidesBehindMask({ before, after }: Change): boolean {
  return before !== undefined && after !== undefined && (holdsMask(before) || holdsMask(after)) && mayBeEqual(before, after);
}

export function mayBeEqual(a: unknown, b: unknown): boolean {
  if (a === secretMask || b === secretMask) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, at) => mayBeEqual(item, b[at]));
  if (isObject(a) && isObject(b)) {
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => mayBeEqual(a[key], b[key]));
  }
  return sameValue(a, b);
}

export function holdsMask(value: unknown): boolean {
  return someDeep(value, (part) => part === secretMask);
}
