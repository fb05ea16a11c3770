import { setTimeout as sleep } from "node:timers/promises";
import { pages, type Client } from "../../api";
import type { Measures } from "../kind";
import type { Session } from "../session";
import type { Measurement } from "../measurement";

/** A test whose results are read. */
export interface Tested extends Measures {
  testId: string;
}

/** What each agent measured last, by agent. */
export type Measurements = Map<string, Measurement>;

interface Waiting extends Tested {
  /** How far back to look, in seconds. */
  seconds: number;
  found: PromiseWithResolvers<Measurements>;
}

/** How long the first test waits for company, in ms: many runs start at once. */
const gathering = 15;
/** Most tests of one request. */
const largest = 100;
/** Time between two reads in ms: so much for each test that is waited for, and no more than that. */
const [spacingOfOne, longestSpacing] = [250, 2_000];
/** A test that was not asked for so long, in ms, is no longer waited for. */
const forgotten = 10_000;

/** The results that the runs of a session share, by account group. */
const shared = new WeakMap<Session, Map<string | undefined, Results>>();

/**
 * Reads the newest measurement of each agent on scheduled tests. Runs that wait for their results at the same time ask together, and
 * the more they are the less often: the request budget is the organisation's, and others live on it too.
 */
export class Results {
  #waiting: Waiting[] = [];
  #reading = false;
  /** When the next read may begin, by `performance.now()`. */
  #next = 0;
  /** When each test was last read. */
  readonly #read = new Map<string, number>();

  constructor(
    private readonly client: Client,
    private readonly aid: string | undefined,
  ) {}

  /** The one that all runs of a session in an account group share. */
  static of(session: Session, aid: string | undefined): Results {
    let ofSession = shared.get(session);
    if (!ofSession) shared.set(session, (ofSession = new Map()));
    let results = ofSession.get(aid);
    if (!results) ofSession.set(aid, (results = new Results(session.client, aid)));
    return results;
  }

  /** The newest measurement of each agent on a test that began within so many seconds. */
  read(test: Tested, seconds: number): Promise<Measurements> {
    const found = Promise.withResolvers<Measurements>();
    this.#waiting.push({ ...test, seconds: Math.ceil(seconds), found });
    if (!this.#reading) void this.#readOn();
    return found.promise;
  }

  async #readOn(): Promise<void> {
    this.#reading = true;
    while (this.#waiting.length > 0) {
      await sleep(Math.max(gathering, this.#next - performance.now()));
      const batch = this.#waiting.splice(0, largest);
      this.#next = performance.now() + this.#spacing(batch);
      try {
        const found = await measurements(this.client, batch, this.aid, Math.max(...batch.map(({ seconds }) => seconds)));
        for (const one of batch) one.found.resolve(found.get(one.testId) ?? new Map());
      } catch (error) {
        for (const one of batch) one.found.reject(error);
      }
    }
    this.#reading = false;
  }

  /** Runs ask each in their own time, so the tests of one read say little: those of the last seconds count. */
  #spacing(batch: readonly Tested[]): number {
    const now = performance.now();
    for (const { testId } of batch) this.#read.set(testId, now);
    for (const [testId, read] of this.#read) if (now - read > forgotten) this.#read.delete(testId);
    return Math.min(spacingOfOne * this.#read.size, longestSpacing);
  }
}

/** The newest measurement of each agent on each of these tests: network and HTTP results of one round together. */
export async function measurements(
  client: Client,
  tests: readonly Tested[],
  aid: string | undefined,
  seconds: number,
): Promise<Map<string, Measurements>> {
  const found = new Map(tests.map(({ testId }): [string, Measurements] => [testId, new Map()]));
  const query = { aid, window: `${seconds}s` };
  const newest = (row: Row, measured: Pick<Measurement, "available"> & Partial<Measurement>): void => {
    const known = found.get(row.testId)?.get(row.agentId);
    if (known && known.roundId > row.roundId) return;
    const both = known?.roundId === row.roundId ? known : undefined;
    // The HTTP answer decides on `available` where there is one; it comes second.
    found.get(row.testId)?.set(row.agentId, { ...both, ...measured, agentId: row.agentId, roundId: row.roundId });
  };
  const { networkResults, httpServerResults } = client;
  for await (const rows of rowsOf(tests, query, networkResults.filter, networkResults.filterMulti)) {
    for (const row of rows) {
      const { loss, avgLatency, errorDetails } = row;
      newest(row, { available: (loss ?? 100) < 100, loss, avgLatency, errorDetails });
    }
  }
  const http = tests.filter((test) => test.http);
  if (http.length === 0) return found;
  for await (const rows of rowsOf(http, query, httpServerResults.filter, httpServerResults.filterMulti)) {
    for (const row of rows) {
      const { responseTime, responseCode, errorType, errorDetails } = row;
      newest(row, { available: isReached(row), responseTime, responseCode, errorType, errorDetails });
    }
  }
  return found;
}

/** Whether the server gave an answer that is no error. A row that has neither a status nor a phase does not show one. */
function isReached({ responseCode, errorType }: Pick<Measurement, "responseCode" | "errorType">): boolean {
  if (responseCode === undefined) return errorType === "none";
  return responseCode < 400 && (errorType ?? "none") === "none";
}

interface Row {
  testId: string;
  agentId: string;
  roundId: number;
}

interface Page<R> {
  results: R[];
  _links?: { next?: { href: string } };
}
interface Query {
  aid?: string;
  window: string;
}
type OfOne<R> = (request: { path: { testId: string }; query: Query; body: object }) => Promise<Page<R>>;
type OfMany<R> = (request: { query: Query; body: { searchFilters: { testId: string[] } } }) => Promise<Page<R>>;

/** Result rows of these tests, page by page: a single test has an operation of its own. */
async function* rowsOf<R extends Row>(
  tests: readonly Tested[],
  query: Query,
  one: OfOne<R>,
  many: OfMany<R>,
): AsyncGenerator<R[]> {
  const ids = [...new Set(tests.map(({ testId }) => testId))];
  const [first = "", ...others] = ids;
  const found =
    others.length === 0
      ? pages(one, { path: { testId: first }, query, body: {} })
      : pages(many, { query, body: { searchFilters: { testId: ids } } });
  for await (const page of found) yield page.results;
}
