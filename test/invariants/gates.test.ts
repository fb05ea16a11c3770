import { createServer as createHttpServer } from "node:http";
import { connect, type Server, type Socket } from "node:net";
import { Worker } from "node:worker_threads";
import { managedIn, type ManagedResource } from "../../engine/state";
import { boundsOf } from "../../cli/commands/verify/limits";
import { runTests } from "../../cli/commands/verify/test-run";
import { selectTests } from "../../cli/commands/verify/selected";
import { ExpectationError } from "../../provider/failures";
import { registry } from "../../provider/registry";
import type { Properties } from "../../provider/values";
import { typeToken } from "../../sdk/token";
import { closeServer, portOf, silentServer } from "../emulator/loopback";
import { freePort } from "../support/port";
import { omit } from "../support/variations/start";
import { type Bench, each } from "../provider/bench";
import { skipIdleTime } from "../support/idle-time";

skipIdleTime();

/** Tests each limit separately, with the most tolerant value: only a missing measurement or an unreached target exceeds it. */
const bounds = {
  maxLoss: 100,
  maxLatency: 1_000_000,
  maxResponseTime: 1_000_000,
  minAvailability: 1,
} as const;
type Bound = keyof typeof bounds;
const boundNames = Object.keys(bounds) as Bound[];

/** A test's target, and members that the emulator omits from result responses. */
interface Target {
  host: string;
  port: number;
  scheme?: "https";
  /** Timeout of an HTTP request in milliseconds, short if no response arrives. */
  httpTimeLimit?: number;
  omitted?: string[];
}

/** Longer than a DNS label, so no resolver receives it. */
const nameless = `${"x".repeat(64)}.invalid`;

const servers: Server[] = [];
const listening: Socket[] = [];
let deaf: Worker | undefined;
let targets: Record<string, Target>;

async function serve(server: Server): Promise<number> {
  servers.push(server);
  return portOf(server);
}

/** Opens a port that answers no connection: its process accepts none, and the kernel's queue is full. */
async function deafPort(): Promise<number> {
  const script = `
    const server = require("node:net").createServer().listen({ host: "127.0.0.1", port: 0, backlog: 1 }, () => {
      require("node:worker_threads").parentPort.postMessage(server.address().port);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
  deaf = new Worker(script, { eval: true });
  const port = await new Promise<number>((resolve) => deaf?.once("message", resolve));
  for (let taken = true; taken;) {
    const socket = connect({ host: "127.0.0.1", port }).on("error", () => undefined);
    listening.push(socket);
    taken = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      setTimeout(() => resolve(false), 300);
    });
  }
  return port;
}

beforeAll(async () => {
  const host = "127.0.0.1";
  const healthy = await serve(createHttpServer((_request, response) => response.end("ok")));
  const failing = await serve(createHttpServer((_request, response) => response.writeHead(500).end()));
  targets = {
    healthy: { host, port: healthy },
    "closed port": { host, port: await freePort() },
    "no connection is taken": { host, port: await deafPort() },
    "no response": { host, port: await serve(silentServer()), httpTimeLimit: 1_000 },
    // The server speaks plain HTTP.
    "TLS refused": { host, port: healthy, scheme: "https" },
    "unknown host": { host: nameless, port: 443 },
    "status 500": { host, port: failing },
    "status 500 without a phase": { host, port: failing, omitted: ["errorType"] },
    // Not on this machine, so no emulated agent contacts it.
    "no results": { host: "192.0.2.1", port: healthy, omitted: [] },
    "results without figures": { host, port: healthy, omitted: ["loss", "avgLatency", "responseTime"] },
  };
});
afterAll(async () => {
  for (const socket of listening) socket.destroy();
  await deaf?.terminate();
  await Promise.all(servers.map(closeServer));
});

/** Omits members from all later result responses. */
function omitFromResults({ emulator }: Bench, members: string[]): void {
  for (const results of ["network", "httpServer"]) {
    for (const search of ["filter", "filterMulti"]) omit(emulator, `results.scheduled.${results}.${search}`, members);
  }
}

/** Timeout in seconds. The suite skips the wait if results never arrive. */
const timeout = 30;

const tested = {
  network: ({ host, port }: Target): Properties => ({ testName: "Gate", server: host, port }),
  http: ({ host, port, scheme, httpTimeLimit = 15_000 }: Target): Properties => ({
    testName: "Gate",
    url: `${scheme ?? "http"}://${host}:${port}/`,
    httpTimeLimit,
  }),
};
type Tested = keyof typeof tested;
const scheduledKinds = { network: "agentToServerTest", http: "httpServerTest" } as const;
const instantKinds = { network: "agentToServerInstantTest", http: "httpServerInstantTest" } as const;

/** Returns a gate's decision: `met`, or the broken limit. */
async function outcomeOf(gate: Promise<unknown>): Promise<string> {
  try {
    await gate;
    return "met";
  } catch (error) {
    if (error instanceof ExpectationError) return error.broken.join(", ");
    throw error;
  }
}

/** A scheduled test as it was created. */
type Scheduled = Awaited<ReturnType<Bench["create"]>>;
type Gate = (bench: Bench, kind: Tested, target: Target, test: Scheduled, bound: Bound) => Promise<string>;

/** The decision of each way of running a test about one limit. */
const gates: Record<"instant" | "testRun" | "verify", Gate> = {
  instant: async (bench, kind, target, _test, bound) => {
    const declared = { ...tested[kind](target), expect: { [bound]: bounds[bound] }, waitForResults: { timeout } };
    const [failure] = bench.life(instantKinds[kind]).check(declared).failures;
    if (failure) return `${failure.path} ${failure.reason}`;
    return outcomeOf(bench.create(instantKinds[kind], declared));
  },
  testRun: (bench, _kind, _target, { id: testId }, bound) =>
    outcomeOf(bench.create("testRun", { testId, expect: { [bound]: bounds[bound] }, waitForResults: { timeout } })),
  verify: async (bench, kind, _target, test, bound) => {
    const option = bound.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const limits = boundsOf({ [option]: `${bounds[bound]}`, "wait-for-more": "0", timeout: `${timeout}` });
    const selection = selectTests(heldOf(kind, test), "all", undefined);
    const [verdict] = await runTests(bench.session, selection, limits, () => undefined, new AbortController().signal);
    return verdict?.outcome === "passed" ? "met" : (verdict?.reasons.join(", ") ?? "");
  },
};

const scheduled = (bench: Bench, kind: Tested, target: Target) =>
  bench.create(scheduledKinds[kind], { ...tested[kind](target), interval: 3600 });

/** A test as a stack's state records it. */
function heldOf(kind: Tested, { id, state }: Scheduled): ManagedResource[] {
  const { name } = registry[scheduledKinds[kind]];
  const resource = { urn: `urn:pulumi:dev::test::t::${id}`, type: typeToken(name), id, inputs: state, outputs: state };
  return managedIn("dev", { deployment: { resources: [resource] } });
}

/** The reason for a broken limit with a missing figure, and with a known figure. */
const missing = (bound: Bound, figure: string, cause = ""): string =>
  `${bound} ${bounds[bound]}: no ${figure} measured by 1 of 1 agents${cause}`;
const noLoss = (cause?: string): string => missing("maxLoss", "loss", cause);
const noLatency = (cause?: string): string => missing("maxLatency", "latency", cause);
const noResponseTime = (cause?: string): string => missing("maxResponseTime", "response time", cause);
const notReached = (cause: string): string => `target not reached by 1 of 1 agents${cause}`;
const late = `0 of 1 agents answered within ${timeout} s`;

/** Decisions about loss, latency and response time, each on its own. An unreached target has no availability. */
interface Decisions {
  reached?: boolean;
  maxLoss: string;
  maxLatency: string;
  maxResponseTime?: string;
  minAvailability?: string;
}

const met: Decisions = { reached: true, maxLoss: "met", maxLatency: "met", maxResponseTime: "met" };
const silent = " (no probe reached the target)";
const unprobed: Decisions = { maxLoss: notReached(silent), maxLatency: noLatency(silent) };
const withoutPath = (cause: string): Decisions => ({
  maxLoss: notReached(cause),
  maxLatency: noLatency(cause),
  maxResponseTime: noResponseTime(cause),
});
const withPath = (cause: string): Decisions => ({
  maxLoss: notReached(cause),
  maxLatency: notReached(cause),
  maxResponseTime: noResponseTime(cause),
});
const failed = notReached(" (status 500)");
const answeredWithError: Decisions = { maxLoss: failed, maxLatency: failed, maxResponseTime: failed };
const never: Decisions = { maxLoss: late, maxLatency: late, maxResponseTime: late, minAvailability: late };
const bare: Decisions = { maxLoss: noLoss(), maxLatency: noLatency(), maxResponseTime: noResponseTime() };

/**
 * If an agent does not reach an HTTP server, it breaks a limit on the path. The reason depends on whether its network figures
 * had arrived.
 */
function inOneForm(reason: string): string {
  return reason.replace(/^(?:maxLoss|maxLatency) \d+: no \w+ measured by (1 of 1 agents \()/, "target not reached by $1");
}

// A network test measures the path to any port that accepts connections.
const rows: [target: string, kind: Tested, Decisions][] = [
  ["healthy", "network", met],
  ["healthy", "http", met],
  ["closed port", "network", unprobed],
  ["closed port", "http", withoutPath(" (no connection)")],
  ["no connection is taken", "network", unprobed],
  ["no response", "network", met],
  ["no response", "http", withPath(" (no complete response)")],
  ["TLS refused", "network", met],
  ["TLS refused", "http", withPath(" (TLS failed)")],
  ["unknown host", "network", unprobed],
  ["unknown host", "http", withoutPath(" (the name was not resolved)")],
  ["status 500", "network", met],
  ["status 500", "http", answeredWithError],
  ["status 500 without a phase", "http", answeredWithError],
  ["no results", "network", never],
  ["no results", "http", never],
  ["results without figures", "network", bare],
  ["results without figures", "http", { ...bare, reached: true }],
];

for (const [name, kind, decisions] of rows) {
  const work = async (bench: Bench): Promise<void> => {
    const target = targets[name];
    if (!target) throw new Error(name);
    omitFromResults(bench, target.omitted ?? []);
    const test = await scheduled(bench, kind, target);
    const row = async (gate: Gate): Promise<Record<string, string>> =>
      Object.fromEntries(
        await Promise.all(boundNames.map(async (bound) => [bound, inOneForm(await gate(bench, kind, target, test, bound))])),
      );
    const [instant, testRun, verify] = await Promise.all([gates.instant, gates.testRun, gates.verify].map(row));

    const availability = (least: number): string => (decisions.reached ? "met" : `availability 0 %, under ${least} %`);
    const { reached = false, ...reasons } = { minAvailability: availability(bounds.minAvailability), ...decisions };
    const declared = Object.fromEntries(Object.entries(reasons).map(([bound, reason]) => [bound, inOneForm(reason)]));
    // A network test has no response time.
    const withoutHttp = (text: string): object => (kind === "http" ? declared : { ...declared, maxResponseTime: text });
    // Verify always expects each agent to reach the target. It skips limits that the test does not measure.
    const all = decisions.minAvailability ?? availability(100);
    const unreached = { maxLoss: all, maxLatency: all, maxResponseTime: all, minAvailability: declared.minAvailability };
    expect({ instant, testRun, verify }).toEqual({
      instant: withoutHttp("expect.maxResponseTime cannot be met: the test makes no HTTP request"),
      testRun: withoutHttp("no response time is measured: the test makes no HTTP request"),
      verify: reached ? withoutHttp("met") : unreached,
    });
  };
  each(`${name}: an instant test, a test run and verify apply each limit of the ${kind} test separately`, work, {
    agents: 25,
    allowTargets: [nameless],
  });
}
