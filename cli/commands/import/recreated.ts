import { type ManagedResource, nameOfUrn } from "../../../engine/state";
import { recreatedRecords } from "../../../plan/recreated";
import { stringOf } from "../../../provider/values";
import { isOpen, type PlannedItem } from "./plan";

/**
 * Describes records that probably replace a deleted record of the stack. If the user imported the replacement, the program would declare
 * the same resource twice.
 */
export function recreatedWarnings(
  items: readonly PlannedItem[],
  managed: readonly ManagedResource[],
  accountGroups: readonly (string | undefined)[],
  isPartlyUnread: boolean,
): string[] {
  // A record that is missing from an incomplete list may still exist.
  if (isPartlyUnread) return [];
  const listedKinds = new Set(items.map(({ of }) => of.name));
  const listed = new Set(items.map(({ of, id }) => `${of.name} ${id}`));
  const missing = managed.filter(({ kindName, id, outputs, kind }) => {
    const isListed = listedKinds.has(kindName) && accountGroups.includes(stringOf(outputs["accountGroupId"]));
    return isListed && kind.origin === "made" && !listed.has(`${kindName} ${id}`);
  });
  const unmanaged = items.filter(isOpen).map(({ of, id, record: { state } }) => {
    // If there are several account groups, the function cannot compare a record without a known account group.
    const accountGroupId = stringOf(state["accountGroupId"]) ?? (accountGroups.length === 1 ? accountGroups[0] : undefined);
    return { kindName: of.name, kind: of.kind, id, state: { ...state, accountGroupId } };
  });
  return [...recreatedRecords(missing, unmanaged)].map(([urn, { kind, id }]) => {
    const name = nameOfUrn(urn);
    return (
      `${kind.noun} ${id} looks like a new copy of ${name}, whose record was deleted. To keep one resource, remove ${id} from the ` +
      `files, set adopt: true for ${name} and run \`pulumi up --refresh\``
    );
  });
}
