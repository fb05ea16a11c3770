import type { ManagedResource } from "../engine/state";
import { compareText, shellWord } from "../common/text";

/** Returns the groups of resources in a stack that manage the same record. An interrupted adoption can leave them. */
export function sameRecord(managedResources: readonly ManagedResource[]): ManagedResource[][] {
  const records = managedResources.filter(({ kind, id }) => kind.origin !== undefined && id !== "");
  const groups = Map.groupBy(records, ({ stack, kindName, id }) => JSON.stringify([stack, kindName, id]));
  return [...groups.values()].filter((group) => group.length > 1);
}

/** Describes such a group, with advice. The oldest resource of the state counts as the old one. */
export function sameRecordText(group: readonly ManagedResource[]): { message: string; fix: string } {
  const byAge = group.toSorted((a, b) => compareText(a.created ?? "", b.created ?? ""));
  const [old] = byAge;
  const { noun } = old?.kind ?? { noun: "record" };
  const names = byAge.map(({ name }) => name).join(" and ");
  return {
    message:
      `${names} of stack ${old?.stack} both stand for ${noun} ${old?.id}, as after an adoption that was interrupted: ` +
      "an update or destroy of one of them alone (--target) can delete the record that the other stands for",
    fix:
      `pulumi up of the whole program, which forgets the resource that it no longer declares; where that is not possible, take ` +
      `that one out of the state alone: pulumi state delete ${shellWord(old?.urn ?? "")} --stack ${old?.stack}`,
  };
}
