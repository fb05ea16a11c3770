import { explain, unexplained } from "./error-text";
import type { ErrorBody } from "./generated/common";
import { errorCodes, type ErrorCode } from "./error-codes";
import { type AnswerTarget, RequestFailure } from "./errors";

/** The request and response of a failed operation. */
export interface ErrorResponse extends AnswerTarget {
  status: number;
  body: ErrorBody | undefined;
  requestId: string | undefined;
  /**
   * Permission that the operation needs, if the service documents a permission. The error message for status 403 includes the permission.
   */
  permission?: string;
  /** The request budget that the request counts against. Default: the organization's request budget. */
  budget?: string;
  /**
   * Names of the members in the request body. The error message for status 400 lists all members of the request if the service's
   * description does not name any member.
   */
  sent?: readonly string[];
  /**
   * Whether the request can be repeated safely. After status 408 or 5xx, the outcome of a request that cannot be repeated safely is
   * unknown.
   */
  repeatable: boolean;
}

/** The service answered with an error status. */
export abstract class ApiError extends RequestFailure {
  readonly status: number;
  /** The service's request id, if the response contains a request id. Quote this id when you contact the service's support. */
  readonly requestId: string | undefined;
  /** One line for each invalid field that the service reported. */
  readonly fields: readonly string[];
  /** The service's description of the error; empty if the response has no description. */
  readonly reason: string;

  constructor(response: ErrorResponse, code: ErrorCode) {
    const { text, fields } = explain(response.body, response.redact);
    const unnamed = response.status === 400 ? unexplained({ text, fields }, response.sent ?? []) : [];
    const members = unnamed.length > 0 ? `${text ? "; " : ": "}the request had ${unnamed.join(", ")}` : "";
    const id = response.requestId ? ` (request ${response.requestId})` : "";
    const needed = code === "forbidden" && response.permission ? ` It needs: ${response.permission}.` : "";
    const unsaid = code === "not-found" && !saysNotFound(response.body);
    const missing = unsaid
      ? " without an error message from the service, so this does not prove that the record does not exist"
      : "";
    super(
      response,
      `answered ${response.status}${missing}${text ? `: ${text}` : ""}${members}${id}.${needed} ${adviceOn(response, code)}`,
    );
    this.status = response.status;
    this.requestId = response.requestId && response.redact(response.requestId);
    this.fields = fields;
    this.reason = text;
  }
}

/** Returns the advice at the end of an error message. The advice for status 409 depends on the HTTP method. */
function adviceOn({ method, status }: ErrorResponse, code: ErrorCode): string {
  if (status === 423 || status === 425) return "The record is locked or not ready: run the operation again later.";
  if (code !== "conflict" || method === "POST") return errorCodes[code].todo;
  const again = "run the operation again: another request may be changing the record";
  return method === "DELETE"
    ? `To delete the record, ${again}. If the conflict persists, delete or change the records that use this record.`
    : `Another record may have the new name: choose another name. If the name did not change, ${again}.`;
}

/** 400: fields are invalid. */
export class ValidationError extends ApiError {
  readonly code = "validation";
}

/** Status 401: the service refuses the token or the client credentials. */
export class UnauthorizedError extends ApiError {
  readonly code = "unauthorized";
}

/** 403: a permission is missing. */
export class ForbiddenError extends ApiError {
  readonly code = "forbidden";
}

/** Status 404 or 410: the record or path does not exist in the account group. */
export class NotFoundError extends ApiError {
  readonly code = "not-found";
  /** Whether the service itself wrote the error body. An error page from a proxy or gateway does not prove that the record is missing. */
  readonly fromService: boolean;

  constructor(response: ErrorResponse, code: ErrorCode) {
    super(response, code);
    this.fromService = saysNotFound(response.body);
  }
}

/** Status 409: the write request conflicts with an existing record. */
export class ConflictError extends ApiError {
  readonly code = "conflict";
}

/**
 * Status 429: the request budget was still exhausted after the client had waited. The service does not execute a request that it answers
 * with status 429.
 */
export class RateLimitedError extends ApiError {
  readonly code = "rate-limited";
  /** Name of the exhausted request budget: the organization's budget or the budget of instant tests. */
  readonly budget: string;

  constructor(response: ErrorResponse, code: ErrorCode) {
    super(response, code);
    this.budget = response.budget ?? "organization";
  }
}

/** The service answered with a 3xx or 4xx status that has no error class of its own. */
export class RefusedError extends ApiError {
  readonly code = "refused";
}

/** 408 or 5xx. */
export class ServerError extends ApiError {
  readonly code = "server";
  override readonly outcomeUnknown: boolean;

  constructor(response: ErrorResponse, code: ErrorCode) {
    super(response, code);
    this.outcomeUnknown = !response.repeatable;
  }
}

const byStatus: Record<number, [new (response: ErrorResponse, code: ErrorCode) => ApiError, ErrorCode]> = {
  400: [ValidationError, "validation"],
  401: [UnauthorizedError, "unauthorized"],
  403: [ForbiddenError, "forbidden"],
  404: [NotFoundError, "not-found"],
  408: [ServerError, "server"],
  409: [ConflictError, "conflict"],
  410: [NotFoundError, "not-found"],
  429: [RateLimitedError, "rate-limited"],
};

/** Returns the error object for an error response. The error's class depends only on the HTTP status. */
export function apiError(response: ErrorResponse): ApiError {
  const [Class, code]: [new (response: ErrorResponse, code: ErrorCode) => ApiError, ErrorCode] =
    byStatus[response.status] ?? (response.status >= 500 ? [ServerError, "server"] : [RefusedError, "refused"]);
  return new Class(response, code);
}

/**
 * Whether the service itself wrote the body of a response with status 404 or 410. For a missing record, the service returns a JSON error.
 * For an unknown path, the service returns an empty body. Proxies and gateways return an HTML page (docs/service/errors.md, Shapes).
 */
function saysNotFound(body: ErrorBody | undefined): boolean {
  if (!body) return false;
  const { title, detail, error, errorMessage, errors = [] } = body;
  return [title, detail, error, errorMessage].some(Boolean) || errors.length > 0;
}
