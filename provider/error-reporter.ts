import { ConfigurationError, ConnectionError, EndpointMonitoringError, RateLimitedError, UnauthorizedError } from "../api";
import { tokenOperations } from "../api/schemas";
import { OtherServiceError } from "./failures";

/**
 * Converts errors to messages for users. If many resources fail for the same reason, only the first message is complete. Later messages
 * refer to the first failed resource.
 */
export class ErrorReporter {
  /** Maps each cause of failures to the first resource that failed for this cause. */
  readonly #first = new Map<string, string>();

  /** @returns the message, or undefined if the error is a bug in this package */
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
 * Identifies a cause that many resources may share, such as a setting or a credential. Returns undefined if the error
 * concerns only one resource.
 */
function sharedCause(error: EndpointMonitoringError): string | undefined {
  const parts = causeParts(error);
  return parts && JSON.stringify([error.code, ...parts]);
}

function causeParts(error: EndpointMonitoringError): string[] | undefined {
  if (error instanceof ConfigurationError) return [error.message];
  if (error instanceof OtherServiceError) return [error.existing, error.configured];
  if (error instanceof ConnectionError) return [error.origin, error.phase, error.reason];
  // All requests of a provider process use the same credential, so a refusal has the same cause for all requests except token requests.
  if (error instanceof UnauthorizedError) return [error.reason, error.path === tokenOperations.issue.path ? "issue" : "use"];
  if (error instanceof RateLimitedError) return [error.reason, error.budget];
  return undefined;
}
