import { compare } from "../provider/compare";
import { reshapedProperty } from "../provider/reshaped";
import { isSame } from "../provider/shape";
import { type PropertyChange, shownChanges } from "./changes";
import type { Step } from "./model";
import type { ServiceView } from "./service";
import { holdsMask } from "./step-changes";

/**
 * Returns the manual changes in the service that an update resets. An update sends all declared properties that can be updated, including
 * unchanged properties.
 */
export function resetsOf(
  { op, kind, state, declared, changes, secrets }: Step,
  service: ServiceView | undefined,
): PropertyChange[] {
  const record = service?.holdings.records.find((candidate) => candidate.kind === kind && candidate.id === state?.id);
  if (op !== "update" || !record || !state || !declared) return [];
  const { outputs } = state;
  const changed = new Set(changes.map(({ property }) => property));
  const differing = compare(kind, { ...record.state, [reshapedProperty]: outputs[reshapedProperty] }, declared.inputs);
  const resets = differing.filter(
    ({ property, before, after, replaces, recordsOnly, unknown }) =>
      ![before, after].includes(undefined) &&
      !(replaces || recordsOnly || unknown) &&
      !(changed.has(property) || secrets.has(property) || holdsMask(after)) &&
      !isSame(kind, property, before, outputs[property]),
  );
  return shownChanges(resets, secrets);
}
