import type { AgentRecord } from "../../../api";
import { ForbiddenError, LookupError, NotFoundError, pages } from "../../../api";
import { GoneError, OwnershipError, PartialFailure, TransferError } from "../../../provider/failures";
import type { Properties } from "../../../provider/values";
import { Bench } from "../bench";
import { skipIdleTime } from "../../support/idle-time";

skipIdleTime();

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.start({}, { transferDelayMs: 50 });
});
afterEach(() => bench.end());

async function fleet(aid = "1001"): Promise<AgentRecord[]> {
  const agents: AgentRecord[] = [];
  for await (const page of pages(bench.session.client.agents.list, { query: { aid } })) agents.push(...page.agents);
  return agents;
}
async function firstAgent(aid = "1001"): Promise<AgentRecord> {
  const [, agent] = await fleet(aid);
  if (!agent) throw new Error("no agent");
  return agent;
}
const get = (agentId: string, aid: string): Promise<AgentRecord> =>
  bench.session.client.agents.get({ path: { agentId }, query: { aid } });
const hold = (declared: Properties) => bench.create("endpointAgent", declared);

describe("the resource type EndpointAgent", () => {
  it("creating an agent resource changes only the declared properties", async () => {
    const agent = await firstAgent();
    await bench.door("requests/reset");
    const { id, state } = await hold({ agentId: agent.id });
    expect(id).toBe(agent.id);
    expect(state).toMatchObject({
      agentId: agent.id,
      agentName: agent.name,
      licenseType: agent.licenseType,
      accountGroupId: "1001",
    });
    expect(state["unmanagedFields"]).toEqual(expect.arrayContaining(["agentName", "licenseType", "enabled", "accountGroupId"]));
    expect(Object.keys(bench.emulator.requests()).filter((name) => /update|enable|disable|transfer$/.test(name))).toEqual([]);
    const read = await bench.life("endpointAgent").read(id, state);
    expect(read?.state).toEqual(state);
    expect(bench.life("endpointAgent").diff(id, state, bench.life("endpointAgent").check({ agentId: id }).inputs)).toEqual([]);
  });

  it("a refresh does not treat an unknown agent status as disabled", async () => {
    const agent = await firstAgent();
    const { id, state } = await hold({ agentId: agent.id, enabled: true });
    await bench.door(`records/agents/${id}`, { status: "quarantined" }, "PATCH");
    bench.newSession();
    const read = await bench.life("endpointAgent").read(id, state);
    expect(read?.state["enabled"]).toBe(true);
    const bare = await bench.life("endpointAgent").read(id, {});
    expect(bare?.state).not.toHaveProperty("enabled");
  });

  it("the provider finds an agent in another account group by each look-up property", async () => {
    const agent = await firstAgent("1002");
    for (const lookup of [
      { computerName: agent.computerName },
      { agentName: agent.name, computerName: agent.computerName },
      { serialNumber: agent.serialNumber?.toLowerCase() },
    ]) {
      bench.newSession();
      const { id, state } = await hold({ lookup });
      expect({ lookup, id, aid: state["accountGroupId"] }).toEqual({ lookup, id: agent.id, aid: "1002" });
    }
  });

  it("the error for an ambiguous look-up lists all matching agents", async () => {
    await expect(hold({ lookup: { computerName: "no-such-device" } })).rejects.toBeInstanceOf(LookupError);
    const [, a, b] = await fleet();
    for (const agent of [a, b]) {
      await bench.session.client.agents.update({
        path: { agentId: agent?.id ?? "" },
        body: { name: "Twin" },
        query: { aid: "1001" },
      });
    }
    const twins = hold({ lookup: { agentName: "Twin" } });
    await expect(twins).rejects.toThrow("2 agents match the lookup by agentName");
    for (const agent of [a, b]) await expect(twins).rejects.toThrow(agent?.id ?? "");
    await expect(hold({ agentId: "00000000-0000-4000-8000-000000000000" })).rejects.toBeInstanceOf(GoneError);
    expect(bench.life("endpointAgent").check({}).failures).toMatchObject([{ reason: "requires either agentId or lookup" }]);
    expect(bench.life("endpointAgent").check({ lookup: {} }).failures).toMatchObject([{ path: "lookup" }]);
  });

  it("an update waits for the transfer of the agent", async () => {
    const agent = await firstAgent();
    const declared = {
      agentId: agent.id,
      agentName: "Kiosk",
      licenseType: "essentials",
      enabled: false,
      accountGroupId: "1003",
    };
    const { id, state } = await hold(declared);
    expect(state).toMatchObject(declared);
    expect(await get(id, "1003")).toMatchObject({ name: "Kiosk", licenseType: "essentials", status: "disabled", aid: "1003" });
    // Reverts the properties one by one.
    const life = bench.life("endpointAgent");
    for (const change of [{ enabled: true }, { agentName: "Desk" }, { licenseType: "advantage" }, { accountGroupId: "1001" }]) {
      const { inputs } = life.check({ ...declared, ...change });
      const property = Object.keys(change)[0];
      expect(life.diff(id, state, inputs)).toMatchObject([{ property, replaces: false }]);
      expect(await life.update(id, state, inputs)).toMatchObject(change);
      // Restores the property before the next iteration.
      await life.update(id, { ...state, ...change }, life.check(declared).inputs);
    }
  });

  it("a refresh detects drift in each declared property, including the account group", async () => {
    const agent = await firstAgent();
    const declared = {
      agentId: agent.id,
      agentName: "Kiosk",
      licenseType: "essentials",
      enabled: true,
      accountGroupId: "1001",
    };
    const { id, state, inputs } = await hold(declared);
    const { agents } = bench.session.client;
    await agents.update({ path: { agentId: id }, body: { name: "Other", licenseType: "advantage" }, query: { aid: "1001" } });
    await agents.disable({ path: { agentId: id }, query: { aid: "1001" } });
    await agents.transfer({ path: { agentId: id }, body: { toAid: "1002" }, query: { aid: "1001" } });
    const settled = async (): Promise<string[]> => {
      for (let i = 0; i < 40; i += 1) {
        bench.newSession();
        const read = await bench.life("endpointAgent").read(id, state);
        const changed = bench
          .life("endpointAgent")
          .diff(id, read?.state ?? {}, inputs)
          .map(({ property }) => property);
        if (changed.includes("accountGroupId")) return changed;
      }
      return [];
    };
    expect((await settled()).toSorted()).toEqual(["accountGroupId", "agentName", "enabled", "licenseType"]);
    expect(await bench.life("endpointAgent").update(id, state, inputs)).toMatchObject(declared);
  });

  it("a refresh reports a deleted agent as missing", async () => {
    const agent = await firstAgent();
    const { id, state } = await hold({ lookup: { computerName: agent.computerName } });
    await bench.session.client.agents.delete({ path: { agentId: id }, query: { aid: "1001" } });
    bench.newSession();
    expect(await bench.life("endpointAgent").read(id, state)).toBeUndefined();
    await expect(hold({ lookup: { computerName: agent.computerName } })).rejects.toBeInstanceOf(LookupError);
    const { inputs } = bench.life("endpointAgent").check({ agentId: id, agentName: "New" });
    await expect(bench.life("endpointAgent").update(id, state, inputs)).rejects.toBeInstanceOf(GoneError);
  });

  it.each(["forget", "disable", "delete"] as const)("destroy applies the setting onDestroy: %s", async (onDestroy) => {
    const agent = await firstAgent();
    const { id, state } = await hold({ agentId: agent.id, enabled: true, onDestroy });
    bench.newSession();
    await bench.life("endpointAgent").delete(id, state);
    await bench.life("endpointAgent").delete(id, state);
    const now = await get(id, "1001").catch(() => undefined);
    expect(now?.status).toBe({ forget: "enabled", disable: "disabled", delete: undefined }[onDestroy]);
  });

  it("an update with another agentId keeps the previous agent in the service", async () => {
    const [, a, b] = await fleet();
    const { id, state } = await hold({ agentId: a?.id, onDestroy: "delete" });
    bench.newSession();
    const life = bench.life("endpointAgent");
    const { inputs } = life.check({ agentId: b?.id, onDestroy: "delete" }, { agentId: a?.id }, "kiosk");
    expect(life.diff(id, state, inputs, "kiosk")).toMatchObject([{ property: "agentId", replaces: true }]);
    await life.delete(id, state, "kiosk");
    expect(await get(id, "1001")).toMatchObject({ id });
  });

  it("a replacement without a diff keeps the previous agent in the service", async () => {
    const [, a, b] = await fleet();
    const { id, state } = await hold({ agentId: a?.id, onDestroy: "delete" });
    bench.newSession();
    const life = bench.life("endpointAgent");
    const { inputs } = life.check({ agentId: b?.id, onDestroy: "delete" }, {}, "kiosk");
    await life.create(inputs, "kiosk");
    await life.delete(id, state, "kiosk");
    expect(await get(id, "1001")).toMatchObject({ id });
    await life.delete(id, state, "lobby");
    await expect(get(id, "1001")).rejects.toThrow(NotFoundError);
  });

  it("an update changes onDestroy without a request", async () => {
    const { id, state } = await hold({ agentId: (await firstAgent()).id });
    const life = bench.life("endpointAgent");
    const { inputs } = life.check({ agentId: id, onDestroy: "disable" });
    expect(life.diff(id, state, inputs)).toMatchObject([{ property: "onDestroy", recordsOnly: true }]);
    await bench.door("requests/reset");
    expect(await life.update(id, state, inputs)).toMatchObject({ onDestroy: "disable" });
    expect(bench.emulator.requests()).toEqual({});
  });
});

describe("failed transfers", () => {
  it("the next update completes a transfer that timed out", async () => {
    await bench.end();
    bench = await Bench.start({}, { transferDelayMs: 1_500 });
    const agent = await firstAgent();
    const declared = { agentId: agent.id, agentName: "Slow", accountGroupId: "1002" };
    const failure = await hold({ ...declared, transferTimeout: 0.3 }).catch((e: unknown) => e);
    expect(failure).toBeInstanceOf(PartialFailure);
    const { state, reasons } = failure as PartialFailure;
    expect(reasons.join()).toMatch(/did not move to account group 1002 within 0 s\. The agent is still in account group 1001/);
    expect(state).toMatchObject({ agentName: "Slow", accountGroupId: "1001" });
    const life = bench.life("endpointAgent");
    const { inputs } = life.check(declared);
    expect(await life.update(agent.id, state, inputs)).toMatchObject({ accountGroupId: "1002" });
  });

  it("a transfer succeeds if the agent moved despite an error response", async () => {
    await bench.end();
    bench = await Bench.start({}, { transferDelayMs: 0 });
    const agent = await firstAgent();
    // The transfer succeeded although its response failed.
    await bench.fault({ operation: "agents.transfer", kind: "status", status: 404, after: true });
    const agentResource = await hold({ agentId: agent.id, accountGroupId: "1002" });
    expect(agentResource).toMatchObject({ state: { accountGroupId: "1002" } });
    // The transfer fails, and the agent did not move.
    const other = await firstAgent();
    await bench.fault({ operation: "agents.transfer", kind: "status", status: 404 });
    await expect(hold({ agentId: other.id, accountGroupId: "1002" })).rejects.toThrow(/answered 404/);
  });

  it("creating an agent resource fails if the account group is forbidden or all licenses are in use", async () => {
    const agent = await firstAgent();
    // An account group that the token cannot access.
    await expect(hold({ agentId: agent.id, accountGroupId: "9999" })).rejects.toBeInstanceOf(ForbiddenError);
    // A license type without free seats.
    await bench.end();
    bench = await Bench.start({}, { licenses: { embedded: 0 } });
    const other = (await fleet()).find(({ licenseType }) => licenseType !== "embedded");
    await expect(hold({ agentId: other?.id, licenseType: "embedded" })).rejects.toThrow(/answered 4\d\d/);
    expect(await get(other?.id ?? "", "1001")).toMatchObject({ licenseType: other?.licenseType });
  });

  it("an update reports an agent that disappears during a transfer", async () => {
    await bench.end();
    bench = await Bench.start({}, { transferDelayMs: 60_000 });
    const agent = await firstAgent();
    const moving = hold({ agentId: agent.id, accountGroupId: "1002", transferTimeout: 1 });
    moving.catch(() => undefined);
    while (bench.emulator.requests()["agents.transfer"] !== 1) await new Promise(setImmediate);
    await bench.session.client.agents.delete({ path: { agentId: agent.id }, query: { aid: "1001" } });
    const failure = await moving.catch((e: unknown) => e);
    expect(failure).toBeInstanceOf(TransferError);
    expect(String(failure)).toContain("The agent has left account group 1001");
  });
});

describe("an agent resource after a failed creation", () => {
  /** An account group that the token cannot see, so a transfer to it fails. */
  const accountGroupId = "9999";

  it("a failed creation that changed nothing releases the agent for other resources", async () => {
    const agentId = (await firstAgent()).id;
    await expect(bench.create("endpointAgent", { agentId, accountGroupId })).rejects.toBeInstanceOf(ForbiddenError);
    expect(await bench.create("endpointAgent", { agentId })).toMatchObject({ id: agentId });
  });

  it("a partly successful creation does not release the agent for other resources", async () => {
    const agentId = (await firstAgent()).id;
    const partial = bench.create("endpointAgent", { agentId, agentName: "Kiosk", accountGroupId });
    await expect(partial).rejects.toBeInstanceOf(PartialFailure);
    await expect(bench.create("endpointAgent", { agentId })).rejects.toBeInstanceOf(OwnershipError);
  });
});

describe("the resource type AgentTransfer", () => {
  it("an AgentTransfer retries only the failed moves of agents", async () => {
    await bench.end();
    bench = await Bench.start({}, { agents: 330, transferDelayMs: 50 });
    const good = (await fleet()).slice(0, 103).map(({ id }) => id);
    const bad = Array.from({ length: 7 }, (_, i) => `00000000-0000-4000-8000-00000000000${i}`);
    const declared = { transfers: [...good, ...bad].map((agentId) => ({ agentId, fromAid: "1001", toAid: "1002" })) };
    const failure = await bench.create("agentTransfer", declared).catch((e: unknown) => e);
    expect(failure).toBeInstanceOf(PartialFailure);
    const { id, state, reasons } = failure as PartialFailure;
    expect(reasons[0]).toContain("7 of 110 agents were not moved");
    for (const agentId of bad) expect(reasons.join("\n")).toContain(`agent ${agentId} was not moved (404)`);
    expect(state["transfers"]).toHaveLength(103);
    expect(state["outcomes"]).toHaveLength(110);

    const life = bench.life("agentTransfer");
    const { inputs } = life.check(declared);
    expect(life.diff(id, state, inputs)).toMatchObject([{ property: "transfers", replaces: false }]);
    await bench.door("requests/reset");
    const again = await life.update(id, state, inputs).catch((e: unknown) => e);
    expect((again as PartialFailure).reasons[0]).toContain("7 of 110");
    expect(bench.emulator.requests()["agents.transferBulk"]).toBe(1);
    // The transfer needs few look-ups, and no request per agent.
    expect(Object.values(bench.emulator.requests()).reduce((a, b) => a + b, 0)).toBeLessThan(20);

    // Without the failed agents, the update completes.
    const done = await life.update(id, state, life.check({ transfers: declared.transfers.slice(0, 103) }).inputs);
    expect(done["transfers"]).toHaveLength(103);
    // One agent moves back, and refresh shows it.
    const [wanderer = ""] = good;
    await bench.session.client.agents.transfer({
      path: { agentId: wanderer },
      body: { toAid: "1001" },
      query: { aid: "1002" },
    });
    let remaining = 103;
    for (let i = 0; i < 40 && remaining === 103; i += 1) {
      bench.newSession();
      const read = await bench.life("agentTransfer").read(id, done);
      remaining = ((read?.state["transfers"] ?? []) as unknown[]).length;
    }
    expect(remaining).toBe(102);
    await bench.life("agentTransfer").delete(id, done);
    expect(await fleet("1002")).toEqual(expect.arrayContaining([expect.objectContaining({ id: good[1] })]));
  });

  it("an AgentTransfer moves the remaining agents if one account group is forbidden", async () => {
    const [, a, b] = await fleet();
    const transfers = [
      { agentId: a?.id, fromAid: "1001", toAid: "1002" },
      { agentId: b?.id, fromAid: "1001", toAid: "9999" },
    ];
    const failure = await bench.create("agentTransfer", { transfers }).catch((e: unknown) => e);
    expect(failure).toBeInstanceOf(PartialFailure);
    const { id, state, reasons } = failure as PartialFailure;
    expect(state["transfers"]).toEqual([transfers[0]]);
    expect(state["outcomes"]).toMatchObject([
      { agentId: a?.id, status: 200 },
      { agentId: b?.id, toAid: "9999", status: 403 },
    ]);
    expect(reasons).toContainEqual(
      expect.stringContaining(`agent ${b?.id ?? ""} ("${b?.name ?? ""}") was not moved (403) to account group 9999: `),
    );
    // A refresh without access to an account group keeps its part of the state.
    const read = await bench.life("agentTransfer").read(id, { ...state, transfers });
    expect(read?.state["transfers"]).toEqual(transfers);
  });

  it("an AgentTransfer keeps the outcomes of earlier requests if a later request fails", async () => {
    await bench.end();
    bench = await Bench.start({}, { agents: 330, transferDelayMs: 20 });
    const agents = (await fleet()).slice(0, 101).map(({ id }) => id);
    expect(agents).toHaveLength(101);
    // The first request succeeds, and the second fails.
    await bench.fault({ operation: "agents.transferBulk", kind: "latency", ms: 1, n: 1 });
    await bench.fault({ operation: "agents.transferBulk", kind: "status", status: 400, n: 1 });
    const transfers = agents.map((agentId) => ({ agentId, fromAid: "1001", toAid: "1002" }));
    const failure = await bench.create("agentTransfer", { transfers }).catch((e: unknown) => e);
    expect(failure).toBeInstanceOf(PartialFailure);
    expect((failure as PartialFailure).state["transfers"]).toHaveLength(100);
    expect((failure as PartialFailure).reasons.join()).toContain(`agent ${agents[100] ?? ""}`);
  });

  it("an AgentTransfer rejects duplicate agents", () => {
    const transfer = { agentId: "0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1", fromAid: "1", toAid: "2" };
    expect(bench.life("agentTransfer").check({ transfers: [transfer, transfer] }).failures).toMatchObject([
      { path: "transfers[1].agentId" },
    ]);
    expect(bench.life("agentTransfer").check({ transfers: [{ ...transfer, toAid: "1" }] }).failures).toMatchObject([
      { path: "transfers[0].toAid" },
    ]);
  });
});
