import { fronts, type Program, type Step, Stack } from "./support/stack";

interface Agent {
  id: string;
  aid: string;
  name: string;
  status: string;
}

describe.each(fronts)("agents, on the engine, %s front", (front) => {
  let stack: Stack;
  let fleet: Agent[];
  const agentOf = async (id: string, aid: string): Promise<Agent> =>
    (await (await stack.api("GET", `/v7/endpoint/agents/${id}?aid=${aid}`)).json()) as Agent;
  const idOf = (index: number): string => fleet[index]?.id ?? "";

  beforeAll(async () => {
    stack = await Stack.startWith(front, { agents: 900, transferDelayMs: 50 });
    ({ agents: fleet } = (await (await stack.api("GET", "/v7/endpoint/agents?aid=1001&max=1000")).json()) as {
      agents: Agent[];
    });
  }, 300_000);
  afterAll(() => stack.end());

  const agent = (index: number, args: object) => ({ kind: "EndpointAgent", args: { agentId: idOf(index), ...args } });
  const kiosk = { agentName: "Kiosk", enabled: true };

  it("takes hold of some, and then has nothing to do and nothing to ask", async () => {
    stack.declare({
      kiosk: agent(1, kiosk),
      moving: agent(2, { agentName: "Moving", enabled: false }),
      drifting: agent(3, { agentName: "Drifting", accountGroupId: "1002" }),
      replaced: agent(4, { agentName: "Replaced" }),
      deleted: agent(5, { onDestroy: "delete" }),
    });
    await stack.up();
    expect(await agentOf(idOf(1), "1001")).toMatchObject({ name: "Kiosk", status: "enabled" });
    await stack.requests();
    expect(await stack.up()).toEqual({ same: 5 });
    expect(await stack.requests()).toEqual({});
  }, 300_000);

  it("shows drift, and finds a deleted agent gone", async () => {
    await stack.api("PATCH", `/v7/endpoint/agents/${idOf(3)}?aid=1002`, { name: "Drifted" });
    await stack.api("DELETE", `/v7/endpoint/agents/${idOf(5)}?aid=1001`);
    expect(await stack.refresh()).toEqual({ update: 1, delete: 1, same: 3 });
  }, 300_000);

  describe("then everything is changed", () => {
    let steps: Step[];
    const changed = (): Program => ({
      kiosk: agent(1, { ...kiosk, enabled: false }),
      moving: agent(2, { agentName: "Moving", enabled: false, accountGroupId: "1002" }),
      drifting: agent(3, { agentName: "Drifting", accountGroupId: "1002" }),
      replaced: agent(6, { onDestroy: "delete" }),
    });
    beforeAll(async () => {
      stack.declare(changed());
      steps = await stack.preview();
      await stack.up();
    }, 300_000);
    const stepsOf = (name: string) => steps.filter((step) => step.name === name);

    it("changes one property", async () => {
      expect(stepsOf("kiosk")).toMatchObject([{ op: "update" }]);
      expect(await agentOf(idOf(1), "1001")).toMatchObject({ name: "Kiosk", status: "disabled" });
    });

    it("transfers in place", async () => {
      expect(stepsOf("moving")).toMatchObject([{ op: "update" }]);
      expect(await agentOf(idOf(2), "1002")).toMatchObject({ name: "Moving", aid: "1002" });
    });

    it("mends drift", async () => {
      expect(stepsOf("drifting")).toMatchObject([{ op: "update" }]);
      expect(await agentOf(idOf(3), "1002")).toMatchObject({ name: "Drifting" });
    });

    it("replaces for another agent, and only forgets the old one", async () => {
      expect(stepsOf("replaced")).toContainEqual(expect.objectContaining({ op: "replace", replaceReasons: ["agentId"] }));
      expect(stack.state()["replaced"]?.id).toBe(idOf(6));
      await agentOf(idOf(4), "1001");
    });

    it("fails with one line when it cannot take hold again of one that was deleted", async () => {
      stack.declare({ ...changed(), deleted: agent(5, { onDestroy: "delete" }) });
      const run = await stack.run("up", "--yes", "--skip-preview");
      expect(run.code).not.toBe(0);
      expect(run.text).toContain(`There is no agent ${idOf(5)} in any account group that you may see`);
      expect(run.text).not.toMatch(/^\s+at .*:\d+:\d+/m);
    }, 300_000);
  });

  it("moves 293 of 300, names 7, and the next up asks for those alone", async () => {
    const good = fleet
      .slice(7)
      .filter(({ aid }) => aid === "1001")
      .slice(0, 293)
      .map(({ id }) => id);
    const bad = Array.from({ length: 7 }, (_, i) => `00000000-0000-4000-8000-00000000000${i}`);
    const transfers = [...good, ...bad].map((agentId) => ({ agentId, fromAid: "1001", toAid: "1002" }));
    stack.declare({ move: { kind: "AgentTransfer", args: { transfers }, show: ["outcomes"] } });
    const run = await stack.run("up", "--yes", "--skip-preview");
    expect(run.code).not.toBe(0);
    expect(run.text).toContain("7 of 300 agents were not moved; the next update tries only these");
    for (const agentId of bad) expect(run.text).toContain(`agent ${agentId} was not moved (404)`);
    expect(stack.state()["move"]?.outputs["transfers"]).toHaveLength(293);

    await stack.requests();
    expect((await stack.run("up", "--yes", "--skip-preview")).code).not.toBe(0);
    expect((await stack.requests())["agents.transferBulk"]).toBe(1);
    stack.declare({ move: { kind: "AgentTransfer", args: { transfers: transfers.slice(0, 293) } } });
    await stack.up();
    expect(await stack.up()).toEqual({ same: 1 });
    await stack.destroy();
    await agentOf(good[0] ?? "", "1002");
  }, 300_000);
});
