import type { Reference, Referrers } from "../../provider/references/references";
import type { Session } from "../../provider/session";
import { stringOf } from "../../provider/values";
import type { EngineStep } from "../engine/preview-output";
import { kindNameOf } from "../engine/state";
import type { Operation, Step } from "./operation";

/** Who names the records that an operation deletes or replaces. */
export interface LostReferences {
  /** By kind and id of the record. */
  readonly found: ReadonlyMap<string, readonly Reference[]>;
  /** What could not be asked, and why, as sentences without a full stop. */
  readonly unasked: readonly string[];
}

/** Asks who names the records that steps delete or replace. Without such a step nothing is asked. */
export async function askReferences(
  { references }: Session,
  planned: readonly Step[],
  defaultAccountGroupId: string | undefined,
): Promise<LostReferences> {
  const asked = planned.flatMap(({ kind, state, ...step }): [string, Promise<Referrers | undefined>][] => {
    if (!state || !isLost(step)) return [];
    const accountGroupId = stringOf(state.outputs["accountGroupId"]) ?? defaultAccountGroupId;
    return [[keyOf({ kind, state }), references.to(kind, state.id, accountGroupId)]];
  });
  const answers = await Promise.all(asked.map(async ([key, answer]) => [key, await answer] as const));
  return {
    found: new Map(answers.map(([key, answer]) => [key, answer?.found ?? []])),
    unasked: [...new Set(answers.flatMap(([, answer]) => answer?.unasked ?? []))],
  };
}

/** The rules and streams that name the record of a step, and that lose it: those of the same program that refer to it get its new id. */
export function lostBy({ steps }: Pick<Operation, "steps">, step: Step, lost: LostReferences | undefined): Reference[] {
  if (!step.state || !isLost(step)) return [];
  const following = new Set(steps.flatMap((other) => (refersTo(other, step.urn) ? (other.oldState?.id ?? []) : [])));
  return (lost?.found.get(keyOf(step)) ?? []).filter(({ id }) => !following.has(id));
}

function isLost({ op, retained }: Pick<Step, "op" | "retained">): boolean {
  return (op === "delete" || op === "replace") && !retained;
}

function refersTo({ op, oldState, newState }: EngineStep, urn: string): boolean {
  if (op === "delete" || !newState || kindNameOf(oldState?.type ?? "") !== undefined) return false;
  return Object.values(newState.propertyDependencies ?? {}).some((urns) => urns?.includes(urn));
}

function keyOf({ kind, state }: Pick<Step, "kind" | "state">): string {
  return `${kind.name} ${state?.id ?? ""}`;
}
