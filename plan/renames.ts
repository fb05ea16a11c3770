import { compareText } from "../common/text";
import { records } from "../provider/registry";
import type { Properties } from "../provider/values";
import { typeOfUrn } from "../sdk/token";
import type { Step } from "./model";
import { pairRecords, type PairSide } from "./record-pairs";
import { withKeys } from "./stand-ins";
import { stepsByUrn } from "./unknown";

/**
 * A resource that has a new name or parent in the program, but no alias. Without an alias, the update deletes and recreates the record of
 * the resource.
 */
export interface Rename {
  from: Step;
  to: Step;
}

/**
 * Returns pairs of a deleted and a created resource that are probably one renamed or moved resource.
 *
 * @param steps the steps that `settled` returned, so that an adopted record does not count as deleted
 */
export function renamesIn(steps: readonly Step[]): Rename[] {
  const byUrn = stepsByUrn(steps);
  const candidates = steps.filter(({ kindName }) => Object.hasOwn(records, kindName));
  const deleted = candidates.flatMap((step): PairSide<Step>[] => {
    const { op, state, retained, pending } = step;
    if (op !== "delete" || !state || retained || pending) return [];
    return [sideOf(step, state.id, state.inputs, state.outputs)];
  });
  const created = candidates.flatMap((step): PairSide<Step>[] => {
    if (step.op !== "create" || !step.declared) return [];
    const inputs = withKeys(step, step.declared.inputs, byUrn);
    return [sideOf(step, step.urn, inputs, inputs)];
  });
  return pairRecords(deleted, created)
    .map(({ recorded, declared }) => ({ from: recorded, to: declared }))
    .toSorted((a, b) => compareText(a.to.urn, b.to.urn));
}

function sideOf(step: Step, key: string, inputs: Properties, properties: Properties): PairSide<Step> {
  const { kind, kindName, name, urn } = step;
  return { item: step, kind, kindName, type: typeOfUrn(urn), name, key, inputs, properties };
}
