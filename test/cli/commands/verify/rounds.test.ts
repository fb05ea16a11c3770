/** Tests `verify --rounds`: scheduled measurement rounds after an update, also of dynamic tests. The emulator measures. */
import { createServer, type Server } from "node:http";
import type { KindName } from "../../../../provider/registry";
import type { Properties } from "../../../../provider/values";
import { managedIn } from "../../../../engine/state";
import { boundsOf, roundsOf } from "../../../../cli/commands/verify/limits";
import { roundsTimeout, verifyRounds } from "../../../../cli/commands/verify/rounds";
import { type SelectedTest, selectTests } from "../../../../cli/commands/verify/selected";
import { registry } from "../../../../provider/registry";
import { typeToken } from "../../../../sdk/token";
import { closeServer, portOf } from "../../../emulator/loopback";
import { Bench } from "../../../provider/bench";
import { skipIdleTime } from "../../../support/idle-time";

skipIdleTime();

const bounds = (options: object) => boundsOf({ "wait-for-more": "0", timeout: "60", ...options });
const never = new AbortController().signal;

describe("`verify --rounds` after an update", () => {
  let bench: Bench;
  let server: Server;
  let port: number;
  /** The server's delay and status. */
  let answer = { delayMs: 0, status: 200 };

  beforeAll(async () => {
    // An interval of a minute takes a second.
    bench = await Bench.start({}, { speed: 60, agents: 3 });
    server = createServer((_, response) => void setTimeout(() => response.writeHead(answer.status).end("ok"), answer.delayMs));
    port = await portOf(server);
  });
  afterAll(async () => {
    await bench.end();
    await closeServer(server);
  });
  beforeEach(() => {
    answer = { delayMs: 0, status: 200 };
  });

  async function selected(kind: KindName, name: string, args: Properties, more: Properties = {}): Promise<SelectedTest[]> {
    const { id, state } = await bench.create(kind, { testName: name, interval: 60, ...args });
    const resource = { urn: `urn:pulumi:dev::test::t::${name}`, type: typeToken(registry[kind].name), id };
    const managed = managedIn("dev", {
      deployment: { resources: [{ ...resource, inputs: state, outputs: { ...state, ...more } }] },
    });
    return selectTests(managed, "all", undefined, "rounds");
  }

  /** Waits until a test has this number of rounds. */
  async function measured(id: string, rounds: number): Promise<void> {
    for (let tries = 0; tries < 600; tries += 1) {
      const stored = await fetch(`${bench.emulator.url}/_emulator/records/rounds-${id}`);
      const { records } = (await stored.json()) as { records: unknown[] };
      if (records.length >= rounds) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`${rounds} rounds of ${id} do not come`);
  }

  interface Options {
    limits?: object;
    onProgress?: (done: number, rounds: number) => void;
    stop?: AbortSignal;
  }

  const verify = (selection: readonly SelectedTest[], rounds: number, options: Options = {}) => {
    const { limits = {}, onProgress = () => undefined, stop = never } = options;
    return verifyRounds(bench.session, selection, bounds(limits), rounds, onProgress, stop);
  };

  it("`verify` waits for measurement rounds that start after the update", async () => {
    const selection = await selected("httpServerTest", "portal", { url: `http://127.0.0.1:${port}/` });
    const id = selection[0]?.resource.id ?? "";
    answer = { delayMs: 0, status: 500 };
    await measured(id, 2);
    answer = { delayMs: 0, status: 200 };
    // A running round may still get the error.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const began = Date.now();
    const progress: [number, number][] = [];
    const [verdict] = await verify(selection, 2, { onProgress: (done, rounds) => void progress.push([done, rounds]) });
    expect(verdict).toMatchObject({ outcome: "passed", reasons: [] });
    const rounds = new Set(verdict?.measured.map(({ roundId }) => roundId));
    expect(rounds.size).toBe(2);
    expect([...rounds].every((roundId) => roundId > Math.floor(began / 1_000))).toBe(true);
    expect([progress[0]?.[0], progress.at(-1)?.[0]]).toEqual([0, 1]);

    answer = { delayMs: 0, status: 500 };
    const [failed] = await verify(selection, 3);
    expect(failed).toMatchObject({ outcome: "failed" });
    expect(failed?.reasons[0]).toMatch(/^round \d: availability 0 %, under 100 %$/);
  });

  it.each([
    ["ahead of", 7_200_000],
    ["behind", -7_200_000],
  ])("`verify` uses the service's clock, even if the service's clock is two hours %s the local clock", async (_, offMs) => {
    const usual = bench;
    bench = await Bench.start({}, { speed: 60, agents: 3, now: () => Date.now() + offMs });
    try {
      const selection = await selected("httpServerTest", "portal", { url: `http://127.0.0.1:${port}/` });
      answer = { delayMs: 0, status: 500 };
      await measured(selection[0]?.resource.id ?? "", 2);
      answer = { delayMs: 0, status: 200 };
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      const [verdict] = await verify(selection, 1);
      expect(verdict).toMatchObject({ outcome: "passed", reasons: [] });
      expect(verdict?.measured.every(({ roundId }) => Math.abs(roundId * 1_000 - Date.now() - offMs) < 60_000)).toBe(true);
    } finally {
      await bench.end();
      bench = usual;
    }
  });

  it("`verify` gives no verdict on a dynamic test until the test has sessions", async () => {
    const selection = await selected("dynamicTest", "meetings", { application: "webex" });
    expect(selection).toMatchObject([{ ofSessions: true }]);
    expect(
      selectTests(
        selection.map(({ resource }) => resource),
        "all",
        undefined,
      ),
    ).toMatchObject([{ refused: expect.stringContaining("dynamic") }]);
    const open = await verify(selection, 1, { limits: { timeout: "2" } });
    expect(open).toMatchObject([{ outcome: "no-verdict", reasons: ["0 of 1 rounds within 2 s"] }]);
    await bench.door("sessions", { testId: selection[0]?.resource.id, server: "127.0.0.1", port });
    const [verdict] = await verify(selection, 2);
    expect(verdict).toMatchObject({
      outcome: "passed",
      reasons: [],
      measured: [{ available: true, loss: 0 }, { available: true }],
    });
  });

  it("`verify` skips a disabled test and fails for a deleted test", async () => {
    const disabled = await selected("agentToServerTest", "off", { server: "127.0.0.1", port, isEnabled: false });
    const gone = await selected("agentToServerTest", "gone", { server: "127.0.0.1", port });
    await bench.life("agentToServerTest").delete(gone[0]?.resource.id ?? "", {});
    const [skipped, error] = await verify([...disabled, ...gone], 1);
    expect(skipped).toMatchObject({ outcome: "skipped", reasons: ["it is disabled (isEnabled is false)"] });
    expect(error?.outcome).toBe("error");
    const far = await selected("agentToServerTest", "far", { server: "vpn.example.com", port: 443 });
    const stop = new AbortController();
    const stopped = verify(far, 1, { stop: stop.signal, onProgress: () => stop.abort() });
    expect(await stopped).toMatchObject([{ outcome: "interrupted", reasons: ["not waited for"] }]);
    expect(roundsTimeout([...far, ...gone], 2)).toBe(3 * 60 + 120);
  });

  it("`verify` fails after the timeout and names the agents that did not answer", async () => {
    const usual = bench;
    bench = await Bench.start({}, { speed: 60, agents: 12 });
    try {
      const client = bench.session.client.agents;
      const { agents } = await client.list({ query: { aid: "1001" } });
      const [first, second] = agents.filter(({ status }) => status === "enabled");
      if (!first || !second) throw new Error("There are too few agents");
      const named = { agentSelectorType: "specific-agents", agents: [first.id, second.id] };
      const selection = await selected("httpServerTest", "named", { url: `http://127.0.0.1:${port}/`, ...named });
      await client.disable({ path: { agentId: second.id }, query: { aid: "1001" } });
      const [verdict] = await verify(selection, 1, { limits: { timeout: "4" } });
      expect(verdict).toMatchObject({ outcome: "failed" });
      expect(verdict?.reasons.join()).toContain(`no results from 1 of 2 agents: ${second.name}`);
    } finally {
      await bench.end();
      bench = usual;
    }
  });

  it.each([
    ["label", "agent-labels", "endpointAgentLabels", { name: "Nowhere" }, 'label "Nowhere" selects no agent'],
    ["endpointAgentTag", "agent-tags", "tagIds", { key: "site", value: "nowhere" }, 'tag "site:nowhere" selects no agent'],
  ] as const)(
    "`verify` does not wait for results if a %s selects no agents",
    async (kind, agentSelectorType, property, names, reason) => {
      const filters = [{ key: "hostname", mode: "in", values: ["NOWHERE-*"] }];
      const { id } = await bench.create(kind, { ...names, matchType: "and", filters });
      const selector = { agentSelectorType, [property]: [id] };
      const selection = await selected("httpServerTest", `lost by ${kind}`, { url: `http://127.0.0.1:${port}/`, ...selector });
      const started = performance.now();
      const [verdict] = await verify(selection, 1);
      expect(verdict).toMatchObject({ outcome: "no-verdict", reasons: [reason], measured: [], lacksAgents: true });
      expect(performance.now() - started).toBeLessThan(5_000);
    },
  );

  it("`verify` reports the completed measurement rounds after an interrupt", async () => {
    const selection = await selected("httpServerTest", "stopped", { url: `http://127.0.0.1:${port}/` });
    const stop = new AbortController();
    const onProgress = (_: number, rounds: number): void => void (rounds > 0 && stop.abort());
    const [verdict] = await verify(selection, 20, { stop: stop.signal, onProgress });
    expect(verdict).toMatchObject({ outcome: "interrupted", reasons: ["not waited for"] });
    expect(verdict?.measured.length).toBeGreaterThan(0);
  });
});

it("the option --rounds accepts numbers from 1 to 24", () => {
  expect([roundsOf({ rounds: "3" }), roundsOf({})]).toEqual([3, undefined]);
  for (const rounds of ["0", "25"]) expect(() => roundsOf({ rounds })).toThrow("--rounds takes a number from 1 to 24");
});
