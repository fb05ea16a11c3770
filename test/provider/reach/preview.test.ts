/** Compares the lines of both provider types about affected agents with an independent count of the service's result. */
import { DiffResponse } from "@pulumi/pulumi/proto/provider_pb";
import fc from "fast-check";
import type { Interceptor } from "../../../emulator/interceptor";
import { launch } from "../../../emulator/launch";
import { settle } from "../../../emulator/options";
import { createHost } from "../../../provider/dynamic";
import { titleOf } from "../../../provider/identity";
import { pages } from "../../../api";
import type { Kind } from "../../../provider/kind";
import { maxRequests, patienceMs, PreviewReach } from "../../../provider/reach/preview";
import { type KindName, registry } from "../../../provider/registry";
import { compact, type Properties, unknownValue } from "../../../provider/values";
import { labelFilter } from "../../support/arbitraries";
import { amount, seed } from "../../support/amount";
import { Plugin, secret, urnOf } from "../../support/plugin";
import { Bench, withBench } from "../bench";

type ReachKind = "label" | "agentToServerTest";

/** A resource in the state. */
interface Held {
  id: string;
  state: Properties;
  inputs: Properties;
}

/** A preview: a provider process, driven as the engine drives it. */
interface Preview {
  /** Previews one resource, new or in the state. @returns lines about affected agents */
  of(kind: KindName, state: Held | undefined, declared: Properties): Promise<string[]>;
  /** All lines in order, as the diagnostics show them. */
  readonly lines: string[];
  end(): void;
}

const startNative = async ({ emulator }: Bench, settings: Properties = {}): Promise<Preview> => {
  const plugin = await Plugin.start({ baseUrl: emulator.url, token: secret("emulator-token"), ...settings });
  return {
    async of(kind, state, declared) {
      const { name } = registry[kind];
      const first = plugin.logged.length;
      const { inputs, failures } = await plugin.check(name, state?.inputs ?? {}, declared);
      expect(failures).toEqual([]);
      if (!state) await plugin.create(name, inputs, true);
      else {
        const { changes, replacesList } = await plugin.diff(name, state.id, state.state, inputs);
        if (replacesList.length > 0) await plugin.create(name, (await plugin.check(name, {}, declared)).inputs, true);
        else if (changes === DiffResponse.DiffChanges.DIFF_SOME) await plugin.update(name, state.id, state.state, inputs, true);
      }
      const logged = plugin.logged.slice(first).filter(({ line, urn }) => urn !== "" && !line.startsWith("replaced because"));
      for (const { urn } of logged) expect(urn).toBe(urnOf(name));
      return logged.map(({ line }) => line);
    },
    get lines() {
      return plugin.logged.map(({ urn, line, severity }) => (urn === "" ? `${severity}: ${line}` : `resource: ${line}`));
    },
    end: () => plugin.end(),
  };
};

const startDynamic = ({ emulator }: Bench, settings: Properties = {}): Promise<Preview> => {
  const printed: string[] = [];
  const host = createHost((line) => printed.push(line));
  const values: Properties = { baseUrl: emulator.url, token: "emulator-token", ...settings };
  return Promise.resolve({
    async of(kind, state, declared) {
      const provider = host.provider(registry[kind]);
      provider.configure({ config: { get: (key) => values[key.replace("endpoint-monitoring:", "")] as string | undefined } });
      const first = printed.length;
      const passed = { ...declared, __preview: true };
      const { inputs, failures } = await provider.check(state?.inputs ?? {}, passed);
      expect([failures, inputs["__preview"]]).toEqual([[], undefined]);
      if (state) {
        const { replaces } = await provider.diff(state.id, state.state, inputs);
        if (replaces.length > 0) await provider.check({}, passed);
      }
      const lines = printed.slice(first).filter((line) => !/^(replace|The|This) /.test(line));
      // The host does not identify the resource, so the line names the record.
      return lines.map((line) => {
        const [subject = "", rest = ""] = line.split(/: (?=agents |account group )/);
        const title = titleOf(registry[kind], state?.state ?? declared);
        expect(subject).toBe(
          `${registry[kind].noun}${title === undefined ? "" : ` "${title}"`}${state ? ` (${state.id})` : ""}`,
        );
        return rest;
      });
    },
    get lines() {
      return printed.map((line) => (/^(The|This) /.test(line) ? `WARNING: ${line}` : `resource: ${line}`));
    },
    end: () => undefined,
  });
};

afterEach(() => jest.useRealTimers());

const fronts = { native: startNative, dynamic: startDynamic };
const each = Object.keys(fronts) as (keyof typeof fronts)[];

/** Runs a preview. Returns its result and its number of requests. */
async function preview<T>(
  bench: Bench,
  front: keyof typeof fronts,
  work: (running: Preview) => Promise<T>,
  settings: Properties = {},
): Promise<{ said: T; requests: number }> {
  const running = await fronts[front](bench, settings);
  await bench.door("requests/reset");
  try {
    const shown = await work(running);
    return { said: shown, requests: Object.values(bench.emulator.requests()).reduce((sum, count) => sum + count, 0) };
  } finally {
    running.end();
  }
}

const office = { name: "Office", matchType: "or", filters: [{ key: "platform", mode: "in", values: ["Mac"] }] };
const everybody50 = { testName: "Everybody", server: "vpn.example.com" };
const everybody = { testName: "Everybody", server: "vpn.example.com", maxMachines: 10_000 };

/** Number of tests that an agent may run, by license (docs/service/tests.md, Product limits). */
const room: Record<string, number> = { advantage: 10, essentials: 4 };

/**
 * Counts selected agents independently of the provider: labels from the emulator's responses, tests and licenses from scratch.
 */
class Count {
  private constructor(
    private readonly agents: readonly { id: string; licenseType?: string; lastSeen?: string }[],
    private readonly byLabel: ReadonlyMap<string, ReadonlySet<string>>,
    private readonly tests: ReadonlyMap<string, Properties>,
  ) {}

  static async of(bench: Bench, labels: ReadonlyMap<string, Held>, tests: ReadonlyMap<string, Held>): Promise<Count> {
    const { agents } = await bench.session.client.agents.list({ query: { aid: "1001", max: 1_000 } });
    const byLabel = [...labels.values()].map(async ({ id }): Promise<[string, Set<string>]> => {
      const answer = await fetch(`${bench.emulator.url}/_emulator/labels/${id}/agents`);
      const groups = (await answer.json()) as Record<"agents" | "silent", { id: string }[]>;
      return [id, new Set([...groups.agents, ...groups.silent].map((agent) => agent.id))];
    });
    const enabled = agents.filter(({ status }) => status !== "disabled");
    const states = [...tests.values()].map(({ id, state }): [string, Properties] => [id, state]);
    return new Count(enabled, new Map(await Promise.all(byLabel)), new Map(states));
  }

  /** Ids of the enabled agents with a label, or that a test may use, without the limit on their number. */
  meant(id: string): string[] {
    const labeled = this.byLabel.get(id);
    const { agentSelectorType, agents, endpointAgentLabels } = this.tests.get(id) ?? {};
    const isMeant = (agent: string): boolean => {
      if (labeled) return labeled.has(agent);
      if (agentSelectorType === "specific-agents") return (agents as string[]).includes(agent);
      if (agentSelectorType !== "agent-labels") return true;
      return (endpointAgentLabels as string[]).some((label) => this.byLabel.get(label)?.has(agent));
    };
    return this.agents.map((agent) => agent.id).filter(isMeant);
  }

  /** Text about the selected agents that checked in within the hour. */
  seen(id: string): string {
    const meant = new Set(this.meant(id));
    const all = this.agents.filter((agent) => meant.has(agent.id));
    const silent = all.filter(({ lastSeen = "" }) => Date.now() - Date.parse(lastSeen) > 60 * 60 * 1_000).length;
    return silent === 0 ? "" : `${all.length - silent} seen within the hour`;
  }

  /** Text about how many agents run the test, and how many it selects. */
  side(id: string): string {
    const [runs, meant] = [this.count(id), this.meant(id).length];
    return runs < meant ? `${runs} of ${meant}` : String(runs);
  }

  count(id: string): number {
    return Math.min(this.meant(id).length, Number(this.tests.get(id)?.["maxMachines"] ?? Infinity));
  }

  goBy(label: string): number {
    const uses = ({ agentSelectorType, endpointAgentLabels }: Properties): boolean =>
      agentSelectorType === "agent-labels" && (endpointAgentLabels as string[]).includes(label);
    return [...this.tests.values()].filter(uses).length;
  }

  /** By how many tests each agent exceeds its license. */
  excess(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const [id, { maxMachines }] of this.tests) {
      for (const agent of this.meant(id).slice(0, Number(maxMachines))) counts.set(agent, (counts.get(agent) ?? 0) + 1);
    }
    return new Map(
      this.agents.map(({ id, licenseType = "" }) => [id, Math.max(0, (counts.get(id) ?? 0) - (room[licenseType] ?? 1))]),
    );
  }
}

/** Returns the line that follows from the counts before and after a change. */
function expectedLine(
  before: Count,
  after: Count,
  ids: { before?: string; after: string },
  isLabel: boolean,
): string | undefined {
  const last = after.meant(ids.after);
  const count = after.count(ids.after);
  const parts: string[] = [];
  const seen = after.seen(ids.after);
  const notes = (...texts: string[]): string => (texts.some(Boolean) ? ` (${texts.filter(Boolean).join("; ")})` : "");
  if (ids.before === undefined) parts.push(`agents ${after.side(ids.after)}${notes(seen)}`);
  else {
    const first = before.meant(ids.before);
    const gained = last.filter((agent) => !first.includes(agent)).length;
    const lost = first.filter((agent) => !last.includes(agent)).length;
    if (gained + lost === 0 && before.count(ids.before) === count) return undefined;
    const both = [...(gained > 0 ? [`+${gained}`] : []), ...(lost > 0 ? [`-${lost}`] : [])];
    parts.push(`agents ${before.side(ids.before)} -> ${after.side(ids.after)}${notes(seen, both.join(", "))}`);
  }
  const tests = isLabel ? after.goBy(ids.after) : 0;
  if (tests > 0) parts.push(tests === 1 ? "1 test uses this label" : `${tests} tests use this label`);
  const had = before.excess();
  const over = [...after.excess()].filter(([agent, excess]) => excess > (had.get(agent) ?? 0)).length;
  if (over > 0) parts.push(over === 1 ? "1 agent over its license" : `${over} agents over their license`);
  return parts.join("; ");
}

const changes = amount(10, 300);

/** A random change of a label or test, new or existing. */
const anyChange = fc.record({
  isLabel: fc.boolean(),
  isNew: fc.integer({ min: 0, max: 4 }).map((dice) => dice === 0),
  which: fc.nat(1_000),
  filters: fc.array(
    fc.oneof(
      labelFilter,
      fc.record({
        key: fc.constant("platform"),
        mode: fc.constantFrom("in", "not-in"),
        values: fc.subarray(["Mac", "Windows"], { minLength: 1 }),
      }),
    ),
    { minLength: 1, maxLength: 3 },
  ),
  matchType: fc.constantFrom("and", "or"),
  selector: fc.constantFrom("all-agents", "specific-agents", "agent-labels"),
  picks: fc.array(fc.nat(1_000), { minLength: 1, maxLength: 5 }),
  // A change of this property replaces the test.
  maxMachines: fc.constantFrom(5, 25, 1_000),
});

test(`a preview reports the correct number of agents: ${changes} random changes to labels and tests`, () =>
  withBench(
    async (bench) => {
      const [labels, tests] = [new Map<string, Held>(), new Map<string, Held>()];
      const make = async (kind: ReachKind, declared: Properties): Promise<string> => {
        const made = await bench.create(kind, declared);
        (kind === "label" ? labels : tests).set(made.id, made);
        return made.id;
      };
      for (let i = 0; i < 4; i += 1) {
        const id = await make("label", { ...office, name: `Label ${i}` });
        await make("agentToServerTest", {
          ...everybody,
          testName: `Test ${i}`,
          agentSelectorType: "agent-labels",
          endpointAgentLabels: [id],
        });
      }
      const { agents } = await bench.session.client.agents.list({ query: { aid: "1001", max: 1_000 } });
      const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T;
      const kinds = { new: 0, changed: 0, replaced: 0, said: 0, license: 0 };
      // Freezes time for the lines, because a busy machine takes long.
      jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask", "setInterval", "Date"] });
      for (const [i, change] of fc.sample(anyChange, { numRuns: changes, seed: seed(17) }).entries()) {
        const [kind, all]: [ReachKind, Map<string, Held>] = change.isLabel ? ["label", labels] : ["agentToServerTest", tests];
        const state = change.isNew ? undefined : pick([...all.values()], change.which);
        const selections: Properties = {
          "all-agents": {},
          "specific-agents": { agents: [...new Set(change.picks.map((at) => pick(agents, at).id))] },
          "agent-labels": { endpointAgentLabels: [...new Set(change.picks.map((at) => pick([...labels.keys()], at)))] },
        };
        const declared: Properties = change.isLabel
          ? { name: state?.inputs["name"] ?? `New ${i}`, matchType: change.matchType, filters: compact(change.filters) }
          : {
              testName: state?.inputs["testName"] ?? `New ${i}`,
              server: "vpn.example.com",
              maxMachines: change.maxMachines,
              agentSelectorType: change.selector,
              ...(selections[change.selector] as Properties),
            };
        const before = await Count.of(bench, labels, tests);
        const shownBy: Record<string, string[]> = {};
        for (const front of each) {
          const shown = await preview(bench, front, (running) => running.of(kind, state, declared));
          // A replacement also lists alert rules and streams.
          expect(shown.requests).toBeLessThanOrEqual(state ? 10 : 8);
          shownBy[front] = shown.said;
        }

        const life = bench.life(kind);
        const { inputs } = life.check(declared, state?.inputs);
        const differing = state ? life.diff(state.id, state.state, inputs) : [];
        const isReplaced = differing.some(({ replaces }) => replaces);
        let id = state?.id ?? "";
        if (state && !isReplaced) {
          if (differing.length > 0) all.set(id, { id, inputs, state: await life.update(id, state.state, inputs) });
        } else {
          if (state) await life.delete(id, state.state);
          all.delete(id);
          id = await make(kind, declared);
        }
        bench.newSession();
        const after = await Count.of(bench, labels, tests);
        const line = expectedLine(before, after, { ...(state && { before: state.id }), after: id }, change.isLabel);
        const lines = line === undefined ? [] : [line];
        expect({ i, ...shownBy }).toEqual({ i, native: lines, dynamic: lines });
        kinds[state ? (isReplaced ? "replaced" : "changed") : "new"] += 1;
        kinds.said += lines.length;
        kinds.license += line?.includes("license") === true ? 1 : 0;
      }
      // Each possible line occurred often enough.
      expect(Object.entries(kinds).filter(([, count]) => count < changes / 10)).toEqual([]);
    },
    { agents: 120 },
  ));

test.each(each)("a preview of %s resources reports no agents if no change of the selected agents is known", (front) =>
  withBench(async (bench) => {
    const created = await bench.create("label", office);
    const off = await preview(bench, front, (running) => running.of("label", undefined, { ...office, name: "Other" }), {
      previewReach: "off",
    });
    expect(off).toEqual({ said: [], requests: 0 });
    const silent = await preview(bench, front, async (running) => [
      await running.of("label", created, { ...office, name: "Renamed" }),
      await running.of("agentToServerTest", undefined, {
        ...everybody,
        agentSelectorType: "agent-labels",
        endpointAgentLabels: [unknownValue],
      }),
    ]);
    expect(silent.said).toEqual([[], []]);
    expect(await preview(bench, front, (running) => running.of("label", created, office))).toEqual({ said: [], requests: 0 });
  }),
);

/** The line of a preview with failed requests. */
const couldNot =
  /^WARNING: (The preview could not determine which agents the changes affect\. \S|The service did not answer within [\d.]+ s, so this preview does not show which agents its changes affect\.$)/;

describe.each(each)("failed requests for agents in a preview of %s resources", (front) => {
  const newLabels = (running: Preview): Promise<string[][]> =>
    Promise.all([1, 2, 3, 4, 5, 6].map((i) => running.of("label", undefined, { ...office, name: `Label ${i}` })));
  const endpointAgent = { agentId: "0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1" };

  it("a preview of six labels reports a wrong token only once", () =>
    withBench(async (bench) => {
      const token = front === "native" ? secret("no-such-token") : "no-such-token";
      const { said } = await preview(
        bench,
        front,
        async (running) => ({ own: await newLabels(running), lines: running.lines }),
        { token },
      );
      expect(said.own.flat()).toEqual([]);
      expect(said.lines).toEqual([expect.stringMatching(couldNot)]);
      expect(said.lines[0]).toMatch(/401.*endpoint-monitoring:token/s);
      expect(said.lines[0]).not.toContain("no-such-token");
    }));

  it("a preview that requests only one agent reports a failure once", () =>
    withBench(async (bench) => {
      const token = front === "native" ? secret("no-such-token") : "no-such-token";
      const { said } = await preview(
        bench,
        front,
        async (running) => [await running.of("endpointAgent", undefined, endpointAgent), running.lines],
        { token },
      );
      expect(said).toEqual([[], [expect.stringMatching(couldNot)]]);
    }));

  it("a preview reports an unavailable service only once", () =>
    withBench(async (bench) => {
      const created = await bench.create("agentToServerTest", everybody);
      await bench.fault({ kind: "drop-before", n: 90 });
      const { said } = await preview(bench, front, async (running) => {
        await running.of("agentToServerTest", created, { ...everybody, maxMachines: 5 });
        return running.lines;
      });
      expect(said).toEqual([expect.stringMatching(couldNot), expect.stringMatching(/^resource: .*maxMachines 10000 -> 5/)]);
    }));
});

describe.each(each)("agents that a preview of %s resources cannot determine", (front) => {
  const filters = (value: string): Properties => ({ filters: [{ key: "ssid", mode: "in", values: [value] }] });
  it("the preview counts agents with an unclear match separately for a tag", () =>
    withBench(
      async (bench) => {
        const { agents } = await bench.session.client.agents.list({
          query: { aid: "1001", max: 1_000, expand: ["networkInterfaceProfiles"] },
        });
        const ssids = agents
          .filter(({ status }) => status === "enabled")
          .map(({ networkInterfaceProfiles: all = [] }) => all.flatMap(({ wirelessProfile }) => wirelessProfile?.ssid ?? []));
        const name = ssids.flat().find((ssid) => ssid !== ssid.toUpperCase()) ?? "";
        const certain = ssids.filter((ssid) => ssid.includes(name)).length;
        expect(certain).toBeGreaterThan(0);
        const tag = { key: "Office", value: "1", matchType: "or" };
        // The case differs. Whether case matters for tags is not documented.
        const created = await bench.create("endpointAgentTag", { ...tag, ...filters(name.toUpperCase()) });
        const { said } = await preview(bench, front, async (running) => [
          await running.of("endpointAgentTag", undefined, { ...tag, value: "2", ...filters(name.toUpperCase()) }),
          await running.of("endpointAgentTag", created, { ...tag, ...filters(name) }),
        ]);
        expect(said).toEqual([[`agents 0 (${certain} unclear)`], [`agents 0 (${certain} unclear) -> ${certain}`]]);
      },
      { agents: 80 },
    ));

  it("the preview reports selected agents that do not exist", () =>
    withBench(
      async (bench) => {
        const { agents } = await bench.session.client.agents.list({ query: { aid: "1001", max: 1_000 } });
        const [there = ""] = agents.filter(({ status }) => status === "enabled").map(({ id }) => id);
        const nobody = "0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1";
        const few = { agentSelectorType: "specific-agents", agents: [there, nobody] };
        const { said } = await preview(bench, front, async (running) => [
          await running.of("agentToServerTest", undefined, { testName: "Few", server: "vpn.example.com", ...few }),
          await running.of("endpointAgent", undefined, { agentId: nobody }),
          await running.of("endpointAgent", undefined, { agentId: there }),
          await running.of("agentTransfer", undefined, {
            transfers: [
              { agentId: nobody, fromAid: "1001", toAid: "1002" },
              { agentId: there, fromAid: "1001", toAid: "1002" },
            ],
          }),
        ]);
        const missing = `account group 1001 has no agent ${nobody}`;
        expect(said).toEqual([
          [`agents 1; ${missing}`],
          [`${missing}; whether another one has it was not checked`],
          [],
          [missing],
        ]);
      },
      { agents: 30 },
    ));
});

describe("a preview with a slow or failing service", () => {
  const newLabel = (name: string) => ({ kind: registry.label as Kind, id: undefined, properties: { ...office, name } });
  const turns = async (): Promise<void> => {
    for (let i = 0; i < 20; i += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  it.each<[string, object]>([
    ["a list request that the service refuses", { kind: "status", status: 403, operation: "labels.list" }],
    ["a list request that fails", { kind: "status", status: 500, operation: "agents.list", n: 9 }],
  ])("the preview succeeds after %s", (_, fault) =>
    withBench(async (bench) => {
      for (const front of each) {
        await bench.fault(fault);
        const { said, requests } = await preview(bench, front, async (running) => {
          const lines = [
            await running.of("label", undefined, { ...office, name: "One" }),
            await running.of("label", undefined, { ...office, name: "Two" }),
          ];
          return [...lines, running.lines];
        });
        expect(said).toEqual([[], [], [expect.stringMatching(couldNot)]]);
        expect(said[2]?.[0]).toContain(
          "status" in fault && fault.status === 403 ? "/v7/endpoint/labels" : "500 to agents.list",
        );
        expect(requests).toBeLessThanOrEqual(maxRequests);
      }
    }),
  );

  it("the preview abandons slow requests for agents within a second", () =>
    withBench(async (bench) => {
      await bench.fault({ kind: "latency", ms: 60_000, operation: "agents.list", n: 9 });
      const announced: string[] = [];
      const reach = new PreviewReach(bench.session, (line) => void announced.push(line));
      await bench.door("requests/reset");
      jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask", "performance", "Date"] });
      let ended = 0;
      const lines = ["One", "Two", "Three"].map(async (name) => {
        const line = await reach.lineOf(newLabel(name));
        ended += 1;
        return line;
      });
      while ((bench.emulator.requests()["agents.list"] ?? 0) === 0) await turns();
      jest.advanceTimersByTime(patienceMs - 1);
      await turns();
      expect(ended).toBe(0);
      jest.advanceTimersByTime(1);
      expect(await Promise.all(lines)).toEqual([undefined, undefined, undefined]);
      expect(patienceMs).toBeLessThan(1_000);
      expect(announced).toEqual([
        expect.stringMatching(/^The service did not answer within 0\.9 s, so this preview does not show/),
      ]);
      // Later lines do not wait.
      expect(await reach.lineOf(newLabel("Later"))).toBeUndefined();
      expect(announced).toHaveLength(1);
    }));

  it("several slow requests delay a preview no longer than one slow request", () =>
    withBench(async (bench) => {
      // A clock that advances 100 ms at each reading, so that each line takes as long.
      let looks = 0;
      const announced: string[] = [];
      const reach = new PreviewReach(
        bench.session,
        (line) => void announced.push(line),
        () => (looks += 1) * 100,
      );
      const lines: (string | undefined)[] = [];
      for (let i = 0; i < 12; i += 1) lines.push(await reach.lineOf(newLabel(`Label ${i}`)));
      expect(lines.map((line) => line !== undefined)).toEqual(lines.map((_, i) => i < patienceMs / 100 - 1));
      expect(announced).toEqual([expect.stringMatching(/^This preview does not show which agents its other changes affect/)]);
    }));
});

/** Maximum number of agents on a page of the service. */
const pageSize = amount(100, 1_000);
/** The first account group has about half of them, which takes more than 8 requests to list. */
const manyAgents = 19 * pageSize;
/** A service with a limit on the size of a page. */
const withSmallPages: Interceptor = (request, { operation }, carryOut) => {
  if (operation.id !== "agents.list") return carryOut(request);
  const query = new URLSearchParams(request.query);
  query.set("max", String(Math.min(pageSize, Number(query.get("max")))));
  return carryOut({ ...request, query });
};

describe(`agent counts in a preview among ${manyAgents} agents`, () => {
  /** A night, when many agents are silent. */
  const now = Date.UTC(2026, 0, 15, 2, 7);
  let bench: Bench;
  beforeAll(async () => {
    const options = settle({ rateLimit: "off", agents: manyAgents, nights: true, now: () => now });
    bench = new Bench((await launch(options, withSmallPages)).emulator, {});
  });
  afterAll(() => bench.end());

  /** Agents of the first account group, from their list, page by page. */
  async function listed(): Promise<{ platform?: string; silent: boolean }[]> {
    const all: { platform?: string; silent: boolean }[] = [];
    for await (const page of pages(bench.session.client.agents.list, { query: { aid: "1001", max: 1_000 } })) {
      all.push(
        ...page.agents.map(({ platform, lastSeen = "" }) => ({ platform, silent: now - Date.parse(lastSeen) > 3_600_000 })),
      );
    }
    return all;
  }

  it("a preview counts agents with at most 8 requests", async () => {
    const all = await listed();
    const [mac, awake] = [all.filter(({ platform }) => platform === "mac"), all.filter(({ silent }) => !silent)];
    expect([all.length > maxRequests * pageSize, awake.length < all.length, mac.length > pageSize / 2]).toEqual([
      true,
      true,
      true,
    ]);
    for (const front of each) {
      // Freezes time for the lines, because a busy machine takes long.
      jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask", "setInterval", "Date"] });
      const { said, requests } = await preview(bench, front, async (running) => ({
        own: [
          await running.of("agentToServerTest", undefined, { ...everybody50, maxMachines: 100_000 }),
          await running.of("agentToServerTest", undefined, { ...everybody50, testName: "Few" }),
          await running.of("label", undefined, office),
          await running.of("label", undefined, { ...office, filters: [{ key: "ssid", values: ["Office"] }] }),
        ],
        lines: running.lines,
      }));
      expect(requests).toBeLessThanOrEqual(maxRequests);
      const seen = `${awake.length} seen within the hour`;
      expect({ front, own: said.own.flat() }).toEqual({
        front,
        own: [
          `agents ${all.length} (${seen})`,
          `agents 25 of ${all.length} (${seen})`,
          `agents ${mac.length} (${mac.filter(({ silent }) => !silent).length} seen within the hour)`,
          "agents not counted: the service's search cannot express its selection",
        ],
      });
      expect(said.lines[0]).toMatch(
        new RegExp(`^WARNING: The account group has ${all.length} agents, more than 8 requests can list`),
      );
      expect(said.lines.filter((line) => line.startsWith("WARNING"))).toHaveLength(1);
    }
  });

  it("the preview reports the resources without an agent count", async () => {
    const names = ["a*", "b*", "c*", "d*", "e*", "f*"];
    jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask", "setInterval", "Date"] });
    const { said, requests } = await preview(bench, "dynamic", async (running) => {
      const lines: string[][] = [];
      for (const value of names)
        lines.push(await running.of("label", undefined, { ...office, filters: [{ key: "username", values: [value] }] }));
      return { own: lines, lines: running.lines };
    });
    expect(requests).toBe(maxRequests);
    expect(said.own.flat().map((line) => line.replaceAll(/\d+/g, "N"))).toEqual([
      ...Array<string>(3).fill("agents N (N seen within the hour)"),
      ...Array<string>(3).fill("agents not counted: the N requests of a preview are used up"),
    ]);
  });
});
