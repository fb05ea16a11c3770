import { compare } from "../provider/compare";
import { DuplicateError } from "../provider/failures";
import type { Ledger } from "../provider/ledger";
import type { RecordKind } from "../provider/record-kind";
import { createdState } from "../provider/state";
import { decideAdoption, findDuplicates, isEqualRecord, refuseToReplace } from "../provider/duplicates";
import { hasUnknown, type Properties } from "../provider/values";
import type { Creation } from "./model";
import { hidesBehindMask, holdsMask, mayBeEqual } from "./step-changes";

/** The record that a create operation adopts, or the reason why the operation does not adopt a record. */
export type AdoptionDecision = { how: "adopts"; id: string; state: Properties } | Creation;

/** The existing records that a create operation may adopt: none, identical records, or records with the same name. */
export type AdoptSetting = "never" | "identical" | "named";

export interface Candidate {
  id: string;
  state: Properties;
}

/** Decides whether a create operation adopts an existing record, in the same way as the provider. */
export function decide(
  kind: RecordKind,
  candidates: readonly Candidate[],
  inputs: Properties,
  { ledger, adopt }: { ledger: Ledger; adopt: AdoptSetting },
): AdoptionDecision {
  const decision = chosen(kind, candidates, inputs, ledger, adopt);
  // A masked or unknown value may or may not equal the value in the record. The decision is certain only if both possibilities lead to the
  // same decision.
  const assumed = assumedInputs(inputs, candidates);
  const lenient = candidates.map(({ id, state }) => ({ id, state: assumedEqual(kind, state, inputs, assumed) }));
  const other = chosen(kind, lenient, assumed, ledger, adopt);
  if (JSON.stringify(decision) !== JSON.stringify(other)) return { how: "unclear" };
  if (decision.how !== "adopts") return decision;
  return adoption(kind, candidates, inputs, decision.id);
}

function chosen(
  kind: RecordKind,
  candidates: readonly Candidate[],
  inputs: Properties,
  ledger: Ledger,
  adopt: AdoptSetting,
): Creation | { how: "adopts"; id: string } {
  const judged = byState(kind);
  const twins = findDuplicates(judged, { ledger, settings: { replaceOrder: "delete-first" } }, candidates, inputs);
  try {
    const record = decideAdoption(judged, twins, adopt);
    return record ? { how: "adopts", id: judged.idOf(record) } : { how: "none" };
  } catch (error) {
    if (!(error instanceof DuplicateError)) throw error;
    return { how: adopt === "never" ? "identical" : twins.named.length > 0 ? "several" : "managed", ids: error.ids };
  }
}

function adoption(kind: RecordKind, candidates: readonly Candidate[], inputs: Properties, id: string): AdoptionDecision {
  const candidate = candidates.find((candidateOfId) => candidateOfId.id === id);
  if (!candidate) return { how: "none" };
  const state = createdState(byState(kind), candidate, { inputs, accountGroupId: undefined, adopted: true });
  const changes = compare(kind, state, inputs);
  const certain = changes.filter((change) => !change.unknown && !hidesBehindMask(change));
  try {
    refuseToReplace(kind, id, certain);
  } catch (error) {
    if (!(error instanceof DuplicateError)) throw error;
    const properties = certain.filter(({ replaces }) => replaces).map(({ property }) => property);
    return { how: "differs", ids: error.ids, properties };
  }
  return changes.some((change) => change.replaces) ? { how: "unclear" } : { how: "adopts", id, state };
}

export function isEqualCandidate(kind: RecordKind, candidate: Candidate, inputs: Properties): boolean {
  return isEqualRecord(byState(kind), candidate, inputs);
}

function byState(kind: RecordKind): RecordKind {
  const properties = Object.entries(kind.properties).map(([name, property]) => [
    name,
    { ...property, read: ({ state }: Candidate) => state[name] },
  ]);
  return {
    ...kind,
    properties: Object.fromEntries(properties) as RecordKind["properties"],
    idOf: ({ id }: Candidate) => id,
    outputsOf: () => ({}),
    modifiedAt: () => undefined,
    isComplete: () => true,
  };
}

/** Returns the inputs with an arbitrary value of the right type in place of each unknown value. */
function assumedInputs(inputs: Properties, [candidate]: readonly Candidate[]): Properties {
  const known = ([property, value]: [string, unknown]) => [property, hasUnknown(value) ? candidate?.state[property] : value];
  return Object.fromEntries(Object.entries(inputs).map(known));
}

function assumedEqual(kind: RecordKind, state: Properties, inputs: Properties, assumed: Properties): Properties {
  const equal = Object.keys(kind.schema.shape).filter((property) => {
    const [before, after] = [state[property], inputs[property]];
    if (hasUnknown(after)) return true;
    return before !== undefined && (holdsMask(before) || holdsMask(after)) && mayBeEqual(before, after);
  });
  return { ...state, ...Object.fromEntries(equal.map((property) => [property, assumed[property]])) };
}
