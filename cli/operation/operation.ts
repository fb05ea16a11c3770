import type { Kind } from "../../provider/kind";
import { records, registry, type KindName } from "../../provider/registry";
import { hasSecretTitle, titleOf as titleIn } from "../../provider/identity";
import { type Properties, sameValue } from "../../provider/values";
import { classOfToken } from "../../sdk/token";
import type { EngineStep, InputDiff, StackPreview } from "../../engine/preview-output";
import {
  type EngineResource,
  type HeldState,
  kindNameOf,
  managedOf,
  type ManagedResource,
  type Position,
  secretMask,
} from "../../engine/state";
import type { PropertyChange } from "../report/changes";
import { compareText } from "../../common/text";
import type { Address } from "./address";
import type { Creation } from "./adoption";
import { comparisonOf } from "./comparison";
import { optionsOf } from "./options";

/** Operations on a resource. `options` changes only options of the engine; the engine calls it `same`. */
const engineOps = ["delete", "replace", "update", "create", "options", "same"] as const;
type EngineOp = (typeof engineOps)[number];

/** Outcomes for a resource, the most important first. A create of the engine may adopt a record. */
const allOps = ["delete", "replace", "update", "adopt", "create", "options", "same"] as const;
export type Op = (typeof allOps)[number];

export interface Step {
  op: Op;
  urn: string;
  name: string;
  kindName: KindName;
  kind: Kind;
  /** The resource in the state; for an adoption, the record in the service. Absent for a create. */
  state?: ManagedResource;
  /** The resource as the program declares it; absent for a delete. */
  declared?: ManagedResource;
  position?: Position;
  /** Properties whose values are never shown. */
  secrets: ReadonlySet<string>;
  /** URNs of the resources whose outputs each input uses. */
  dependencies: Record<string, string[]>;
  /** Changes by property; for a create, the properties that differ from the defaults. Empty for a delete. */
  changes: PropertyChange[];
  /**
   * Secrets that may change: the preview masks both sides, and there is no plan. Without another change, one of them changes, unless the
   * engine repeats an update that did not finish.
   */
  hidden: string[];
  /** The operation that this tool expects, if the engine plans another one. */
  disagreement?: Op;
  /** Options of the engine that differ from the default, in the state and in the program. */
  options: { before?: Properties; after?: Properties };
  /** Properties that force a replacement, by the engine. */
  reasons: string[];
  /** Inputs that the program declares differently from the state, secrets included. Absent without a plan. */
  changedInputs?: ReadonlySet<string>;
  /** The user requested the replacement, with `--replace` or `pulumi state taint`. */
  asked: boolean;
  /** A replacement creates the new record before it deletes the old one. */
  createsFirst: boolean;
  /** The engine will refuse the step, because the resource is protected. */
  refused: boolean;
  /** The step deletes no record: the engine only forgets the resource, or another resource manages its record. */
  retained: boolean;
  /** The last update succeeded in part, so the engine updates it again. */
  unfinished: boolean;
  /** An earlier update replaced the resource and left the deletion of the old one to this update. */
  pending: boolean;
  /** The delete of the resource whose record this step adopts. Absent if no resource of the stack managed the record. */
  from?: Step;
  /** Another stack of the project that manages the record which this step adopts. */
  otherStack?: string;
  /** The reason why a create adopts nothing, if it is worth a note. */
  creation?: Creation;
}

export type OtherChanges = Record<Exclude<EngineOp, "options" | "same"> | "forget", number>;

/** The next update of a stack, from the engine's preview, the state and the program. */
export interface Operation extends StackPreview {
  /** The address of its requests. Absent if it is not reviewed. */
  address?: Address | undefined;
  /** The steps on resources of this package, the most important ones first. */
  own: Step[];
  others: OtherChanges;
  /** URNs of changing resources of this package with a kind that this version does not know. */
  unknown: string[];
  /** Operations of an earlier update with an unknown outcome: `creating`, `deleting`. */
  interrupted: readonly { urn: string; type: string }[];
  /** Resources of other providers with a pending deletion. */
  pendingOthers: readonly EngineResource[];
  /** Resources of the project's other stacks. They are read only if a create may adopt a record. */
  ofOtherStacks?: readonly ManagedResource[];
}

type KnownStep = EngineStep & { op: EngineOp };

/** @param held the state before the preview. Without it, the pending deletions are those that the preview shows */
export function operationOf(preview: StackPreview, held?: HeldState): Operation {
  const { inputDiffs } = preview;
  const current = preview.steps.filter(({ op }) => op !== "delete-replaced");
  const steps = current.map((step) => (changesOptions(step) ? { ...step, op: "options" } : step));
  const known = steps.filter((step): step is KnownStep => (engineOps as readonly string[]).includes(step.op));
  const deleted = new Set(known.filter(({ op }) => op === "delete" || op === "replace").map(({ urn }) => urn));
  // With `--show-replacement-steps`, the preview shows the deletions that belong to no replacement.
  const resources =
    held?.resources ?? preview.steps.flatMap(({ op, oldState }) => (op === "delete-replaced" ? (oldState ?? []) : []));
  const pending = resources.filter((one) => one.delete === true);
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
  const pendingOthers = pending.filter((one) => one.custom !== false && kindNameOf(one.type) === undefined);
  const others: OtherChanges = { delete: pendingOthers.length, forget: 0, replace: 0, update: 0, create: 0 };
  for (const { op, oldState } of strange.filter((one) => !isOurs(one)))
    others[op === "delete" && isRetained(oldState, deleted) ? "forget" : op] += 1;
  return {
    ...preview,
    steps,
    own: planned.toSorted(byImportance),
    others,
    unknown: strange.filter(isOurs).map(({ urn }) => urn),
    interrupted: held?.interrupted ?? [],
    pendingOthers,
  };
}

function changesOptions({ op, oldState, newState }: EngineStep): boolean {
  return op === "same" && !!oldState && !!newState && !sameValue(optionsOf(oldState), optionsOf(newState));
}

/** Whether the engine forgets the resource instead of deleting it, because of its options `retainOnDelete` or `deletedWith`. */
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
    // The engine replaces a resource that this program unprotects. It deletes one only if an earlier update unprotected it.
    refused: state?.protect === true && (op === "delete" || (op === "replace" && declared?.protect === true)),
    retained: isRetained(oldState, deleted),
    unfinished: (oldState?.initErrors ?? []).length > 0,
    pending: false,
  });
}

export function compared(step: Omit<Step, "changes" | "hidden" | "disagreement">): Step {
  return { ...step, ...comparisonOf(step), op: step.op };
}

/** Whether a step changes something outside of the state. */
export function changesService({ op }: Step): boolean {
  return op !== "same" && op !== "options";
}

/** Returns the name of the record in the service, unless that is secret. */
export function titleOf({ kind, secrets, state, declared }: Step): string | undefined {
  const { inputs = {} } = declared ?? state ?? {};
  const isMasked = kind.identity.some((property) => inputs[property] === secretMask);
  return isMasked || hasSecretTitle(kind, secrets) ? undefined : titleIn(kind, inputs);
}

/** The properties that a resource is to have: those declared over what the service chose. */
export function desiredProperties({ kind, state, declared }: Step): Properties {
  const chosen = kind.leftToService.map((property) => [property, state?.outputs[property]]);
  return { ...Object.fromEntries(chosen), ...declared?.inputs };
}

/** Returns the reason why a delete leaves the record in the service, as a sentence; nothing if the service deletes it. */
export function whyForgotten({ op, kind, state, retained }: Step): string | undefined {
  if (op !== "delete" || !state) return undefined;
  if (retained) return `the ${kind.noun} stays in the service`;
  if (kind.reach?.means === "agents") {
    const removal = kind.reach.removal(state.id, state.outputs);
    if (removal.some(({ deleted }) => deleted)) return undefined;
    if (removal.some(({ enabled }) => enabled === false)) return "the agent stays in the service, disabled";
    return "nothing changes in the service";
  }
  // A kind that cannot be listed has no records.
  return kind.origin === undefined ? "the service keeps nothing of it that could be deleted" : undefined;
}

export function replacementCost({ kind, kindName, retained }: Step): string {
  // A replacement of another kind deletes no record.
  const isLeft = retained && Object.hasOwn(records, kindName);
  return isLeft ? `the old ${kind.noun} is forgotten and stays in the service beside the new one` : kind.replacementCost;
}

/** Whether a resource has a provider and no kind that this version knows. The stack, components and providers exist only in the state. */
function isStrange(state: EngineResource | undefined): state is EngineResource {
  if (state === undefined || state.custom === false) return false;
  return !/^pulumi:(pulumi:Stack$|providers:)/.test(state.type) && kindNameOf(state.type) === undefined;
}

const kindOrder = Object.keys(registry);

/** The order of steps in reports. Pending deletions come first. */
export function byImportance(a: Step, b: Step): number {
  return (
    Number(b.pending) - Number(a.pending) ||
    allOps.indexOf(a.op) - allOps.indexOf(b.op) ||
    kindOrder.indexOf(a.kindName) - kindOrder.indexOf(b.kindName) ||
    compareText(a.name, b.name) ||
    compareText(a.urn, b.urn) ||
    compareText(a.state?.id ?? "", b.state?.id ?? "")
  );
}
