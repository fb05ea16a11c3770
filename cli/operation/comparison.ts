import { defaultsOf } from "../../provider/check";
import { compare, type Change } from "../../provider/compare";
import { isObject, sameValue } from "../../provider/values";
import { secretMask, someDeep } from "../engine/state";
import { shownChanges, type PropertyChange } from "../report/changes";
import type { Op, Step } from "./operation";
type Compared = Omit<Step, "changes" | "hidden" | "disagreement">;

/** Compares the state with the declaration as the provider does, whatever the engine reports. */
export function comparisonOf(planned: Compared): Pick<Step, "op" | "changes" | "hidden" | "disagreement"> {
  const { op, kind, state, declared, secrets } = planned;
  if (!state || !declared) return { op, changes: declared ? creation(planned) : [], hidden: [] };
  const differing = compare(kind, state.outputs, declared.inputs);
  const certain = differing.filter((change) => change.unknown || !hidesBehindMask(change));
  const masked = Object.keys(kind.schema.shape).filter(
    (property) =>
      [state.outputs, declared.inputs].some((side) => holdsMask(side[property])) &&
      state.outputs[property] !== undefined &&
      declared.inputs[property] !== undefined &&
      !certain.some((change) => change.property === property),
  );
  // The engine names what forces a replacement, so of masked properties that is known.
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

/** Returns the properties of a create that differ from the defaults. */
function creation({ kind, declared, secrets }: Compared): PropertyChange[] {
  const defaults = defaultsOf(kind);
  const added = compare(kind, {}, declared?.inputs ?? {});
  const chosen = added.filter(({ property, after }) => !(property in defaults && sameValue(after, defaults[property])));
  // Nothing is replaced, or only recorded, where nothing was.
  return shownChanges(
    chosen.map((change) => ({ ...change, replaces: false, recordsOnly: false })),
    secrets,
  );
}

function opOf(changes: readonly PropertyChange[]): Op {
  if (changes.some(({ replaces }) => replaces)) return "replace";
  return changes.length > 0 ? "update" : "same";
}

/** Returns the difference between this comparison and the engine's, if there is one. A masked value is no difference. */
function disagreement(planned: Compared, changes: readonly PropertyChange[], masked: readonly string[]): string | undefined {
  const { op, asked, unfinished, reasons } = planned;
  // Of adoption the engine knows nothing.
  if (op === "adopt") return undefined;
  const ours = op === "options" && changes.length === 0 ? op : opOf(changes);
  const forcing = changes.filter(({ replaces }) => replaces).map(({ property }) => property);
  const own = ours === "replace" ? `replace because of ${forcing.join(", ")}` : ours;
  if (op === "replace") {
    if (asked) return undefined;
    // A resource that is replaced along with one it depends on comes without reasons.
    const agreed = ours === "replace" && (reasons.length === 0 || sameMembers(reasons, forcing));
    return agreed ? undefined : own;
  }
  if (op === "update" && ours === "same" && (masked.length > 0 || unfinished)) return undefined;
  return op === ours ? undefined : own;
}

function sameMembers(a: readonly string[], b: readonly string[]): boolean {
  return sameValue([...new Set(a)].toSorted(), [...new Set(b)].toSorted());
}

/** Whether two values might be equal but for what a mask hides. */
export function hidesBehindMask({ before, after }: Change): boolean {
  return before !== undefined && after !== undefined && (holdsMask(before) || holdsMask(after)) && mayBeEqual(before, after);
}

/** Whether two values are equal but for what a mask hides. */
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
