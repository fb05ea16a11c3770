import { ConfigurationError, ConnectionError, EndpointMonitoringError, RateLimitedError, UnauthorizedError } from "../api";
import { tokenOperations } from "../api/schemas";

/**
 * What users are told of errors, in one process. A failure that many resources share is told in full once; whatever fails for the
 * same cause then names the resource that has the error in full.
 */
export class Teller {
  /** The resource that was first to fail, by the cause. */
  readonly #first = new Map<string, string>();

  /**
   * @param of what messages call the resource that failed
   * @returns nothing for an error that is not ours to tell: a bug, to be shown with its stack
   */
  tell(error: unknown, of: string): string | undefined {
    if (!(error instanceof EndpointMonitoringError)) return undefined;
    const cause = sharedCause(error);
    if (cause === undefined) return error.message;
    const first = this.#first.get(cause) ?? of;
    this.#first.set(cause, first);
    if (first === of) return error.message;
    return `failed for the same reason as the ${first} (${error.code}): see the first error, which is that of the ${first}`;
  }
}

/**
 * What tells that two resources failed for one reason, which lies outside of both: the same setting, credential, host or budget.
 * Nothing for an error that is about one resource.
 */
function sharedCause(error: EndpointMonitoringError): string | undefined {
  const parts = partsOf(error);
  return parts && JSON.stringify([error.code, ...parts]);
}

function partsOf(error: EndpointMonitoringError): string[] | undefined {
  if (error instanceof ConfigurationError) return [error.message];
  if (error instanceof ConnectionError) return [error.origin, error.phase, error.reason];
  // A process has one credential. It may be refused in several ways, and where tokens are issued in one of its own.
  if (error instanceof UnauthorizedError) return [error.reason, error.path === tokenOperations.issue.path ? "issue" : "use"];
  if (error instanceof RateLimitedError) return [error.reason, error.budget];
  return undefined;
}
