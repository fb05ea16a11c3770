import { operations } from "../../api/schemas";
import type { Body, Session } from "./session";

/**
 * Checks that the user reserved the account group for acceptance checks.
 *
 * @param iKnow id of an account group whose name does not matter, because the user allows it
 * @throws Error if the account group's name does not begin with "acceptance"
 */
export async function requireAccountGroup(session: Session, iKnow: string | undefined): Promise<void> {
  const { accountGroupId } = session.access;
  const { path } = operations.accountGroups.list;
  const { status, body } = await session.send("account group", { method: "GET", path });
  // A role may be forbidden to list account groups, and still use its own account group.
  if (status === 403 && iKnow === accountGroupId) return;
  const groups: Body[] = body?.accountGroups ?? [];
  const group = groups.find(({ aid }) => String(aid) === accountGroupId);
  if (!group)
    throw new Error(`GET ${path} answered ${status} without the account group ${accountGroupId}. The checks did not start.`);
  if (iKnow === accountGroupId || /^acceptance/i.test(String(group.accountGroupName))) return;
  throw new Error(
    `The account group ${accountGroupId} is called "${group.accountGroupName}", not "acceptance…". The checks did not start. ` +
      `Create an account group for them, or add --i-know ${accountGroupId}.`,
  );
}
