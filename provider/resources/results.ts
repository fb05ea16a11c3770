import { setTimeout as sleep } from "node:timers/promises";
import { pages, type Client } from "../../api";
import type { Measures } from "../kind";
import type { Session } from "../session";
import type { Measurement } from "../measurement";

export interface MeasuredTest extends Measures {
  testId: string;
  /** Whether agents measure user sessions, as in a dynamic test. */
  ofSessions?: true;
}

interface PendingRead extends MeasuredTest {
  /** Maximum age of the results, in seconds. */
  seconds: number;
  result: PromiseWithResolvers<Measurement[]>;
}

/** Milliseconds to wait before a request, so that other runs can add their tests. Many runs start at about the same time. */
const batchWindowMs = 15;
const maxTestsPerRequest = 100;
/** Milliseconds between two reads. Each waiting test adds to the pause, up to a maximum. */
const [spacingPerTestMs, maxSpacingMs] = [250, 2_000];
/** Milliseconds after which a test without a read no longer counts as waiting. */
const inactiveAfterMs = 10_000;

/** Readers of results that all runs of a session share, by account group. */
const shared = new WeakMap<Session, Map<string | undefined, Results>>();

/**
 * Reads the measurements of tests. Runs that wait at the same time share requests. More waiting runs cause longer pauses,
 * because all clients of an organization share a request limit.
 */
export class Results {
  #pending: PendingRead[] = [];
  #reading = false;
  /** Earliest time of the next read, by `performance.now()`. */
  #nextReadAt = 0;
  readonly #lastReadAt = new Map<string, number>();

  constructor(
    private readonly client: Client,
    private readonly accountGroupId: string | undefined,
  ) {}

  static of(session: Session, accountGroupId: string | undefined): Results {
    let ofSession = shared.get(session);
    if (!ofSession) shared.set(session, (ofSession = new Map()));
    let results = ofSession.get(accountGroupId);
    if (!results) ofSession.set(accountGroupId, (results = new Results(session.client, accountGroupId)));
    return results;
  }

  /** Reads the measurements of a test from the rounds of the last `seconds`. */
  read(test: MeasuredTest, seconds: number): Promise<Measurement[]> {
    const result = Promise.withResolvers<Measurement[]>();
    this.#pending.push({ ...test, seconds: Math.ceil(seconds), result });
    if (!this.#reading) void this.#readOn();
    return result.promise;
  }

  async #readOn(): Promise<void> {
    this.#reading = true;
    while (this.#pending.length > 0) {
      await sleep(Math.max(batchWindowMs, this.#nextReadAt - performance.now()));
      const batch = this.#pending.splice(0, maxTestsPerRequest);
      this.#nextReadAt = performance.now() + this.#spacing(batch);
      try {
        const measured = await measurementsOfRounds(
          this.client,
          batch,
          this.accountGroupId,
          batch.reduce((most, { seconds }) => Math.max(most, seconds), 0),
        );
        for (const read of batch) read.result.resolve(measured.get(read.testId) ?? []);
      } catch (error) {
        for (const read of batch) read.result.reject(error);
      }
    }
    this.#reading = false;
  }

  /** Returns the milliseconds until the next read. The pause depends on the number of tests that were read recently. */
  #spacing(batch: readonly MeasuredTest[]): number {
    const now = performance.now();
    for (const { testId } of batch) this.#lastReadAt.set(testId, now);
    for (const [testId, readAt] of this.#lastReadAt) if (now - readAt > inactiveAfterMs) this.#lastReadAt.delete(testId);
    return Math.min(spacingPerTestMs * this.#lastReadAt.size, maxSpacingMs);
  }
}

/**
 * Reads the measurements of tests, by test id. Network and HTTP results of a round become one measurement. In a dynamic test,
 * an agent has one measurement for each session.
 */
export async function measurementsOfRounds(
  client: Client,
  tests: readonly MeasuredTest[],
  accountGroupId: string | undefined,
  seconds: number,
): Promise<Map<string, Measurement[]>> {
  const byTest = new Map(tests.map(({ testId }): [string, Measurement[]] => [testId, []]));
  const scheduled = tests.filter(({ ofSessions }) => !ofSessions);
  for (let first = 0; first < scheduled.length; first += maxTestsPerRequest) {
    const combined = new Map<string, { measurement: Measurement; parts: Set<ResultPart> }>();
    const batch = scheduled.slice(first, first + maxTestsPerRequest);
    await readRows(client, batch, accountGroupId, seconds, ({ testId, agentId, roundId }, part, measured) => {
      const rows = byTest.get(testId);
      if (!rows) return;
      const key = `${testId} ${agentId} ${roundId}`;
      const known = combined.get(key);
      if (!known) {
        const measurement = { ...measured, agentId, roundId };
        combined.set(key, { measurement, parts: new Set([part]) });
        rows.push(measurement);
      } else if (known.parts.has(part)) Object.assign(known.measurement, worse(known.measurement, measured));
      else {
        known.parts.add(part);
        Object.assign(known.measurement, measured);
      }
    });
  }
  const query = { aid: accountGroupId, window: `${Math.ceil(seconds)}s` };
  for (const { testId } of tests.filter(({ ofSessions }) => ofSessions)) {
    for await (const page of pages(client.networkResults.filterDynamic, { path: { testId }, query, body: {} })) {
      for (const row of page.results)
        byTest.get(testId)?.push({ ...networkFigures(row), agentId: row.agentId, roundId: row.roundId });
    }
  }
  return byTest;
}

type ResultPart = keyof Measures;
type Figures = Omit<Measurement, "agentId" | "roundId">;

/** Reads the results of scheduled tests. HTTP results come last, because they decide whether the target was available. */
async function readRows(
  client: Client,
  tests: readonly MeasuredTest[],
  accountGroupId: string | undefined,
  seconds: number,
  onRow: (row: ResultRow, part: ResultPart, measured: Figures) => void,
): Promise<void> {
  const query = { aid: accountGroupId, window: `${Math.ceil(seconds)}s` };
  const { networkResults, httpServerResults } = client;
  for await (const rows of rowsOf(tests, query, networkResults.filter, networkResults.filterMulti)) {
    for (const row of rows) onRow(row, "network", networkFigures(row));
  }
  const http = tests.filter((test) => test.http);
  if (http.length === 0) return;
  for await (const rows of rowsOf(http, query, httpServerResults.filter, httpServerResults.filterMulti)) {
    for (const row of rows) {
      const { responseTime, responseCode, errorType, errorDetails } = row;
      onRow(row, "http", { available: isReached(row), responseTime, responseCode, errorType, errorDetails });
    }
  }
}

function networkFigures({
  loss,
  avgLatency,
  errorDetails,
}: Pick<Measurement, "loss" | "avgLatency" | "errorDetails">): Figures {
  return { available: (loss ?? 100) < 100, loss, avgLatency, errorDetails };
}

/** Combines two results of an agent in a round. If the two values differ, the worse value counts. */
function worse(a: Figures, b: Figures): Figures {
  const most = (...values: (number | undefined)[]): number | undefined => {
    const known = values.filter((value) => value !== undefined);
    return known.length === 0 ? undefined : known.reduce((largest, value) => Math.max(largest, value));
  };
  return {
    ...(a.available ? b : a),
    loss: most(a.loss, b.loss),
    avgLatency: most(a.avgLatency, b.avgLatency),
    responseTime: most(a.responseTime, b.responseTime),
  };
}

/**
 * Whether the server answered without an error. A result without a status code and without an error type contains no answer.
 */
function isReached({ responseCode, errorType }: Pick<Measurement, "responseCode" | "errorType">): boolean {
  if (responseCode === undefined) return errorType === "none";
  return responseCode >= 100 && responseCode < 400 && (errorType ?? "none") === "none";
}

interface ResultRow {
  testId: string;
  agentId: string;
  roundId: number;
}

interface ResultPage<R> {
  results: R[];
  _links?: { next?: { href: string } };
}
interface ResultQuery {
  aid?: string;
  window: string;
}
type FilterOne<R> = (request: { path: { testId: string }; query: ResultQuery; body: object }) => Promise<ResultPage<R>>;
type FilterMany<R> = (request: { query: ResultQuery; body: { searchFilters: { testId: string[] } } }) => Promise<ResultPage<R>>;

/** Yields the results of tests, page by page. The service has a separate operation for a single test. */
async function* rowsOf<R extends ResultRow>(
  tests: readonly MeasuredTest[],
  query: ResultQuery,
  filter: FilterOne<R>,
  many: FilterMany<R>,
): AsyncGenerator<R[]> {
  const ids = [...new Set(tests.map(({ testId }) => testId))];
  const [first = "", ...others] = ids;
  const results =
    others.length === 0
      ? pages(filter, { path: { testId: first }, query, body: {} })
      : pages(many, { query, body: { searchFilters: { testId: ids } } });
  for await (const page of results) yield page.results;
}
