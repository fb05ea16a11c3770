import type { Server } from "node:net";
import { once } from "node:events";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { settle } from "../../emulator/options";
import { keepRound, latestRounds, type TestRound } from "../../emulator/rounds";
import { Store } from "../../emulator/store";
import { start } from "../../emulator";
import { closeServer, eventually, makeTest, networkRounds, portOf, resultsOf, silentServer } from "./loopback";
import { Bench, minimal, paths } from "./support";
import { skipIdleTime } from "../support/idle-time";
import { temporary } from "../support/temporary";

skipIdleTime();

let server: Server;
let port: number;

beforeAll(async () => {
  server = silentServer();
  port = await portOf(server);
});
afterAll(() => closeServer(server));

test("measurement rounds and the schedule survive a restart of the emulator", async () => {
  const folder = temporary();
  const dataFile = join(folder, "emulator.db");
  const first = await Bench.start({ dataFile });
  const testId = await makeTest(first, "agentToServer", { server: "127.0.0.1", port });
  const [before] = await networkRounds(first, testId);
  await first.close();
  const second = await Bench.start({ dataFile });
  const rounds = await networkRounds(second, testId, 2);
  expect(rounds.at(-1)).toEqual(before);
  await second.close();
});

test("the emulator keeps the newest 1,000 measurement rounds of each test", () => {
  const service = { store: new Store(), settings: settle({}) };
  const make = (roundId: number): TestRound => ({
    roundId,
    testId: "1",
    agentId: "a",
    startedAt: roundId * 1000,
    target: { host: "127.0.0.1", port: 1 },
    platform: "linux",
    systemMetrics: {
      startTimeMs: 0,
      endTimeMs: 0,
      physicalMemoryTotalBytes: 1,
      physicalMemoryUsedBytes: { min: 0, max: 0, mean: 0, median: 0, stdDev: 0, count: 1 },
    },
  });
  keepRound(service, "1001", { ...make(1), testId: "2" });
  for (let roundId = 1; roundId <= 1010; roundId += 1) keepRound(service, "1001", make(roundId));
  expect(service.store.ids("rounds-1")).toHaveLength(1000);
  expect(latestRounds(service, "1", 3).map(({ roundId }) => roundId)).toEqual([1010, 1009, 1008]);
  expect(latestRounds(service, "1", 5000).at(-1)?.roundId).toBe(11);
  expect(latestRounds(service, "2", 10)).toHaveLength(1);
  service.store.close();
});

test("a new test with a reused id has no measurement rounds from before a reset", async () => {
  const bench = await Bench.start({ speed: 60 });
  const body = { server: "127.0.0.1", port };
  const testId = await makeTest(bench, "agentToServer", body);
  await networkRounds(bench, testId, 2);
  bench.emulator.reset();
  const again = await makeTest(bench, "agentToServer", { ...body, server: "www.example.com" });
  expect(again).toBe(testId);
  const { results } = (await bench.call("POST", `${resultsOf(again)}/network/filter`)).body;
  expect(results).toEqual([]);
  // All types share one series of ids. This id belonged to another type before.
  bench.emulator.reset();
  expect(await makeTest(bench, "httpServer", { url: `http://127.0.0.1:${port}`, httpTimeLimit: 100 })).toBe(testId);
  await networkRounds(bench, testId, 2);
  await bench.close();
});

test("the emulator measures only allowed targets and ports", async () => {
  // Longer than a DNS label, so no resolver receives it.
  const nameless = `${"x".repeat(64)}.invalid`;
  const bench = await Bench.start({ allowTargets: [`${nameless}:443`] });
  const allowed = await makeTest(bench, "agentToServer", { server: nameless });
  const [round] = await networkRounds(bench, allowed);
  expect(round).toMatchObject({ loss: 100 });
  expect(round?.errorDetails).toContain(nameless);
  const page = await makeTest(bench, "httpServer", { url: `https://${nameless}/`, networkMeasurements: false });
  const [fetched] = await eventually(async () => {
    const { results } = (await bench.call("GET", `${resultsOf(page)}/http-server`)).body;
    return results.length > 0 ? results : undefined;
  });
  expect(fetched).toMatchObject({ errorType: "dns" });
  const other = await makeTest(bench, "agentToServer", { server: nameless, port: 80 });
  await bench.call("POST", `/v7/endpoint/tests/scheduled-tests/${other}/run`);
  expect((await bench.call("POST", `${resultsOf(other)}/network/filter`)).body.results).toEqual([]);
  await bench.close();
});

test("a measurement of an allowed remote address contains no network path", async () => {
  // This machine's own address, so no packet leaves it. A machine without one uses another name of loopback.
  const ownInterface = Object.values(networkInterfaces())
    .flat()
    .find((network) => network?.family === "IPv4" && !network.internal);
  const address = ownInterface?.address ?? "127.0.0.1";
  const outside = silentServer();
  outside.listen(0, address);
  await once(outside, "listening");
  const its = await portOf(outside);
  const bench = await Bench.start({ allowTargets: [address] });
  const testId = await makeTest(bench, "agentToServer", { server: address, port: its });
  const [round] = await networkRounds(bench, testId);
  expect(round).toMatchObject({ loss: 0, serverIp: address });
  const { body } = await bench.call("GET", `${resultsOf(testId)}/pathvis`);
  expect(body.results[0].pathTraces).toHaveLength(ownInterface ? 0 : 1);
  await bench.close();
  await closeServer(outside);
});

test("the emulator stops immediately, even during a measurement", async () => {
  const bench = await Bench.start();
  // The server never answers.
  await makeTest(bench, "httpServer", { url: `http://127.0.0.1:${port}/`, httpTimeLimit: 60_000 });
  await eventually(async () => ((await bench.stored("http-server-tests")).length === 1 ? true : undefined));
  const before = performance.now();
  await bench.close();
  expect(performance.now() - before).toBeLessThan(5000);
});

test.each([
  [{ speed: 0 }, "speed"],
  [{ speed: 61 }, "speed"],
  [{ speed: 1.5 }, "speed"],
  [{ allowTargets: ["http://host"] }, "allowTargets"],
])("the emulator rejects the invalid option %j", async (options, name) => {
  await expect(start(options)).rejects.toMatchObject({ code: "INVALID_OPTION", message: expect.stringContaining(name) });
});

test('the option "proxies" defines the list of proxies', async () => {
  const proxies = [{ proxyId: "1", name: "Local proxy", type: "static", host: "localhost", port: 8080 }];
  const now = { at: Date.now() };
  const bench = await Bench.start({ proxies, now: () => now.at });
  expect((await bench.call("GET", "/v7/endpoint/proxies")).body).toEqual({ proxies });

  const made = await bench.call("POST", "/v7/api-tokens", { token: "emulator-read-only-token" });
  expect(made.status).toBe(201);
  const twoYears = Date.parse(made.body.validUntil) - now.at;
  expect(Math.round(twoYears / 86_400_000)).toBe(730);
  const token = made.body.bearerToken;
  for (const accepted of [token, "emulator-read-only-token"]) {
    expect((await bench.call("GET", paths.label, { token: accepted })).status).toBe(200);
    expect((await bench.call("POST", paths.label, { token: accepted, body: minimal.label })).status).toBe(403);
  }
  expect((await bench.call("POST", "/v7/api-tokens", { token })).status).toBe(409);
  const form = { grant_type: "client_credentials", client_id: "emulator", client_secret: "emulator-secret" };
  const raw = new URLSearchParams({ ...form, service_bearer_token: token });
  const issued = await bench.call("POST", "/v7/oauth2/token", { raw, token: null });
  const asReader = { token: issued.body.access_token, body: minimal.label };
  expect((await bench.call("POST", paths.label, asReader)).status).toBe(403);
  await bench.call("POST", "/_emulator/tokens/revoke");
  expect((await bench.call("GET", paths.label, { token })).status).toBe(200);
  now.at += 15 * 86_400_000;
  expect((await bench.call("POST", "/v7/api-tokens", { token })).status).toBe(201);
  now.at += 730 * 86_400_000;
  expect((await bench.call("GET", paths.label, { token })).status).toBe(401);
  await bench.close();
});
