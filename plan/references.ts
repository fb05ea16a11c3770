import type { Kind } from "../provider/kind";
import { lossSentence, type Reference, type Referrers } from "../provider/references/references";
import type { Session } from "../provider/session";
import { stringOf } from "../provider/values";
import type { EngineStep } from "../engine/preview-output";
import { kindNameOf } from "../engine/state";
import { errorText, fewNames, ours, phrase, type Phrase } from "../common/phrase";
import { compareText } from "../common/text";
import type { PlannedOperation, Step } from "./model";

const maxNames = 5;

export interface LostReferences {
  readonly references: ReadonlyMap<string, readonly Reference[]>;
  /** Reasons why lists could not be read, as sentences without a period. */
  readonly unasked: readonly string[];
}

/**
 * Reads the alert rules and streams that refer to deleted or replaced records. If no record is deleted or replaced, the function sends no
 * requests.
 */
export async function askReferences(
  { references }: Pick<Session, "references">,
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
    references: new Map(answers.map(([key, answer]) => [key, answer?.references ?? []])),
    unasked: [...new Set(answers.flatMap(([, answer]) => answer?.unasked ?? []))],
  };
}

/**
 * Returns the references that a step breaks. The result excludes alert rules in the program, because the update corrects the references of
 * these alert rules.
 */
export function lostBy({ steps }: Pick<PlannedOperation, "steps">, step: Step, lost: LostReferences | undefined): Reference[] {
  if (!step.state || !isLost(step)) return [];
  const following = new Set(
    steps.flatMap((candidate) => (refersTo(candidate, step.urn) ? (candidate.oldState?.id ?? []) : [])),
  );
  return (lost?.references.get(keyOf(step)) ?? []).filter(({ id }) => !following.has(id));
}

export const lostTitle = "Alert rules and streams that refer to deleted or replaced records";

export function lossPhrases(lost: readonly { kind: Kind; name: string; referrers: Referrers | undefined }[]): Phrase[] {
  const unasked = new Set(lost.flatMap(({ referrers }) => referrers?.unasked ?? []));
  return [
    ...lost.flatMap(({ kind, name, referrers: { references } = { references: [] } }): Phrase[] => {
      if (references.length === 0) return [];
      const names = fewNames(references.map((reference) => reference.name).toSorted(compareText), maxNames);
      return [phrase`${ours(kind.noun)} ${name}: ${ours(lossSentence(kind, references))}: ${names}`];
    }),
    ...[...unasked].map((why): Phrase => [errorText(why)]),
  ];
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
