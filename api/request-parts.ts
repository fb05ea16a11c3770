import { AbortedError, RequestError, type AnswerTarget } from "./errors";
import { type Operation } from "./schemas";
import type { HttpResponse } from "./http-message";

/** Some operations return status 406 unless the Accept header lists all three types (docs/service/requests.md, Media types). */
export const accept = "application/hal+json, application/json, application/problem+json";

export const budgetNames = { organization: "the request budget of the organization", instant: "the budget of instant tests" };

/**
 * Returns the request budgets that an operation counts against. An instant test counts against the organization's budget and
 * against the budget of instant tests.
 */
export function budgetsOf({ budget }: Operation): ("organization" | "instant")[] {
  return { none: [], organization: ["organization" as const], instant: ["organization" as const, "instant" as const] }[budget];
}

export function headerText(answer: HttpResponse, name: string): string {
  const value = answer.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? "";
}

/** Returns the service's request id, without secrets and limited to 200 characters. */
export function requestIdOf(answer: HttpResponse, redact: AnswerTarget["redact"]): string {
  return redact(headerText(answer, "x-request-id")).slice(0, 200);
}

/**
 * Returns an operation's path with encoded parameters.
 *
 * @throws RequestError for an id that a path cannot contain, or for an id such as `..` that would change the path
 */
export function encodePath(operation: Operation, parameters: Record<string, string> = {}): string {
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name] ?? "";
    if (/^\.{0,2}$/.test(value))
      throw new RequestError(operation, [`${name}: the value is required and must not be "." or ".."`]);
    if (!value.isWellFormed())
      throw new RequestError(operation, [`${name}: the value is not valid Unicode, because it contains an unpaired surrogate`]);
    return encodeURIComponent(value);
  });
}

export function encodeBody(operation: Operation, body: unknown): string {
  if (operation.bodyType === "application/json") return JSON.stringify(body);
  return encodeQuery(body as Record<string, unknown>).toString();
}

/** Encodes a query. Lists are comma-separated, as documented for `expand`. */
export function encodeQuery(query: Record<string, unknown> = {}): URLSearchParams {
  const parameters = Object.entries(query).filter(([, value]) => value !== undefined);
  return new URLSearchParams(
    parameters.map(([key, value]): [string, string] => [key, Array.isArray(value) ? value.join(",") : String(value)]),
  );
}

/**
 * Returns a random wait before the next attempt, in ms. The wait is at most 250 ms after the first attempt, and this maximum
 * doubles with each attempt.
 */
export function backOff(attempt: number): number {
  return Math.random() * 250 * 2 ** (attempt - 1);
}

/** Returns the body's values that the schema marks as sensitive. */
export function sensitive(operation: Operation, body: unknown): string[] {
  if (!operation.body || typeof body !== "object" || body === null || !("shape" in operation.body)) return [];
  // The schema of every request body is a zod object, so `shape` contains the schema of each member.
  const shape = operation.body.shape as Record<string, { meta?: () => { sensitive?: boolean } | undefined }>;
  return Object.entries(body)
    .filter(([name, value]) => typeof value === "string" && shape[name]?.meta?.()?.sensitive)
    .map(([, value]) => String(value));
}

export interface RequestAttempt {
  operation: Operation;
  target: AnswerTarget;
  attempt: number;
  signal: AbortSignal | undefined;
}

/**
 * Awaits a pause, and throws an AbortedError if the signal ends the pause. After an interrupted pause, the request was not sent, so its
 * outcome is known.
 */
export async function interruptible({ target, signal }: RequestAttempt, wait: Promise<void>): Promise<void> {
  await wait.catch((error: unknown) => {
    throw signal?.aborted ? new AbortedError(target, false, signal.reason) : error;
  });
}

/** Awaits a token that other calls may also await. An abort ends the wait of this call, but not the waits of other calls. */
export async function untilAborted<T>(token: Promise<T>, target: AnswerTarget, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return token;
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(new AbortedError(target, false, signal.reason));
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  return Promise.race([promise, token]).finally(() => signal.removeEventListener("abort", abort));
}

/** Maximum number of attempts to send a request, if each failure may be temporary. */
export const maxAttempts = 4;

/**
 * Maximum number of times that a request waits after status 429. According to the documentation, the wait after status 429 takes at most a
 * minute.
 */
export const maxRateLimitWaits = 5;

/** HTTP statuses for a busy record: conflict with another request (409), locked (423), or not ready (425). */
export const busyStatuses: ReadonlySet<number> = new Set([409, 423, 425]);

/** Maximum time during which the client repeats a request to a busy record, in ms. */
export const maxBusyMs = 30_000;

/** Maximum pause between two requests to a busy record, in ms, unless the service requests a longer pause. */
export const maxPauseMs = 5_000;
