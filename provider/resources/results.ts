import { setTimeout as sleep } from "node:timers/promises";
import { pages, type Client } from "../../api";
import type { Measures } from "../kind";
import { oncePerGroup } from "../once-per-group";
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

/** Milliseconds to wait before a request, so that runs that start at about the same time can share the request. */
const batchWindowMs = 15;
const maxTestsPerRequest = 100;
/** Pause between consecutive reads, in milliseconds: the increase for each waiting test, and the maximum. */
const [spacingPerTestMs, maxSpacingMs] = [250, 2_000];
/** Milliseconds without a read request until a test no longer counts as waiting. */
const inactiveAfterMs = 10_000;

/**
 * Reads the measurements of tests. Runs that wait at the same time share requests. The pause between requests grows with the
 * number of waiting runs, because all clients of an organization share a rate limit.
 */
export class Results {
  #pending: PendingRead[] = [];
  #reading = false;
  /** Earliest time of the next read, as a value of `performance.now()`. */
  #nextReadAt = 0;
  readonly #lastReadAt = new Map<string, number>();

  constructor(
    private readonly client: Client,
    private readonly accountGroupId: string | undefined,
  ) {}

  /** Returns the reader of an account group. All runs in a session share the reader. */
  static readonly of = oncePerGroup(({ client }, accountGroupId) => new Results(client, accountGroupId));

  /** Reads the measurements of a test from the rounds of the last `seconds` seconds. */
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

  /** Returns the milliseconds until the next read request. The pause depends on the number of tests that had a read request recently. */
  #spacing(batch: readonly MeasuredTest[]): number {
    const now = performance.now();
    for (const { testId } of batch) this.#lastReadAt.set(testId, now);
    for (const [testId, readAt] of this.#lastReadAt) if (now - readAt > inactiveAfterMs) this.#lastReadAt.delete(testId);
    return Math.min(spacingPerTestMs * this.#lastReadAt.size, maxSpacingMs);
  }
}

/**
 * Reads the measurements of several tests, and returns the measurements by test id. The method combines the network results and the HTTP
 * results of a round into one measurement. In a dynamic test, an agent has one measurement for each session.
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

/**
 * Reads the results of scheduled tests. The method reads HTTP results last, because they overwrite the availability from the network
 * results.
 */
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

/** Combines two results of an agent for the same round. The combined result contains the worse of the two values for each measurement. */
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

/** Whether the server answered without an error. If the result has no status code, only the error type `none` proves a response. */
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

/** Yields pages of test results. The service has a separate API operation for the results of a single test. */
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
