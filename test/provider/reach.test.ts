import { readHoldings } from "../../provider/reach/holdings";
import { agentsAfter, byAge, WorldObjects } from "../../provider/reach/objects";
import { World } from "../../provider/reach/world";
import { withBench } from "./bench";

test("the provider determines which agents each label and test selects", () =>
  withBench(
    async (bench) => {
      const label = await bench.create("label", {
        name: "Windows",
        matchType: "and",
        filters: [{ key: "platform", values: ["Windows"] }],
        accountGroupId: "1001",
      });
      const tested = { server: "vpn.example.com", accountGroupId: "1001" };
      const byLabel = { agentSelectorType: "agent-labels", endpointAgentLabels: [label.id] };
      const labeled = await bench.create("agentToServerTest", { testName: "Windows", ...tested, ...byLabel });
      const off = await bench.create("agentToServerTest", { testName: "Off", ...tested, isEnabled: false });
      const holdings = await readHoldings(bench.newSession(), ["1001"]);
      expect(holdings).toMatchObject({ isComplete: true, missing: [] });
      const objects = new WorldObjects("1001");
      for (const { kind, id, state } of holdings.records.toSorted(byAge)) objects.put(kind, id, state);
      const world = new World(agentsAfter(holdings.agents, []), objects.groups, objects.tests, holdings.isComplete);

      const selected = async (what: string, id: string): Promise<string[]> => {
        const answer = await fetch(`${bench.emulator.url}/_emulator/${what}/${id}/agents`);
        const { agents } = (await answer.json()) as { agents: { id: string }[] };
        return agents.map((agent) => agent.id).toSorted();
      };
      const selectedInWorld = (key: string): string[] | undefined =>
        world
          .selectedBy(key)
          ?.value?.agents.map(({ id }) => id)
          .toSorted();
      expect(selectedInWorld(label.id)).toEqual(await selected("labels", label.id));
      expect(selectedInWorld(label.id)?.length).toBeGreaterThan(3);
      expect(selectedInWorld(labeled.id)?.length).toBeGreaterThan(3);
      expect(world.reachedBy(off.id)?.value?.count).toBe(0);
      expect(world.testsOf(label.id)).toEqual([labeled.id]);

      // One agent moves to another account group, so neither selects it.
      const [first = ""] = selectedInWorld(labeled.id) ?? [];
      const moved = agentsAfter(holdings.agents, [{ agentId: first, from: "1001", accountGroupId: "1002" }]);
      const after = new World(moved, objects.groups, objects.tests, true);
      expect(after.selectedBy(labeled.id)?.value?.agents.map(({ id }) => id)).not.toContain(first);
    },
    { agents: 40 },
  ));

test("the provider reports a failed request for the list of labels", () =>
  withBench(async (bench) => {
    await bench.fault({ kind: "status", status: 403, operation: "labels.list" });
    const holdings = await readHoldings(bench.newSession(), ["1001"]);
    expect(holdings.isComplete).toBe(false);
    expect(holdings.missing).toEqual([expect.stringMatching(/^The labels of account group 1001 could not be read: /)]);
    const world = new World(holdings.agents, new Map(), new Map(), holdings.isComplete);
    expect(world.selectedBy("1")).toBeUndefined();
  }));
