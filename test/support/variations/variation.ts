import type { Operation } from "../../../api/schemas";

/** A JSON value that a variation reads and changes. Its members are those of any area. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;

/** A request on its way to the emulator. */
export interface PendingRequest {
  readonly operation: Operation;
  /** Last part of the operation's name, such as `create`. */
  readonly verb: string;
  /** Path of the request. */
  readonly path: string;
  /** Parsed body, which a variation may change, or undefined. */
  body: Json;
  /** Number of this request among those of the same method and path, from 1. */
  readonly nth: number;
}

/** A response on its way to the client. A variation changes it. */
export interface PendingResponse {
  status: number;
  headers: Record<string, string>;
  /** Parsed body, or text, or undefined. */
  body: Json;
  /** Encodes the bytes of the body, and names the encoding in the header. */
  encoding?: "gzip" | "deflate" | "br";
  /** Sends the body without its length, in two pieces. */
  chunked?: true;
  /** Milliseconds that the response waits. */
  waitMs?: number;
}

/** The effect of a variation on the requests of one emulator. */
export interface Effect {
  /** Changes a request before it is carried out. A returned response replaces the emulator's. */
  request?(request: PendingRequest): PendingResponse | void;
  /** Changes the response of a request that was carried out. */
  answer?(request: PendingRequest, response: PendingResponse): void;
}

/** The outcome for the provider if the service has a variation. */
export type Outcome =
  | "works"
  /** It fails with a message that contains this text, and succeeds without the variation. */
  | { readonly fails: string };

/** One way in which the service may differ from the emulator. */
export interface Variation {
  readonly name: string;
  /** The behavior of the service, as a sentence without a subject: `answers a create with 200`. */
  readonly changes: string;
  /** The known facts and the unknown one. */
  readonly between: string;
  readonly provider: Outcome;
  /** True if it takes a time: `lag=3s`. */
  readonly takesTime?: true;
  /** Creates its effect. @param ms the given time */
  effect(ms: number): Effect;
}

/** Declares a variation with which the provider works. */
export function tolerated(
  name: string,
  changes: string,
  between: string,
  effect: Effect | ((ms: number) => Effect),
): Variation {
  return { name, changes, between, provider: "works", effect: typeof effect === "function" ? effect : () => effect };
}

/** Declares a variation with which the provider fails clearly. */
export function rejected(name: string, changes: string, between: string, fails: string, effect: Effect): Variation {
  return { name, changes, between, provider: { fails }, effect: () => effect };
}

/** Areas whose records programs manage. */
const managed = new Set(["labels", "tags", "tests.agentToServer", "tests.httpServer", "tests.dynamic"]);

export function areaOf({ operation }: Pick<PendingRequest, "operation">): string {
  return operation.id.slice(0, operation.id.lastIndexOf("."));
}

export function isManaged(request: Pick<PendingRequest, "operation">): boolean {
  return managed.has(areaOf(request));
}

/** The records of a successful response: those of a list, or the one that was created, read or updated. */
export function recordsOf(request: PendingRequest, { status, body }: PendingResponse): Json[] {
  if (status >= 300 || typeof body !== "object" || body === null) return [];
  if (request.verb !== "list" && request.verb !== "filter")
    return ["create", "get", "update"].includes(request.verb) ? [body] : [];
  return body.labels ?? body.tests ?? body.tags ?? body.agents ?? [];
}

export function idOf(record: Json): string {
  return String(record.id ?? record.testId);
}

/** Changes successful responses to one verb in the areas with resource types. */
export function onSuccess(verbs: string, change: (response: PendingResponse, request: PendingRequest) => void): Effect {
  return {
    answer(request, response) {
      if (isManaged(request) && verbs.split(" ").includes(request.verb) && response.status < 300) change(response, request);
    },
  };
}

/** Changes every record in responses. */
export function inRecords(change: (record: Json, request: PendingRequest) => void): Effect {
  return {
    answer(request, response) {
      if (isManaged(request)) for (const record of recordsOf(request, response)) change(record, request);
    },
  };
}

/** Changes the body of a create or an update, so that the changed values are stored. */
export function inRequests(change: (body: Json, request: PendingRequest) => void): Effect {
  return {
    request(request) {
      if (isManaged(request) && request.body && ["create", "update"].includes(request.verb)) change(request.body, request);
    },
  };
}

/** Changes a text member in requests. */
export function inTexts(members: readonly string[], change: (text: string) => string): Effect {
  return inRequests((body) => {
    for (const member of members) if (typeof body[member] === "string") body[member] = change(body[member]);
  });
}

export function problem(status: number, title: string, more: object = {}): PendingResponse {
  const headers = { "content-type": "application/problem+json" };
  return { status, headers, body: { type: "about:blank", title, status, ...more } };
}
