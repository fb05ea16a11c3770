import { AbortedError, RequestError, type AnswerTarget } from "./errors";
import { type Operation } from "./schemas";
import type { HttpResponse } from "./http-message";

/** Some operations answer 406 unless the header has all three types (docs/service/requests.md, Media types). */
export const accept = "application/hal+json, application/json, application/problem+json";

export const budgetNames = { organization: "the request budget of the organization", instant: "the budget of instant tests" };

/** Returns the budgets of a request. Instant tests have their own budget in addition to the organization's. */
export function budgetsOf({ budget }: Operation): ("organization" | "instant")[] {
  return { none: [], organization: ["organization" as const], instant: ["organization" as const, "instant" as const] }[budget];
}

export function headerText(answer: HttpResponse, name: string): string {
  const value = answer.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? "";
}

/** Returns the request id for the service's support, cut to the length of an identifier. */
export function requestIdOf(answer: HttpResponse, redact: AnswerTarget["redact"]): string {
  return redact(headerText(answer, "x-request-id")).slice(0, 200);
}

/**
 * Returns the path with encoded parameters. @throws RequestError for an id that a path cannot contain, or that would lead to
 * another path, such as a list
 */
export function encodePath(operation: Operation, parameters: Record<string, string> = {}): string {
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name] ?? "";
    if (/^\.{0,2}$/.test(value)) throw new RequestError(operation, [`${name}: is required, and must be neither "." nor ".."`]);
    if (!value.isWellFormed())
      throw new RequestError(operation, [
        `${name}: contains half of a surrogate pair, which is not valid Unicode, so no record can have this value`,
      ]);
    return encodeURIComponent(value);
  });
}

export function encodeBody(operation: Operation, body: unknown): string {
  if (operation.bodyType === "application/json") return JSON.stringify(body);
  return encodeQuery(body as Record<string, unknown>).toString();
}

/** Encodes a query. Lists are comma-separated, as the interface declares for `expand`. */
export function encodeQuery(query: Record<string, unknown> = {}): URLSearchParams {
  const parameters = Object.entries(query).filter(([, value]) => value !== undefined);
  return new URLSearchParams(
    parameters.map(([key, value]): [string, string] => [key, Array.isArray(value) ? value.join(",") : String(value)]),
  );
}

/** Returns the ms until the next attempt: exponential with full jitter, at most 250 ms, 500 ms and 1 s. */
export function backOff(attempt: number): number {
  return Math.random() * 250 * 2 ** (attempt - 1);
}

/** Returns the values of the body that its schema marks as sensitive. */
export function sensitive(operation: Operation, body: unknown): string[] {
  if (!operation.body || typeof body !== "object" || body === null || !("shape" in operation.body)) return [];
  // A body's schema is a zod object, so `shape` has the schema of each member.
  const shape = operation.body.shape as Record<string, { meta?: () => { sensitive?: boolean } | undefined }>;
  return Object.entries(body)
    .filter(([name, value]) => typeof value === "string" && shape[name]?.meta?.()?.sensitive)
    .map(([, value]) => String(value));
}

/** One attempt of a request, for logs and reports of waits. */
export interface RequestAttempt {
  operation: Operation;
  target: AnswerTarget;
  attempt: number;
  /** Ends the waits before the request. */
  signal: AbortSignal | undefined;
}

/** If a signal ends the pause, nothing was stored. */
export async function interruptible({ target, signal }: RequestAttempt, wait: Promise<void>): Promise<void> {
  await wait.catch((error: unknown) => {
    throw signal?.aborted ? new AbortedError(target, false, signal.reason) : error;
  });
}

/** Awaits a token that other calls may also await. The signal ends only this call's wait. */
export async function untilAborted<T>(token: Promise<T>, target: AnswerTarget, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return token;
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(new AbortedError(target, false, signal.reason));
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  return Promise.race([promise, token]).finally(() => signal.removeEventListener("abort", abort));
}

/** Maximum number of attempts if the failure may be temporary. */
export const maxAttempts = 4;

/**
 * Maximum number of waits after a 429. Each wait ends with the window, which takes at most a minute according to the
 * documentation.
 */
export const maxRateLimitWaits = 5;

/** Statuses of a record that is busy: it conflicts with another request, is locked, or is not ready. */
export const busyStatuses: ReadonlySet<number> = new Set([409, 423, 425]);

/** Longest time in ms to repeat a request to a busy record. */
export const maxBusyMs = 30_000;

/** Longest pause in ms between two attempts. */
export const maxPauseMs = 5_000;
