import { STATUS_CODES } from "node:http";
import type { z } from "zod";

export interface FieldError {
  /** `missing`, or the schema library's code for the error. */
  readonly code: string;
  /** Path of the field: `filters[0].key`. */
  readonly field: string;
  readonly message: string;
  /**
   * The value in the request, for areas of the API that quote invalid values. Most areas of the API omit the value, because it may be a
   * secret.
   */
  readonly value?: unknown;
}

export class Problem extends Error {
  override readonly name = "Problem";

  constructor(
    readonly status: number,
    readonly detail: string,
    readonly more: { title?: string; errors?: readonly FieldError[]; oauth?: string; headers?: Record<string, string> } = {},
  ) {
    super(detail);
  }

  get title(): string {
    return this.more.title ?? titles[this.status] ?? STATUS_CODES[this.status] ?? "Error";
  }
}

const titles: Record<number, string> = { 400: "Validation failed", 404: "Not found", 429: "Rate limit used up" };

/** The format of error responses in an area of the API (docs/service/errors.md, Shapes). */
export interface ProblemStyle {
  invalid(where: "query" | "body", errors: readonly FieldError[]): Problem;
  /**
   * Media type of an error response.
   *
   * @defaultValue `application/problem+json`
   */
  readonly mediaType?: string;
  body(problem: Problem, path: string): object;
}

/** Sentence before the reasons in a response with status 400, as recorded in related areas of the API. */
const correction = "There were some errors in your request, please correct them before trying again.";

/**
 * The format of error responses in most areas of the API (docs/service/errors.md, Recorded 400s). The title contains all reasons for the
 * error.
 *
 * Errors of endpoint tests and agents probably have the same format, although no such error was recorded.
 */
export const standardStyle: ProblemStyle = {
  invalid: (where, errors) =>
    where === "body" && errors.every(({ code }) => code === "invalid_value")
      ? new Problem(400, `Invalid value for fields: ${errors.map(({ field }) => field).join(", ")}`, {
          title: "request validation failed. There are invalid or missing fields",
        })
      : new Problem(400, "", { errors }),
  body: ({ status, detail, more: { title, errors } }, path) => ({
    type: "about:blank",
    title: title ?? titleWith(status, errors?.length ? complaintsOf(errors) : detail),
    status,
    instance: path,
    ...(title !== undefined && { detail }),
  }),
};

/** Returns the title of an error response. In recorded responses with status 400, a fixed sentence precedes the reason. */
function titleWith(status: number, reason: string): string {
  const line = `${status} ${STATUS_CODES[status] ?? "Error"}`;
  if (status === 404 || reason === "") return line;
  return status === 400 ? `${correction} ${reason}` : `${line}\n${reason}`;
}

function complaintsOf(errors: readonly FieldError[]): string {
  return errors.map(({ field, message }) => `Error in field ${field} : ${message.replace(/\.$/, "")}.`).join(" ");
}

/** The format of errors from the emulator's own operations. An error contains the names of all invalid fields. */
export const ownStyle: ProblemStyle = {
  invalid: (_where, errors) => new Problem(400, "Some fields are invalid.", { errors }),
  body: (problem, path) => ({
    type: "about:blank",
    title: problem.title,
    status: problem.status,
    detail: problem.detail,
    instance: path,
    ...(problem.status === 400 && { errors: fieldsOf(problem) }),
  }),
};

function fieldsOf(problem: Problem): object[] {
  return (problem.more.errors ?? []).map(({ code, field, message }) => ({ code, field, message }));
}

/** Returns the error for a request without a valid token, in a special format (docs/service/errors.md, Shapes). */
export const unauthorized = (): Problem =>
  new Problem(401, "Invalid access token", { oauth: "invalid_token", headers: { "www-authenticate": "Bearer" } });

/** @param sent the parsed value, which shows whether a member is missing or wrong */
export function fieldErrors(error: z.ZodError, sent: unknown): FieldError[] {
  return error.issues.map(({ code, path, message }) => {
    const parent = path.slice(0, -1).reduce<unknown>((at, key) => (isIndexable(at) ? at[key] : undefined), sent);
    // The items of a comma-separated list are not members of the parsed value.
    const inList = typeof parent === "string";
    const last = path.at(-1);
    const value = last === undefined ? sent : isIndexable(parent) ? parent[last] : undefined;
    const field = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
    const missing = value === undefined && !inList;
    return {
      code: missing ? "missing" : code,
      field: field.replace(/^\./, ""),
      message: missing ? "must not be missing" : message,
      value,
    };
  });
}

function isIndexable(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === "object" && value !== null;
}
