import { type Change, compare } from "./compare";
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
  /** Whether replacements create first: a forced one finds the record it replaces. */
  createsFirst?: boolean;
}

/** What finding twins takes of a session. */
export interface Searching {
  ledger: Session["ledger"];
  settings: Pick<Session["settings"], "replaceOrder">;
}

/** Finds twins of what is to be created among records that no resource stands for, as far as this process knows. */
export function findTwins(
  kind: RecordKind,
  { ledger, settings }: Searching,
  records: Iterable<object>,
  inputs: Properties,
): Twins {
  const free = new Set([...records].filter((record) => ledger.isFree(kind, kind.idOf(record))));
  for (const olds of ledger.heldInputs(kind)) {
    const held = [...free].find((record) => isTwin(kind, record, olds));
    if (held) free.delete(held);
  }
  const named = [...free].filter((record) => kind.toInputs(record)[kind.nameProperty] === inputs[kind.nameProperty]);
  const identical = named.filter((record) => isTwin(kind, record, inputs));
  return { named, identical, createsFirst: settings.replaceOrder === "create-first" };
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
      `${ids.length > 1 ? "Identical records exist" : "An identical record exists"} already: ${which}. Nothing was created. ` +
        `${causes(twins).join("; ")}.`,
      ids,
    );
  }
  throw new TwinError(
    `Several records are alike: ${which}, so none is adopted. Delete all but one in the service, or import the right one.`,
    ids,
  );
}

/**
 * An adopted record that only a replacement could bring in line would be deleted by the next update: nobody asked for that.
 *
 * @param changes what differs between the record and the inputs
 * @throws TwinError
 */
export function refuseToReplace(kind: RecordKind, id: string, changes: readonly Change[]): void {
  const replacing = changes.filter((change) => change.replaces).map((change) => change.property);
  if (replacing.length === 0) return;
  throw new TwinError(
    `The ${kind.noun} ${id} cannot be adopted: it differs in ${replacing.join(", ")}, which can be set at creation only. ` +
      "Declare what it has, or rename one of the two.",
    [id],
  );
}

/** Why a record is there already, the most likely cause first, and what to do about each. */
function causes({ createsFirst }: Twins): string[] {
  return [
    "If you renamed or moved this resource, give its old name or parent in the resource option aliases: the record keeps its history",
    ...(createsFirst
      ? ["if you force a replacement (--replace, pulumi state taint), set the resource option deleteBeforeReplace: true for it"]
      : []),
    "if another stack manages the record, declare it in one stack only",
    "if it was made by hand, run `endpoint-monitoring import`, or set adopt: true on this resource",
    "if an update was interrupted, run `pulumi config set endpoint-monitoring:adopt identical`, then `pulumi up`",
  ];
}
