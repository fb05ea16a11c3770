import type { Kind } from "../../provider/kind";
import { registry, type KindName } from "../../provider/registry";
import { type Properties, stringOf } from "../../provider/values";
import { order } from "../words";
import { heldOf, type Held, type Position, secretMask } from "../held";
import type { ChangedInputs } from "./plan-file";
import type { Preview, Step, StepResource } from "./preview";

/** What happens to a resource. */
export const ops = ["delete", "replace", "update", "create", "same"] as const;
export type Op = (typeof ops)[number];

/** A step of a preview on a resource of ours. */
export interface Planned {
  op: Op;
  urn: string;
  /** Name in the program. */
  name: string;
  kindName: KindName;
  kind: Kind;
  /** What the state holds; absent of a create. */
  old?: Held;
  /** What is declared; absent of a delete. */
  now?: Held;
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
  /** Deleting it only forgets it. */
  retained: boolean;
  /** The last update succeeded in part, so the engine updates it again. */
  unfinished: boolean;
}

/** How many resources that are not ours a preview changes, by what happens to them. */
export type Others = Record<Exclude<Op, "same">, number>;

/** The steps on resources of ours, the most important ones first, and a count of the others. */
export function plannedIn({ stack, steps, changedInputs }: Omit<Preview, "project">): { planned: Planned[]; others: Others } {
  const known = steps.flatMap((step) => (isOp(step.op) ? [{ ...step, op: step.op }] : []));
  const planned = known.flatMap((step) => plannedOf(stack, step, changedInputs) ?? []);
  const rest = known.filter(({ oldState, newState }) => isForeign(oldState ?? newState));
  const others = Object.fromEntries(ops.map((op) => [op, rest.filter((step) => step.op === op).length]));
  return { planned: planned.toSorted(byImportance), others: others as Others };
}

function plannedOf(stack: string, step: Step & { op: Op }, changedInputs: ChangedInputs | undefined): Planned | undefined {
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
    retained: oldState?.retainOnDelete === true,
    unfinished: (oldState?.initErrors ?? []).length > 0,
  };
}

function held(stack: string, state: StepResource | undefined): Held | undefined {
  return state ? heldOf(stack, state) : undefined;
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

function isOp(op: string): op is Op {
  return (ops as readonly string[]).includes(op);
}

/** The stack itself and providers are the engine's own business. */
function isForeign(state: StepResource | undefined): boolean {
  return state !== undefined && !/^pulumi:(pulumi:Stack$|providers:)/.test(state.type) && heldOf("", state) === undefined;
}

const kindOrder = Object.keys(registry);

function byImportance(a: Planned, b: Planned): number {
  return (
    ops.indexOf(a.op) - ops.indexOf(b.op) ||
    kindOrder.indexOf(a.kindName) - kindOrder.indexOf(b.kindName) ||
    order(a.name, b.name) ||
    order(a.urn, b.urn) ||
    order(a.old?.id ?? "", b.old?.id ?? "")
  );
}
