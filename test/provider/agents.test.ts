import type { AgentRecord } from "../../api";
import { ForbiddenError, LookupError, NotFoundError, pages } from "../../api";
import { GoneError, PartialFailure, TransferError } from "../../provider/failures";
import type { Properties } from "../../provider/values";
import { Bench } from "./bench";
import { skipIdleTime } from "../support/idle-time";

skipIdleTime();

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.start({}, { transferDelayMs: 50 });
});
afterEach(() => bench.end());

async function fleet(aid = "1001"): Promise<AgentRecord[]> {
  const found: AgentRecord[] = [];
  for await (const page of pages(bench.session.client.agents.list, { query: { aid } })) found.push(...page.agents);
  return found;
}
async function firstAgent(aid = "1001"): Promise<AgentRecord> {
  const [, agent] = await fleet(aid);
  if (!agent) throw new Error("no agent");
  return agent;
}
const get = (agentId: string, aid: string): Promise<AgentRecord> =>
  bench.session.client.agents.get({ path: { agentId }, query: { aid } });
const hold = (declared: Properties) => bench.create("endpointAgent", declared);

describe("EndpointAgent", () => {
  it("takes hold of an agent by id, and changes nothing that is not declared", async () => {
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

  it("does not take an unknown status for disabled", async () => {
    const agent = await firstAgent();
    const { id, state } = await hold({ agentId: agent.id, enabled: true });
    await bench.door(`records/agents/${id}`, { status: "quarantined" }, "PATCH");
    bench.newSession();
    const read = await bench.life("endpointAgent").read(id, state);
    expect(read?.state["enabled"]).toBe(true);
    const bare = await bench.life("endpointAgent").read(id, {});
    expect(bare?.state).not.toHaveProperty("enabled");
  });

  it("finds an agent in another account group by what it is looked up by", async () => {
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

  it("refuses a look-up that hits none or several, and lists the hits", async () => {
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
    await expect(twins).rejects.toThrow("2 agents match the look-up by agentName");
    for (const agent of [a, b]) await expect(twins).rejects.toThrow(agent?.id ?? "");
    await expect(hold({ agentId: "00000000-0000-4000-8000-000000000000" })).rejects.toBeInstanceOf(GoneError);
    expect(bench.life("endpointAgent").check({}).failures).toMatchObject([{ reason: "needs either agentId or lookup" }]);
    expect(bench.life("endpointAgent").check({ lookup: {} }).failures).toMatchObject([{ path: "lookup" }]);
  });

  it("sets name, license, state and account group, and waits until the agent has arrived", async () => {
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
    // Back again, one by one.
    const life = bench.life("endpointAgent");
    for (const change of [{ enabled: true }, { agentName: "Desk" }, { licenseType: "advantage" }, { accountGroupId: "1001" }]) {
      const { inputs } = life.check({ ...declared, ...change });
      const property = Object.keys(change)[0];
      expect(life.diff(id, state, inputs)).toMatchObject([{ property, replaces: false }]);
      expect(await life.update(id, state, inputs)).toMatchObject(change);
      // As it was, for the next.
      await life.update(id, { ...state, ...change }, life.check(declared).inputs);
    }
  });

  it("sees drift in every declared property, also an agent that wandered", async () => {
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

  it("is gone when the agent is, and takes hold again only of exactly one", async () => {
    const agent = await firstAgent();
    const { id, state } = await hold({ lookup: { computerName: agent.computerName } });
    await bench.session.client.agents.delete({ path: { agentId: id }, query: { aid: "1001" } });
    bench.newSession();
    expect(await bench.life("endpointAgent").read(id, state)).toBeUndefined();
    await expect(hold({ lookup: { computerName: agent.computerName } })).rejects.toBeInstanceOf(LookupError);
    const { inputs } = bench.life("endpointAgent").check({ agentId: id, agentName: "New" });
    await expect(bench.life("endpointAgent").update(id, state, inputs)).rejects.toBeInstanceOf(GoneError);
  });

  it.each(["forget", "disable", "delete"] as const)("on destroy does as told: %s", async (onDestroy) => {
    const agent = await firstAgent();
    const { id, state } = await hold({ agentId: agent.id, enabled: true, onDestroy });
    bench.newSession();
    await bench.life("endpointAgent").delete(id, state);
    await bench.life("endpointAgent").delete(id, state);
    const now = await get(id, "1001").catch(() => undefined);
    expect(now?.status).toBe({ forget: "enabled", disable: "disabled", delete: undefined }[onDestroy]);
  });

  it("only forgets the old agent when another agentId replaces it", async () => {
    const [, a, b] = await fleet();
    const { id, state } = await hold({ agentId: a?.id, onDestroy: "delete" });
    bench.newSession();
    const life = bench.life("endpointAgent");
    const { inputs } = life.check({ agentId: b?.id, onDestroy: "delete" }, { agentId: a?.id }, "kiosk");
    expect(life.diff(id, state, inputs, "kiosk")).toMatchObject([{ property: "agentId", replaces: true }]);
    await life.delete(id, state, "kiosk");
    expect(await get(id, "1001")).toMatchObject({ id });
  });

  it("only forgets the old agent of a resource that has been created anew, though no diff told of it", async () => {
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

  it("records what is for later without a request", async () => {
    const { id, state } = await hold({ agentId: (await firstAgent()).id });
    const life = bench.life("endpointAgent");
    const { inputs } = life.check({ agentId: id, onDestroy: "disable" });
    expect(life.diff(id, state, inputs)).toMatchObject([{ property: "onDestroy", recordsOnly: true }]);
    await bench.door("requests/reset");
    expect(await life.update(id, state, inputs)).toMatchObject({ onDestroy: "disable" });
    expect(bench.emulator.requests()).toEqual({});
  });
});

describe("a transfer that does not go well", () => {
  it("says how long it waited, keeps what was done, and is completed by the next update", async () => {
    await bench.end();
    bench = await Bench.start({}, { transferDelayMs: 1_500 });
    const agent = await firstAgent();
    const declared = { agentId: agent.id, agentName: "Slow", accountGroupId: "1002" };
    const failure = await hold({ ...declared, transferTimeout: 0.3 }).catch((e: unknown) => e);
    expect(failure).toBeInstanceOf(PartialFailure);
    const { state, reasons } = failure as PartialFailure;
    expect(reasons.join()).toMatch(/has not arrived in account group 1002 within 0 s; it is still in 1001/);
    expect(state).toMatchObject({ agentName: "Slow", accountGroupId: "1001" });
    const life = bench.life("endpointAgent");
    const { inputs } = life.check(declared);
    expect(await life.update(agent.id, state, inputs)).toMatchObject({ accountGroupId: "1002" });
  });

  it("is done when the agent arrives by an earlier transfer before the service is asked for another one", async () => {
    await bench.end();
    bench = await Bench.start({}, { transferDelayMs: 0 });
    const agent = await firstAgent();
    // The agent has moved, and is not found where it was.
    await bench.fault({ operation: "agents.transfer", kind: "status", status: 404, after: true });
    const held = await hold({ agentId: agent.id, accountGroupId: "1002" });
    expect(held).toMatchObject({ state: { accountGroupId: "1002" } });
    // Of an agent that is in neither, the error is reported.
    const other = await firstAgent();
    await bench.fault({ operation: "agents.transfer", kind: "status", status: 404 });
    await expect(hold({ agentId: other.id, accountGroupId: "1002" })).rejects.toThrow(/answered 404/);
  });

  it("leaves the state unharmed when nothing was done", async () => {
    const agent = await firstAgent();
    // A foreign account group.
    await expect(hold({ agentId: agent.id, accountGroupId: "9999" })).rejects.toBeInstanceOf(ForbiddenError);
    // A license without seats.
    await bench.end();
    bench = await Bench.start({}, { licenses: { embedded: 0 } });
    const other = (await fleet()).find(({ licenseType }) => licenseType !== "embedded");
    await expect(hold({ agentId: other?.id, licenseType: "embedded" })).rejects.toThrow(/answered 4\d\d/);
    expect(await get(other?.id ?? "", "1001")).toMatchObject({ licenseType: other?.licenseType });
  });

  it("tells of an agent that vanishes on the way", async () => {
    await bench.end();
    bench = await Bench.start({}, { transferDelayMs: 60_000 });
    const agent = await firstAgent();
    const moving = hold({ agentId: agent.id, accountGroupId: "1002", transferTimeout: 1 });
    moving.catch(() => undefined);
    while (bench.emulator.requests()["agents.transfer"] !== 1) await new Promise(setImmediate);
    await bench.session.client.agents.delete({ path: { agentId: agent.id }, query: { aid: "1001" } });
    const failure = await moving.catch((e: unknown) => e);
    expect(failure).toBeInstanceOf(TransferError);
    expect(String(failure)).toContain("it is no longer in the one that it left");
  });
});

describe("AgentTransfer", () => {
  it("moves 293 of 300 agents, names 7 with their reasons, and then asks for those alone", async () => {
    await bench.end();
    bench = await Bench.start({}, { agents: 900, transferDelayMs: 50 });
    const good = (await fleet()).slice(0, 293).map(({ id }) => id);
    const bad = Array.from({ length: 7 }, (_, i) => `00000000-0000-4000-8000-00000000000${i}`);
    const declared = { transfers: [...good, ...bad].map((agentId) => ({ agentId, fromAid: "1001", toAid: "1002" })) };
    const failure = await bench.create("agentTransfer", declared).catch((e: unknown) => e);
    expect(failure).toBeInstanceOf(PartialFailure);
    const { id, state, reasons } = failure as PartialFailure;
    expect(reasons[0]).toContain("7 of 300 agents were not moved");
    for (const agentId of bad) expect(reasons.join("\n")).toContain(`agent ${agentId} was not moved (404)`);
    expect(state["transfers"]).toHaveLength(293);
    expect(state["outcomes"]).toHaveLength(300);

    const life = bench.life("agentTransfer");
    const { inputs } = life.check(declared);
    expect(life.diff(id, state, inputs)).toMatchObject([{ property: "transfers", replaces: false }]);
    await bench.door("requests/reset");
    const again = await life.update(id, state, inputs).catch((e: unknown) => e);
    expect((again as PartialFailure).reasons[0]).toContain("7 of 300");
    expect(bench.emulator.requests()["agents.transferBulk"]).toBe(1);
    // Few look-ups, and none an agent.
    expect(Object.values(bench.emulator.requests()).reduce((a, b) => a + b, 0)).toBeLessThan(20);

    // Without the bad ones it is done, and says so.
    const done = await life.update(id, state, life.check({ transfers: declared.transfers.slice(0, 293) }).inputs);
    expect(done["transfers"]).toHaveLength(293);
    // One wanders back: refresh shows it.
    const [wanderer = ""] = good;
    await bench.session.client.agents.transfer({
      path: { agentId: wanderer },
      body: { toAid: "1001" },
      query: { aid: "1002" },
    });
    let left = 293;
    for (let i = 0; i < 40 && left === 293; i += 1) {
      bench.newSession();
      const read = await bench.life("agentTransfer").read(id, done);
      left = ((read?.state["transfers"] ?? []) as unknown[]).length;
    }
    expect(left).toBe(292);
    await bench.life("agentTransfer").delete(id, done);
    expect(await fleet("1002")).toEqual(expect.arrayContaining([expect.objectContaining({ id: good[1] })]));
  }, 60_000);

  it("gives each agent an outcome of its own where one account group is forbidden, and names agent and group", async () => {
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
    // A refresh that may not look into a group leaves what state says of it.
    const read = await bench.life("agentTransfer").read(id, { ...state, transfers });
    expect(read?.state["transfers"]).toEqual(transfers);
  });

  it("keeps the outcomes of earlier requests when a later one fails", async () => {
    await bench.end();
    bench = await Bench.start({}, { agents: 450, transferDelayMs: 20 });
    const agents = (await fleet()).slice(0, 101).map(({ id }) => id);
    expect(agents).toHaveLength(101);
    // The first request is answered, the second is not.
    await bench.fault({ operation: "agents.transferBulk", kind: "latency", ms: 1, n: 1 });
    await bench.fault({ operation: "agents.transferBulk", kind: "status", status: 400, n: 1 });
    const transfers = agents.map((agentId) => ({ agentId, fromAid: "1001", toAid: "1002" }));
    const failure = await bench.create("agentTransfer", { transfers }).catch((e: unknown) => e);
    expect(failure).toBeInstanceOf(PartialFailure);
    expect((failure as PartialFailure).state["transfers"]).toHaveLength(100);
    expect((failure as PartialFailure).reasons.join()).toContain(`agent ${agents[100] ?? ""}`);
  });

  it("refuses an agent that is named twice, and a way that leads nowhere", () => {
    const one = { agentId: "0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1", fromAid: "1", toAid: "2" };
    expect(bench.life("agentTransfer").check({ transfers: [one, one] }).failures).toMatchObject([
      { path: "transfers[1].agentId" },
    ]);
    expect(bench.life("agentTransfer").check({ transfers: [{ ...one, toAid: "1" }] }).failures).toMatchObject([
      { path: "transfers[0].toAid" },
    ]);
  });
});
