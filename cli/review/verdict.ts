import { defaultsOf } from "../../provider/check";
import { compare, type Change } from "../../provider/compare";
import { isObject, sameValue } from "../../provider/values";
import { secretMask, someDeep } from "../engine/state";
import { shownChanges, type PropertyChange } from "../report/changes";
import type { Op, PlannedStep } from "./planned";

/** A property that changes. */
export interface ReviewedChange extends PropertyChange {
  /** Of a value that is not known yet: the resources whose new ids it holds, by URN. */
  from?: string[];
  /** Nothing is sent: the value is for later, or the first one declared of what an import could not know. */
  recordsOnly?: true;
}

/** What a step does by a comparison of both states, whatever the engine says. */
export interface StepVerdict {
  op: Op;
  changes: ReviewedChange[];
  /**
   * Secrets that may have changed: a preview has the same mask on both sides, and no plan shows it. With no other change, one of them
   * has, unless the engine repeats an update that did not finish.
   */
  hidden: string[];
  /** Where the engine says something else: what this tool says. */
  disagreement?: string;
}

/** Compares what a state holds with what is declared, as the provider does when the engine asks it. */
export function verdictOf(planned: PlannedStep): StepVerdict {
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
  const others = op === "same" ? [] : masked.filter((property) => !kind.createOnly.includes(property));
  const changedSecrets = others.filter((property) => planned.changedInputs?.has(property));
  const changes = [
    ...shownOf(certain, secrets),
    ...forcing.map((property): ReviewedChange => ({ property, how: "changed", secret: true, replaces: true })),
    ...changedSecrets.map((property): ReviewedChange => ({ property, how: "changed", secret: true })),
  ];
  return {
    op: opOf(changes),
    changes,
    hidden: planned.changedInputs ? [] : others,
    disagreement: disagreement(planned, changes, masked),
  };
}

/** What a create declares beyond the defaults. */
function creation({ kind, declared, secrets }: PlannedStep): ReviewedChange[] {
  const defaults = defaultsOf(kind);
  const added = compare(kind, {}, declared?.inputs ?? {});
  const chosen = added.filter(({ property, after }) => !(property in defaults && sameValue(after, defaults[property])));
  // Nothing is replaced, or only recorded, where nothing was.
  return shownOf(
    chosen.map((change) => ({ ...change, replaces: false, recordsOnly: false })),
    secrets,
  );
}

function shownOf(changes: readonly Change[], secrets: ReadonlySet<string>): ReviewedChange[] {
  return shownChanges(changes, secrets).map((shown, at) => ({
    ...shown,
    ...(changes[at]?.recordsOnly ? { recordsOnly: true as const } : {}),
  }));
}

function opOf(changes: readonly ReviewedChange[]): Op {
  if (changes.some(({ replaces }) => replaces)) return "replace";
  return changes.length > 0 ? "update" : "same";
}

/** What this tool says where the engine says something else. What hides behind a mask is no disagreement. */
function disagreement(planned: PlannedStep, changes: readonly ReviewedChange[], masked: readonly string[]): string | undefined {
  const { op, asked, unfinished, reasons } = planned;
  // Of adoption the engine knows nothing.
  if (op === "adopt") return undefined;
  const ours = opOf(changes);
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

/** Whether a value, or anything in it, is hidden by a mask. */
export function holdsMask(value: unknown): boolean {
  return someDeep(value, (part) => part === secretMask);
}
