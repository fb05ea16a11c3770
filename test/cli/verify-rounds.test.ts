/** `verify --rounds`: scheduled rounds after an update, of dynamic tests too, and what they are compared with. The emulator measures. */
import { createServer, type Server } from "node:http";
import type { Measurement } from "../../provider/measurement";
import type { KindName } from "../../provider/registry";
import type { Properties } from "../../provider/values";
import { managedIn } from "../../cli/engine/state";
import { compareRounds, worsened } from "../../cli/verify/compare";
import { boundsOf, roundsOf } from "../../cli/verify/options";
import { roundsTimeout, verifyRounds } from "../../cli/verify/rounds";
import { type SelectedTest, selectTests } from "../../cli/verify/selected";
import { registry } from "../../provider/registry";
import { typeToken } from "../../sdk/token";
import { closeServer, portOf } from "../emulator/loopback";
import { Bench } from "../provider/bench";

jest.setTimeout(120_000);

const bounds = (given: object) => boundsOf({ settle: "0", timeout: "60", ...given });
const never = new AbortController().signal;
const at = (ms: number) => new Date(ms).toISOString();

describe("rounds after an update", () => {
  let bench: Bench;
  let server: Server;
  let port: number;
  /** How long the server takes, and whether it answers with an error. */
  let answer = { delayMs: 0, status: 200 };

  beforeAll(async () => {
    // A round a second for an interval of a minute.
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
    const held = managedIn("dev", {
      deployment: { resources: [{ ...resource, inputs: state, outputs: { ...state, ...more } }] },
    });
    return selectTests(held, "all", undefined, "rounds");
  }

  /** Waits until a test has so many rounds. */
  async function measured(id: string, rounds: number): Promise<void> {
    for (let tries = 0; tries < 600; tries += 1) {
      const found = await fetch(`${bench.emulator.url}/_emulator/records/rounds-${id}`);
      const { records } = (await found.json()) as { records: unknown[] };
      if (records.length >= rounds) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`${rounds} rounds of ${id} do not come`);
  }

  interface Options {
    given?: object;
    /** When the update began, in milliseconds. Default: now. */
    began?: number;
    onProgress?: (done: number, rounds: number) => void;
    stop?: AbortSignal;
  }

  const verify = (
    selection: readonly SelectedTest[],
    rounds: { count: number; noWorseThan?: number },
    options: Options = {},
  ) => {
    const { given = {}, began = Date.now(), onProgress = () => undefined, stop = never } = options;
    const update = { startTime: at(began) };
    return verifyRounds(bench.session, selection, bounds(given), rounds, update, () => new Date(), onProgress, stop);
  };

  it("are waited for and judged one by one, and only those that began after it", async () => {
    const selection = await selected("httpServerTest", "portal", { url: `http://127.0.0.1:${port}/` });
    const id = selection[0]?.resource.id ?? "";
    answer = { delayMs: 0, status: 500 };
    await measured(id, 2);
    answer = { delayMs: 0, status: 200 };
    // A round that is under way may still have the error.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const began = Date.now();
    const progress: [number, number][] = [];
    const [verdict] = await verify(
      selection,
      { count: 2 },
      { began, onProgress: (done, rounds) => void progress.push([done, rounds]) },
    );
    expect(verdict).toMatchObject({ outcome: "passed", reasons: [] });
    const rounds = new Set(verdict?.measured.map(({ roundId }) => roundId));
    expect(rounds.size).toBe(2);
    expect([...rounds].every((roundId) => roundId > Math.floor(began / 1_000))).toBe(true);
    expect([progress[0]?.[0], progress.at(-1)?.[0]]).toEqual([0, 1]);

    answer = { delayMs: 0, status: 500 };
    const [failed] = await verify(selection, { count: 3 });
    expect(failed).toMatchObject({ outcome: "failed" });
    expect(failed?.reasons[0]).toMatch(/^round \d: availability 0 %, under 100 %$/);
  });

  it("are compared with those before it", async () => {
    const selection = await selected("httpServerTest", "compared", {
      url: `http://127.0.0.1:${port}/`,
      networkMeasurements: false,
    });
    const id = selection[0]?.resource.id ?? "";
    answer = { delayMs: 150, status: 200 };
    await measured(id, 4);
    const same = await verify(selection, { count: 2, noWorseThan: 200 });
    expect(same).toMatchObject([{ outcome: "passed", comparison: { agents: 1 } }]);
    const began = Date.now();
    answer = { delayMs: 1_000, status: 200 };
    // A round that is under way may still be as fast as before.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const [slower] = await verify(selection, { count: 2, noWorseThan: 200 }, { began });
    expect(slower).toMatchObject({
      outcome: "failed",
      reasons: [expect.stringMatching(/^response time more than 200 % worse: \d+(\.\d)? → \d+(\.\d)? ms$/)],
    });
    // The same rounds are no failure where nothing is compared.
    expect(await verify(selection, { count: 1 })).toMatchObject([{ outcome: "passed" }]);
  });

  it("of a dynamic test come with sessions; without one they are late, and a new test has nothing to compare with", async () => {
    const selection = await selected("dynamicTest", "meetings", { application: "webex" });
    expect(selection).toMatchObject([{ ofSessions: true }]);
    expect(
      selectTests(
        selection.map(({ resource }) => resource),
        "all",
        undefined,
      ),
    ).toMatchObject([{ refused: expect.stringContaining("dynamic") }]);
    const open = await verify(selection, { count: 1 }, { given: { timeout: "2" } });
    expect(open).toMatchObject([{ outcome: "no-verdict", reasons: ["0 of 1 rounds within 2 s"] }]);
    const began = Date.now();
    await bench.door("sessions", { testId: selection[0]?.resource.id, server: "127.0.0.1", port });
    const [verdict] = await verify(selection, { count: 2, noWorseThan: 20 }, { began });
    expect(verdict).toMatchObject({
      outcome: "passed",
      reasons: ["not compared: there are no rounds of before the update"],
      measured: [{ available: true, loss: 0 }, { available: true }],
    });
  });

  it("of a disabled test are not waited for, one that is gone is an error, and the stop ends the wait", async () => {
    const disabled = await selected("agentToServerTest", "off", { server: "127.0.0.1", port, isEnabled: false });
    const gone = await selected("agentToServerTest", "gone", { server: "127.0.0.1", port });
    await bench.life("agentToServerTest").delete(gone[0]?.resource.id ?? "", {});
    const [skipped, error] = await verify([...disabled, ...gone], { count: 1 });
    expect(skipped).toMatchObject({ outcome: "skipped", reasons: ["it is disabled (isEnabled is false)"] });
    expect(error?.outcome).toBe("error");
    const far = await selected("agentToServerTest", "far", { server: "vpn.example.com", port: 443 });
    const stop = new AbortController();
    const stopped = verify(far, { count: 1 }, { stop: stop.signal, onProgress: () => stop.abort() });
    expect(await stopped).toMatchObject([{ outcome: "interrupted", reasons: ["not waited for"] }]);
    expect(roundsTimeout([...far, ...gone], 2)).toBe(3 * 60 + 120);
  });
});

describe("comparing rounds", () => {
  const row = (agentId: string, more: Partial<Measurement> = {}): Measurement => ({
    agentId,
    roundId: 1,
    available: true,
    ...more,
  });
  const worse = (before: Measurement[], after: Measurement[], percent = 20) =>
    worsened(compareRounds(before, after, percent), percent);

  it.each<[string, Measurement[], Measurement[], string[]]>([
    ["within the bound", [row("a", { avgLatency: 100 })], [row("a", { avgLatency: 120 })], []],
    [
      "beyond it",
      [row("a", { avgLatency: 100 })],
      [row("a", { avgLatency: 121 })],
      ["latency more than 20 % worse: 100 → 121 ms"],
    ],
    ["less than a millisecond", [row("a", { avgLatency: 0.2 })], [row("a", { avgLatency: 1.1 })], []],
    ["better", [row("a", { avgLatency: 100 })], [row("a", { avgLatency: 1 })], []],
    ["loss where there was none", [row("a", { loss: 0 })], [row("a", { loss: 20 })], []],
    ["more loss", [row("a", { loss: 0 })], [row("a", { loss: 21 })], ["packets that arrive more than 20 % worse: 100 → 79 %"]],
    [
      "one slow round of three",
      [1, 2, 3].map(() => row("a", { responseTime: 10 })),
      [10, 10, 900].map((responseTime) => row("a", { responseTime })),
      [],
    ],
    [
      "what no longer answers is not measured",
      [row("a", { responseTime: 10 })],
      [row("a", { available: false })],
      ["availability more than 20 % worse: 100 → 0 %", "response time no longer measured (10 ms before the update)"],
    ],
    ["a figure that is new", [row("a")], [row("a", { responseTime: 900 })], []],
    ["an agent that is new", [row("a", { avgLatency: 10 })], [row("a", { avgLatency: 10 }), row("b", { avgLatency: 900 })], []],
    ["an agent that is gone", [row("a", { avgLatency: 10 }), row("b", { avgLatency: 1 })], [row("a", { avgLatency: 10 })], []],
  ])("%s", (_, before, after, reasons) => expect(worse(before, after)).toEqual(reasons));

  it("says why it compares nothing", () => {
    expect(compareRounds([], [row("a")], 20).reason).toBe("there are no rounds of before the update");
    expect(compareRounds([row("a")], [row("b")], 20).reason).toBe("no agent measured before and after the update");
  });
});

it("takes --rounds and --no-worse-than as they are described", () => {
  expect(roundsOf({ rounds: "3", "no-worse-than": "20%" })).toEqual({ count: 3, noWorseThan: 20 });
  expect(roundsOf({ rounds: "1", "no-worse-than": "12.5" })).toEqual({ count: 1, noWorseThan: 12.5 });
  expect(roundsOf({ rounds: "1" })).toEqual({ count: 1 });
  expect(roundsOf({})).toBeUndefined();
  expect(() => roundsOf({ "no-worse-than": "20%" })).toThrow("--no-worse-than compares rounds: it goes with --rounds");
  for (const rounds of ["0", "25"]) expect(() => roundsOf({ rounds })).toThrow("--rounds takes a number from 1 to 24");
  expect(() => roundsOf({ rounds: "1", "no-worse-than": "much" })).toThrow(
    '--no-worse-than takes a number such as 2.5, not "much"',
  );
});
