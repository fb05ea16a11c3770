import { ApiError, ConnectionError, EndpointMonitoringError, ForbiddenError, NotFoundError } from "../../../api";
import { Lifecycle } from "../../../provider/lifecycle";
import { registry } from "../../../provider/registry";
import type { Session } from "../../../provider/session";
import { type Checks, type CheckOutcome, ok, type Outcome, refusal, skipped, warning } from "./checks";

/**
 * Checks what the caller may do with each kind in an account group. Reading is tried with one small request. Writing cannot be tried without
 * writing: an empty change of what does not exist is requested, which a service that checks permissions first refuses for the lack of
 * one. So it is reported as not forbidden, rather than as allowed.
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
    // Once the connection is lost the others would only fail alike.
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
    return warning(`${without} (403): enough to look, not for \`pulumi up\``, `${grantAdvice} to edit them, if that is wanted`);
  }
  const answer = error instanceof ApiError ? `the service answered ${error.status}` : "the service took it";
  const unknown = `not checked: ${answer} to an empty change of what does not exist`;
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
