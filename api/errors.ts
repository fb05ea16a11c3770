import { isNativeError } from "node:util/types";
import type { Method } from "./method";
import type { SettingName } from "./setting-names";
import { errorCodes, type ErrorCode } from "./error-codes";

/**
 * Base class of the errors that this package throws deliberately. Each error message describes the failure, the reason and the
 * remedy.
 */
export abstract class EndpointMonitoringError extends Error {
  abstract readonly code: ErrorCode;
  /**
   * Whether the service may have stored the record although the create request failed. If `outcomeUnknown` is true, look for the record
   * before you repeat the create request. `outcomeUnknown` is always false for operations that can be repeated safely.
   */
  readonly outcomeUnknown: boolean = false;

  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A setting is missing or invalid, so the client sent no request. */
export class ConfigurationError extends EndpointMonitoringError {
  readonly code = "configuration";

  /** @param settings names of the missing or invalid settings */
  constructor(
    message: string,
    readonly settings: readonly SettingName[] = [],
  ) {
    super(message);
  }
}

/** A lookup did not match exactly one record. */
export class LookupError extends EndpointMonitoringError {
  readonly code = "lookup";
}

/** Method and path of a request. `path` excludes the query, so errors never show cursors or filter values. */
export interface RequestTarget {
  method: Method;
  path: string;
}

/** A request, and a function that removes the request's secrets from text. */
export interface AnswerTarget extends RequestTarget {
  /** Removes secrets from a string, because any part of a response may repeat a secret. */
  redact: (text: string) => string;
}

/**
 * Base class of errors about one request. The constructor removes secrets from the error message, because a response may repeat the
 * request's secrets.
 */
export abstract class RequestFailure extends EndpointMonitoringError {
  readonly method: Method;
  readonly path: string;

  /** @param text description of the failure, which follows the method and path in the error message */
  constructor({ method, path, redact }: AnswerTarget, text: string, options?: { cause?: unknown }) {
    super(redact(`${method} ${path} ${text}`), options);
    this.method = method;
    this.path = redact(path);
  }
}

/** The request is invalid, so the client did not send it. `fields` contains one line for each invalid member of the request. */
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
 * The failed phase of a request: name resolution, connection, TLS handshake, or waiting for the response. The phase is `proxy`
 * if the proxy caused the failure.
 */
export type ConnectionPhase = "proxy" | "dns" | "connect" | "tls" | "answer";

interface ConnectionFailure {
  /** The reason for the failure, as a clause for error messages. */
  reason: string;
  phase: ConnectionPhase;
  outcomeUnknown: boolean;
  mayPass: boolean;
  cause: unknown;
}

/** The service could not be reached, or the connection closed before the response was complete. */
export class ConnectionError extends RequestFailure {
  readonly code = "connection";

  /** Scheme, host and port of the request. */
  readonly origin: string;
  /** The reason for the failure, as a clause for error messages. */
  readonly reason: string;
  /** The failed phase of the request. */
  readonly phase: ConnectionPhase;
  override readonly outcomeUnknown: boolean;
  /** Whether another attempt may succeed; false for an unknown host name or a rejected certificate. */
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

/**
 * Copies only the name, code and message of an HTTP client's error. Other properties of the error are not copied, because they may contain
 * parts of the response.
 */
function redacted(cause: unknown, { redact }: AnswerTarget): unknown {
  if (!isNativeError(cause)) return undefined;
  const { name, message } = cause;
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
  return Object.assign(new Error(redact(message)), { name, ...(code !== undefined && { code }) });
}

/** An abort signal ended the request. `cause` is the reason of the abort signal. */
export class AbortedError extends RequestFailure {
  readonly code = "aborted";

  constructor(
    target: AnswerTarget,
    override readonly outcomeUnknown: boolean,
    cause: unknown,
  ) {
    const effect = outcomeUnknown
      ? " after it was sent. The service may have executed the request: check this before you send the request again"
      : "";
    super(target, `was aborted${effect}.`, { cause });
  }
}

/** The response does not match the API's documentation. `jsonPath` is the path of the first mismatch in the body. */
export class ProtocolError extends RequestFailure {
  readonly code: "protocol" | "unconfirmed" = "protocol";
  readonly jsonPath: string | undefined;

  constructor(
    target: AnswerTarget,
    reason: string,
    override readonly outcomeUnknown: boolean,
    jsonPath?: string,
    /** Whether the response body is empty, `null`, or an object without a required member. */
    readonly hasNoContent = false,
  ) {
    const where = jsonPath ? ` at ${jsonPath}` : "";
    super(
      target,
      `failed, because the service returned an unexpected response${where}: ${reason}. ${errorCodes.protocol.todo}`,
    );
    this.jsonPath = jsonPath === undefined ? undefined : target.redact(jsonPath);
  }
}

/**
 * The service accepted a write request, but the response body is missing, incomplete or not JSON. The service may have stored the record,
 * so read the record to find out.
 */
export class UnconfirmedError extends ProtocolError {
  override readonly code = "unconfirmed";
  /** HTTP status of the response: 200 to 299, or 303. */
  readonly status: number;
  /** Id of a created record, from the Location header; undefined if the response lacks this header. */
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
