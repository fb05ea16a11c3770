/** What previews of the native plugin say of whom a change reaches, against what the emulator counts after the change. */
import fc from "fast-check";
import { compact, type Properties, unknownValue } from "../../provider/values";
import { labelFilter } from "../support/arbitraries";
import { amount, seed } from "../support/amount";
import { Plugin, secret, urnOf } from "../support/plugin";
import { Bench, withBench } from "./bench";

const office = { name: "Office", matchType: "or", filters: [{ key: "platform", mode: "in", values: ["Mac"] }] };
const everybody = { testName: "Everybody", server: "vpn.example.com", maxMachines: 10_000 };

async function withPlugin(bench: Bench, work: (plugin: Plugin) => Promise<void>, settings: Properties = {}): Promise<void> {
  const plugin = await Plugin.start({ baseUrl: bench.emulator.url, token: secret("emulator-token"), ...settings });
  try {
    await work(plugin);
  } finally {
    plugin.end();
  }
}

/** Ids of the enabled agents that the emulator has a label on, or that run a test. One that is disabled runs nothing. */
async function agentsOf(bench: Bench, what: string, id: string): Promise<Set<string>> {
  const answer = await fetch(`${bench.emulator.url}/_emulator/${what}/${id}/agents`);
  const { agents } = (await answer.json()) as { agents: { id: string }[] };
  const listed = await bench.session.client.agents.list({ query: { aid: "1001", max: 1_000 } });
  const enabled = new Set(listed.agents.filter(({ status }) => status !== "disabled").map((agent) => agent.id));
  return new Set(agents.map((agent) => agent.id).filter((agent) => enabled.has(agent)));
}

const lines = (plugin: Plugin): string[] => plugin.logged.map(({ line }) => line);
const changes = amount(50, 300);

test(
  `${changes} random changes of a label's filters: the line is what the emulator counts`,
  () =>
    withBench(
      async (bench) => {
        const { id } = await bench.create("label", office);
        await bench.create("agentToServerTest", { ...everybody, agentSelectorType: "agent-labels", endpointAgentLabels: [id] });
        const filters = fc.sample(fc.array(labelFilter, { minLength: 1, maxLength: 3 }), { numRuns: changes, seed: seed(17) });
        let said = 0;
        for (const [i, changed] of filters.entries()) {
          const matchType = i % 2 === 0 ? "or" : "and";
          const before = await agentsOf(bench, "labels", id);
          await withPlugin(bench, async (plugin) => {
            const { properties, inputs } = await plugin.read("Label", id);
            const checked = await plugin.check("Label", inputs, { ...inputs, matchType, filters: compact(changed) });
            expect(checked.failures).toEqual([]);
            await bench.door("requests/reset");
            await plugin.update("Label", id, properties, checked.inputs, true);
            const sent = Object.values(bench.emulator.requests()).reduce((sum, count) => sum + count, 0);
            expect(sent).toBeLessThanOrEqual(8);
            await plugin.update("Label", id, properties, checked.inputs);
            const after = await agentsOf(bench, "labels", id);
            const gained = [...after].filter((agent) => !before.has(agent)).length;
            const lost = [...before].filter((agent) => !after.has(agent)).length;
            const parts = [...(gained > 0 ? [`+${gained}`] : []), ...(lost > 0 ? [`-${lost}`] : [])];
            const expected = `agents ${before.size} -> ${after.size} (${parts.join(", ")}); 1 test goes by this label`;
            expect(lines(plugin)).toEqual(gained + lost === 0 ? [] : [expected]);
            said += lines(plugin).length;
          });
        }
        expect(said).toBeGreaterThan(changes / 2);
      },
      { agents: 120 },
    ),
  120_000,
);

test("a new test says how many agents it reaches, and how many get more tests than their license runs", () =>
  withBench(
    async (bench) => {
      for (let i = 0; i < 4; i += 1) await bench.create("agentToServerTest", { ...everybody, testName: `Test ${i}` });
      await withPlugin(bench, async (plugin) => {
        const { inputs } = await plugin.check("AgentToServerTest", {}, everybody);
        await plugin.create("AgentToServerTest", inputs, true);
        const { id } = await plugin.create("AgentToServerTest", inputs);
        const reached = await agentsOf(bench, "tests", id);
        const [line = ""] = lines(plugin);
        expect(line).toMatch(new RegExp(`^agents ${reached.size}; \\d+ agents? over (their|its) license$`));
        expect(plugin.logged[0]?.urn).toBe(urnOf("AgentToServerTest"));
      });
    },
    { agents: 60 },
  ));

test("says nothing when it is off, of what is unknown, of a change that reaches the same agents, and of other kinds", () =>
  withBench(async (bench) => {
    const { id } = await bench.create("label", office);
    await withPlugin(
      bench,
      async (plugin) => {
        await plugin.create("Label", { ...office, name: "Other" }, true);
        expect(lines(plugin)).toEqual([]);
        expect(bench.emulator.requests()).not.toHaveProperty("agents.list");
      },
      { previewReach: "off" },
    );
    await withPlugin(bench, async (plugin) => {
      const { properties, inputs } = await plugin.read("Label", id);
      await plugin.update("Label", id, properties, { ...inputs, name: "Renamed" }, true);
      await plugin.create(
        "AgentToServerTest",
        { ...everybody, agentSelectorType: "agent-labels", endpointAgentLabels: [unknownValue] },
        true,
      );
      await plugin.create("AgentTransfer", { transfers: [] }, true);
      expect(lines(plugin)).toEqual([]);
    });
  }));

test.each([
  ["a list that is refused", { kind: "status", status: 403, operation: "labels.list" }],
  ["a list that fails", { kind: "status", status: 500, operation: "agents.list", n: 9 }],
  ["a service that is slow", { kind: "latency", ms: 5_000, operation: "agents.list", n: 9 }],
])("%s neither fails a preview nor delays it", (_, fault) =>
  withBench(async (bench) => {
    await bench.fault(fault);
    await withPlugin(bench, async (plugin) => {
      const started = performance.now();
      for (const name of ["One", "Two", "Three"]) await plugin.create("Label", { ...office, name }, true);
      expect(performance.now() - started).toBeLessThan(3_000);
      expect(lines(plugin)).toEqual([]);
      const sent = Object.values(bench.emulator.requests()).reduce((sum, count) => sum + count, 0);
      expect(sent).toBeLessThanOrEqual(8);
    });
  }),
);

test(
  "10,000 agents fit into the budget",
  () =>
    withBench(
      async (bench) => {
        await withPlugin(bench, async (plugin) => {
          await plugin.create("Label", office, true);
          const sent = Object.values(bench.emulator.requests()).reduce((sum, count) => sum + count, 0);
          expect(sent).toBeLessThanOrEqual(8);
          expect(lines(plugin).every((line) => /^agents [1-9]\d*$/.test(line))).toBe(true);
        });
      },
      { agents: 10_000 },
    ),
  60_000,
);
