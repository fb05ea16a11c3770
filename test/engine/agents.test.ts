import { Stack } from "./support/stack";

interface Agent {
  id: string;
  aid: string;
  name: string;
  status: string;
}

describe("agents, on the engine", () => {
  let stack: Stack;
  let fleet: Agent[];
  const agentOf = async (id: string, aid: string): Promise<Agent> =>
    (await (await stack.api("GET", `/v7/endpoint/agents/${id}?aid=${aid}`)).json()) as Agent;
  const idOf = (index: number): string => fleet[index]?.id ?? "";

  beforeAll(async () => {
    stack = await Stack.start({ agents: 900, transferDelayMs: 50 });
    ({ agents: fleet } = (await (await stack.api("GET", "/v7/endpoint/agents?aid=1001&max=1000")).json()) as {
      agents: Agent[];
    });
  }, 60_000);
  afterAll(() => stack.end());

  const holding = (args: object) => stack.declare({ kiosk: { kind: "EndpointAgent", args: { agentId: idOf(1), ...args } } });

  it("takes hold of one, and then has nothing to do and nothing to ask", async () => {
    holding({ agentName: "Kiosk", enabled: true });
    await stack.up();
    expect(await agentOf(idOf(1), "1001")).toMatchObject({ name: "Kiosk", status: "enabled" });
    await stack.requests();
    expect(await stack.up()).toEqual({ same: 1 });
    expect(await stack.requests()).toEqual({});
  }, 60_000);

  it("changes one property, and transfers in place", async () => {
    holding({ agentName: "Kiosk", enabled: false });
    expect(await stack.preview()).toMatchObject([{ op: "update", name: "kiosk" }]);
    await stack.up();
    expect(await agentOf(idOf(1), "1001")).toMatchObject({ name: "Kiosk", status: "disabled" });
    holding({ agentName: "Kiosk", enabled: false, accountGroupId: "1002" });
    expect(await stack.preview()).toMatchObject([{ op: "update", name: "kiosk" }]);
    await stack.up();
    expect(await agentOf(idOf(1), "1002")).toMatchObject({ name: "Kiosk", aid: "1002" });
  }, 60_000);

  it("shows drift, and mends it", async () => {
    await stack.api("PATCH", `/v7/endpoint/agents/${idOf(1)}?aid=1002`, { name: "Drifted" });
    expect(await stack.refresh()).toEqual({ update: 1 });
    await stack.up();
    expect(await agentOf(idOf(1), "1002")).toMatchObject({ name: "Kiosk" });
  }, 60_000);

  it("replaces for another agent, and only forgets the old one", async () => {
    stack.declare({ kiosk: { kind: "EndpointAgent", args: { agentId: idOf(2), onDestroy: "delete" } } });
    expect(await stack.preview()).toContainEqual(expect.objectContaining({ op: "replace", replaceReasons: ["agentId"] }));
    await stack.up();
    expect(stack.state()["kiosk"]?.id).toBe(idOf(2));
    await agentOf(idOf(1), "1002");
  }, 60_000);

  it("finds a deleted agent gone, and fails with one line when it cannot take hold again", async () => {
    await stack.api("DELETE", `/v7/endpoint/agents/${idOf(2)}?aid=1001`);
    expect(await stack.refresh()).toMatchObject({ delete: 1 });
    const run = await stack.run("up", "--yes", "--skip-preview");
    expect(run.code).not.toBe(0);
    expect(run.text).toContain(`There is no agent ${idOf(2)} in any account group you may see`);
    expect(run.text).not.toMatch(/^\s+at .*:\d+:\d+/m);
  }, 60_000);

  it("moves 293 of 300, names 7, and the next up asks for those alone", async () => {
    const good = fleet
      .slice(3)
      .filter(({ aid }) => aid === "1001")
      .slice(0, 293)
      .map(({ id }) => id);
    const bad = Array.from({ length: 7 }, (_, i) => `00000000-0000-4000-8000-00000000000${i}`);
    const transfers = [...good, ...bad].map((agentId) => ({ agentId, fromAid: "1001", toAid: "1002" }));
    stack.declare({ move: { kind: "AgentTransfer", args: { transfers }, show: ["outcomes"] } });
    const run = await stack.run("up", "--yes", "--skip-preview");
    expect(run.code).not.toBe(0);
    expect(run.text).toContain("7 of 300 agents were not moved; the next update tries them alone");
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
  }, 90_000);
});
