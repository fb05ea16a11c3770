import type { Kind } from "../../provider/kind";
import { records, registry, type KindName } from "../../provider/registry";
import { hasSecretTitle, titleOf as titleIn } from "../../provider/identity";
import type { Properties } from "../../provider/values";
import { classOfToken } from "../../sdk/token";
import type { ChangedInputs, StackPreview } from "../engine/preview";
import type { PreviewStep, StepResource } from "../engine/preview-output";
import { kindNameOf, managedOf, type ManagedResource, type Position, secretMask } from "../engine/state";
import { compareText } from "../report/text";
import type { AdoptionDecision } from "./adoption";

/** What the engine does to a resource. */
const engineOps = ["delete", "replace", "update", "create", "same"] as const;
type EngineOp = (typeof engineOps)[number];

/** What happens to a resource: a create of the engine's may adopt a record. The most important first. */
const allOps = ["delete", "replace", "update", "adopt", "create", "same"] as const;
export type Op = (typeof allOps)[number];

/** A step of a preview on a resource of ours. */
export interface PlannedStep {
  op: Op;
  urn: string;
  name: string;
  kindName: KindName;
  kind: Kind;
  /** What the state holds; of an adoption what the service does. Absent of a create. */
  state?: ManagedResource;
  /** What is declared; absent of a delete. */
  declared?: ManagedResource;
  position?: Position;
  /** Properties whose values nobody may see. */
  secrets: ReadonlySet<string>;
  /** What each input was made from, by URN. */
  dependencies: Record<string, string[]>;
  /** Properties that force a replacement, as the engine says. */
  reasons: string[];
  /** Inputs declared otherwise than the state has them; absent where only what no mask hides is known. */
  changedInputs?: ReadonlySet<string>;
  /** Somebody asked for the replacement, with `--replace` or `pulumi state taint`. */
  asked: boolean;
  /** The engine will refuse it, as the resource is protected. */
  refused: boolean;
  /** The engine only forgets what it would delete, also where it replaces: the service keeps it. */
  retained: boolean;
  /** The last update succeeded in part, so the engine updates it again. */
  unfinished: boolean;
  /** The step that deletes the resource whose record this one adopts; absent where no resource of the stack had it. */
  from?: PlannedStep;
  /** Why a create adopts nothing, where that is worth a note. */
  creation?: Exclude<AdoptionDecision, { how: "adopts" }> & {
    /** Whether every list of the service was read. */
    looked: boolean;
  };
}

/** How many resources of other providers a preview changes, by what happens to them. */
export type OtherChanges = Record<Exclude<EngineOp, "same"> | "forget", number>;

export interface PlannedSteps {
  /** The steps on resources of ours, the most important ones first. */
  planned: PlannedStep[];
  others: OtherChanges;
  /** URNs of resources of ours that change, of a kind that this version does not know. */
  unknown: string[];
}

type KnownStep = PreviewStep & { op: EngineOp };

export function plannedIn({ stack, steps, changedInputs }: Omit<StackPreview, "project">): PlannedSteps {
  const known = steps.flatMap((step): KnownStep[] => (isEngineOp(step.op) ? [{ ...step, op: step.op }] : []));
  const deleted = new Set(known.filter(({ op }) => op === "delete" || op === "replace").map(({ urn }) => urn));
  const planned = known.flatMap((step) => plannedOf(stack, step, changedInputs, deleted) ?? []);
  const strange = known.filter(({ oldState, newState }) => isStrange(oldState ?? newState));
  const foreign = strange.filter(({ oldState, newState }) => !isOurs(oldState ?? newState));
  const others: OtherChanges = { delete: 0, forget: 0, replace: 0, update: 0, create: 0 };
  for (const { op, oldState } of foreign) {
    if (op !== "same") others[op === "delete" && isRetained(oldState, deleted) ? "forget" : op] += 1;
  }
  return {
    planned: planned.toSorted(byImportance),
    others,
    unknown: strange.filter((step) => step.op !== "same" && !foreign.includes(step)).map(({ urn }) => urn),
  };
}

/** Whether the engine forgets what it would delete: as an option of the resource has it, or because it is deleted with something else. */
function isRetained(state: StepResource | undefined, deleted: ReadonlySet<string>): boolean {
  return state?.retainOnDelete === true || deleted.has(state?.deletedWith ?? "");
}

function plannedOf(
  stack: string,
  step: KnownStep,
  changedInputs: ChangedInputs | undefined,
  deleted: ReadonlySet<string>,
): PlannedStep | undefined {
  const { op, urn, oldState, newState } = step;
  const state = oldState && managedOf(stack, oldState);
  const declared = op === "delete" || !newState ? undefined : managedOf(stack, newState);
  const resource = declared ?? state;
  if (!resource || oldState?.external || newState?.external) return undefined;
  const reasons = (step.replaceReasons ?? []).map(String);
  return {
    op,
    urn,
    name: resource.name,
    kindName: resource.kindName,
    kind: resource.kind,
    state,
    declared,
    position: declared?.position ?? state?.position,
    secrets: new Set([...(state?.secrets ?? []), ...(declared?.secrets ?? [])]),
    dependencies: newState?.propertyDependencies ?? {},
    reasons,
    changedInputs: changedInputs?.get(urn),
    asked: reasons.includes("id") || oldState?.taint === true,
    // What the program has just unprotected may be replaced at once; to be deleted it must have been unprotected before.
    refused: state?.protect === true && (op === "delete" || (op === "replace" && declared?.protect === true)),
    retained: isRetained(oldState, deleted),
    unfinished: (oldState?.initErrors ?? []).length > 0,
  };
}

/** What people know it by in the service, where anybody may see it. */
export function titleOf({ kind, secrets, state, declared }: PlannedStep): string | undefined {
  const { inputs = {} } = declared ?? state ?? {};
  const isMasked = kind.identity.some((property) => inputs[property] === secretMask);
  return isMasked || hasSecretTitle(kind, secrets) ? undefined : titleIn(kind, inputs);
}

/** The properties that a resource is to have: those declared over what the service chose. */
export function desiredProperties({ kind, state, declared }: PlannedStep): Properties {
  const chosen = kind.leftToService.map((property) => [property, state?.outputs[property]]);
  return { ...Object.fromEntries(chosen), ...declared?.inputs };
}

/**
 * Why a delete leaves what it is of in the service, as a sentence; nothing of one that really deletes it.
 *
 * An option of the resource may be the reason, or its kind.
 */
export function whyForgotten({ op, kind, state, retained }: PlannedStep): string | undefined {
  if (op !== "delete" || !state) return undefined;
  if (retained) return `the ${kind.noun} stays in the service`;
  if (kind.reach?.means === "agents") {
    const removal = kind.reach.removal(state.id, state.outputs);
    if (removal.some(({ deleted }) => deleted)) return undefined;
    if (removal.some(({ enabled }) => enabled === false)) return "the agent stays in the service, disabled";
    return "nothing changes in the service";
  }
  // What cannot be listed is no record.
  return kind.origin === undefined ? "the service keeps nothing of it that could be deleted" : undefined;
}

/** What a replacement costs, as a part of a sentence. */
export function replacementCost({ kind, kindName, retained }: PlannedStep): string {
  // Of other kinds a replacement deletes nothing.
  const isLeft = retained && Object.hasOwn(records, kindName);
  return isLeft ? `the old ${kind.noun} is forgotten and stays in the service beside the new one` : kind.replacementCost;
}

function isEngineOp(op: string): op is EngineOp {
  return (engineOps as readonly string[]).includes(op);
}

/** Whether it is of no kind that is known here. The stack itself, components and providers are nothing outside of the state. */
function isStrange(state: StepResource | undefined): state is StepResource {
  if (state === undefined || state.custom === false) return false;
  return !/^pulumi:(pulumi:Stack$|providers:)/.test(state.type) && kindNameOf(state.type) === undefined;
}

function isOurs(state: StepResource | undefined): boolean {
  return state !== undefined && classOfToken(state.type) !== undefined;
}

const kindOrder = Object.keys(registry);

/** The order in which steps are reported. */
export function byImportance(a: PlannedStep, b: PlannedStep): number {
  return (
    allOps.indexOf(a.op) - allOps.indexOf(b.op) ||
    kindOrder.indexOf(a.kindName) - kindOrder.indexOf(b.kindName) ||
    compareText(a.name, b.name) ||
    compareText(a.urn, b.urn) ||
    compareText(a.state?.id ?? "", b.state?.id ?? "")
  );
}
