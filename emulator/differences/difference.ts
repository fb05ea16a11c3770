import type { Operation } from "../../api/schemas";

/** A JSON value that a difference reads and changes. Its members are those of any area. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;

/** A request on its way to the emulator. */
export interface Heard {
  readonly operation: Operation;
  /** Last part of the operation's name, such as `create`. */
  readonly verb: string;
  /** Path of the request. */
  readonly path: string;
  /** Parsed body; a difference may change it. Undefined if there is none. */
  body: Json;
  /** Number of this request among those of the same method and path, from 1. */
  readonly nth: number;
}

/** An answer on its way to the client. A difference changes it. */
export interface Said {
  status: number;
  headers: Record<string, string>;
  /** Parsed body, or text; undefined for none. */
  body: Json;
  /** Encodes the bytes of the body, and names the encoding in the header. */
  encoding?: "gzip" | "deflate" | "br";
  /** Sends the body without its length, in two pieces. */
  chunked?: true;
  /** Milliseconds that the answer waits. */
  waitMs?: number;
}

/** The effect of a difference on the requests of one emulator. */
export interface Effect {
  /** Changes a request before it is carried out. An answer that it returns is given in its place. */
  request?(heard: Heard): Said | void;
  /** Changes the answer of a request that was carried out. */
  answer?(heard: Heard, said: Said): void;
}

/** The outcome for the provider if the service has a difference. */
export type Outcome =
  | "works"
  /** It fails with a message that has these words, and succeeds once the difference is gone. */
  | { readonly fails: string };

/** One way in which the service may differ from the emulator. */
export interface Difference {
  readonly name: string;
  /** The behavior of the service, as a sentence without a subject: `answers a create with 200`. */
  readonly changes: string;
  /** The facts between which it lies: what is known, and what is not. */
  readonly between: string;
  readonly provider: Outcome;
  /** True if it takes a time: `lag=3s`. */
  readonly takesTime?: true;
  /** Creates its effect. @param ms time that was given */
  effect(ms: number): Effect;
}

/** Declares a difference with which the provider works. */
export function bears(name: string, changes: string, between: string, effect: Effect | ((ms: number) => Effect)): Difference {
  return { name, changes, between, provider: "works", effect: typeof effect === "function" ? effect : () => effect };
}

/** Declares a difference with which the provider fails clearly. */
export function refuses(name: string, changes: string, between: string, fails: string, effect: Effect): Difference {
  return { name, changes, between, provider: { fails }, effect: () => effect };
}

/** Areas whose records programs manage. */
const managed = new Set(["labels", "tags", "tests.agentToServer", "tests.httpServer", "tests.dynamic"]);

export function areaOf({ operation }: Pick<Heard, "operation">): string {
  return operation.id.slice(0, operation.id.lastIndexOf("."));
}

export function isManaged(heard: Pick<Heard, "operation">): boolean {
  return managed.has(areaOf(heard));
}

/** The records of a successful answer: those of a list, or the one that was created, read or updated. */
export function recordsOf(heard: Heard, { status, body }: Said): Json[] {
  if (status >= 300 || typeof body !== "object" || body === null) return [];
  if (heard.verb !== "list" && heard.verb !== "filter") return ["create", "get", "update"].includes(heard.verb) ? [body] : [];
  return body.labels ?? body.tests ?? body.tags ?? body.agents ?? [];
}

export function idOf(record: Json): string {
  return String(record.id ?? record.testId);
}

/** Changes the answer to one verb of the areas whose records programs manage, where it is a success. */
export function onSuccess(verbs: string, change: (said: Said, heard: Heard) => void): Effect {
  return {
    answer(heard, said) {
      if (isManaged(heard) && verbs.split(" ").includes(heard.verb) && said.status < 300) change(said, heard);
    },
  };
}

/** Changes every record in answers. */
export function inRecords(change: (record: Json, heard: Heard) => void): Effect {
  return {
    answer(heard, said) {
      if (isManaged(heard)) for (const record of recordsOf(heard, said)) change(record, heard);
    },
  };
}

/** Changes what a create or an update asks for, so that the changed values are stored. */
export function inRequests(change: (body: Json, heard: Heard) => void): Effect {
  return {
    request(heard) {
      if (isManaged(heard) && heard.body && ["create", "update"].includes(heard.verb)) change(heard.body, heard);
    },
  };
}

/** Changes a text member wherever requests have it. */
export function inTexts(members: readonly string[], change: (text: string) => string): Effect {
  return inRequests((body) => {
    for (const member of members) if (typeof body[member] === "string") body[member] = change(body[member]);
  });
}

export function problem(status: number, title: string, more: object = {}): Said {
  const headers = { "content-type": "application/problem+json" };
  return { status, headers, body: { type: "about:blank", title, status, ...more } };
}
