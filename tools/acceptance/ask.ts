import { setTimeout as delay } from "node:timers/promises";
import { operations } from "../../api/schemas";
import { CannotAsk } from "./row";
import { type Answer, type OutgoingRequest, type Body, type Exchange, missing, operationOf, type Session } from "./session";
import { understood } from "./understood";

/** Prefix of the names of all records, which identifies leftovers of interrupted runs. */
export const prefix = "pem-acceptance ";

export const paths = {
  label: operations.labels.list.path,
  tag: operations.tags.list.path,
  alertRule: operations.alertRules.list.path,
  stream: operations.streams.list.path,
  agentToServer: operations.agentToServerTests.list.path,
  httpServer: operations.httpServerTests.list.path,
  dynamic: operations.dynamicTests.list.path,
  agents: operations.agents.list.path,
  networkResults: operations.networkResults.filterMulti.path,
  httpResults: operations.httpServerResults.filterMulti.path,
  token: operations.token.issue.path,
} as const;

export type TestKind = "agentToServer" | "httpServer" | "dynamic";
export const testKinds: readonly TestKind[] = ["agentToServer", "httpServer", "dynamic"];

/** Members that a create requires in addition to name and agent selection. */
const targets = {
  agentToServer: { server: "www.example.com" },
  httpServer: { url: "https://www.example.com" },
  dynamic: { application: "webex" },
} as const;

const settleStepMs = 25;
const maxSettleMs = 10_000;

type Options = Pick<OutgoingRequest, "query" | "headers" | "token" | "raw"> & {
  /** Account group of the request; null for a request without an account group. @defaultValue the run's account group */
  aid?: string | null;
  /** Whether to return the raw response instead of the client's parsed response. */
  exact?: true;
};

/** Records that several checks use. A run creates each shared record once, and deletes it at the end. */
export interface Shared {
  nobody?: Promise<CreatedRecord>;
  readonly tests: Partial<Record<TestKind, Promise<CreatedRecord>>>;
  tag?: Promise<CreatedRecord>;
  /** The read lag in ms. Reads wait until this time after the last write. */
  settleMs: number;
  writtenAt: number;
  /**
   * Time of the last request that wrote. The service stored the data later, so a lag measured from this time is never too
   * short.
   */
  sentAt: number;
  /** Paths of the shared records, which the cleanup after a check keeps. */
  readonly paths: Set<string>;
}

export function newShared(): Shared {
  return { tests: {}, paths: new Set(), settleMs: 0, writtenAt: 0, sentAt: 0 };
}

interface CreatedRecord {
  readonly record: Body;
  readonly exchange: Exchange | undefined;
}

/** Sends the requests of one check, which tests one assumption about the service. */
export class Ask {
  /** Requests of earlier checks whose responses this check uses. */
  readonly earlier: Exchange[] = [];
  #names = 0;

  constructor(
    private readonly session: Session,
    private readonly row: string,
    private readonly shared: Shared,
  ) {}

  get access() {
    return this.session.access;
  }

  async send(method: string, path: string, body?: unknown, { aid, query, exact, ...rest }: Options = {}): Promise<Answer> {
    const { settleMs, writtenAt } = this.shared;
    const waitMs = settleMs - (performance.now() - writtenAt);
    if (method === "GET" && waitMs > 0) await delay(waitMs);
    const group = aid === undefined ? this.access.accountGroupId : aid;
    const asked = { method, path, body, ...rest, query: { ...(group !== null && { aid: group }), ...query } };
    if (method !== "GET") this.shared.sentAt = performance.now();
    const answer = await this.session.send(this.row, asked);
    if (method !== "GET") this.shared.writtenAt = performance.now();
    return exact ? answer : understood(this.session, this.row, asked, answer);
  }

  /**
   * Repeats a read for at most 10 s, until the result shows a write. Later reads wait for the measured time. @returns the first
   * result
   */
  async settled(look: () => Promise<Readonly<Record<string, boolean>>>): Promise<Readonly<Record<string, boolean>>> {
    const { settleMs } = this.shared;
    this.shared.settleMs = 0;
    const from = performance.now();
    const first = await look();
    let seen = first;
    while (Object.values(seen).includes(false) && performance.now() - from < maxSettleMs) {
      await delay(settleStepMs);
      seen = await look();
    }
    this.shared.settleMs = seen === first ? settleMs : Math.max(settleMs, performance.now() - this.shared.sentAt);
    return first;
  }

  /** Requests that failed in the service, or that the service refused without a reason. */
  get trouble(): readonly string[] {
    return [...new Set(this.session.trouble)].toSorted();
  }

  get(path: string, query?: OutgoingRequest["query"], options: Options = {}): Promise<Answer> {
    return this.send("GET", path, undefined, { ...options, query });
  }

  post(path: string, body?: unknown, options?: Options): Promise<Answer> {
    return this.send("POST", path, body, options);
  }

  patch(path: string, body: unknown, options?: Options): Promise<Answer> {
    return this.send("PATCH", path, body, options);
  }

  put(path: string, body: unknown): Promise<Answer> {
    return this.send("PUT", path, body);
  }

  delete(path: string): Promise<Answer> {
    return this.send("DELETE", path);
  }

  token(form: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
    const raw = new URLSearchParams({ grant_type: "client_credentials", ...form }).toString();
    const type = { "content-type": "application/x-www-form-urlencoded" };
    return this.send("POST", paths.token, undefined, { raw, headers: { ...type, ...headers }, token: null, aid: null });
  }

  /** Returns a record name that is unique in the run. */
  name(): string {
    this.#names += 1;
    return `${prefix}${this.row} ${this.#names}`;
  }

  labelBody(over: object = {}): object {
    return { name: this.name(), matchType: "or", filters: [{ key: "hostname", mode: "in", values: [missing.uuid] }], ...over };
  }

  async label(over?: object): Promise<Answer> {
    await this.nobody();
    return this.post(paths.label, this.labelBody(over));
  }

  /** Returns the body of an endpoint agent tag that matches no agent. */
  tagBody(over: object = {}): object {
    const fixed = { objectType: "endpoint-agent", type: "dynamic", accessType: "all" };
    const filters = [{ key: "hostname", mode: "in", scope: "default", values: [missing.uuid] }];
    return { key: this.name(), value: "yes", matchType: "or", filters, ...fixed, ...over };
  }

  async tag(over?: object): Promise<Answer> {
    await this.#tags();
    return this.post(paths.tag, this.tagBody(over));
  }

  #tags(): Promise<CreatedRecord> {
    this.shared.tag ??= this.post(paths.tag, this.tagBody()).then((answer) => this.#share(paths.tag, answer, "id"));
    return this.shared.tag;
  }

  /** Creates a static tag of tests that has no tests. */
  async staticTag(over: object = {}): Promise<Answer> {
    await this.#tags();
    return this.post(paths.tag, { key: this.name(), value: "yes", objectType: "endpoint-test", accessType: "all", ...over });
  }

  /** Creates a test. By default, the test selects no agents. */
  async test(kind: TestKind, over: object = {}): Promise<Answer> {
    await this.plain(kind);
    return this.post(paths[kind], await this.#testBody(kind, over));
  }

  async #testBody(kind: TestKind, over: object = {}): Promise<object> {
    const selection = { agentSelectorType: "agent-labels", endpointAgentLabels: [await this.nobody()] };
    return { testName: this.name(), ...targets[kind], ...selection, ...over };
  }

  /** Returns the id of a label without agents. Tests select this label, so that no agent runs them. */
  async nobody(): Promise<string> {
    this.shared.nobody ??= this.post(paths.label, this.labelBody()).then((answer) => this.#share(paths.label, answer, "id"));
    return String((await this.shared.nobody).record.id);
  }

  /** Returns the record of a test with only required members. All checks share the record. */
  async plain(kind: TestKind): Promise<Body> {
    this.shared.tests[kind] ??= this.#testBody(kind)
      .then((body) => this.post(paths[kind], body))
      .then((answer) => this.#share(paths[kind], answer, "testId"));
    const { record, exchange } = await this.shared.tests[kind];
    if (exchange && exchange.row !== this.row) this.earlier.push(exchange);
    return record;
  }

  #share(path: string, { status, body }: Answer, id: "id" | "testId"): CreatedRecord {
    if (status !== 201) {
      const operation = operationOf({ method: "POST", path });
      if (operation) this.session.shapes.wrong(operation, `status ${status} for the smallest record: ${JSON.stringify(body)}`);
      throw new CannotAsk(`a record for several checks was not created: POST ${path} answered ${status}`);
    }
    this.shared.paths.add(`${path}/${body[id]}`);
    // Requests are sent one after the other, so the last request belongs to this response.
    return { record: body, exchange: this.session.exchanges.at(-1) };
  }

  /** @throws CannotAsk if the account does not provide the value */
  need<T>(value: T | undefined | null, what: string): T {
    if (value === undefined || value === null) throw new CannotAsk(what);
    return value;
  }

  /** Returns the client id and secret of the account. */
  client(): { client_id: string; client_secret: string } {
    const { clientId, clientSecret } = this.access;
    const what = "it requires a client: set ENDPOINT_MONITORING_CLIENT_ID and _CLIENT_SECRET instead of a token";
    return { client_id: this.need(clientId, what), client_secret: this.need(clientSecret, what) };
  }

  /** Returns the id of another account group of the user. */
  async otherGroup(): Promise<string> {
    const { status, body } = await this.get(operations.accountGroups.list.path, undefined, { aid: null });
    if (status !== 200) throw new CannotAsk(`the list of account groups answered ${status}`);
    const other = body.accountGroups.find(({ aid }: Body) => String(aid) !== this.access.accountGroupId);
    return String(this.need(other, "it requires a second account group of the user").aid);
  }

  async agents(atLeast = 1): Promise<Body[]> {
    const { body } = await this.get(paths.agents, { max: "50" });
    if (body.agents.length < atLeast)
      throw new CannotAsk(`the account group has ${body.agents.length} agents, and the check requires ${atLeast}`);
    return body.agents;
  }

  search(body: object, query?: OutgoingRequest["query"]): Promise<Answer> {
    return this.post(operations.agents.filter.path, body, { query });
  }

  ownAgent(): string {
    return `${paths.agents}/${this.need(this.access.agentId, "it requires an agent that may be changed (--agent ID)")}`;
  }

  /** Returns the network or HTTP server results of all tests from the last week. */
  async results(path: string, atLeast = 1): Promise<Body[]> {
    const { body } = await this.post(path, {}, { query: { window: "7d" } });
    const count = body.results?.length ?? 0;
    if (count < atLeast)
      throw new CannotAsk(`the last week has ${count} results, and the check requires ${atLeast}: let an agent run a test`);
    return body.results;
  }
}
