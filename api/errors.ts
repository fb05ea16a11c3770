import { isNativeError } from "node:util/types";
import type { Method } from "./method";
import type { SettingName } from "./setting-names";
import { errorCodes, type ErrorCode } from "./error-codes";

/**
 * Base class of all errors that this package throws on purpose. The message contains the failure, its reason and its remedy.
 */
export abstract class EndpointMonitoringError extends Error {
  abstract readonly code: ErrorCode;
  /**
   * True if the service may have stored the record of a failed create. In that case, look for the record before you try again.
   * False for operations that can be repeated safely.
   */
  readonly outcomeUnknown: boolean = false;

  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A setting is missing or invalid. Nothing was sent. */
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

/** A look-up did not match exactly one record. */
export class LookupError extends EndpointMonitoringError {
  readonly code = "lookup";
}

/** Method and path of a request. `path` has no query, so it contains no cursor and no filter value. */
export interface RequestTarget {
  method: Method;
  path: string;
}

/** A request that the client sent. */
export interface AnswerTarget extends RequestTarget {
  /** Removes secrets from a text. Any part of an answer may repeat them. */
  redact: (text: string) => string;
}

/**
 * Base class of errors about one request. It removes secrets from its whole text, because parts of an answer may contain them.
 */
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

/** The request does not match the interface. `fields` has one line for each invalid member. Nothing was sent. */
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
 * The phase of a request that failed without a complete answer: name resolution, connection, TLS handshake, or waiting for
 * the answer. `proxy`: the request failed at the proxy.
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
  /** The reason for the failure, as part of a sentence. */
  readonly reason: string;
  /** Phase of the failure. */
  readonly phase: ConnectionPhase;
  override readonly outcomeUnknown: boolean;
  /** Whether another attempt may succeed. It cannot if the host name is unknown or the certificate is rejected. */
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

/** Returns name, code and message of an error from the HTTP client. Its other members may quote the answer. */
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
      ? " after it was sent. The service may have executed it: check that before you send it again"
      : "";
    super(target, `was aborted${effect}.`, { cause });
  }
}

/** The answer does not match the interface. `jsonPath` is the place in the body. */
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
    super(target, `got an unexpected answer${where}: ${reason}. ${errorCodes.protocol.todo}`);
    this.jsonPath = jsonPath === undefined ? undefined : target.redact(jsonPath);
  }
}

/**
 * The service answered a write with a 2xx or 303, but the body does not describe the record: it is absent, empty, cut off or
 * not JSON. The service may have stored the record. A read shows whether it did.
 */
export class UnconfirmedError extends ProtocolError {
  override readonly code = "unconfirmed";
  /** HTTP status: 200 to 299, or 303. */
  readonly status: number;
  /** Id of a created record, from the Location header. Absent if the answer has no such header. */
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
