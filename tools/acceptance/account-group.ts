import { operations } from "../../api/schemas";
import type { Body, Session } from "./session";

/**
 * Makes sure that the account group is one for this purpose.
 *
 * @param iKnow id of the account group, where whoever runs this says so
 * @throws Error where its name does not begin with "acceptance"
 */
export async function requireAccountGroup(session: Session, iKnow: string | undefined): Promise<void> {
  const { accountGroupId } = session.access;
  const { path } = operations.accountGroups.list;
  const { status, body } = await session.send("account group", { method: "GET", path });
  // A role that may not list account groups may work in its own.
  if (status === 403 && iKnow === accountGroupId) return;
  const groups: Body[] = body?.accountGroups ?? [];
  const group = groups.find(({ aid }) => String(aid) === accountGroupId);
  if (!group) throw new Error(`GET ${path} answered ${status} without the account group ${accountGroupId}: nothing was asked.`);
  if (iKnow === accountGroupId || /^acceptance/i.test(String(group.accountGroupName))) return;
  throw new Error(
    `The account group ${accountGroupId} is called "${group.accountGroupName}", not "acceptance…": nothing was asked. ` +
      `Make an account group for this, or add --i-know ${accountGroupId}.`,
  );
}
