import type { Kind } from "../../provider/kind";
import { registry, type KindName } from "../../provider/registry";
import { type Properties, stringOf } from "../../provider/values";
import { order } from "../words";
import { classOfToken } from "../../sdk/token";
import { managedOf, type ManagedResource, kindNameOf, type Position, secretMask } from "../engine/state";
import type { Decision } from "./decision";
import type { ChangedInputs, StackPreview } from "../engine/preview";
import type { PreviewStep, StepResource } from "../engine/preview-output";

/** What the engine does to a resource. */
const engineOps = ["delete", "replace", "update", "create", "same"] as const;
type EngineOp = (typeof engineOps)[number];

/** What happens to a resource: a create of the engine's may adopt a record. The most important first. */
const ops = ["delete", "replace", "update", "adopt", "create", "same"] as const;
export type Op = (typeof ops)[number];

/** A step of a preview on a resource of ours. */
export interface Planned {
  op: Op;
  urn: string;
  /** Name in the program. */
  name: string;
  kindName: KindName;
  kind: Kind;
  /** What the state holds; of an adoption what the service does. Absent of a create. */
  old?: ManagedResource;
  /** What is declared; absent of a delete. */
  now?: ManagedResource;
  /** Where the program declares it. */
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
  from?: Planned;
  /** Why a create adopts nothing, where there is something to say of that. */
  creation?: Exclude<Decision, { how: "adopts" }> & {
    /** Whether every list of the service was read. */
    looked: boolean;
  };
}

/** How many resources of other providers a preview changes, by what happens to them. */
export type Others = Record<Exclude<EngineOp, "same"> | "forget", number>;

/** What a preview is about to do. */
export interface Plan {
  /** The steps on resources of ours, the most important ones first. */
  planned: Planned[];
  others: Others;
  /** URNs of resources of ours that change, of a kind that this version does not know. */
  unknown: string[];
}

type KnownStep = PreviewStep & { op: EngineOp };

/** Sorts the steps of a preview. */
export function plannedIn({ stack, steps, changedInputs }: Omit<StackPreview, "project">): Plan {
  const known = steps.flatMap((step): KnownStep[] => (isOp(step.op) ? [{ ...step, op: step.op }] : []));
  const deleted = new Set(known.filter(({ op }) => op === "delete" || op === "replace").map(({ urn }) => urn));
  const planned = known.flatMap((step) => plannedOf(stack, step, changedInputs, deleted) ?? []);
  const strange = known.filter(({ oldState, newState }) => isStrange(oldState ?? newState));
  const rest = strange.filter(({ oldState, newState }) => !isOurs(oldState ?? newState));
  return {
    planned: planned.toSorted(byImportance),
    others: othersIn(rest, deleted),
    unknown: strange.filter((step) => step.op !== "same" && !rest.includes(step)).map(({ urn }) => urn),
  };
}

function othersIn(steps: readonly KnownStep[], deleted: ReadonlySet<string>): Others {
  const others: Others = { delete: 0, forget: 0, replace: 0, update: 0, create: 0 };
  for (const { op, oldState } of steps) {
    if (op !== "same") others[op === "delete" && isRetained(oldState, deleted) ? "forget" : op] += 1;
  }
  return others;
}

/** Whether the engine forgets what it would delete: it is told to, or takes it to be gone with something else. */
function isRetained(state: StepResource | undefined, deleted: ReadonlySet<string>): boolean {
  return state?.retainOnDelete === true || deleted.has(state?.deletedWith ?? "");
}

function plannedOf(
  stack: string,
  step: KnownStep,
  changedInputs: ChangedInputs | undefined,
  deleted: ReadonlySet<string>,
): Planned | undefined {
  const { op, urn, oldState, newState } = step;
  const [old, now] = [held(stack, oldState), held(stack, op === "delete" ? undefined : newState)];
  const one = now ?? old;
  if (!one || oldState?.external || newState?.external) return undefined;
  const reasons = (step.replaceReasons ?? []).map(String);
  return {
    op,
    urn,
    name: one.name,
    kindName: one.kindName,
    kind: one.kind,
    old,
    now,
    position: now?.position ?? old?.position,
    secrets: new Set([...(old?.secrets ?? []), ...(now?.secrets ?? [])]),
    dependencies: newState?.propertyDependencies ?? {},
    reasons,
    changedInputs: changedInputs?.get(urn),
    asked: reasons.includes("id") || oldState?.taint === true,
    // What the program has just unprotected may be replaced at once; to be deleted it must have been unprotected before.
    refused: old?.protect === true && (op === "delete" || (op === "replace" && now?.protect === true)),
    retained: isRetained(oldState, deleted),
    unfinished: (oldState?.initErrors ?? []).length > 0,
  };
}

function held(stack: string, state: StepResource | undefined): ManagedResource | undefined {
  return state ? managedOf(stack, state) : undefined;
}

/** What people know it by in the service, where anybody may see it. */
export function titleOf({ kind, secrets, old, now }: Planned): string | undefined {
  const title = stringOf((now ?? old)?.inputs[kind.nameProperty]);
  return secrets.has(kind.nameProperty) || title === secretMask ? undefined : title;
}

/** The properties that say what a resource is to be: those declared over what the service chose. */
export function declared({ kind, old, now }: Planned): Properties {
  const chosen = kind.leftToService.map((property) => [property, old?.outputs[property]]);
  return { ...Object.fromEntries(chosen), ...now?.inputs };
}

function isOp(op: string): op is EngineOp {
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

/** The order in which steps are told. */
export function byImportance(a: Planned, b: Planned): number {
  return (
    ops.indexOf(a.op) - ops.indexOf(b.op) ||
    kindOrder.indexOf(a.kindName) - kindOrder.indexOf(b.kindName) ||
    order(a.name, b.name) ||
    order(a.urn, b.urn) ||
    order(a.old?.id ?? "", b.old?.id ?? "")
  );
}
