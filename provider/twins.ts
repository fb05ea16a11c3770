import { compare } from "./compare";
import { TwinError } from "./failures";
import type { RecordKind } from "./record-kind";
import type { Session } from "./session";
import { stateOf } from "./state";
import { type Properties, stringOf } from "./values";

/** The records a create has to think of before it makes another. */
export interface Twins {
  /** Alike in everything a create would send and the service returns. */
  identical: object[];
  /** The same thing by name, whatever else differs; the identical ones are among them. */
  named: object[];
}

/** Finds twins of what is to be created among records that no resource of this process stands for. */
export function findTwins(kind: RecordKind, session: Session, records: Iterable<object>, inputs: Properties): Twins {
  const free = [...records].filter((record) => !session.isClaimed(kind, kind.idOf(record)));
  const named = free.filter((record) => kind.toInputs(record)[kind.nameProperty] === inputs[kind.nameProperty]);
  return { named, identical: named.filter((record) => isTwin(kind, record, inputs)) };
}

/** Update-only properties do not count: a crash between create and update leaves a twin that lacks just those. */
function isTwin(kind: RecordKind, record: object, inputs: Properties): boolean {
  const fallback = Object.fromEntries(kind.writeOnly.map((property) => [property, inputs[property]]));
  const state = stateOf(kind, record, {
    fallback,
    aid: stringOf(inputs["accountGroupId"]),
    unknownFields: [],
    unmanagedFields: [],
  });
  return compare(kind, state, inputs).every((change) => kind.updateOnly.includes(change.property));
}

/**
 * Decides what a create does about twins that were there before.
 *
 * @returns the record to take over, or nothing: create
 * @throws TwinError where that is for a person to decide
 */
export function decideAdoption(kind: RecordKind, twins: Twins, adopt: "never" | "identical" | "named"): object | undefined {
  const candidates = adopt === "named" && twins.identical.length === 0 ? twins.named : twins.identical;
  const ids = candidates.map((record) => kind.idOf(record));
  if (candidates.length === 0) return undefined;
  if (adopt !== "never" && candidates.length === 1) return candidates[0];
  const which = `${kind.noun} ${ids.join(", ")}`;
  if (adopt === "never") {
    throw new TwinError(
      `${ids.length > 1 ? "Identical records exist" : "An identical record exists"} already: ${which}. Creating would double it. ` +
        "To manage it with this resource set adopt: true on it; after a crash, take over all exact twins with " +
        "`pulumi config set endpoint-monitoring:adopt identical`; or rename one of them.",
      ids,
    );
  }
  throw new TwinError(
    `Several records are alike: ${which}, so none is adopted. Delete all but one in the service, or import the right one.`,
    ids,
  );
}
