import { setTimeout as delay } from "node:timers/promises";
import { allOperations, type Operation } from "../../api/schemas";
import { Router } from "../../emulator/router";
import type { Access } from "./access";
import { mask } from "./mask";
import { CannotAsk } from "./row";
import { Shapes } from "./shapes";

/** A request, as a probe or the relay makes it. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent instead of `body`, as it is. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bearer token; null sends none. @defaultValue that of the account */
  readonly token?: string | null;
}

/** A probe looks into answers whose shape is what is asked for. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Body = any;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  /** The body as it was sent, where `body` is as the client understands it. */
  readonly received: Body;
  /** Whether the body begins with a byte order mark. */
  readonly isMarked: boolean;
}

/** A request and its answer as they are shown and recorded: without secrets. */
export interface Exchange {
  readonly row: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query: Record<string, string[]>;
    readonly headers: Record<string, string>;
    /** Whose token it carried. */
    readonly as: "account" | "reader" | "nobody" | "other";
    readonly body?: unknown;
    /** Set where `body` is text that was sent as it is. */
    readonly raw?: true;
  };
  readonly response: { readonly status: number; readonly headers: Record<string, string>; readonly body?: unknown };
}

/** Headers of an answer that reports and recordings keep. */
const keptHeaders = new Set(["allow", "content-type", "location", "x-organization-rate-limit-limit"]);
const router = new Router([]);

export function operationOf({ method, path }: Pick<Asked, "method" | "path">): Operation | undefined {
  const match = router.match(method, path);
  return match.matched === "operation" ? match.operation : undefined;
}

/** Longest wait for a request budget: it is one of a minute. */
const maxWaitMs = 65_000;
/** Requests kept for cleaning up, beyond the budget. */
const spare = 100;
/** Characters of a body that reports and recordings hold: a larger one says nothing but its length. */
const maxShown = 20_000;
/** An answer that takes longer is a failure. */
const timeoutMs = 60_000;

/** All requests of a run: paced, counted, checked against the contract, kept without secrets. Changes only what this run made. */
export class Session {
  readonly exchanges: Exchange[] = [];
  readonly shapes = new Shapes();
  /** Paths of the records that this run made and that are there still. */
  readonly own = new Set<string>();
  /** Refusals and failures for which the service had no reason: a 429 within the request budget, and any 5xx. */
  readonly trouble: string[] = [];
  #sent = 0;
  #token: string | undefined;

  constructor(
    readonly access: Access,
    private readonly note: (text: string) => void = () => undefined,
  ) {}

  get sent(): number {
    return this.#sent;
  }

  async send(row: string, asked: Asked, { cleaning = false } = {}): Promise<Answer> {
    const operation = operationOf(asked);
    this.#allow(asked, operation, cleaning);
    const token = asked.token === undefined ? await this.token() : asked.token;
    const answer = await this.#paced(asked, token, cleaning);
    if (operation) {
      this.shapes.note(operation, answer);
      this.#remember(asked, operation, answer);
    }
    this.exchanges.push(this.#shown(row, asked, token, answer));
    return answer;
  }

  /** The account's token; one is asked for where a client is given instead. */
  async token(): Promise<string> {
    const { token, clientId = "", clientSecret = "", scope } = this.access;
    if (token !== undefined) return token;
    if (this.#token === undefined) {
      const form = new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret });
      if (scope !== undefined) form.set("scope", scope);
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const answer = await this.#paced({ method: "POST", path: tokenPath, raw: form.toString(), headers }, null, false);
      if (typeof answer.body?.access_token !== "string")
        throw new Error(`POST ${tokenPath} answered ${answer.status} without a token`);
      this.#token = String(answer.body.access_token);
    }
    return this.#token;
  }

  /** Deletes what this run made and has not deleted; what cannot be deleted stays in `own`. */
  async clean(row: string, keep: ReadonlySet<string> = new Set()): Promise<void> {
    // A label goes after the tests that select by it.
    for (const path of [...this.own].toReversed()) {
      if (keep.has(path)) continue;
      const query = { aid: this.access.accountGroupId };
      const { status } = await this.send(row, { method: "DELETE", path, query }, { cleaning: true });
      if (status === 404) this.own.delete(path);
    }
  }

  #allow({ method, path }: Asked, operation: Operation | undefined, cleaning: boolean): void {
    const changes = operation?.writes ?? !["GET", "HEAD", "OPTIONS"].includes(method);
    if (changes && this.access.readOnly) throw new CannotAsk("the run only reads (--read-only)");
    if (this.#sent >= this.access.maxRequests + (cleaning ? spare : 0)) {
      throw new CannotAsk(`the request budget of ${this.access.maxRequests} is exhausted (--max-requests)`);
    }
    if (!["PATCH", "PUT", "DELETE"].includes(method)) return;
    const mayChange = cleaning || this.own.has(path) || isMissing(path) || this.#isGivenAgent(method, path);
    if (operation && !mayChange) throw new Error(`${method} ${path} would change a record that this run did not make.`);
  }

  #isGivenAgent(method: string, path: string): boolean {
    const { agentId } = this.access;
    return agentId !== undefined && method === "PATCH" && path === `/v7/endpoint/agents/${agentId}`;
  }

  #remember({ method, path }: Asked, operation: Operation, { status, body }: Answer): void {
    if (status < 200 || status > 299) return;
    // Whatever it says of a deletion: what is left is found again by its name.
    if (method === "DELETE") this.own.delete(path);
    const isBulk = operation.id.endsWith(".createBulk") && status === operation.status;
    for (const { id } of isBulk ? (body?.tags ?? []) : []) this.own.add(`${path.replace(/\/bulk$/, "")}/${id}`);
    if (!/\.(create|instant)$/.test(operation.id)) return;
    const id = body?.id ?? body?.testId ?? body?.ruleId;
    if (id !== undefined) this.own.add(`${path.replace(/\/instant$/, "")}/${id}`);
  }

  /** Sends when the budget of the organization allows it; a 429 is waited out. */
  async #paced(asked: Asked, token: string | null, cleaning: boolean): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      this.#sent += 1;
      const answer = await this.#once(asked, token);
      const { "x-organization-rate-limit-remaining": remaining, "x-organization-rate-limit-reset": reset } = answer.headers;
      const limited = answer.status === 429;
      // Others share the budget: some of it is left to them.
      if (reset !== undefined && (limited || Number(remaining ?? 100) < 10) && !cleaning) {
        const wait = Math.min(Math.max(Number(reset) * 1000 - Date.now(), 0) + 500, maxWaitMs);
        this.note(`waiting ${Math.ceil(wait / 1000)} s for the organization's request limit`);
        await delay(wait);
      }
      const failed = answer.status >= 500 && asked.method !== "POST";
      if (failed || (limited && remaining !== "0")) this.trouble.push(`${asked.method} ${answer.status}`);
      if (!(limited || failed) || attempt === 3) return answer;
    }
  }

  async #once({ method, path, query = {}, body, raw, headers }: Asked, token: string | null): Promise<Answer> {
    const url = new URL(this.access.baseUrl + path);
    for (const [name, values] of Object.entries(query)) {
      for (const value of [values].flat()) url.searchParams.append(name, value);
    }
    const answer = await fetch(url, {
      method,
      redirect: "manual",
      headers: {
        accept: "application/hal+json, application/json, application/problem+json",
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      body: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = Buffer.from(await answer.arrayBuffer()).toString();
    const isMarked = text.startsWith("\ufeff");
    const received = parsed(isMarked ? text.slice(1) : text);
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: received, received, isMarked };
  }

  #shown(
    row: string,
    { method, path, query = {}, headers = {}, body, raw }: Asked,
    token: string | null,
    answer: Answer,
  ): Exchange {
    const secrets = this.access.secrets;
    const kept = Object.entries(answer.headers).filter(([name]) => keptHeaders.has(name));
    const whole = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const isLarge = whole !== undefined && whole.length > maxShown;
    const text = isLarge ? `(${whole.length} characters)` : typeof raw === "string" ? raw : raw && "(bytes)";
    const { authorization: _secret, ...shownHeaders } = headers;
    const exchange: Exchange = {
      row,
      request: {
        method,
        path,
        query: Object.fromEntries(Object.entries(query).map(([name, values]) => [name, [values].flat()])),
        headers: { ...(body !== undefined && { "content-type": "application/json" }), ...shownHeaders },
        as: this.#speaker(token),
        ...(text === undefined ? body !== undefined && { body } : { body: text, raw: true }),
      },
      response: {
        status: answer.status,
        headers: Object.fromEntries(kept),
        ...(answer.body !== undefined && { body: answer.body }),
      },
    };
    return mask(exchange, secrets) as Exchange;
  }

  #speaker(token: string | null): Exchange["request"]["as"] {
    if (token === null) return "nobody";
    if (token === this.access.readerToken) return "reader";
    return token === (this.access.token ?? this.#token) ? "account" : "other";
  }
}

const tokenPath = allOperations().find(({ id }) => id === "token.issue")?.path ?? "";

/** Ids that no record has: what is asked about them changes nothing. */
export const missing = { id: "1", uuid: "00000000-0000-4000-8000-000000000000" } as const;

function isMissing(path: string): boolean {
  return Object.values(missing).includes(path.split("/").at(-1) as "1");
}

function parsed(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
