import { ApiError, ConnectionError, EndpointMonitoringError, ForbiddenError, NotFoundError } from "../../../api";
import { Lifecycle } from "../../../provider/lifecycle";
import { registry } from "../../../provider/registry";
import type { Session } from "../../../provider/session";
import { type Checks, type CheckOutcome, ok, type Outcome, refusal, skipped, warning } from "./checks";

/**
 * Checks whether the token may read and write each resource type in an account group.
 *
 * To check the write permission, the function sends an empty update request for an id that does not exist, so the service changes nothing.
 * The response status 403 shows that the permission is missing. All statuses except 403 are inconclusive, so the check only reports "not
 * forbidden".
 */
export async function checkAccess(
  checks: Checks,
  session: Session,
  need: Outcome<unknown>,
  accountGroupId: string | undefined,
): Promise<void> {
  let lastNeed = need;
  for (const kind of Object.values(registry)) {
    const access = new Lifecycle(kind, session).access;
    if (!access.tryRead && !access.tryWrite) continue;
    let isLost = false;
    const outcome = await checks.run(`${kind.noun}s`, [lastNeed], async () => {
      try {
        return await tryKind(access, accountGroupId);
      } catch (error) {
        isLost = error instanceof ConnectionError;
        throw error;
      }
    });
    // After a lost connection, the remaining requests would also fail.
    if (isLost) lastNeed = outcome;
  }
}

const grantAdvice = "give the role of the token's owner the permission";

async function tryKind({ tryRead, tryWrite }: Lifecycle["access"], accountGroupId: string | undefined): Promise<CheckOutcome> {
  if (tryRead) {
    const error = await errorOf(tryRead(accountGroupId));
    if (error instanceof ForbiddenError) return refusal(error, `${grantAdvice} to view them, or correct accountGroupId`);
    if (error) throw error;
  }
  if (!tryWrite) return ok("can be read");
  const error = await errorOf(tryWrite(accountGroupId));
  if (error instanceof ConnectionError) throw error;
  const read = tryRead ? "can be read" : "";
  if (error instanceof NotFoundError && error.fromService)
    return ok(tryRead ? `${read}; changes are not forbidden` : "starting them is not forbidden");
  if (error instanceof ForbiddenError) {
    const without = tryRead ? `${read}, not changed` : "starting them is forbidden";
    return warning(
      `${without} (403): enough for reviews, but not for \`pulumi up\``,
      `${grantAdvice} to edit them if it runs \`pulumi up\``,
    );
  }
  const answer = error instanceof ApiError ? `the service answered ${error.status}` : "the service accepted it";
  const unknown = `not checked: ${answer} to an empty update for an id that does not exist`;
  return tryRead ? ok(`${read}; whether they can be changed was ${unknown}`) : skipped(unknown);
}

async function errorOf(request: Promise<void>): Promise<EndpointMonitoringError | undefined> {
  try {
    await request;
    return undefined;
  } catch (error) {
    if (error instanceof EndpointMonitoringError) return error;
    throw error;
  }
}
