import { RequestError, type AnswerTarget } from "./errors";
import { type Operation } from "./schemas";
import type { HttpResponse } from "./http-message";

/** All three types: for some operations, problem+json alone is answered with 406 (docs/service/requests.md, Media types). */
export const accept = "application/hal+json, application/json, application/problem+json";

export const budgetNames = { organization: "the request budget of the organization", instant: "the budget of instant tests" };

/** Returns the budgets against which a request counts. Instant tests have one of their own beside the organization's. */
export function budgetsOf({ budget }: Operation): ("organization" | "instant")[] {
  return { none: [], organization: ["organization" as const], instant: ["organization" as const, "instant" as const] }[budget];
}

export function headerText(answer: HttpResponse, name: string): string {
  const value = answer.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? "";
}

/** Returns the request id, for which the service's support asks, cut to the length of an identifier. */
export function requestIdOf(answer: HttpResponse, redact: AnswerTarget["redact"]): string {
  return redact(headerText(answer, "x-request-id")).slice(0, 200);
}

/** @throws RequestError for an id that a path cannot hold, or that would lead to another path, such as a list */
export function encodePath(operation: Operation, parameters: Record<string, string> = {}): string {
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name] ?? "";
    if (/^\.{0,2}$/.test(value)) throw new RequestError(operation, [`${name}: is required, and must be neither "." nor ".."`]);
    if (!value.isWellFormed())
      throw new RequestError(operation, [`${name}: holds half of a surrogate pair, so no record has it`]);
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
  // Bodies are zod objects, so `shape` has the schema of each member.
  const shape = operation.body.shape as Record<string, { meta?: () => { sensitive?: boolean } | undefined }>;
  return Object.entries(body)
    .filter(([name, value]) => typeof value === "string" && shape[name]?.meta?.()?.sensitive)
    .map(([, value]) => String(value));
}
