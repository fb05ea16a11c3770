import type { ErrorBody, Method } from "./schemas";
import type { SettingName } from "./setting-names";

/**
 * Every error code of this package: what it means and what to do about it. The reference page is made from this table, and
 * the codes are public: programs may decide by them (by class is better still), never by message text.
 */
export const errorCodes = {
  validation: {
    status: "400",
    meaning: "The service found fields invalid.",
    todo: "Correct the fields that the message names.",
  },
  unauthorized: {
    status: "401",
    meaning: "The token or the client credentials are refused.",
    todo: "Check endpoint-monitoring:token, or clientId and clientSecret: a token may have expired or been regenerated. (`pulumi refresh` and `pulumi destroy` use the settings of the last `pulumi up`; add --run-program for those of now.)",
  },
  forbidden: {
    status: "403",
    meaning: "The role of the token's owner lacks a permission, or is not assigned to the account group.",
    todo: "Give the role the permission (API access; account administrator to create tests) or correct accountGroupId.",
  },
  "not-found": {
    status: "404",
    meaning: "There is no such record or path in this account group.",
    todo: "Check the id and accountGroupId.",
  },
  conflict: {
    status: "409",
    meaning: "The write collides with a record that exists; for agent-to-server tests a name in use is the likely cause.",
    todo: "Choose another name, or take the existing record over (adopt: true, or import).",
  },
  "rate-limited": {
    status: "429",
    meaning: "The organisation's request budget stayed used up for longer than we wait.",
    todo: "Run again later, with less --parallel, or find out who else uses the budget.",
  },
  refused: {
    status: "other 3xx, 4xx",
    meaning: "The service refused the request in a way that has no class of its own.",
    todo: "Check baseUrl (version, proxies between) and what the message says.",
  },
  server: {
    status: "5xx",
    meaning: "The service failed.",
    todo: "Run again; if it persists, look at the service's status page.",
  },
  connection: {
    status: "-",
    meaning: "The service could not be reached, or the connection broke before the answer was whole.",
    todo: "Check baseUrl, the network, proxy and TLS settings; then run again.",
  },
  protocol: {
    status: "-",
    meaning:
      "The answer is not what the interface describes: something else than the service may have answered, such as the login page of a network.",
    todo: "Check that baseUrl is the service, and that nothing between answers in its place; otherwise report it: the message names method, path and JSON path.",
  },
  request: {
    status: "-",
    meaning: "The request is not what the interface takes; nothing was sent.",
    todo: "Correct the fields that the message names.",
  },
  partial: {
    status: "-",
    meaning: "A resource was created or updated in part; what exists is in state.",
    todo: "Do what the reasons say; the next `pulumi up` tries the rest.",
  },
  gone: {
    status: "-",
    meaning:
      "The record a resource stands for was deleted or moved behind Pulumi's back, or `get` names an id that is not there.",
    todo: "Run `pulumi refresh`, then `pulumi up`; for `get`, correct the id or accountGroupId.",
  },
  duplicate: {
    status: "-",
    meaning: "Records exist that already are what a create should make, so a create would duplicate them.",
    todo: "After a rename or a move, give the old name or parent in the resource option aliases. Otherwise manage the record in one stack only; import it, or adopt it (adopt: true).",
  },
  "damaged-state": {
    status: "-",
    meaning: "Properties in the state of a resource are not what its kind has: the state was edited, or is damaged.",
    todo: "Run `pulumi refresh`, which reads them anew from the service, then `pulumi up`. `pulumi destroy` works as it is.",
  },
  ownership: {
    status: "-",
    meaning: "Two resources of one program stand for one record.",
    todo: "Remove one of the two from the program; where both are in the state, `pulumi state delete` that one.",
  },
  "unknown-outcome": {
    status: "-",
    meaning:
      "The service may have carried out a create: no answer said so, and the record did not show up within createOutcomeTimeout.",
    todo: "Run `pulumi config set endpoint-monitoring:adopt identical`, then `pulumi up`: it adopts the record if it exists, and creates it otherwise.",
  },
  lookup: {
    status: "-",
    meaning: "A look-up did not hit exactly one record.",
    todo: "Correct it, or say which record by its id: the message lists the hits.",
  },
  transfer: {
    status: "-",
    meaning: "Agents have not arrived in their new account group in time, or could not be sent there.",
    todo: "Run `pulumi up` again, give it longer with transferTimeout, or do what the message says of each agent.",
  },
  expectation: {
    status: "-",
    meaning: "A run measured something else than expected, or no results came in time.",
    todo: "Look at the measurements in the message; the next `pulumi up` runs the test anew.",
  },
  configuration: {
    status: "-",
    meaning: "A setting is missing or wrong; nothing was sent.",
    todo: "Correct the setting that the message names.",
  },
} as const satisfies Record<string, { status: string; meaning: string; todo: string }>;

export type ErrorCode = keyof typeof errorCodes;

/** Base of all errors this package throws on purpose. The message says what failed, why, and what to do. */
export abstract class EndpointMonitoringError extends Error {
  abstract readonly code: ErrorCode;
  /**
   * True when a create may have been carried out although it failed here: look before trying again. False for what does no
   * harm when it is repeated.
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

  /** @param settings names of those that are missing or wrong */
  constructor(
    message: string,
    readonly settings: readonly SettingName[] = [],
  ) {
    super(message);
  }
}

/** A look-up did not hit exactly one record. */
export class LookupError extends EndpointMonitoringError {
  readonly code = "lookup";
}

/** Where an error happened. `path` carries no query, so no cursor or filter value. */
export interface Place {
  method: Method;
  path: string;
}

/** The request is not what the interface takes: `fields` has a line for each wrong member. Nothing was sent. */
export class RequestError extends EndpointMonitoringError {
  readonly code = "request";
  readonly method: Method;
  readonly path: string;

  constructor(
    place: Place,
    readonly fields: readonly string[],
  ) {
    super(`${place.method} ${place.path} was not sent: ${fields.join("; ")}`);
    this.method = place.method;
    this.path = place.path;
  }
}

/**
 * How far a request got that had no whole answer: its host was looked up, connected to, greeted by TLS, asked. `proxy`: it did not
 * get past the proxy.
 */
export type ConnectionPhase = "proxy" | "dns" | "connect" | "tls" | "answer";

/** Why a request had no whole answer. */
interface ConnectionFailure {
  /** As a part of a sentence. */
  reason: string;
  phase: ConnectionPhase;
  outcomeUnknown: boolean;
  mayPass: boolean;
  cause: unknown;
}

/** The service could not be reached, or the connection broke before the answer was whole. */
export class ConnectionError extends EndpointMonitoringError {
  readonly code = "connection";
  readonly method: Method;
  readonly path: string;

  /** Scheme, host and port that it was sent to. */
  readonly origin: string;
  /** Why, as a part of a sentence. */
  readonly reason: string;
  /** Where it failed. */
  readonly phase: ConnectionPhase;
  override readonly outcomeUnknown: boolean;
  /** Whether the next attempt may do better: not where a host name is not known, or a certificate refused. */
  readonly mayPass: boolean;

  constructor(place: Place, origin: string, { reason, phase, outcomeUnknown, mayPass, cause }: ConnectionFailure) {
    super(`${place.method} ${place.path} at ${origin} failed: ${reason}. ${errorCodes.connection.todo}`, { cause });
    this.method = place.method;
    this.path = place.path;
    this.origin = origin;
    this.reason = reason;
    this.phase = phase;
    this.outcomeUnknown = outcomeUnknown;
    this.mayPass = mayPass;
  }
}

/** The answer is not what the interface describes. `jsonPath` says where in the body. */
export class ProtocolError extends EndpointMonitoringError {
  readonly code = "protocol";
  readonly method: Method;
  readonly path: string;

  constructor(
    place: Place,
    reason: string,
    override readonly outcomeUnknown: boolean,
    readonly jsonPath?: string,
    cause?: unknown,
  ) {
    const where = jsonPath ? ` at ${jsonPath}` : "";
    super(
      `${place.method} ${place.path} was answered with something unexpected${where}: ${reason}. ${errorCodes.protocol.todo}`,
      {
        cause,
      },
    );
    this.method = place.method;
    this.path = place.path;
  }
}

/** What the service said of a refused request. */
export interface Refusal extends Place {
  status: number;
  body: ErrorBody | undefined;
  requestId: string | undefined;
  /** The budget that it counts against. Default: the organisation's. */
  budget?: string;
  /** Whether a repeat of the request could do harm, so that a 5xx leaves its outcome open. */
  repeatable: boolean;
  /** Takes secrets out of text that the service wrote. */
  redact: (text: string) => string;
}

/** The service answered with an error status. */
export abstract class ApiError extends EndpointMonitoringError {
  readonly status: number;
  readonly method: Method;
  readonly path: string;
  /** The service's identifier of the request, where it sends one: support asks for it. */
  readonly requestId: string | undefined;
  /** A line for each field the service complained of. */
  readonly fields: readonly string[];
  /** What the service says of it, in its own words; empty where it says nothing. */
  readonly reason: string;

  constructor(refusal: Refusal, code: ErrorCode) {
    const { text, fields } = explain(refusal.body, refusal.redact);
    const id = refusal.requestId ? ` (request ${refusal.requestId})` : "";
    super(
      `${refusal.method} ${refusal.path} answered ${refusal.status}${text ? `: ${text}` : ""}${id}. ${errorCodes[code].todo}`,
    );
    this.status = refusal.status;
    this.method = refusal.method;
    this.path = refusal.path;
    this.requestId = refusal.requestId;
    this.fields = fields;
    this.reason = text;
  }
}

/** 400: fields are invalid. */
export class ValidationError extends ApiError {
  readonly code = "validation";
}
/** 401: the token or the client credentials are refused. */
export class UnauthorizedError extends ApiError {
  readonly code = "unauthorized";
}
/** 403: a permission is missing. */
export class ForbiddenError extends ApiError {
  readonly code = "forbidden";
}
/** 404: no such record or path in this account group. */
export class NotFoundError extends ApiError {
  readonly code = "not-found";
}
/** 409: the write collides with a record that exists. */
export class ConflictError extends ApiError {
  readonly code = "conflict";
}
/** 429, for longer than we wait. Nothing was stored. */
export class RateLimitedError extends ApiError {
  readonly code = "rate-limited";
  /** The budget that is used up: the organisation's, or that of instant tests. */
  readonly budget: string;

  constructor(refusal: Refusal, code: ErrorCode) {
    super(refusal, code);
    this.budget = refusal.budget ?? "organization";
  }
}
/** Any other 3xx or 4xx. */
export class RefusedError extends ApiError {
  readonly code = "refused";
}
/** 5xx. */
export class ServerError extends ApiError {
  readonly code = "server";
  override readonly outcomeUnknown: boolean;

  constructor(refusal: Refusal, code: ErrorCode) {
    super(refusal, code);
    this.outcomeUnknown = !refusal.repeatable;
  }
}

const byStatus: Record<number, [new (refusal: Refusal, code: ErrorCode) => ApiError, ErrorCode]> = {
  400: [ValidationError, "validation"],
  401: [UnauthorizedError, "unauthorized"],
  403: [ForbiddenError, "forbidden"],
  404: [NotFoundError, "not-found"],
  409: [ConflictError, "conflict"],
  429: [RateLimitedError, "rate-limited"],
};

/** The error for a refusal, its class decided by the status alone. */
export function apiError(refusal: Refusal): ApiError {
  const [Class, code]: [new (refusal: Refusal, code: ErrorCode) => ApiError, ErrorCode] =
    byStatus[refusal.status] ?? (refusal.status >= 500 ? [ServerError, "server"] : [RefusedError, "refused"]);
  return new Class(refusal, code);
}

/** Reads any of the known error shapes (shared/api/README.md, Errors). */
function explain(body: ErrorBody | undefined, redact: (text: string) => string): { text: string; fields: string[] } {
  if (!body) return { text: "", fields: [] };
  const fields = (body.errors ?? [])
    .map((e) => redact(typeof e === "string" ? e : [e.field, e.message].filter(Boolean).join(" ") || (e.code ?? "")))
    .filter((field) => field !== "");
  const heads = [body.detail, body.title, body.error_description, body.errorMessage, body.error];
  const head = heads.find(Boolean) ?? "";
  return { text: [redact(head).replace(/\.$/, ""), ...fields].filter(Boolean).join("; "), fields };
}
