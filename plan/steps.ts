import type { EngineStep, InputDiff, StackPreview } from "../engine/preview-output";
import { type EngineResource, type HeldState, kindNameOf, managedOf } from "../engine/state";
import { sameValue } from "../provider/values";
import { classOfToken } from "../sdk/token";
import { type EngineOp, engineOps, type PlannedOperation, type OtherChanges, type Step } from "./model";
import { optionsOf } from "./options";
import { byImportance } from "./step";
import { comparisonOf } from "./step-changes";

type KnownStep = EngineStep & { op: EngineOp };

/** @param heldState the state before the preview. If the state is missing, the pending deletions come from the preview */
export function operationOf(preview: StackPreview, heldState?: HeldState): PlannedOperation {
  const { inputDiffs } = preview;
  const current = preview.steps.filter(({ op }) => op !== "delete-replaced");
  const steps = current.map((step) => (changesOptions(step) ? { ...step, op: "options" } : step));
  const known = steps.filter((step): step is KnownStep => (engineOps as readonly string[]).includes(step.op));
  // Like `deletedWith` in the state, these are the URNs before the update.
  const deleted = new Set(
    known.flatMap(({ op, urn, oldState }) => (op === "delete" || op === "replace" ? [oldState?.urn ?? urn] : [])),
  );
  // With `--show-replacement-steps`, the preview lists deletions that do not belong to a replacement.
  const resources =
    heldState?.resources ?? preview.steps.flatMap(({ op, oldState }) => (op === "delete-replaced" ? (oldState ?? []) : []));
  const pending = resources.filter((resource) => resource.delete === true);
  const planned = [
    ...known.flatMap((step) => stepOf(preview, step, inputDiffs?.get(step.urn), deleted) ?? []),
    ...pending.flatMap((oldState) => {
      const step = stepOf(preview, { op: "delete", urn: oldState.urn, oldState }, undefined, deleted);
      return step ? [{ ...step, pending: true, refused: false }] : [];
    }),
  ];
  const strange = known.flatMap(({ op, urn, oldState, newState }) => {
    const resource = oldState ?? newState;
    return op !== "same" && op !== "options" && isStrange(resource) ? [{ op, urn, oldState, type: resource.type }] : [];
  });
  const isOurs = ({ type }: { type: string }): boolean => classOfToken(type) !== undefined;
  const pendingOthers = pending.filter(
    (engineResource) => engineResource.custom !== false && kindNameOf(engineResource.type) === undefined,
  );
  const others: OtherChanges = { delete: pendingOthers.length, forget: 0, replace: 0, update: 0, create: 0 };
  for (const { op, oldState } of strange.filter((step) => !isOurs(step)))
    others[op === "delete" && isRetained(oldState, deleted) ? "forget" : op] += 1;
  return {
    ...preview,
    steps,
    own: planned.toSorted(byImportance),
    others,
    unknown: strange.filter(isOurs).map(({ urn }) => urn),
    interrupted: heldState?.interrupted ?? [],
    pendingOthers,
  };
}

function changesOptions({ op, oldState, newState }: EngineStep): boolean {
  return op === "same" && !!oldState && !!newState && !sameValue(optionsOf(oldState), optionsOf(newState));
}

/** Whether the engine only removes the resource from the state, because of the option `retainOnDelete` or `deletedWith`. */
function isRetained(state: EngineResource | undefined, deleted: ReadonlySet<string>): boolean {
  return state?.retainOnDelete === true || deleted.has(state?.deletedWith ?? "");
}

function stepOf(
  { stack, createsFirst = false }: StackPreview,
  step: KnownStep,
  diff: InputDiff | undefined,
  deleted: ReadonlySet<string>,
): Step | undefined {
  const { op, urn, oldState, newState } = step;
  const state = oldState && managedOf(stack, oldState);
  const declared = op === "delete" || !newState ? undefined : managedOf(stack, newState);
  const resource = declared ?? state;
  if (!resource || oldState?.external || newState?.external) return undefined;
  const reasons = (step.replaceReasons ?? []).map(String);
  const options = {
    ...(oldState && { before: optionsOf(oldState) }),
    ...(declared && newState && { after: optionsOf(newState) }),
  };
  return compared({
    op,
    urn,
    ...(oldState && oldState.urn !== urn && { previousUrn: oldState.urn }),
    name: resource.name,
    kindName: resource.kindName,
    kind: resource.kind,
    state,
    declared,
    position: declared?.position ?? state?.position,
    secrets: new Set([...(state?.secrets ?? []), ...(declared?.secrets ?? [])]),
    dependencies: Object.fromEntries(
      Object.entries(newState?.propertyDependencies ?? {}).map(([property, urns]) => [property, urns ?? []]),
    ),
    options,
    reasons,
    changedInputs: diff && new Set([...Object.keys(diff.added), ...diff.deleted]),
    createsFirst: step.createsFirst ?? createsFirst,
    asked: reasons.includes("id") || oldState?.taint === true,
    // If the program no longer protects a resource, the engine can replace the resource immediately. The engine deletes a protected
    // resource only if an earlier update has removed the protection.
    refused: state?.protect === true && (op === "delete" || (op === "replace" && declared?.protect === true)),
    retained: isRetained(oldState, deleted),
    unfinished: (oldState?.initErrors ?? []).length > 0,
    pending: false,
  });
}

export function compared(step: Omit<Step, "changes" | "hidden" | "disagreement">): Step {
  return { ...step, ...comparisonOf(step), op: step.op };
}

/** Whether a resource has a type that this version does not support. For stacks, components and providers, the result is false. */
function isStrange(state: EngineResource | undefined): state is EngineResource {
  if (state === undefined || state.custom === false) return false;
  return !/^pulumi:(pulumi:Stack$|providers:)/.test(state.type) && kindNameOf(state.type) === undefined;
}
