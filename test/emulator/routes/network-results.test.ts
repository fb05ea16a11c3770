import { connect, type Server } from "node:net";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { closeServer, eventually, makeTest, networkRounds, portOf, resultsOf, silentServer } from "../loopback";
import { Bench, example, type Json, paths, shapeDifferences, fieldsOf } from "../support";
import { skipIdleTime } from "../../support/idle-time";

skipIdleTime();

let bench: Bench;
let server: Server;
let port: number;
/** The data for the searches. It takes some rounds, which run during other tests. */
let searched: Promise<Searched>;

beforeAll(async () => {
  bench = await Bench.start({ speed: 60 });
  server = silentServer();
  port = await portOf(server);
  searched = prepareSearches();
  // Only the searches report this failure.
  searched.catch(() => undefined);
});
afterAll(async () => {
  await bench.close();
  await closeServer(server);
});

/** Returns the shortest of several connection times in milliseconds, as this test measures them. */
async function ownLatency(): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 10; n += 1) {
    const before = performance.now();
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    times.push(performance.now() - before);
    socket.destroy();
  }
  return Math.min(...times);
}

/** Members that this machine cannot determine, or that only failures have. */
const unknown =
  /\.(networkProfile\.\w+|networkProfile|vpnProfile|batteryMetrics|cellularProfile|ztaMetrics|score|isIcmpBlocked|errorDetails|userProfile|cpuUtilization|next|labels\[\d\].*) is absent$/;

test.concurrent("the local agent measures a loopback target at the test's interval", async () => {
  const testId = await makeTest(bench, "agentToServer", { server: "127.0.0.1", port });
  const rounds = await networkRounds(bench, testId, 3);
  const agents = await bench.call("GET", "/v7/endpoint/agents");
  const { body } = await bench.call("POST", `${resultsOf(testId)}/network/filter?expand=user-profile`);
  expect(body.totalHits).toBe(body.results.length);
  expect(
    shapeDifferences(body, example("results.scheduled.network.filter.response")).filter(
      (difference) => !unknown.test(difference),
    ),
  ).toEqual([]);
  for (const round of rounds) {
    expect(round).toMatchObject({ testId, aid: "1001", loss: 0, serverIp: "127.0.0.1", agentId: agents.body.agents[0].id });
    expect(round.originalTargetProfile).toEqual({ protocol: "tcp", remoteIpAddress: "127.0.0.1", remotePort: port });
    expect(round.networkProfile).toMatchObject({ hardwareType: "loopback", ipAddress: "127.0.0.1" });
    expect(round.minLatency).toBeGreaterThan(0);
    expect(round.avgLatency).toBeGreaterThanOrEqual(round.minLatency);
    expect(round.maxLatency).toBeGreaterThanOrEqual(round.avgLatency);
    expect(round).not.toHaveProperty("errorDetails");
    expect(round).not.toHaveProperty("userProfile");
  }
  const ids = rounds.map(({ roundId }) => roundId);
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => b - a));
  // A simulated minute lasts a second: the third and first round are about two seconds apart.
  expect(ids[0] - ids[2]).toBeGreaterThanOrEqual(2);
  expect(ids[0] - ids[2]).toBeLessThan(60);

  // An independent client measures the same order of magnitude.
  const ownMs = await ownLatency();
  const measured = Math.min(...rounds.map(({ minLatency }) => minLatency));
  expect(measured).toBeLessThan(ownMs * 30 + 5);
  expect(ownMs).toBeLessThan(measured * 30 + 5);
});

test.concurrent("a closed port causes packet loss until the port opens again", async () => {
  const closing = silentServer();
  const its = await portOf(closing);
  const testId = await makeTest(bench, "agentToServer", { server: "localhost", port: its });
  await networkRounds(bench, testId);
  await closeServer(closing);
  const lost = await eventually(async () => (await networkRounds(bench, testId)).find(({ loss }) => loss === 100));
  expect(lost.errorDetails).toContain(`ECONNREFUSED 127.0.0.1:${its}`);
  expect(lost).not.toHaveProperty("avgLatency");
  const again = silentServer();
  await portOf(again, its);
  const seen = lost.roundId;
  await eventually(async () => (await networkRounds(bench, testId)).find(({ loss, roundId }) => loss === 0 && roundId > seen));
  await closeServer(again);
});

test.concurrent("a disabled test gets no new measurement rounds", async () => {
  // Its own bench, because a disabled agent affects all tests.
  const ownBench = await Bench.start({ speed: 60 });
  try {
    const testId = await makeTest(ownBench, "agentToServer", { server: "127.0.0.1", port });
    const [{ agentId }] = (await networkRounds(ownBench, testId)) as [Json];
    const testPath = `${paths.agentToServer}/${testId}`;
    const expectSilence = async () => {
      // A pending round may still arrive.
      await delay(1000);
      const before = await networkRounds(ownBench, testId);
      await delay(2300);
      expect((await networkRounds(ownBench, testId)).length).toBe(before.length);
    };
    await ownBench.call("PATCH", testPath, { body: { isEnabled: false } });
    await expectSilence();
    const count = (await networkRounds(ownBench, testId)).length;
    await ownBench.call("PATCH", testPath, { body: { isEnabled: true } });
    await networkRounds(ownBench, testId, count + 1);

    await ownBench.call("POST", `/v7/endpoint/agents/${agentId}/disable`);
    await expectSilence();
    await ownBench.call("POST", `/v7/endpoint/agents/${agentId}/enable`);
    await networkRounds(ownBench, testId, count + 2);

    await ownBench.call("DELETE", testPath);
    const gone = await ownBench.call("POST", `${resultsOf(testId)}/network/filter`);
    expect(gone.status).toBe(404);
    await eventually(async () => ((await ownBench.stored(`rounds-${testId}`)).length === 0 ? true : undefined));
  } finally {
    await ownBench.close();
  }
});

test.concurrent("tests of remote targets and tests of simulated agents get no measurement rounds", async () => {
  const away = await makeTest(bench, "agentToServer", { server: "www.example.com" });
  const agents = await bench.call("GET", "/v7/endpoint/agents");
  const other = agents.body.agents[1].id;
  const body = { server: "127.0.0.1", port, agentSelectorType: "specific-agents", agents: [other] };
  const elsewhere = await makeTest(bench, "agentToServer", body);
  const foreign = await bench.call("POST", `${paths.agentToServer}?aid=1002`, {
    body: { testName: "b", server: "127.0.0.1", port },
  });
  const here = await makeTest(bench, "agentToServer", { server: "127.0.0.1", port });
  await networkRounds(bench, here, 2);
  for (const [testId, aid] of [
    [away, ""],
    [elsewhere, ""],
    [foreign.body.testId, "?aid=1002"],
  ] as const) {
    const answer = await bench.call("POST", `${resultsOf(testId)}/network/filter${aid}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ results: [], totalHits: 0, _links: {}, test: { testId } });
  }
});

interface Searched {
  testId: string;
  closed: string;
  rounds: Json[];
}

/** Prepares a test with at least four rounds and no further ones, and a test with a closed target. */
async function prepareSearches(): Promise<Searched> {
  // After these rounds, all code is loaded and rounds come early in a second. A late round still gets its own second, which
  // is its id.
  await networkRounds(bench, await makeTest(bench, "agentToServer", { server: "127.0.0.1", port }), 2);
  await delay(1100 - (Date.now() % 1000));
  const testId = await makeTest(bench, "agentToServer", { server: "127.0.0.1", port });
  const closed = await makeTest(bench, "agentToServer", { server: "127.0.0.1", port: 1 });
  await networkRounds(bench, testId, 4);
  await networkRounds(bench, closed);
  await bench.call("PATCH", `${paths.agentToServer}/${testId}`, { body: { isEnabled: false } });
  // A pending round may still arrive.
  await delay(1000);
  return { testId, closed, rounds: await networkRounds(bench, testId) };
}

describe("search for network results", () => {
  let testId: string;
  let closed: string;
  let rounds: Json[];
  const search = async (body: Json, query = "") => bench.call("POST", `${resultsOf(testId)}/network/filter${query}`, { body });

  beforeAll(async () => {
    ({ testId, closed, rounds } = await searched);
  });

  test("a result search accepts the API document's example request", async () => {
    const body = example("results.scheduled.network.filter.request");
    const none = await search(body);
    expect(none.status).toBe(200);
    expect(none.body.results).toEqual([]);
    const agentId = [rounds[0].agentId];
    const thresholdFilter = { filters: [{ name: "loss", value: 0, operator: "lte" }] };
    expect((await search({ searchFilters: { agentId }, thresholdFilter })).body.totalHits).toBe(rounds.length);
  });

  test.each([
    ["gte", (value: number, limit: number) => value >= limit],
    ["lte", (value: number, limit: number) => value <= limit],
  ])("a result search applies thresholds with the operator %s", async (operator, holds) => {
    const limit = rounds[1].avgLatency;
    const matching = await search({ thresholdFilter: { filters: [{ name: "latency", value: limit, operator }] } });
    const expected = rounds.filter(({ avgLatency }) => holds(avgLatency, limit)).map(({ roundId }) => roundId);
    expect(expected.length).toBeGreaterThan(0);
    expect(matching.body.results.map(({ roundId }: Json) => roundId)).toEqual(expected);
  });

  test('a result search combines thresholds with "and" and "or"', async () => {
    const filters = [
      { name: "loss", value: 50, operator: "gte" },
      { name: "latency", value: 0, operator: "gte" },
    ];
    const hits = async (thresholdFilter: Json) => (await search({ thresholdFilter })).body.totalHits;
    expect(await hits({ filters })).toBe(0);
    expect(await hits({ filters, conditionalOperator: "and" })).toBe(0);
    expect(await hits({ filters, conditionalOperator: "or" })).toBe(rounds.length);
    expect(await hits({ filters: [] })).toBe(rounds.length);
    expect(await hits({ filters: [{ name: "signal-quality", value: 0, operator: "gte" }] })).toBe(0);
    expect(await hits({ filters: [{ name: "memory", value: 0, operator: "gte" }] })).toBe(rounds.length);
  });

  test("a result search sorts results by the requested keys", async () => {
    const sorted = async (searchSort: Json) => (await search({ searchSort })).body.results;
    const latencies = (await sorted([{ sort: "latency", order: "asc" }])).map(({ avgLatency }: Json) => avgLatency);
    expect(latencies).toEqual(rounds.map(({ avgLatency }) => avgLatency).toSorted((a, b) => a - b));
    const ids = rounds.map(({ roundId }) => roundId);
    expect((await sorted([{ sort: "round-id", order: "asc" }])).map(({ roundId }: Json) => roundId)).toEqual(ids.toReversed());
    const ties = await sorted([
      { sort: "loss", order: "asc" },
      { sort: "round-id", order: "asc" },
    ]);
    expect(ties.map(({ roundId }: Json) => roundId)).toEqual(ids.toReversed());
  });

  test("a result search accepts a time window or dates, but not both together", async () => {
    const at = (roundId: number) => new Date(roundId * 1000).toISOString();
    const [newest, oldest] = [rounds[0].roundId, rounds.at(-1).roundId];
    const hits = async (query: string) => (await search({}, query)).body.totalHits;
    expect(await hits("?window=1h")).toBe(rounds.length);
    expect(await hits("?window=3600s")).toBe(rounds.length);
    expect(await hits("?window=0s")).toBe(0);
    expect(await hits("?window=99999999999999w")).toBe(rounds.length);
    expect(await hits(`?startDate=${at(oldest)}&endDate=${at(newest)}`)).toBe(rounds.length);
    expect(await hits(`?startDate=${at(newest)}`)).toBe(1);
    expect(await hits(`?endDate=${at(newest - 1)}`)).toBe(rounds.filter(({ roundId }) => roundId < newest).length);
    const dated = await search({}, `?startDate=${at(oldest)}&endDate=${at(newest)}`);
    expect(dated.body).toMatchObject({ startDate: at(oldest).replace(".000", ""), endDate: at(newest).replace(".000", "") });
    for (const query of [
      `?window=1h&startDate=${at(oldest)}`,
      `?startDate=${at(newest)}&endDate=${at(oldest)}`,
      "?window=1y",
    ]) {
      const refused = await search({}, query);
      expect([query, refused.status, fieldsOf(refused.body).length]).toEqual([query, 400, 1]);
    }
  });

  test("the error of an invalid result search names the invalid field", async () => {
    const refused = await search({ thresholdFilter: { filters: [{ name: "luck", value: 1, operator: "gte" }] } });
    expect(refused.status).toBe(400);
    expect(fieldsOf(refused.body)).toEqual(["thresholdFilter.filters[0].name"]);
    expect((await search({}, "?cursor=nonsense")).status).toBe(400);
    expect((await search({}, "?expand=everything")).status).toBe(400);
  });

  test("a result search returns the results of several tests in pages", async () => {
    const path = "/v7/endpoint/test-results/scheduled-tests/network/filter";
    const asIs = await bench.call("POST", path, { body: example("results.scheduled.network.filterMulti.request") });
    expect([asIs.status, asIs.body.totalHits]).toEqual([200, 0]);
    const body = { searchFilters: { testId: [testId, closed, "5"] }, searchSort: [{ sort: "loss", order: "desc" }] };
    const first = await bench.call("POST", `${path}?max=2`, { body });
    const differences = shapeDifferences(first.body, example("results.scheduled.network.filterMulti.response"));
    expect(
      differences.filter((difference) => !unknown.test(difference) && !/(Latency|jitter) is absent$/.test(difference)),
    ).toEqual([]);
    expect(first.body.results[0]).toMatchObject({ testId: closed, loss: 100 });
    const seen: Json[] = [...first.body.results];
    let next = first.body._links.next?.href;
    while (next !== undefined) {
      const { pathname, search: query } = new URL(next);
      const page: Json = await bench.call("POST", pathname + query, { body });
      expect(page.body.totalHits).toBe(first.body.totalHits);
      seen.push(...page.body.results);
      next = page.body._links.next?.href;
    }
    expect(seen.length).toBe(first.body.totalHits);
    expect(new Set(seen.map((round) => `${round.testId} ${round.roundId}`)).size).toBe(seen.length);
    const everywhere = await bench.call("POST", `${path}?aid=1002&useAllPermittedAids=true`, { body });
    expect(everywhere.body.totalHits).toBeGreaterThanOrEqual(seen.length);
    expect((await bench.call("POST", `${path}?aid=1002`, { body })).body.totalHits).toBe(0);
  });
});

describe("network paths", () => {
  test.each(["pathvis", "path-vis"])("the results at /%s contain one hop to loopback", async (spelling) => {
    const testId = await makeTest(bench, "agentToServer", { server: "127.0.0.1", port });
    const [{ agentId }] = (await networkRounds(bench, testId)) as [Json];
    const path = `${resultsOf(testId)}/${spelling}`;
    const { body, status } = await bench.call("GET", path);
    expect(status).toBe(200);
    const ignored = (difference: string) =>
      !unknown.test(difference) && !/\.(asnDetails|sourcePrefix|location|udpPathTraceMode) is absent$/.test(difference);
    expect(shapeDifferences(body, example("results.scheduled.pathVis.list.response")).filter(ignored)).toEqual([]);
    const [{ roundId, pathTraces, server: target, sourceIp }] = body.results;
    expect([target, sourceIp]).toEqual([`127.0.0.1:${port}`, "127.0.0.1"]);
    expect(pathTraces).toMatchObject([{ ipAddress: "127.0.0.1", numberOfHops: 1, protocol: "tcp" }]);

    const detail = await bench.call("GET", `${path}/agent/${agentId}/round/${roundId}`);
    const absent = (difference: string) => ignored(difference) && !/\.(rdns|prefix|network) is absent$/.test(difference);
    expect(shapeDifferences(detail.body, example("results.scheduled.pathVis.get.response")).filter(absent)).toEqual([]);
    expect(detail.body.results).toHaveLength(1);
    expect(detail.body.results[0].pathTraces).toMatchObject([
      { pathId: pathTraces[0].pathId, hops: [{ hop: 1, ipAddress: "127.0.0.1", responseTime: expect.any(Number) }] },
    ]);
    expect((await bench.call("GET", `${path}/agent/${agentId}/round/1`)).status).toBe(404);
    expect((await bench.call("GET", path.replace(testId, "5"))).status).toBe(404);
  });
});
