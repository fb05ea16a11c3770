import { type Change, compare } from "./compare";
import { DuplicateError } from "./failures";
import type { RecordKind } from "./record-kind";
import type { Session } from "./session";
import { inputsOfRecord, stateOf } from "./state";
import { type Properties, stringOf } from "./values";

/** Existing records that a create would duplicate. */
export interface Duplicates {
  /** Alike in everything a create would send and the service returns. */
  identical: object[];
  /** Of the same name, whatever else differs; the identical ones are among them. */
  named: object[];
  /** Whether replacements create first: a forced one finds the record it replaces. */
  createsFirst?: boolean;
}

/** What a search for duplicates takes of a session. */
export interface Searching {
  ledger: Session["ledger"];
  settings: Pick<Session["settings"], "replaceOrder">;
}

/** Finds duplicates of what is to be created among records that no resource stands for, as far as this process knows. */
export function findDuplicates(
  kind: RecordKind,
  { ledger, settings }: Searching,
  records: Iterable<object>,
  inputs: Properties,
): Duplicates {
  const free = new Set([...records].filter((record) => ledger.isFree(kind, kind.idOf(record))));
  for (const olds of ledger.heldInputs(kind)) {
    const held = [...free].find((record) => isDuplicate(kind, record, olds));
    if (held) free.delete(held);
  }
  const named = [...free].filter((record) => inputsOfRecord(kind, record)[kind.nameProperty] === inputs[kind.nameProperty]);
  const identical = named.filter((record) => isDuplicate(kind, record, inputs));
  return { named, identical, createsFirst: settings.replaceOrder === "create-first" };
}

/** Update-only properties do not count: a crash between create and update leaves a duplicate that lacks just those. */
function isDuplicate(kind: RecordKind, record: object, inputs: Properties): boolean {
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
 * Decides what a create does about duplicates that were there before.
 *
 * @returns the record to adopt, or nothing: create
 * @throws DuplicateError where that is for a person to decide
 */
export function decideAdoption(
  kind: RecordKind,
  duplicates: Duplicates,
  adopt: "never" | "identical" | "named",
): object | undefined {
  const candidates = adopt === "named" && duplicates.identical.length === 0 ? duplicates.named : duplicates.identical;
  const ids = candidates.map((record) => kind.idOf(record));
  if (candidates.length === 0) return undefined;
  if (adopt !== "never" && candidates.length === 1) return candidates[0];
  const which = `${kind.noun} ${ids.join(", ")}`;
  if (adopt === "never") {
    throw new DuplicateError(
      `${ids.length > 1 ? "Identical records exist" : "An identical record exists"} already: ${which}. Nothing was created. ` +
        `${causes(duplicates).join("; ")}.`,
      ids,
    );
  }
  throw new DuplicateError(
    `Several records are alike: ${which}, so none is adopted. Delete all but one in the service, or import the right one.`,
    ids,
  );
}

/**
 * An adopted record that only a replacement could bring in line would be deleted by the next update: nobody asked for that.
 *
 * @param changes what differs between the record and the inputs
 * @throws DuplicateError
 */
export function refuseToReplace(kind: RecordKind, id: string, changes: readonly Change[]): void {
  const replacing = changes.filter((change) => change.replaces).map((change) => change.property);
  if (replacing.length === 0) return;
  throw new DuplicateError(
    `The ${kind.noun} ${id} cannot be adopted: it differs in ${replacing.join(", ")}, which can be set at creation only. ` +
      "Declare what it has, or rename one of the two.",
    [id],
  );
}

/** Why a record is there already, the most likely cause first, and what to do about each. */
function causes({ createsFirst }: Duplicates): string[] {
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
