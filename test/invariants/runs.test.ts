import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ForbiddenError } from "../../api";
import { ExpectationError, GoneError } from "../../provider/failures";
import type { Measurement } from "../../provider/measurement";
import { measurementsOfRounds } from "../../provider/resources/results";
import { SelectionProof } from "../../provider/resources/selection-proof";
import { unknownValue } from "../../provider/values";
import { eventually } from "../emulator/loopback";
import { type Bench, each as eachBench, withBench } from "../provider/bench";
import { skipIdleTime } from "../support/idle-time";

skipIdleTime();

/** A bench, and a server that its tests measure. */
class Scene {
  /** Status and delay in milliseconds of the server's responses. */
  status = 200;
  pause = 0;
  port = 0;
  readonly #server: Server;

  private constructor(readonly bench: Bench) {
    this.#server = createServer((_request, response) =>
      setTimeout(() => response.writeHead(this.status).end("hello"), this.pause),
    );
  }

  static async start(bench: Bench): Promise<Scene> {
    const scene = new Scene(bench);
    await new Promise<void>((resolve) => scene.#server.listen(0, "127.0.0.1", resolve));
    // A listening TCP server has an address.
    scene.port = (scene.#server.address() as AddressInfo).port;
    return scene;
  }

  async down(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

async function withScene(bench: Bench, work: (scene: Scene) => Promise<void>): Promise<void> {
  const scene = await Scene.start(bench);
  try {
    await work(scene);
  } finally {
    await scene.down();
  }
}

const each = (name: string, work: (scene: Scene) => Promise<void>): void =>
  eachBench(name, (bench) => withScene(bench, work), { agents: 25 });

/** Returns the rounds of a test in the emulator's store, once there are enough of them. */
const rounds = (bench: Bench, testId: string, least: number) =>
  eventually(async () => {
    const answer = await fetch(`${bench.emulator.url}/_emulator/records/rounds-${testId}`);
    const { records } = (await answer.json()) as { records: { id: string }[] };
    return records.length >= least ? records : undefined;
  });
const resultsOf = (state: Record<string, unknown>): Measurement[] => (state["results"] ?? []) as Measurement[];

each("a response with a status from 100 to 399 counts as reaching the target", async ({ bench }) => {
  const statuses = [0, 99, 100, 200, 399, 400, 503];
  const row = { testId: "1", agentId: "a", errorType: "none" };
  const results = statuses.map((responseCode, roundId) => ({ ...row, roundId, responseCode }));
  await bench.fault({ operation: "results.scheduled.network.filter", kind: "status", status: 200, body: { results: [] } });
  await bench.fault({ operation: "results.scheduled.httpServer.filter", kind: "status", status: 200, body: { results } });
  const test = { testId: "1", http: true, network: true };
  const measurements = await measurementsOfRounds(bench.session.client, [test], "1001", 60);
  const reached = measurements.get("1")?.filter(({ available }) => available);
  expect(reached?.map(({ responseCode }) => responseCode)).toEqual([100, 200, 399]);
});

each("no selection of agents contains a deleted agent", async ({ bench }) => {
  const { agents } = await bench.session.client.agents.list({ query: { aid: "1001" } });
  const [gone, there] = agents.slice(1);
  const body = { agents: [{ ...gone, deleted: true }, there] };
  await bench.fault({ operation: "agents.filter", kind: "status", status: 200, body, n: 2 });
  const everybody = {
    agentSelectorType: "all-agents",
    maxMachines: 25,
    interval: 60,
    isEnabled: true,
    isPrioritized: false,
  } as const;
  const proof = new SelectionProof(bench.session, "1001", everybody);
  expect(await Promise.all([gone, there].map((agent) => proof.selects(agent?.id ?? "")))).toEqual([false, true]);
});

describe("AgentToServerInstantTest", () => {
  const declared = ({ port }: Scene) => ({ testName: "Gate", server: "127.0.0.1", port, waitForResults: { timeout: 10 } });

  each("an instant test counts a measurement that began before the service answered the create request", async (scene) => {
    const { bench } = scene;
    await bench.fault({ method: "POST", kind: "latency", ms: 2_500, storedAfterMs: 0 });
    const { state } = await bench.create("agentToServerInstantTest", {
      ...declared(scene),
      expect: { maxLoss: 0, minAvailability: 100 },
    });
    expect(resultsOf(state)).toMatchObject([{ available: true }]);
  });

  each("an instant test measures a server and returns the definition, links and results", async (scene) => {
    const { bench, port } = scene;
    const { id, state, inputs } = await bench.create("agentToServerInstantTest", {
      ...declared(scene),
      expect: { maxLoss: 0, minAvailability: 100 },
    });
    expect(state).toMatchObject({
      testId: id,
      testName: "Gate",
      server: "127.0.0.1",
      port,
      agentSelectorType: "all-agents",
      accountGroupId: "1001",
    });
    expect(state["links"]).toMatchObject({ testResults: expect.arrayContaining([expect.stringContaining(id)]) });
    expect(resultsOf(state)).toEqual([expect.objectContaining({ available: true, loss: 0, avgLatency: expect.any(Number) })]);
    const life = bench.life("agentToServerInstantTest");
    expect(life.diff(id, state, inputs)).toEqual([]);
    expect(await life.read(id, state)).toMatchObject({ id, state });
  });

  each("an instant test fails and reports the measurements if the server is down", async (scene) => {
    const { bench } = scene;
    await scene.down();
    const failure = await bench
      .create("agentToServerInstantTest", { ...declared(scene), expect: { maxLoss: 5 } })
      .catch((e: unknown) => e);
    expect(failure).toBeInstanceOf(ExpectationError);
    expect(String(failure)).toContain("loss over 5 % on 1 of 1 agents");
    expect(String(failure)).toMatch(/not reached, loss 100 %/);
  });

  each("an instant test does not wait for results by default", async (scene) => {
    const { bench, port } = scene;
    const { state } = await bench.create("agentToServerInstantTest", { testName: "Gate", server: "127.0.0.1", port });
    expect(state).not.toHaveProperty("results");
  });

  each("an instant test fails without a verdict if no agent answers in time", async (scene) => {
    const { bench } = scene;
    // The service accepts a target on another machine and never contacts it.
    const waiting = bench.create("agentToServerInstantTest", {
      testName: "Far",
      server: "www.example.com",
      waitForResults: { timeout: 0.2 },
    });
    await expect(waiting).rejects.toThrow(/^Test \d+ is inconclusive: 0 of 1 agents answered within 0\.2 s\. /);
  });

  each("an instant test runs again for new triggers or a new target, but not for new expectations", async (scene) => {
    const { bench } = scene;
    const { id, state } = await bench.create("agentToServerInstantTest", { ...declared(scene), triggers: [1] });
    const life = bench.life("agentToServerInstantTest");
    const changes = (change: object) =>
      life.diff(id, state, life.check({ ...declared(scene), triggers: [1], ...change }).inputs);
    expect(changes({ triggers: [2] })).toMatchObject([{ property: "triggers", replaces: true }]);
    expect(changes({ server: "localhost" })).toMatchObject([{ property: "server", replaces: true }]);
    const looser = changes({ expect: { maxLoss: 50 } });
    expect(looser).toMatchObject([{ property: "expect", replaces: false, recordsOnly: true }]);
    await bench.door("requests/reset");
    const { inputs } = life.check({ ...declared(scene), triggers: [1], expect: { maxLoss: 50 } });
    const updated = await life.update(id, state, inputs);
    expect(life.diff(id, updated, inputs)).toEqual([]);
    await life.delete(id, updated);
    expect(bench.emulator.requests()).toEqual({});
  });

  each("an instant test requires the permission to edit endpoint tests", async (scene) => {
    const { bench } = scene;
    bench.newSession({ token: "emulator-read-only-token" });
    await expect(bench.create("agentToServerInstantTest", declared(scene))).rejects.toBeInstanceOf(ForbiddenError);
  });
});

describe("HttpServerInstantTest", () => {
  const declared = ({ port }: Scene) => ({
    testName: "Gate",
    url: `http://127.0.0.1:${port}/health`,
    waitForResults: { timeout: 10 },
  });

  each("an instant test measures a server's response", async (scene) => {
    const { bench } = scene;
    const { state } = await bench.create("httpServerInstantTest", {
      ...declared(scene),
      expect: { minAvailability: 100, maxResponseTime: 5_000 },
    });
    expect(resultsOf(state)).toEqual([
      expect.objectContaining({ available: true, responseCode: 200, responseTime: expect.any(Number) }),
    ]);
  });

  each("an instant test fails and reports the measurements if the server fails or is down", async (scene) => {
    const { bench } = scene;
    scene.status = 500;
    await expect(
      bench.create("httpServerInstantTest", { ...declared(scene), expect: { minAvailability: 100 } }),
    ).rejects.toThrow(/availability 0 %.*status 500/);
    await scene.down();
    await expect(
      bench.create("httpServerInstantTest", { ...declared(scene), expect: { minAvailability: 100 } }),
    ).rejects.toThrow(/failed in connect/);
  });

  each("an instant test rejects limits on values that it cannot measure", async (scene) => {
    const { bench } = scene;
    const args = {
      ...declared(scene),
      networkMeasurements: false,
      expect: { maxLoss: 5, maxLatency: 150, maxResponseTime: 800 },
    };
    const reason = "cannot be met: the test does not probe the network";
    expect(bench.life("httpServerInstantTest").check(args).failures).toEqual([
      { path: "expect.maxLoss", reason },
      { path: "expect.maxLatency", reason },
    ]);
    const unknown = { ...args, networkMeasurements: unknownValue };
    expect(bench.life("httpServerInstantTest").check(unknown).failures).toEqual([]);
    const { state } = await bench.create("httpServerInstantTest", { ...args, expect: { maxResponseTime: 5_000 } });
    expect(resultsOf(state)).toEqual([expect.objectContaining({ responseCode: 200 })]);
  });

  each("an instant test rejects a password without user name and authType", async (scene) => {
    const { bench } = scene;
    const { failures } = bench.life("httpServerInstantTest").check({ ...declared(scene), password: "p" });
    expect(failures.map(({ path }) => path)).toEqual(["password", "password"]);
  });
});

describe("the resource type TestRun", () => {
  each("a test run runs an existing test and waits for the measurements of this run", async (scene) => {
    const { bench, port } = scene;
    const test = await bench.create("httpServerTest", { testName: "Live", url: `http://127.0.0.1:${port}/`, interval: 3600 });
    const { id, state } = await bench.create("testRun", { testId: test.id, triggers: ["a"], expect: { minAvailability: 100 } });
    expect(id).toBe(test.id);
    expect(resultsOf(state)).toEqual([expect.objectContaining({ responseCode: 200 })]);
    await scene.down();
    const second = bench.create("testRun", {
      testId: test.id,
      triggers: ["b"],
      expect: { minAvailability: 100 },
      waitForResults: { timeout: 10 },
    });
    await expect(second).rejects.toThrow(/availability 0 %/);
  });

  each("a test run ignores a measurement of an earlier run of an HTTP-only test", async (scene) => {
    const { bench, port } = scene;
    const declared = { testName: "HTTP only", url: `http://127.0.0.1:${port}/`, interval: 3600, networkMeasurements: false };
    const test = await bench.create("httpServerTest", declared);
    await rounds(bench, test.id, 1);
    // The delay is so long that at first only the earlier round exists.
    [scene.status, scene.pause] = [500, 1_000];
    const run = bench.create("testRun", { testId: test.id, expect: { minAvailability: 100 } });
    await expect(run).rejects.toThrow(/availability 0 %.*status 500/);
  });

  each("a test run rejects limits on values that the test does not measure", async ({ bench, port }) => {
    const declared = { testName: "HTTP only", url: `http://127.0.0.1:${port}/`, interval: 3600, networkMeasurements: false };
    const test = await bench.create("httpServerTest", declared);
    const run = bench.create("testRun", { testId: test.id, expect: { maxLatency: 150 } });
    await expect(run).rejects.toThrow(
      `Test ${test.id} cannot meet the expectations: no latency is measured: the test does not probe the network.`,
    );
    expect(bench.emulator.requests()).not.toHaveProperty("tests.run");
  });

  each("the error of a failed test run contains the measurements as data", async (scene) => {
    const { bench, port } = scene;
    const test = await bench.create("agentToServerTest", { testName: "Live", server: "127.0.0.1", port, interval: 3600 });
    await scene.down();
    const failure = await bench.create("testRun", { testId: test.id, expect: { maxLoss: 5 } }).catch((e: unknown) => e);
    expect(failure).toMatchObject({
      measured: [expect.objectContaining({ available: false, loss: 100 })],
      broken: ["loss over 5 % on 1 of 1 agents"],
      hasVerdict: true,
    });
    const waiting = bench.create("testRun", { testId: test.id, waitForResults: { timeout: 3, minAgents: 2 } });
    await expect(waiting).rejects.toMatchObject({
      measured: [expect.objectContaining({ loss: 100 })],
      broken: [
        "1 of 2 agents answered within 3 s",
        expect.stringMatching(/^\d measurements? w.* of rounds that began before the run$/),
      ],
      hasVerdict: false,
    });
  });

  each("a test run waits for additional agents while results arrive", async (scene) => {
    const { bench, port } = scene;
    const test = await bench.create("agentToServerTest", { testName: "Live", server: "127.0.0.1", port, interval: 3600 });
    await rounds(bench, test.id, 1);
    const run = bench.create("testRun", { testId: test.id, waitForResults: { timeout: 30, settle: 3 } });
    const [, first] = await rounds(bench, test.id, 2);
    // A read that begins now gets the first response.
    const reads = (): number => bench.emulator.requests()["results.scheduled.network.filter"] ?? 0;
    const seen = reads() + 2;
    await eventually(async () => (reads() >= seen ? true : undefined));
    // The second agent to answer is this machine's under another name, because the emulator measures only with that agent.
    const { agents } = await bench.session.client.agents.list({ query: {} });
    const another = agents.find(({ name }) => name?.startsWith("NYC"))?.id ?? "";
    await bench.door(`records/rounds-${test.id}/${first?.id}`, { agentId: another }, "PATCH");
    await bench.session.client.instantTests.run({ path: { testId: test.id } });
    const { state } = await run;
    expect(resultsOf(state)).toHaveLength(2);
    expect(resultsOf(state).map(({ agentId }) => agentId)).toContain(another);
  });

  each("a test run reports a missing test", async (scene) => {
    const { bench } = scene;
    await expect(bench.create("testRun", { testId: "1" })).rejects.toBeInstanceOf(GoneError);
  });

  // Runs after the others, because it measures thirty times at once.
  it("many test runs share the requests for their results", () =>
    withBench(async (bench) =>
      withScene(bench, async ({ port }) => {
        const tests = await Promise.all(
          Array.from({ length: 30 }, (_, i) =>
            bench.create(i % 2 === 0 ? "agentToServerTest" : "httpServerTest", {
              testName: `Test ${i}`,
              interval: 3600,
              ...(i % 2 === 0 ? { server: "127.0.0.1", port } : { url: `http://127.0.0.1:${port}/${i}` }),
            }),
          ),
        );
        bench.newSession();
        await bench.door("requests/reset");
        const runs = await Promise.all(
          tests.map(({ id }) => bench.create("testRun", { testId: id, expect: { minAvailability: 100 } })),
        );
        expect(runs.map(({ state }) => resultsOf(state).length)).toEqual(tests.map(() => 1));
        const { "tests.run": started, ...others } = bench.emulator.requests();
        expect(started).toBe(30);
        expect(others).toMatchObject({ "tests.agentToServer.list": 1, "tests.httpServer.list": 1 });
        // A read for each test would be at least sixty requests.
        expect(Object.values(others).reduce((sum, count) => sum + count, 0)).toBeLessThan(40);
      }),
    ));
});
