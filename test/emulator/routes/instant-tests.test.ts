import type { Server } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { closeServer, eventually, makeTest, networkRounds, portOf, resultsOf, silentServer } from "../loopback";
import { Bench, example, type Json, minimal, paths, shapeDifferences, fieldsOf } from "../support";
import { skipIdleTime } from "../../support/idle-time";

skipIdleTime();

const instant = { agentToServer: `${paths.agentToServer}/instant`, httpServer: `${paths.httpServer}/instant` } as const;
const run = (testId: string) => `/v7/endpoint/tests/scheduled-tests/${testId}/run`;
const list = "/v7/endpoint/tests/scheduled-tests";

let bench: Bench;
let server: Server;
let port: number;

beforeAll(async () => {
  bench = await Bench.start();
  server = silentServer();
  port = await portOf(server);
});
afterAll(async () => {
  await bench.close();
  await closeServer(server);
});

describe.each(["agentToServer", "httpServer"] as const)("the documented instant test %s", (kind) => {
  test("the emulator accepts the API document's example and returns the instant test", async () => {
    const labels = await Promise.all([1, 2].map(() => bench.call("POST", paths.label, { body: minimal.label })));
    const endpointAgentLabels = labels.map(({ body }) => body.id);
    const body = { ...example(`tests.${kind}.instant.request`), endpointAgentLabels };
    const made = await bench.call("POST", instant[kind], { body });
    expect(made.status).toBe(201);
    const differences = shapeDifferences(made.body, example(`tests.${kind}.instant.response`));
    expect(differences).toEqual([]);
    expect(made.headers.get("location")).toBe(made.body._links.self.href);
    expect(made.body._links.testResults[0].href).toBe(`${bench.url}${resultsOf(made.body.testId)}/network/filter`);

    const { pathname } = new URL(made.body._links.self.href);
    expect((await bench.call("GET", pathname)).body).toEqual(made.body);
    for (const path of [list, paths[kind]]) {
      const { body: listed } = await bench.call("GET", path);
      expect(listed.tests.map(({ testId }: Json) => testId)).not.toContain(made.body.testId);
    }
    expect((await bench.call("PATCH", pathname, { body: { testName: "Other" } })).status).toBe(404);
    expect((await bench.call("DELETE", pathname)).status).toBe(204);
    expect((await bench.call("GET", pathname)).status).toBe(404);
  });
});

test("each run of an instant test produces one measurement round", async () => {
  const made = await bench.call("POST", instant.agentToServer, { body: { testName: "Now", server: "127.0.0.1", port } });
  const { testId } = made.body;
  const [round] = (await networkRounds(bench, testId)) as [Json];
  expect(round).toMatchObject({ testId, loss: 0, serverIp: "127.0.0.1" });
  const again = await bench.call("POST", run(testId));
  expect(again.status).toBe(200);
  expect(again.headers.get("content-type")).toBe("application/json");
  expect(again.body).toEqual({ message: example("tests.run.response").message.replace(/\d+$/, testId) });
  await networkRounds(bench, testId, 2);
  await delay(1200);
  const rounds = await networkRounds(bench, testId, 2);
  expect(rounds).toHaveLength(2);
  expect(new Set(rounds.map(({ roundId }) => roundId)).size).toBe(2);
});

test("a user can start a run of a scheduled test, even if the test is disabled", async () => {
  const testId = await makeTest(bench, "agentToServer", { server: "127.0.0.1", port });
  await networkRounds(bench, testId);
  await bench.call("PATCH", `${paths.agentToServer}/${testId}`, { body: { isEnabled: false } });
  expect((await bench.call("POST", run(testId))).status).toBe(200);
  await networkRounds(bench, testId, 2);
});

test("an instant test of an HTTP server has network and HTTP results", async () => {
  const body = { testName: "Page", url: `http://127.0.0.1:${port}`, httpTimeLimit: 200 };
  const made = await bench.call("POST", instant.httpServer, { body });
  await networkRounds(bench, made.body.testId);
  const path = `${resultsOf(made.body.testId)}/http-server`;
  const [round] = await eventually(async () => {
    const { results } = (await bench.call("GET", path)).body;
    return results.length > 0 ? results : undefined;
  });
  expect(round).toMatchObject({ errorType: "receive", errorDetails: "not complete within 200 ms" });
});

test("only selected and enabled agents run an instant test", async () => {
  const agents = await bench.call("GET", "/v7/endpoint/agents");
  const [here, other] = agents.body.agents.map(({ id }: Json) => id);
  const on = async (agent: string) => {
    const body = { testName: "On one", server: "127.0.0.1", port, agentSelectorType: "specific-agents", agents: [agent] };
    return (await bench.call("POST", instant.agentToServer, { body })).body.testId;
  };
  const [mine, theirs] = [await on(here), await on(other)];
  await networkRounds(bench, mine);
  await bench.call("POST", `/v7/endpoint/agents/${here}/disable`);
  const late = await on(here);
  await delay(300);
  for (const testId of [theirs, late]) {
    expect((await bench.call("POST", `${resultsOf(testId)}/network/filter`)).body.results).toEqual([]);
  }
  await bench.call("POST", `/v7/endpoint/agents/${here}/enable`);
});

test("an invalid request to create or run an instant test stores nothing", async () => {
  const before = await Promise.all(["agent-to-server", "http-server"].map((type) => bench.stored(`instant-${type}-tests`)));
  const dynamic = await makeTest(bench, "dynamic", { application: "zoom" });
  expect((await bench.call("POST", run("5"))).status).toBe(404);
  expect((await bench.call("POST", run(dynamic))).status).toBe(404);
  const bad = await bench.call("POST", instant.agentToServer, { body: { testName: "x" } });
  expect([bad.status, fieldsOf(bad.body)]).toEqual([400, ["server"]]);
  const nowhere = await bench.call("POST", instant.httpServer, { body: { testName: "x", url: "ftp://127.0.0.1" } });
  expect([nowhere.status, fieldsOf(nowhere.body)]).toEqual([400, ["url"]]);
  const token = "emulator-read-only-token";
  for (const path of [instant.agentToServer, instant.httpServer]) {
    const refused = await bench.call("POST", path, { body: { testName: "x", server: "127.0.0.1", url: "127.0.0.1" }, token });
    expect(refused.status).toBe(403);
  }
  expect((await bench.call("POST", run("5"), { token })).status).toBe(403);
  const after = await Promise.all(["agent-to-server", "http-server"].map((type) => bench.stored(`instant-${type}-tests`)));
  expect(after).toEqual(before);
});

test("the emulator accepts at most 24 instant tests or test runs in a minute", async () => {
  let now = 1_800_000_000_000;
  const limited = await Bench.start({ rateLimit: 240, now: () => now });
  const body = { testName: "x", server: "www.example.com" };
  const made = await limited.call("POST", instant.agentToServer, { body });
  expect(made.headers.get("x-instant-test-rate-limit-limit")).toBe("24");
  expect(made.headers.get("x-instant-test-rate-limit-remaining")).toBe("23");
  expect(made.headers.get("x-instant-test-rate-limit-reset")).toBe("1800000060");
  for (let n = 0; n < 23; n += 1) expect((await limited.call("POST", run(made.body.testId))).status).toBe(200);
  const refused = await limited.call("POST", instant.agentToServer, { body });
  expect(refused.status).toBe(429);
  expect(refused.headers.get("x-instant-test-rate-limit-remaining")).toBe("0");
  expect((await limited.call("GET", list)).status).toBe(200);
  now += 60_000;
  expect((await limited.call("POST", instant.agentToServer, { body })).status).toBe(201);
  await limited.close();
});

test("the list of scheduled tests contains HTTP server tests and agent-to-server tests", async () => {
  const fresh = await Bench.start();
  const made = [];
  for (const area of ["httpServer", "agentToServer", "httpServer"] as const)
    made.push(await makeTest(fresh, area, minimal[area]));
  await makeTest(fresh, "dynamic", minimal.dynamic);
  const { status, body } = await fresh.call("GET", list);
  expect(status).toBe(200);
  expect(body.tests.map(({ testId }: Json) => testId)).toEqual(made);
  expect(shapeDifferences(body.tests[1], example("tests.list.response").tests[0])).toEqual([]);
  const answer = await fresh.call("GET", new URL(body.tests[0]._links.self.href).pathname);
  expect(answer.body).toEqual(body.tests[0]);
  await fresh.close();
});
