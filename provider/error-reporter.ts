import { ConfigurationError, ConnectionError, EndpointMonitoringError, RateLimitedError, UnauthorizedError } from "../api";
import { tokenOperations } from "../api/schemas";
import { OtherServiceError } from "./failures";

/**
 * Returns messages of errors for users. If many resources fail for the same cause, the first message is complete. Later
 * messages refer to the resource with the complete message.
 */
export class ErrorReporter {
  /** The first resource that failed, by cause. */
  readonly #first = new Map<string, string>();

  /**
   * Returns the message of an error.
   *
   * @param resource description of the resource that failed
   * @returns undefined for a bug. In that case, the caller should show the stack trace
   */
  messageFor(error: unknown, resource: string): string | undefined {
    if (!(error instanceof EndpointMonitoringError)) return undefined;
    const cause = sharedCause(error);
    if (cause === undefined) return error.message;
    const first = this.#first.get(cause) ?? resource;
    this.#first.set(cause, first);
    if (first === resource) return error.message;
    return `failed for the same reason as the ${first} (${error.code}): see the error of the ${first}`;
  }
}

/**
 * Identifies the external cause of an error, which many resources may share: a setting, a credential, a host or a budget.
 * Undefined if the error concerns only one resource.
 */
function sharedCause(error: EndpointMonitoringError): string | undefined {
  const parts = causeParts(error);
  return parts && JSON.stringify([error.code, ...parts]);
}

function causeParts(error: EndpointMonitoringError): string[] | undefined {
  if (error instanceof ConfigurationError) return [error.message];
  if (error instanceof OtherServiceError) return [error.existing, error.configured];
  if (error instanceof ConnectionError) return [error.origin, error.phase, error.reason];
  // A process has one credential. The service may refuse it with different errors, also when it issues tokens.
  if (error instanceof UnauthorizedError) return [error.reason, error.path === tokenOperations.issue.path ? "issue" : "use"];
  if (error instanceof RateLimitedError) return [error.reason, error.budget];
  return undefined;
}
