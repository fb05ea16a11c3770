import { EndpointMonitoringError } from "../../api";
import type { Session } from "../../provider/session";
import { importedKinds } from "../kinds";
import { stringOf } from "../../provider/values";
import type { Output } from "../report/output";
import { isOpen, type PlannedItem } from "./plan";
import { type Listed, listAll } from "./target";

/** Adds the alert rules and streams that name the new records, and warns of those that could not be read. */
export async function withReferences(
  { references }: Session,
  items: readonly PlannedItem[],
  out: Output,
): Promise<PlannedItem[]> {
  out.progress("Reading alert rules and streams");
  const unasked = new Set<string>();
  const named = items.map(async (item) => {
    if (!isOpen(item)) return item;
    const referrers = await references.to(item.of.kind, item.id, stringOf(item.found.state["accountGroupId"]));
    for (const why of referrers?.unasked ?? []) unasked.add(why);
    return { ...item, namedBy: referrers?.found ?? [] };
  });
  const done = await Promise.all(named);
  for (const why of unasked) out.warn(why);
  return done;
}

/** Returns the name of a record that the program refers to by its id alone. */
export type RecordNameOf = (kindName: string, id: string) => string | undefined;

/**
 * Finds the names of the records that those of a plan refer to. Kinds that were not listed for the import are listed here. A list
 * that the service refuses is skipped: nothing depends on these names.
 */
export async function namesOfReferred(
  session: Session,
  items: readonly PlannedItem[],
  listed: readonly Listed[],
  accountGroupIds: readonly (string | undefined)[],
  out: Output,
): Promise<RecordNameOf> {
  const names = new Map(listed.map(({ of, id, title }) => [`${of.name} ${id}`, title]));
  const lists = new Set(listed.map(({ of }) => of));
  const referred = new Set(
    items.flatMap(({ of, expressed }) =>
      Object.entries(of.kind.refersTo).flatMap(([property, name]) =>
        expressed?.declared[property] === undefined ? [] : [name],
      ),
    ),
  );
  const lacking = importedKinds.filter((target) => referred.has(target.name) && !lists.has(target));
  try {
    for (const { of, id, title } of await listAll(session, lacking, accountGroupIds, out)) names.set(`${of.name} ${id}`, title);
  } catch (error) {
    if (!(error instanceof EndpointMonitoringError)) throw error;
  }
  return (kindName, id) => names.get(`${kindName} ${id}`);
}
