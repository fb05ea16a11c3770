import { STATUS_CODES } from "node:http";
import type { z } from "zod";

/** One wrong field of a request. */
export interface FieldError {
  /** `missing`, or the kind of mistake as the schema names it. */
  readonly code: string;
  /** Path of the field: `filters[0].key`. */
  readonly field: string;
  readonly message: string;
  /** The value that was sent, for areas whose texts quote it. No other answer may hold it: it may be a secret. */
  readonly value?: unknown;
}

/** A request that cannot be answered as asked. Thrown by handlers and by the layers above them. */
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

/** How an area of the service words its problems: areas differ (docs/service/errors.md, Shapes). */
export interface ProblemStyle {
  /** The problem of a request whose query or body does not fit. */
  invalid(where: "query" | "body", errors: readonly FieldError[]): Problem;
  /** Media type of a problem. @defaultValue `application/problem+json` */
  readonly mediaType?: string;
  /** The body that goes out. */
  body(problem: Problem, path: string): object;
}

/** Before the reasons of a 400 (recorded in neighboring areas). */
const correction = "There were some errors in your request, please correct them before trying again.";

/**
 * The shape most areas have (docs/service/errors.md, Recorded 400s): the title has the reasons, and no answer has a list of errors. That
 * endpoint tests and agents have it too is likely, and not recorded.
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

/** The title of a problem: a 400 has its reason behind a fixed sentence, and a 404 has none (recorded). */
function titleWith(status: number, reason: string): string {
  const line = `${status} ${STATUS_CODES[status] ?? "Error"}`;
  if (status === 404 || reason === "") return line;
  return status === 400 ? `${correction} ${reason}` : `${line}\n${reason}`;
}

function complaintsOf(errors: readonly FieldError[]): string {
  return errors.map(({ field, message }) => `Error in field ${field} : ${message.replace(/\.$/, "")}.`).join(" ");
}

/** The shape of the emulator's own answers, which no service gives: every wrong field is named. */
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

/** Problem of a request without a valid token; its body has a shape of its own (docs/service/errors.md, Shapes). */
export const unauthorized = (): Problem =>
  new Problem(401, "Invalid access token", { oauth: "invalid_token", headers: { "www-authenticate": "Bearer" } });

/** Returns the issues of a schema as field errors. `sent` is the parsed value: it distinguishes missing members from wrong ones. */
export function fieldErrors(error: z.ZodError, sent: unknown): FieldError[] {
  return error.issues.map(({ code, path, message }) => {
    const parent = path.slice(0, -1).reduce<unknown>((at, key) => (isIndexable(at) ? at[key] : undefined), sent);
    // Elements of a list that came as comma-separated text are not members of anything that was sent.
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
