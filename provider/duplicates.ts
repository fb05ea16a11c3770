import { type Change, compare, isDerivedReplacement } from "./compare";
import { DuplicateError } from "./failures";
import type { RecordKind } from "./record-kind";
import type { Session } from "./session";
import { inDeclaredForm, stateOf } from "./state";
import { titleOf, titleOfRecord } from "./identity";
import { type Properties, stringOf } from "./values";

/** The existing records that have the name of a declared resource. */
export interface Duplicates {
  /** Records with the declared name and equal properties. */
  identical: object[];
  /** Records with the declared name, including identical records. */
  named: object[];
  /** Records with the declared name that other resources of the program manage. */
  managed: object[];
  /**
   * Whether a replacement creates the new record before it deletes the old record. If the new record is created first, a
   * forced replacement finds the old record as a duplicate.
   */
  createsFirst?: boolean;
}

/** The records that a resource may adopt: none, an equal record, or a record with the same name. */
export type AdoptMode = "never" | "identical" | "named";

export interface DuplicateSearch {
  ledger: Session["ledger"];
  settings: Pick<Session["settings"], "replaceOrder">;
}

/**
 * Finds existing records with the declared name. Records that other resources of the program manage are in the separate list
 * `managed`.
 */
export function findDuplicates(
  kind: RecordKind,
  { ledger, settings }: DuplicateSearch,
  records: Iterable<object>,
  inputs: Properties,
): Duplicates {
  const title = titleOf(kind, inputs);
  const namesakes = [...records].filter((record) => titleOfRecord(kind, record) === title);
  const free = new Set(namesakes.filter((record) => ledger.isFree(kind, kind.idOf(record))));
  const managed = namesakes.filter((record) => ledger.isOwned(kind, kind.idOf(record)));
  for (const { heldInputs, isReplaced } of ledger.unmatched(kind)) {
    const equal = [...free].find((record) => isEqualRecord(kind, record, heldInputs));
    if (equal && free.delete(equal) && !isReplaced) managed.push(equal);
  }
  const named = [...free];
  const identical = named.filter((record) => isEqualRecord(kind, record, inputs));
  return { named, identical, managed, createsFirst: settings.replaceOrder === "create-first" };
}

/** Returns the unmanaged records that match the inputs. */
export function identicalNew(
  kind: RecordKind,
  { ledger }: Pick<DuplicateSearch, "ledger">,
  records: readonly object[],
  inputs: Properties,
): object[] {
  return records.filter((record) => ledger.isFree(kind, kind.idOf(record)) && isEqualRecord(kind, record, inputs));
}

/**
 * Whether a record is equal to the inputs. The comparison ignores properties that only an update can set, because an interrupted create
 * operation leaves them unset.
 */
export function isEqualRecord(kind: RecordKind, record: object, inputs: Properties): boolean {
  const fallback = Object.fromEntries(kind.writeOnly.map((property) => [property, inputs[property]]));
  const state = stateOf(kind, record, {
    fallback,
    accountGroupId: stringOf(inputs["accountGroupId"]),
    unknownFields: [],
    unmanagedFields: [],
  });
  // The service may return a value in a different form than the program declares.
  for (const [property, value] of Object.entries(state))
    state[property] = inDeclaredForm(kind, property, value, inputs[property]);
  return compare(kind, state, inputs).every((change) => kind.updateOnly.includes(change.property));
}

/**
 * Decides whether a resource adopts an existing record.
 *
 * @returns the record to adopt, or undefined to create a record
 * @throws DuplicateError if the user has to decide
 */
export function decideAdoption(kind: RecordKind, duplicates: Duplicates, adopt: AdoptMode): object | undefined {
  const candidates = adopt === "named" && duplicates.identical.length === 0 ? duplicates.named : duplicates.identical;
  const idsOf = (records: readonly object[]): string[] => records.map((record) => kind.idOf(record));
  const ids = idsOf(candidates);
  if (candidates.length === 0 && adopt === "named" && duplicates.managed.length > 0) {
    const managed = idsOf(duplicates.managed);
    throw new DuplicateError(
      `Another resource of this program manages the ${kind.noun} with this name (${managed.join(", ")}). ` +
        "The provider neither adopts the existing record nor creates a second record. Delete one of the two resources, or give this resource another name.",
      managed,
    );
  }
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
    `Several records match (${which}), so this resource did not adopt a record. Delete all but one of the matching records in the service, or import the record that the resource should manage.`,
    ids,
  );
}

/**
 * Refuses to adopt a record if only a replacement could give the record the declared values. If the provider adopted the record, the next
 * update would delete the record without the user's consent.
 *
 * @throws DuplicateError
 */
export function refuseToReplace(kind: RecordKind, id: string, changes: readonly Change[]): void {
  const replacing = changes.filter((change) => change.replaces).map((change) => change.property);
  if (replacing.length === 0) return;
  throw new DuplicateError(
    `The ${kind.noun} ${id} cannot be adopted, because it differs in ${replacing.join(", ")}, which can be set only at creation. ` +
      (isDerivedReplacement(changes)
        ? "A program cannot declare the existing record's values. Rename the resource or the record, or delete the record."
        : "Declare the existing record's values, or rename the resource or the record."),
    [id],
  );
}

/** Returns possible causes of a duplicate with their remedies, the most likely cause first. */
function causes({ createsFirst }: Duplicates): string[] {
  return [
    "If you renamed or moved this resource, set its old name or parent in the resource option aliases, so that the record keeps its history",
    ...(createsFirst
      ? ["if you force a replacement (--replace, pulumi state taint), set the resource option deleteBeforeReplace: true"]
      : []),
    "if another stack manages the record, declare the record in only one stack",
    "if the record was created in the UI, run `endpoint-monitoring import`, or set adopt: true on this resource",
    "if an update was interrupted, run `pulumi config set endpoint-monitoring:adopt identical`, then `pulumi up`",
  ];
}
