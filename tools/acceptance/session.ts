import { setTimeout as delay } from "node:timers/promises";
import { allOperations, type Operation } from "../../api/schemas";
import { Router } from "../../emulator/router";
import type { Access } from "./access";
import { mask } from "./mask";
import { CannotAsk } from "./row";
import { Shapes } from "./shapes";

/** A request that a check or the relay sends. */
export interface OutgoingRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** Request body, which is sent as JSON. */
  readonly body?: unknown;
  /** Raw request body, in place of `body`. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bearer token of the request; null for a request without a token. @defaultValue the account's token */
  readonly token?: string | null;
}

/** A response of unknown shape. The check that sent the request validates the response. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Body = any;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  /** The raw body of the response, if `body` contains the client's parsed response. */
  readonly received: Body;
  /** Whether the response's body begins with a byte order mark. */
  readonly isMarked: boolean;
}

/** A request and its response for reports and recordings, without secrets. */
export interface Exchange {
  readonly row: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query: Record<string, string[]>;
    readonly headers: Record<string, string>;
    /** The user whose token authorized the request. */
    readonly as: "account" | "reader" | "nobody" | "other";
    readonly body?: unknown;
    /** Whether `body` is the raw text of the response. */
    readonly raw?: true;
  };
  readonly response: { readonly status: number; readonly headers: Record<string, string>; readonly body?: unknown };
}

/** Headers of responses that reports and recordings contain. */
const keptHeaders = new Set(["allow", "content-type", "location", "x-organization-rate-limit-limit"]);
const router = new Router([]);

export function operationOf({ method, path }: Pick<OutgoingRequest, "method" | "path">): Operation | undefined {
  const match = router.match(method, path);
  return match.matched === "operation" ? match.operation : undefined;
}

/** Longest wait for the request budget, in ms. The budget is renewed every minute. */
const maxWaitMs = 65_000;
/** Number of further requests that only the cleanup may send. */
const spare = 100;
/** Maximum length of a body in reports and recordings, in characters. A larger body is replaced by its length. */
const maxShown = 20_000;
/** Maximum time until a response, in ms. */
const timeoutMs = 60_000;

/**
 * Sends all requests of a run within the request budget, and records them without secrets. The session checks responses against
 * the contract. Changes to records of other runs are refused.
 */
export class Session {
  readonly exchanges: Exchange[] = [];
  readonly shapes = new Shapes();
  /** Paths of existing records that this run created. */
  readonly own = new Set<string>();
  /** Unexpected responses: any 5xx, and a 429 although requests remained. */
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

  async send(row: string, asked: OutgoingRequest, { cleaning = false } = {}): Promise<Answer> {
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

  /** Returns the account's token. For client credentials, the session requests a token first. */
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

  /** Deletes the remaining records of this run. `own` keeps the records that cannot be deleted. */
  async clean(row: string, keep: ReadonlySet<string> = new Set()): Promise<void> {
    // Tests are deleted before the labels that they select.
    for (const path of [...this.own].toReversed()) {
      if (keep.has(path)) continue;
      const query = { aid: this.access.accountGroupId };
      const { status } = await this.send(row, { method: "DELETE", path, query }, { cleaning: true });
      if (status === 404) this.own.delete(path);
    }
  }

  #allow({ method, path }: OutgoingRequest, operation: Operation | undefined, cleaning: boolean): void {
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

  #remember({ method, path }: OutgoingRequest, operation: Operation, { status, body }: Answer): void {
    if (status < 200 || status > 299) return;
    // If the deletion failed, a later run finds the record by its name.
    if (method === "DELETE") this.own.delete(path);
    const isBulk = operation.id.endsWith(".createBulk") && status === operation.status;
    for (const { id } of isBulk ? (body?.tags ?? []) : []) this.own.add(`${path.replace(/\/bulk$/, "")}/${id}`);
    if (!/\.(create|instant)$/.test(operation.id)) return;
    const id = body?.id ?? body?.testId ?? body?.ruleId;
    if (id !== undefined) this.own.add(`${path.replace(/\/instant$/, "")}/${id}`);
  }

  /** Waits for the organization's request budget before a request and after a 429. */
  async #paced(asked: OutgoingRequest, token: string | null, cleaning: boolean): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      this.#sent += 1;
      const answer = await this.#once(asked, token);
      const { "x-organization-rate-limit-remaining": remaining, "x-organization-rate-limit-reset": reset } = answer.headers;
      const limited = answer.status === 429;
      // The last requests of the budget are left to other clients of the organization.
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

  async #once({ method, path, query = {}, body, raw, headers }: OutgoingRequest, token: string | null): Promise<Answer> {
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
    { method, path, query = {}, headers = {}, body, raw }: OutgoingRequest,
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

/** Ids that belong to no record, so requests for them change nothing. */
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
