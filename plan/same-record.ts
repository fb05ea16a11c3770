import type { ManagedResource } from "../engine/state";
import { compareText, shellWord } from "../common/text";

/**
 * Returns groups of resources in a stack that manage the same record. An interrupted adoption can leave two resources for one record in the
 * state.
 */
export function sameRecord(managedResources: readonly ManagedResource[]): ManagedResource[][] {
  const records = managedResources.filter(({ kind, id }) => kind.origin !== undefined && id !== "");
  const groups = Map.groupBy(records, ({ stack, kindName, id }) => JSON.stringify([stack, kindName, id]));
  return [...groups.values()].filter((group) => group.length > 1);
}

/** The oldest resource in the state is probably the resource that the program no longer declares. */
export function sameRecordText(group: readonly ManagedResource[]): { message: string; fix: string } {
  const byAge = group.toSorted((a, b) => compareText(a.created ?? "", b.created ?? ""));
  const [old] = byAge;
  const { noun } = old?.kind ?? { noun: "record" };
  const names = byAge.map(({ name }) => name).join(" and ");
  return {
    message:
      `${names} of stack ${old?.stack} both manage ${noun} ${old?.id}. An interrupted adoption can cause this. ` +
      "An update or destroy of only one of these resources (--target) can delete the record of the other resource",
    fix:
      `run pulumi up for the whole program, which removes the undeclared resource from state. If that is not possible, remove ` +
      `only that resource from state: pulumi state delete ${shellWord(old?.urn ?? "")} --stack ${old?.stack}`,
  };
}
