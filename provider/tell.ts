import { ConfigurationError, ConnectionError, EndpointMonitoringError, RateLimitedError, UnauthorizedError } from "../api";

/** Failures that many resources share. */
const sharedFailures = [ConfigurationError, ConnectionError, UnauthorizedError, RateLimitedError];
const told = new Map<string, string>();

/**
 * What a user is told of an error. A failure that many resources share is told in full once a process, then in short.
 *
 * @returns nothing for an error that is not ours to tell: a bug, to be shown with its stack
 */
export function tell(error: unknown): string | undefined {
  if (!(error instanceof EndpointMonitoringError)) return undefined;
  if (!sharedFailures.some((Class) => error instanceof Class)) return error.message;
  if (told.has(error.code)) return `failed for the same reason as the first (${error.code}): see the first error`;
  told.set(error.code, error.message);
  return error.message;
}
