import { EndpointMonitoringError } from "../../api";
import type { Session } from "../../provider/session";
import { importedKinds } from "../kinds";
import { stringOf } from "../../provider/values";
import type { Output } from "../report/output";
import { isOpen, type ImportPlan } from "./plan";
import { type Listed, listAll } from "./target";

/** The plan, with the alert rules and streams that name what is new. What could not be asked is a warning. */
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

/** What records are called that the program refers to by their ids alone, by kind and id. */
export type RecordNameOf = (kindName: string, id: string) => string | undefined;

/**
 * Names of records that those of a plan refer to: of those that were listed for the import, and of kinds that were not, from a list of
 * them. Nothing depends on these names, so a list that the service refuses is done without.
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
