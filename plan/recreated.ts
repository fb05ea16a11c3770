import type { ManagedResource } from "../engine/state";
import type { Kind } from "../provider/kind";
import type { KindName } from "../provider/registry";
import { type Properties, stringOf } from "../provider/values";
import { pairRecords } from "./record-pairs";

/** A record in the service that no stack manages. */
export interface UnmanagedState {
  readonly kindName: KindName;
  readonly kind: Kind;
  readonly id: string;
  readonly state: Properties;
}

/**
 * Finds unmanaged records that users probably created to replace a stack's deleted records. A replacement must be in the same account group
 * as the deleted record.
 *
 * @param missing resources with deleted records
 * @returns a map from the URN of each missing resource to the unmanaged record that replaces it
 */
export function recreatedRecords<T extends UnmanagedState>(
  missing: readonly ManagedResource[],
  unmanaged: readonly T[],
): ReadonlyMap<string, T> {
  const groupOf = (properties: Properties): string => stringOf(properties["accountGroupId"]) ?? "";
  const pairs = pairRecords(
    unmanaged.map((record) => {
      const { kind, kindName, id, state } = record;
      return { item: record, kind, kindName, type: groupOf(state), name: id, key: id, inputs: state, properties: state };
    }),
    missing.map((resource) => {
      const { kind, kindName, name, id, inputs, outputs } = resource;
      return { item: resource, kind, kindName, type: groupOf(outputs), name, key: id, inputs, properties: outputs };
    }),
  );
  return new Map(pairs.map(({ recorded, declared }) => [declared.urn, recorded]));
}
