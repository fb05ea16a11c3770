/**
 * Mixes measurements of many sorts at random. A gate passes only if a selected agent measured the target in the gate's own
 * run.
 */
import { readSettings } from "../../api";
import { managedIn } from "../../engine/state";
import { boundsOf } from "../../cli/commands/verify/limits";
import { runTests } from "../../cli/commands/verify/test-run";
import { selectTests } from "../../cli/commands/verify/selected";
import { ExpectationError } from "../../provider/failures";
import { Lifecycle } from "../../provider/lifecycle";
import type { Measurement } from "../../provider/measurement";
import { registry } from "../../provider/registry";
import type { Schedule } from "../../provider/reach";
import { nextSecond, RunProof } from "../../provider/resources/run-proof";
import { SelectionProof } from "../../provider/resources/selection-proof";
import { ServiceClock } from "../../provider/service-clock";
import { Session } from "../../provider/session";
import type { Properties } from "../../provider/values";
import { typeToken } from "../../sdk/token";
import { amount, random, seed } from "../support/amount";
import { type PlannedRow, type RowKind, RowProxy } from "../support/result-rows";
import { Bench } from "../provider/bench";
import { skipIdleTime } from "../support/idle-time";

skipIdleTime();

const timeout = 3;
const atOnce = 40;
const kinds = { network: "agentToServerTest", http: "httpServerTest" } as const;
type Part = keyof typeof kinds;
const targets = {
  network: { testName: "Gate", server: "vpn.example.com" },
  http: { testName: "Gate", url: "https://www.example.com/" },
} as const;

interface Selection {
  properties: Properties;
  /** Agents that the test selects, and whether the test names them. */
  members: string[];
  named: boolean;
  foreigners: string[];
}

let bench: Bench;
const tests: { part: Part; selection: Selection; id: string; state: Properties }[] = [];

beforeAll(async () => {
  bench = await Bench.start({}, { agents: 40 });
  const { agents } = await bench.session.client.agents.list({ query: { aid: "1001" } });
  const elsewhere = (await bench.session.client.agents.list({ query: { aid: "1002" } })).agents.map(({ id }) => id);
  const enabled = agents.filter(({ status }) => status === "enabled");
  const ids = enabled.map(({ id }) => id);
  const [a = "", b = "", c = "", d = "", e = ""] = ids;
  const computers = enabled.slice(0, 3).map(({ computerName = "" }) => computerName);
  const label = await bench.create("label", {
    name: "Three",
    matchType: "or",
    filters: [{ key: "hostname", values: computers }],
  });
  const nobody = "00000000-0000-4000-8000-000000000000";
  const selections: Selection[] = [
    { properties: { agentSelectorType: "specific-agents", agents: [a] }, members: [a], named: true, foreigners: [b, nobody] },
    {
      properties: { agentSelectorType: "specific-agents", agents: [a, b, c] },
      members: [a, b, c],
      named: true,
      foreigners: [d, e],
    },
    {
      properties: { agentSelectorType: "agent-labels", endpointAgentLabels: [label.id] },
      members: [a, b, c],
      named: false,
      foreigners: [d, e, nobody],
    },
    { properties: {}, members: ids.slice(0, 4), named: false, foreigners: [nobody, ...elsewhere.slice(0, 2)] },
  ];
  for (const part of Object.keys(kinds) as Part[]) {
    for (const selection of selections) {
      const { id, state } = await bench.create(kinds[part], { ...targets[part], ...selection.properties, interval: 3600 });
      tests.push({ part, selection, id, state });
    }
  }
});
afterAll(() => bench.end());

interface Mixture {
  gate: "testRun" | "instant" | "verify";
  test: (typeof tests)[number];
  rows: PlannedRow[];
  aheadMs: number;
}

/** Half of the mixtures contain a good measurement of each agent, among other rows. */
function mixtureOf(number: number): Mixture {
  const next = random(seed(77) + number);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)] as T;
  const test = pick(tests);
  const { members, foreigners } = test.selection;
  const late = (): number => (next() < 0.3 ? 400 + next() * 600 : 0);
  const row = (kind: RowKind, agentId: string): PlannedRow => ({ kind, agentId, afterMs: late(), times: next() < 0.2 ? 2 : 1 });
  const isWhole = next() < 0.5;
  const planned = members.flatMap((agentId): PlannedRow[] => {
    const good = row("reached", agentId);
    if (isWhole) return [good];
    const chance = next();
    if (chance < 0.25) return [];
    if (chance < 0.4) return [good];
    // Contradictory rows of the same round.
    if (chance < 0.5) return [good, { ...row("unreached", agentId), afterMs: good.afterMs }];
    return [row(pick(["unreached", "zero", "figureless"]), agentId)];
  });
  const noise = Array.from({ length: Math.floor(next() * 5) }, () => {
    const kind = pick(["stale", "future", "round-zero", "foreign-agent", "foreign-test"] as const);
    return row(kind, kind === "foreign-agent" ? pick(foreigners) : pick(members));
  });
  const rows = [...planned, ...noise].toSorted(() => next() - 0.5);
  return { gate: pick(["testRun", "instant", "verify"] as const), test, rows, aheadMs: pick([0, 0, -7_200_000, 5_400_000]) };
}

interface Outcome {
  verdict: "green" | "red" | "no verdict";
  measured: readonly Measurement[];
}

async function outcomeOf({ gate, test, rows, aheadMs }: Mixture): Promise<Outcome> {
  const { proxy, url } = await RowProxy.start(bench.emulator.url, rows, aheadMs);
  const settings: Record<string, string> = { baseUrl: url, token: "emulator-token", accountGroupId: "1001" };
  const session = new Session(readSettings((name) => settings[name], {}));
  try {
    if (gate === "verify") {
      const resource = {
        urn: `urn:pulumi:dev::test::t::${test.id}`,
        type: typeToken(registry[kinds[test.part]].name),
        id: test.id,
      };
      const deployment = { resources: [{ ...resource, inputs: test.state, outputs: test.state }] };
      const selection = selectTests(managedIn("dev", { deployment }), "all", undefined);
      const bounds = boundsOf({ timeout: `${timeout}`, "wait-for-more": "0" });
      const [verdict] = await runTests(session, selection, bounds, () => undefined, new AbortController().signal);
      const words = { passed: "green", failed: "red", "no-verdict": "no verdict" } as Record<string, Outcome["verdict"]>;
      const known = words[verdict?.outcome ?? ""];
      if (!known || !verdict) throw new Error(verdict?.reasons.join(", "));
      return { verdict: known, measured: verdict.measured };
    }
    const waiting = { expect: { minAvailability: 100 }, waitForResults: { timeout } };
    const kind =
      gate === "testRun" ? "testRun" : (`${kinds[test.part].replace("Test", "")}InstantTest` as "httpServerInstantTest");
    const declared = gate === "testRun" ? { testId: test.id } : { ...targets[test.part], ...test.selection.properties };
    const life = new Lifecycle(registry[kind], session);
    const { state } = await life.create(life.check({ ...declared, ...waiting }).inputs);
    return { verdict: "green", measured: state["results"] as Measurement[] };
  } catch (error) {
    if (!(error instanceof ExpectationError)) throw error;
    return { verdict: error.hasVerdict ? "red" : "no verdict", measured: error.measured };
  } finally {
    await session.client.close();
    await proxy.close();
  }
}

/** Returns the fault of an outcome, decided only by the plan. */
function faultOf({ test, rows }: Mixture, { verdict, measured }: Outcome): string | undefined {
  const { members, named } = test.selection;
  const ofRun = new Set<RowKind>(["reached", "unreached", "zero", "figureless"]);
  const kindsOf = (agentId: string): RowKind[] =>
    rows.flatMap((row) => (row.agentId === agentId && ofRun.has(row.kind) ? [row.kind] : []));
  const isGood = (agentId: string): boolean =>
    kindsOf(agentId).length > 0 && kindsOf(agentId).every((kind) => kind === "reached");
  const good = members.filter(isGood);
  const strangers = measured.filter(({ agentId }) => kindsOf(agentId).length === 0);
  if (strangers.length > 0) return `${strangers.length} measurements are not of the run`;
  if (members.every(isGood) && verdict !== "green") return `${verdict}, though all is well`;
  if (verdict === "green" && (named ? good.length < members.length : good.length === 0)) return "green without a measurement";
  if (verdict === "red" && !members.some((id) => kindsOf(id).length > 0)) return "red without a measurement";
  return undefined;
}

describe("measurements of a test run with expectations", () => {
  const of = (part: Part, selection: number): (typeof tests)[number] => {
    const test = tests.filter((candidate) => candidate.part === part)[selection];
    if (!test) throw new Error(part);
    return test;
  };
  const selecting = (more: Partial<Schedule>): Schedule => ({
    agentSelectorType: "specific-agents",
    maxMachines: 25,
    interval: 60,
    isEnabled: true,
    isPrioritized: false,
    ...more,
  });
  const there = (kind: RowKind, agentId = ""): PlannedRow => ({ kind, agentId, afterMs: 0, times: 1 });

  it.concurrent("a test run ignores measurements from before the run", async () => {
    const test = of("network", 0);
    const { members, foreigners } = test.selection;
    for (const row of [there("stale", members[0]), there("foreign-agent", foreigners[0])]) {
      const outcome = await outcomeOf({ gate: "testRun", test, rows: [row], aheadMs: 0 });
      expect(outcome).toEqual({ verdict: "no verdict", measured: [] });
    }
  });

  it.concurrent("a test run counts agents without results as failed", async () => {
    const test = of("network", 1);
    const { proxy, url } = await RowProxy.start(bench.emulator.url, [there("reached", test.selection.members[0])], 0);
    const settings: Record<string, string> = { baseUrl: url, token: "emulator-token" };
    const session = new Session(readSettings((name) => settings[name], {}));
    const life = new Lifecycle(registry.testRun, session);
    const run = (more: Properties): Promise<unknown> =>
      life.create(
        life.check({ testId: test.id, waitForResults: { timeout: 2, ...more }, expect: { minAvailability: 100 } }).inputs,
      );
    const agents = await bench.session.client.agents.list({ query: { aid: "1001" } });
    const names = test.selection.members.slice(1).map((id) => agents.agents.find((agent) => agent.id === id)?.name);
    await expect(run({})).rejects.toMatchObject({
      hasVerdict: true,
      broken: [`availability 33 %, under 100 % (no results from 2 of 3 agents: ${names.join(", ")})`],
    });
    await expect(run({ minAgents: 1 })).resolves.toBeDefined();
    await session.client.close();
    await proxy.close();
  });

  it.concurrent("a test run treats the response code 0 as a missing response", async () => {
    const test = of("http", 0);
    const outcome = await outcomeOf({ gate: "testRun", test, rows: [there("zero", test.selection.members[0])], aheadMs: 0 });
    expect(outcome).toMatchObject({ verdict: "red", measured: [{ available: false, responseCode: 0 }] });
  });

  it("a test run rejects measurements that are more than 5 s ahead of the service's clock", async () => {
    const clock = new ServiceClock();
    clock.observe({ date: 1_000_000 });
    const selection = new SelectionProof(bench.session, "1001", selecting({ agents: ["a"] }));
    const proof = new RunProof(clock, 990, selection);
    const at = (roundId: number): Measurement => ({ agentId: "a", roundId, available: true });
    expect(await proof.accepted([at(1_006), at(1_030)])).toEqual([at(1_006)]);
    expect(proof.refusals()).toBe("1 measurement was not accepted: 1 of rounds that have not begun yet.");
  });

  it("a test run waits for as many agents as the test selects, up to the test's maximum", () => {
    const proofOf = (more: Partial<Schedule>): SelectionProof => new SelectionProof(bench.session, "1001", selecting(more));
    expect(proofOf({ agents: ["a", "b", "b"] })).toMatchObject({ count: 2, named: ["a", "b"] });
    expect(proofOf({ agents: ["a", "b", "c"], maxMachines: 2 })).toMatchObject({ count: 2, named: undefined });
    expect(proofOf({ agentSelectorType: "all-agents" })).toMatchObject({ count: undefined, named: undefined });
    const none = { count: undefined, named: undefined };
    expect([proofOf({ agentSelectorType: "any-agent", agents: ["a"] }), proofOf({ agents: undefined })]).toMatchObject([
      none,
      none,
    ]);
  });

  it("a test run treats an agent as selected if the agent's tags are unknown", async () => {
    const tag = {
      key: "site",
      value: "a",
      matchType: "or",
      filters: [{ key: "location", mode: "in", scope: "default", values: ["x"] }],
    };
    const { id } = await bench.create("endpointAgentTag", tag);
    const { agents } = await bench.session.client.agents.list({ query: { aid: "1001" } });
    const schedule = selecting({ agentSelectorType: "agent-tags", tagIds: [id] });
    const proof = new SelectionProof(bench.session, "1001", schedule);
    expect(await proof.selects(agents[0]?.id ?? "")).toBe(true);
    expect(await proof.selects("no-such-agent")).toBe(false);
  });

  it("the client does not know the service's time until the service sends a Date header", async () => {
    const clock = new ServiceClock();
    expect(clock.earliest()).toBeUndefined();
    clock.observe({ date: undefined });
    expect([clock.earliest(), await nextSecond(clock)]).toEqual([undefined, undefined]);
    clock.observe({ date: 1_000_000 });
    clock.observe({ date: 900_000 });
    expect(clock.earliest()).toBeGreaterThanOrEqual(1_000_000);
    expect(await nextSecond(clock)).toBe(1_001);
  });
});

it("a test run passes only if selected agents measured the target during that run", async () => {
  const count = amount(60, 2_000);
  const counts: Record<string, number> = {};
  const faults: string[] = [];
  const late: number[] = [];
  let number = 0;
  const tryOne = async (at: number, isAlone: boolean): Promise<void> => {
    const mixture = mixtureOf(at);
    const outcome = await outcomeOf(mixture);
    const fault = faultOf(mixture, outcome);
    // A gate may time out on a busy machine, so the case runs again on its own.
    if (fault !== undefined && outcome.verdict === "no verdict" && !isAlone) {
      late.push(at);
      return;
    }
    const key = `${mixture.gate} ${outcome.verdict}`;
    counts[key] = (counts[key] ?? 0) + 1;
    if (fault !== undefined) faults.push(`mixture ${at} (seed ${seed(77)}), ${mixture.gate}: ${fault}`);
  };
  const work = async (): Promise<void> => {
    while (number < count) {
      const at = number;
      number += 1;
      await tryOne(at, false);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, work));
  for (const at of late) await tryOne(at, true);
  expect(faults).toEqual([]);
  // Each gate reaches each verdict.
  for (const gate of ["testRun", "instant", "verify"]) {
    for (const verdict of ["green", "red", "no verdict"]) expect(counts[`${gate} ${verdict}`]).toBeGreaterThan(0);
  }
});
