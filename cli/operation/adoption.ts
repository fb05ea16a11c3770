import { compare } from "../../provider/compare";
import { DuplicateError } from "../../provider/failures";
import type { Ledger } from "../../provider/ledger";
import type { RecordKind } from "../../provider/record-kind";
import { createdState } from "../../provider/state";
import { decideAdoption, findDuplicates, refuseToReplace } from "../../provider/duplicates";
import { hasUnknown, type Properties } from "../../provider/values";
import { hidesBehindMask, holdsMask, mayBeEqual } from "./comparison";

/**
 * The reason why a create adopts no record:
 * - `none`: none that it may adopt exists,
 * - `unseen`: the same, and not everything the service has was looked at,
 * - `unclear`: that depends on a value which is secret, or known after the update only,
 * - `identical`: the update will fail, as an identical record exists and nothing allows its adoption,
 * - `several`: the update will fail, as several records may be meant,
 * - `managed`: the update will fail, as another resource of the program manages the record,
 * - `differs`: the update will fail, as the record differs in what only a create sets.
 */
export interface Creation {
  how: "none" | "unseen" | "unclear" | "identical" | "several" | "managed" | "differs";
  /** The records that make the update fail. */
  ids?: readonly string[];
  /** In what the record differs that only a create sets. */
  properties?: readonly string[];
}

/** A create either adopts an existing record, or it does not, for a reason. */
export type AdoptionDecision = { how: "adopts"; id: string; state: Properties } | Creation;

/** How a create is to adopt: never, only what is identical, or what has its name. */
export type AdoptMode = "never" | "identical" | "named";
export interface Candidate {
  id: string;
  state: Properties;
}

/** Decides as the provider does whether a create adopts one of the records that exist. */
export function decide(
  kind: RecordKind,
  candidates: readonly Candidate[],
  inputs: Properties,
  { ledger, adopt }: { ledger: Ledger; adopt: AdoptMode },
): AdoptionDecision {
  const decision = chosen(kind, candidates, inputs, ledger, adopt);
  // A masked value may be equal or not. The outcome is known only if both assumptions lead to the same one.
  const lenient = candidates.map(({ id, state }) => ({ id, state: assumedEqual(kind, state, inputs) }));
  const other = chosen(kind, lenient, inputs, ledger, adopt);
  if (JSON.stringify(decision) !== JSON.stringify(other)) return { how: "unclear" };
  if (decision.how !== "adopts") return decision;
  return adoption(kind, candidates, inputs, decision.id);
}

function chosen(
  kind: RecordKind,
  candidates: readonly Candidate[],
  inputs: Properties,
  ledger: Ledger,
  adopt: AdoptMode,
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
  const candidate = candidates.find((one) => one.id === id);
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

/** A kind whose records are given by their states, so that the provider's own functions judge them. */
function byState(kind: RecordKind): RecordKind {
  const properties = Object.entries(kind.properties).map(([name, property]) => [
    name,
    { ...property, read: ({ state }: Candidate) => state[name] },
  ]);
  return {
    ...kind,
    properties: Object.fromEntries(properties) as RecordKind["properties"],
    // A review hands in candidates only.
    idOf: ({ id }: Candidate) => id,
    outputsOf: () => ({}),
    modifiedAt: () => undefined,
    isComplete: () => true,
  };
}

/** A state in which whatever may be equal to the inputs is. */
function assumedEqual(kind: RecordKind, state: Properties, inputs: Properties): Properties {
  const assumed = Object.keys(kind.schema.shape).filter((property) => {
    const [before, after] = [state[property], inputs[property]];
    if (hasUnknown(after)) return true;
    return before !== undefined && (holdsMask(before) || holdsMask(after)) && mayBeEqual(before, after);
  });
  return { ...state, ...Object.fromEntries(assumed.map((property) => [property, inputs[property]])) };
}
