import { isNativeError } from "node:util/types";
import { explain, unexplained } from "./error-text";
import type { Method } from "./method";
import type { SettingName } from "./setting-names";
import type { ErrorBody } from "./generated/common";

/**
 * Every error code of this package, with its meaning and what to do about it. The reference page is generated from this table. The codes
 * are public: programs may decide by class or code, but never by message text.
 */
export const errorCodes = {
  validation: {
    status: "400",
    meaning: "The service reports invalid fields.",
    todo: "Correct the fields that the message names. If it names none, the role may lack a permission: the service answers that with 400, too.",
  },
  unauthorized: {
    status: "401",
    meaning: "The service refuses the token or the client credentials.",
    todo: "Check endpoint-monitoring:token, or clientId and clientSecret: a token may have expired or been regenerated. (`pulumi refresh` and `pulumi destroy` use the settings of the last `pulumi up`; add --run-program for the current settings.)",
  },
  forbidden: {
    status: "403",
    meaning: "The role of the token's owner lacks a permission, or is not assigned to the account group.",
    todo: "Give the role the permission (API access; account administrator to create tests) or correct accountGroupId. If the account group no longer exists, `pulumi state delete` removes its resources from the state.",
  },
  "not-found": {
    status: "404, 410",
    meaning: "There is no such record or path in this account group.",
    todo: "Check the id and accountGroupId; if the path itself is unknown, baseUrl.",
  },
  conflict: {
    status: "409",
    meaning: "The write conflicts with an existing record; for agent-to-server tests a name in use is the likely cause.",
    todo: "Choose another name, or adopt the existing record (adopt: true, or import).",
  },
  "rate-limited": {
    status: "429",
    meaning: "The organization's request budget stayed exhausted for longer than the client waits.",
    todo: "Run again later, with less --parallel, or find out who else uses the budget.",
  },
  refused: {
    status: "other 3xx, 4xx",
    meaning: "The service refused the request with a status that has no class of its own.",
    todo: "Check baseUrl (version, proxies) and the message.",
  },
  server: {
    status: "408, 5xx",
    meaning: "The service failed, or did not get the request in time.",
    todo: "Run again; if it persists, look at the service's status page, and at the permissions of the role: the service may answer 500 if one is missing.",
  },
  connection: {
    status: "-",
    meaning: "The service could not be reached, or the connection broke before the answer was complete.",
    todo: "Check baseUrl, the network, proxy and TLS settings; then run again.",
  },
  aborted: {
    status: "-",
    meaning: "The program ended the request by its signal, or by that of the client.",
    todo: "If `outcomeUnknown` is true, the service may have stored what was sent: look for it before sending it again.",
  },
  protocol: {
    status: "-",
    meaning:
      "The answer does not match the interface: something other than the service may have answered, such as the login page of a network.",
    todo: "Check that baseUrl is the service, and that no proxy or login page answers in its place; otherwise report it: the message names method, path and JSON path.",
  },
  unconfirmed: {
    status: "2xx, 303",
    meaning:
      "The service accepted a write, but its answer does not describe the record: the body is absent, empty or not readable.",
    todo: "Run `pulumi refresh`, then `pulumi up`. If it persists, check that baseUrl is the service, and report it: the message names method, path and JSON path.",
  },
  request: {
    status: "-",
    meaning: "The request does not match the interface; nothing was sent.",
    todo: "Correct the fields that the message names.",
  },
  partial: {
    status: "-",
    meaning: "A resource was created or updated in part; the state holds what exists.",
    todo: "Follow the reasons; the next `pulumi up` tries the rest.",
  },
  gone: {
    status: "-",
    meaning:
      "The record that a resource manages was deleted or moved outside Pulumi, or `get` names an id that does not exist.",
    todo: "Run `pulumi refresh`, then `pulumi up`; for `get`, correct the id or accountGroupId.",
  },
  duplicate: {
    status: "-",
    meaning: "A create would duplicate existing records.",
    todo: "After a rename or a move, give the old name or parent in the resource option aliases. Otherwise manage the record in one stack only; import it, or adopt it (adopt: true).",
  },
  "damaged-state": {
    status: "-",
    meaning: "Properties in the state of a resource do not have the shape of its kind: the state was edited, or is damaged.",
    todo: "Run `pulumi refresh`, which reads them again from the service, then `pulumi up`. `pulumi destroy` works without it.",
  },
  "derived-replacement": {
    status: "-",
    meaning:
      "The service returns a value that no program can declare, and only a replacement of the record could change it. Nothing was changed.",
    todo: "Correct the value in the service, or consent to the replacement: `pulumi up --replace URN`, or `endpoint-monitoring review --approval` and `apply`. A replaced test loses its result history.",
  },
  unproven: {
    status: "-",
    meaning:
      "The service answers that a record does not exist, and nothing proves it: it still lists the record, or another account answers.",
    todo: "Check `endpoint-monitoring:baseUrl` and the credentials, then run the operation again. The record stays in state.",
  },
  "other-service": {
    status: "-",
    meaning: "The records of the state are at another origin than the one in the settings.",
    todo: "Correct `endpoint-monitoring:baseUrl`. If the service moved, set `endpoint-monitoring:movedFrom` for one update and one refresh.",
  },
  ownership: {
    status: "-",
    meaning:
      "Two resources of one program manage the same record, or it cannot be determined whether another provider process of the operation does.",
    todo: "Delete one of the two from the program; if both are in the state, also run `pulumi state delete` for that one. If the message names a file or a folder, do what it says.",
  },
  unapproved: {
    status: "-",
    meaning:
      "A value that is known only during the update is not what was approved for `endpoint-monitoring apply`; nothing was sent.",
    todo: "Review the change again: the value depends on the id of a new resource, or on another value that the preview did not know.",
  },
  "unknown-outcome": {
    status: "-",
    meaning:
      "A create may have succeeded: the service did not confirm it, and no list showed the record within createOutcomeTimeout.",
    todo: "Run `pulumi config set endpoint-monitoring:adopt identical`, then `pulumi up`: it adopts the record if it exists, and creates it otherwise.",
  },
  lookup: {
    status: "-",
    meaning: "A look-up did not match exactly one record.",
    todo: "Correct it, or choose a record by its id: the message lists the matches.",
  },
  transfer: {
    status: "-",
    meaning: "Agents did not arrive in their new account group in time, or could not be transferred.",
    todo: "Run `pulumi up` again, increase transferTimeout, or follow the message for each agent.",
  },
  expectation: {
    status: "-",
    meaning: "The measurements of a run do not meet the expectations, or no results arrived in time.",
    todo: "Check the measurements in the message; the next `pulumi up` runs the test again.",
  },
  configuration: {
    status: "-",
    meaning: "A setting is missing or wrong; nothing was sent.",
    todo: "Correct the setting that the message names.",
  },
} as const satisfies Record<string, { status: string; meaning: string; todo: string }>;

export type ErrorCode = keyof typeof errorCodes;

/** Base class of all errors that this package throws on purpose. The message states what failed, why, and what to do. */
export abstract class EndpointMonitoringError extends Error {
  abstract readonly code: ErrorCode;
  /**
   * True if a create may have succeeded although it failed here: check for the record before trying again. False for operations that
   * can be repeated safely.
   */
  readonly outcomeUnknown: boolean = false;

  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A setting is missing or wrong. Thrown before anything is sent. */
export class ConfigurationError extends EndpointMonitoringError {
  readonly code = "configuration";

  /** @param settings names of the settings that are missing or wrong */
  constructor(
    message: string,
    readonly settings: readonly SettingName[] = [],
  ) {
    super(message);
  }
}

/** A look-up did not match exactly one record. */
export class LookupError extends EndpointMonitoringError {
  readonly code = "lookup";
}

/** Method and path of a request. `path` has no query, so it holds no cursor and no filter value. */
export interface RequestTarget {
  method: Method;
  path: string;
}

/** A request that was sent. */
export interface AnswerTarget extends RequestTarget {
  /** Removes secrets from a text, for the service may echo them in any part of an answer. */
  redact: (text: string) => string;
}

/** Base class of errors about one request. It redacts its whole text, so an error with a part of an answer cannot show a secret. */
export abstract class RequestFailure extends EndpointMonitoringError {
  readonly method: Method;
  readonly path: string;

  /** @param text the failure, as the rest of a sentence that begins with method and path */
  constructor({ method, path, redact }: AnswerTarget, text: string, options?: { cause?: unknown }) {
    super(redact(`${method} ${path} ${text}`), options);
    this.method = method;
    this.path = redact(path);
  }
}

/** The request does not match the interface. `fields` has a line for each wrong member. Nothing was sent. */
export class RequestError extends RequestFailure {
  readonly code = "request";

  constructor(
    { method, path }: RequestTarget,
    readonly fields: readonly string[],
  ) {
    super({ method, path, redact: String }, `was not sent: ${fields.join("; ")}`);
  }
}

/**
 * The phase in which a request failed that had no complete answer: name resolution, connection, TLS handshake, or waiting for the
 * answer. `proxy`: the request failed at the proxy.
 */
export type ConnectionPhase = "proxy" | "dns" | "connect" | "tls" | "answer";

/** The reason why a request had no complete answer. */
interface ConnectionFailure {
  /** The reason, as part of a sentence. */
  reason: string;
  phase: ConnectionPhase;
  outcomeUnknown: boolean;
  mayPass: boolean;
  cause: unknown;
}

/** The service could not be reached, or the connection broke before the answer was complete. */
export class ConnectionError extends RequestFailure {
  readonly code = "connection";

  /** Scheme, host and port of the request. */
  readonly origin: string;
  /** The reason of the failure, as part of a sentence. */
  readonly reason: string;
  /** Phase in which it failed. */
  readonly phase: ConnectionPhase;
  override readonly outcomeUnknown: boolean;
  /** Whether the next attempt may succeed: not if a host name is unknown or a certificate is refused. */
  readonly mayPass: boolean;

  constructor(target: AnswerTarget, origin: string, { reason, phase, outcomeUnknown, mayPass, cause }: ConnectionFailure) {
    super(target, `at ${origin} failed: ${reason}. ${errorCodes.connection.todo}`, { cause: redacted(cause, target) });
    this.origin = origin;
    this.reason = target.redact(reason);
    this.phase = phase;
    this.outcomeUnknown = outcomeUnknown;
    this.mayPass = mayPass;
  }
}

/** Returns name, code and message of an error of the HTTP client. Its other members may quote the answer. */
function redacted(cause: unknown, { redact }: AnswerTarget): unknown {
  if (!isNativeError(cause)) return undefined;
  const { name, message } = cause;
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
  return Object.assign(new Error(redact(message)), { name, ...(code !== undefined && { code }) });
}

/** A signal ended the request. `cause` is its reason. */
export class AbortedError extends RequestFailure {
  readonly code = "aborted";

  constructor(
    target: AnswerTarget,
    override readonly outcomeUnknown: boolean,
    cause: unknown,
  ) {
    const effect = outcomeUnknown
      ? " after it was sent. The service may have stored what it sends: look for it before sending it again"
      : "";
    super(target, `was aborted${effect}.`, { cause });
  }
}

/** The answer does not match the interface. `jsonPath` names the place in the body. */
export class ProtocolError extends RequestFailure {
  readonly code: "protocol" | "unconfirmed" = "protocol";
  readonly jsonPath: string | undefined;

  constructor(
    target: AnswerTarget,
    reason: string,
    override readonly outcomeUnknown: boolean,
    jsonPath?: string,
    /** Whether the answer has no content: no body, `null`, or an object without a required member. */
    readonly hasNoContent = false,
  ) {
    const where = jsonPath ? ` at ${jsonPath}` : "";
    super(target, `was answered with something unexpected${where}: ${reason}. ${errorCodes.protocol.todo}`);
    this.jsonPath = jsonPath === undefined ? undefined : target.redact(jsonPath);
  }
}

/**
 * A write was answered with a 2xx or 303 whose body does not describe the record: it is absent, empty, cut off or not JSON. The service may have
 * stored the record, so a read decides.
 */
export class UnconfirmedError extends ProtocolError {
  override readonly code = "unconfirmed";
  /** HTTP status: 200 to 299, or 303. */
  readonly status: number;
  /** Id of a created record, from the Location header. Absent if there is none. */
  readonly id: string | undefined;

  constructor(
    target: AnswerTarget,
    reason: string,
    outcomeUnknown: boolean,
    { status, id, jsonPath }: { status: number; id?: string; jsonPath?: string },
  ) {
    super(target, reason, outcomeUnknown, jsonPath);
    this.status = status;
    this.id = id === undefined ? undefined : target.redact(id);
  }
}

/** An answer with an error status. */
export interface ErrorResponse extends AnswerTarget {
  status: number;
  body: ErrorBody | undefined;
  requestId: string | undefined;
  /** Permission that the operation needs, where one is stated. A 403 names it. */
  permission?: string;
  /** The budget against which the request counts. Default: the organization's. */
  budget?: string;
  /** Names of the members that the request sent. A 400 that names none of them lists them. */
  sent?: readonly string[];
  /** Whether the request can be repeated safely. If not, a 5xx leaves its outcome unknown. */
  repeatable: boolean;
}

/** The service answered with an error status. */
export abstract class ApiError extends RequestFailure {
  readonly status: number;
  /** The service's identifier of the request, if it sends one. Its support asks for it. */
  readonly requestId: string | undefined;
  /** A line for each field that the service reported. */
  readonly fields: readonly string[];
  /** The service's description of the error; empty if it has none. */
  readonly reason: string;

  constructor(response: ErrorResponse, code: ErrorCode) {
    const { text, fields } = explain(response.body, response.redact);
    const unnamed = response.status === 400 ? unexplained({ text, fields }, response.sent ?? []) : [];
    const members = unnamed.length > 0 ? `${text ? "; " : ": "}the request had ${unnamed.join(", ")}` : "";
    const id = response.requestId ? ` (request ${response.requestId})` : "";
    const needed = code === "forbidden" && response.permission ? ` It needs: ${response.permission}.` : "";
    const unsaid = code === "not-found" && !saysNotFound(response.body);
    const missing = unsaid ? " without an error of the service, which does not mean that the record does not exist" : "";
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

/** Returns the advice on an error. That on a conflict depends on the method: only a create can choose another name freely. */
function adviceOn({ method, status }: ErrorResponse, code: ErrorCode): string {
  if (status === 423 || status === 425) return "The record is locked or not ready: run the operation again later.";
  if (code !== "conflict" || method === "POST") return errorCodes[code].todo;
  const again = "run the operation again: another request may be changing the record";
  return method === "DELETE"
    ? `To delete it, ${again}. If the conflict persists, delete or change the records that use this one.`
    : `Another record may have the new name: choose another one. If the name did not change, ${again}.`;
}

/** 400: fields are invalid. */
export class ValidationError extends ApiError {
  readonly code = "validation";
}
/** 401: the service refuses the token or the client credentials. */
export class UnauthorizedError extends ApiError {
  readonly code = "unauthorized";
}
/** 403: a permission is missing. */
export class ForbiddenError extends ApiError {
  readonly code = "forbidden";
}
/** 404 or 410: no such record or path in this account group. */
export class NotFoundError extends ApiError {
  readonly code = "not-found";
  /**
   * Whether the body is an error of the service. Without one, something else may have answered: a gateway, a proxy, or a server that
   * does not know the path. So the answer alone does not prove that the record does not exist.
   */
  readonly fromService: boolean;

  constructor(response: ErrorResponse, code: ErrorCode) {
    super(response, code);
    this.fromService = saysNotFound(response.body);
  }
}
/** 409: the write conflicts with an existing record. */
export class ConflictError extends ApiError {
  readonly code = "conflict";
}
/** 429, for longer than the client waits. Nothing was stored. */
export class RateLimitedError extends ApiError {
  readonly code = "rate-limited";
  /** The exhausted budget: the organization's, or that of instant tests. */
  readonly budget: string;

  constructor(response: ErrorResponse, code: ErrorCode) {
    super(response, code);
    this.budget = response.budget ?? "organization";
  }
}
/** Any other 3xx or 4xx. */
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

/** Returns the error for an answer. The status alone decides its class. */
export function apiError(response: ErrorResponse): ApiError {
  const [Class, code]: [new (response: ErrorResponse, code: ErrorCode) => ApiError, ErrorCode] =
    byStatus[response.status] ?? (response.status >= 500 ? [ServerError, "server"] : [RefusedError, "refused"]);
  return new Class(response, code);
}

/**
 * Whether a 404 or 410 has an error of the service as its body. For a missing record the service returns a JSON error (recorded for
 * labels). For an unknown path it returns no body (reported), and a proxy or gateway returns a page (docs/service/errors.md, Shapes).
 */
function saysNotFound(body: ErrorBody | undefined): boolean {
  if (!body) return false;
  const { title, detail, error, errorMessage, errors = [] } = body;
  return [title, detail, error, errorMessage].some(Boolean) || errors.length > 0;
}
