import { EndpointMonitoringError } from "../../api";
import type { Session } from "../../provider/session";
import { importedKinds } from "../kinds";
import { stringOf } from "../../provider/values";
import type { Output } from "../report/output";
import { isOpen, type ImportPlan } from "./plan";
import { type Listed, listAll } from "./target";

/** Adds the alert rules and streams that name the new records to a plan, and warns of those that could not be read. */
export async function withReferences({ references }: Session, plan: ImportPlan, out: Output): Promise<ImportPlan> {
  out.progress("Reading alert rules and streams");
  const unasked = new Set<string>();
  const items = plan.items.map(async (item) => {
    if (!isOpen(item)) return item;
    const referrers = await references.to(item.of.kind, item.id, stringOf(item.found.state["accountGroupId"]));
    for (const why of referrers?.unasked ?? []) unasked.add(why);
    return { ...item, namedBy: referrers?.found ?? [] };
  });
  const named = { ...plan, items: await Promise.all(items) };
  for (const why of unasked) out.warn(why);
  return named;
}

/** Returns the name of a record that the program refers to by its id alone. */
export type RecordNameOf = (kindName: string, id: string) => string | undefined;

/**
 * Finds the names of the records that those of a plan refer to. Kinds that were not listed for the import are listed here. A list
 * that the service refuses is skipped: nothing depends on these names.
 */
export async function namesOfReferred(
  session: Session,
  { items }: ImportPlan,
  listed: readonly Listed[],
  accountGroupIds: readonly (string | undefined)[],
  out: Output,
): Promise<RecordNameOf> {
  const names = new Map(listed.map(({ of, id, title }) => [`${of.name} ${id}`, title]));
  const lists = new Set(listed.map(({ of }) => of));
  const open = items.filter(isOpen);
  const lacking = importedKinds.filter((target) => {
    if (lists.has(target)) return false;
    return open.some(({ of, expressed }) =>
      Object.entries(of.kind.refersTo).some(
        ([property, name]) => name === target.name && expressed?.declared[property] !== undefined,
      ),
    );
  });
  try {
    for (const { of, id, title } of await listAll(session, lacking, accountGroupIds, out)) names.set(`${of.name} ${id}`, title);
  } catch (error) {
    if (!(error instanceof EndpointMonitoringError)) throw error;
  }
  return (kindName, id) => names.get(`${kindName} ${id}`);
}
