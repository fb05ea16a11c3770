import { Bench, example, type Json, type Sent, shapeDifferences, fieldsOf } from "../support";

const path = "/v7/endpoint/agents";
const everything = "expand=clients,vpnProfiles,networkInterfaceProfiles";

let clock = Date.UTC(2026, 0, 15, 12);
let bench: Bench;
let agents: Json[];
beforeEach(async () => {
  bench = await Bench.start({ agents: 30, now: () => clock, licenses: { advantage: 30, embedded: 0 } });
  agents = (await bench.call("GET", `${path}?${everything}`)).body.agents;
});
afterEach(() => bench.close());

const get = async (id: string, query = everything) => (await bench.call("GET", `${path}/${id}?${query}`)).body;
const stable = ({ _links, lastSeen: _volatile, ...rest }: Json) => rest;

describe("a PATCH request for an agent", () => {
  test("a PATCH request changes only the name and the license of an agent", async () => {
    const [agent] = agents;
    const renamed = await bench.call("PATCH", `${path}/${agent.id}?${everything}`, { body: { name: "Lobby" } });
    expect([renamed.status, stable(renamed.body)]).toEqual([200, { ...stable(agent), name: "Lobby" }]);
    expect(stable(await get(agent.id))).toEqual(stable(renamed.body));
    const licensed = await bench.call("PATCH", `${path}/${agent.id}`, { body: { licenseType: "essentials" } });
    expect([licensed.status, licensed.body.name, licensed.body.licenseType, licensed.body.clients]).toEqual([
      200,
      "Lobby",
      "essentials",
      undefined,
    ]);
    expect(await get(agent.id)).toMatchObject({ name: "Lobby", licenseType: "essentials", computerName: agent.computerName });
  });

  test("the response to the API document's example PATCH request has the documented members", async () => {
    const rich = agents.find((candidate) => candidate.npcapVersion && candidate.batteryMetrics);
    const answer = await bench.call("PATCH", `${path}/${rich.id}?${everything}`, { body: example("agents.update.request") });
    const newer = /(agentExplainabilityFailures|deploymentInfo) is new|cellularProfile is absent|(ethernet|wireless)Profile is/;
    const differences = shapeDifferences(answer.body, example("agents.update.response"));
    expect([answer.status, differences.filter((difference) => !newer.test(difference))]).toEqual([200, []]);
  });

  test("a PATCH request may contain a complete agent with unknown members", async () => {
    const agent = agents[1];
    clock += 3_600_000;
    const body = { ...agent, name: "Read and written", shoeSize: 42 };
    expect((await bench.call("PATCH", `${path}/${agent.id}`, { body })).status).toBe(200);
    expect(stable(await get(agent.id))).toEqual({ ...stable(agent), name: "Read and written" });
  });

  test.each<[string, unknown]>([
    ["status", "disabled"],
    ["aid", "1002"],
    ["computerName", "other"],
    ["deleted", true],
    ["platform", "mac "],
    ["clients", []],
    ["location", null],
    ["cellularProfile", { carrierName: "x" }],
  ])("the emulator rejects a change of %s with status 400 and names the member", async (field, value) => {
    const agent = agents.find((candidate) => candidate.clients.length > 0);
    const refused = await bench.call("PATCH", `${path}/${agent.id}`, { body: { name: "New", [field]: value } });
    expect([refused.status, fieldsOf(refused.body)]).toEqual([400, [field]]);
    expect(stable(await get(agent.id))).toEqual(stable(agent));
  });

  test.each<[string, unknown]>([
    ["name", ""],
    ["name", 5],
    ["name", null],
    ["licenseType", "platinum"],
    ["licenseType", null],
  ])("the emulator rejects an invalid %s (%j) with status 400 and names the member", async (field, value) => {
    const agent = agents[2];
    const refused = await bench.call("PATCH", `${path}/${agent.id}`, { body: { [field]: value } });
    expect([refused.status, fieldsOf(refused.body)]).toEqual([400, [field]]);
    expect(stable(await get(agent.id))).toEqual(stable(agent));
  });

  test("the emulator rejects a change to a license type without free licenses", async () => {
    await bench.close();
    bench = await Bench.start({ agents: 30, licenses: { advantage: 20 } });
    const every = (await bench.call("GET", `${path}?useAllPermittedAids=true`)).body.agents;
    const having = every.filter((candidate: Json) => candidate.licenseType === "advantage");
    const others = every.filter((candidate: Json) => candidate.licenseType === "essentials");
    const set = (candidate: Json, licenseType: string) =>
      bench.call("PATCH", `${path}/${candidate.id}?aid=${candidate.aid}`, { body: { licenseType } });
    const remaining = 20 - having.length;
    expect(remaining).toBeGreaterThan(0);
    expect(others.length).toBeGreaterThan(remaining);
    for (const agent of others.slice(0, remaining)) expect((await set(agent, "advantage")).status).toBe(200);
    const refused = await set(others[remaining], "advantage");
    expect([refused.status, fieldsOf(refused.body)]).toEqual([400, ["licenseType"]]);
    expect((await set(having[0], "advantage")).status).toBe(200);
    expect((await set(having[0], "essentials")).status).toBe(200);
    expect((await set(others[remaining], "advantage")).status).toBe(200);
    expect((await set(others[remaining + 1], "advantage")).status).toBe(400);
    await bench.call("DELETE", `${path}/${having[1].id}?aid=${having[1].aid}`);
    expect((await set(others[remaining + 1], "advantage")).status).toBe(200);
  });
});

describe("requests that enable or disable an agent", () => {
  test("a request to enable or disable an agent also succeeds if nothing changes", async () => {
    const agent = agents.find((candidate) => candidate.status === "enabled");
    for (const [verb, status] of [
      ["disable", "disabled"],
      ["disable", "disabled"],
      ["enable", "enabled"],
      ["enable", "enabled"],
    ]) {
      const answer = await bench.call("POST", `${path}/${agent.id}/${verb}`);
      expect([answer.status, answer.body.status, answer.body.clients]).toEqual([200, status, undefined]);
      expect(answer.body._links.self.href).toBe(`${bench.url}${path}/${agent.id}`);
      expect(stable(await get(agent.id))).toEqual({ ...stable(agent), status });
    }
  });

  test("each change of an agent requires a role with write access", async () => {
    const { id } = agents[0];
    const token = "emulator-read-only-token";
    const calls: [string, string, Sent][] = [
      ["POST", "/enable", {}],
      ["POST", "/disable", {}],
      ["DELETE", "", {}],
      ["PATCH", "", { body: { name: "x" } }],
      ["POST", "/transfer", { body: { toAid: "1002" } }],
    ];
    for (const [method, suffix, sent] of calls) {
      const refused = await bench.call(method, `${path}/${id}${suffix}`, { ...sent, token });
      expect([method, suffix, refused.status]).toEqual([method, suffix, 403]);
    }
    const bulk = await bench.call("POST", `${path}/transfer/bulk`, { body: { transfers: [] }, token });
    expect(bulk.status).toBe(403);
    expect(stable(await get(id))).toEqual(stable(agents[0]));
  });
});

test("a deleted agent appears in lists only with the parameter includeDeleted", async () => {
  const { id } = agents[3];
  expect((await bench.call("DELETE", `${path}/${id}`)).status).toBe(204);
  expect((await bench.call("GET", `${path}/${id}`)).status).toBe(404);
  expect(await get(id, "includeDeleted=true")).toMatchObject({ id, deleted: true });
  expect((await bench.call("GET", `${path}/${id}?includeDeleted=false`)).status).toBe(404);
  for (const [method, to] of [
    ["GET", path],
    ["POST", `${path}/filter`],
  ] as const) {
    const list = async (query: string) =>
      (await bench.call(method, `${to}?${query}`, method === "POST" ? { body: {} } : {})).body;
    expect((await list("")).totalAgents).toBe(agents.length - 1);
    const all = await list("includeDeleted=true");
    expect([all.totalAgents, all.agents.filter((candidate: Json) => candidate.deleted)]).toMatchObject([
      agents.length,
      [{ id }],
    ]);
  }
  for (const [method, suffix, body] of [
    ["DELETE", "", undefined],
    ["POST", "/enable", undefined],
    ["POST", "/disable", undefined],
    ["PATCH", "", { name: "x" }],
    ["POST", "/transfer", { toAid: "1002" }],
  ] as const) {
    expect((await bench.call(method, `${path}/${id}${suffix}`, { body })).status).toBe(404);
  }
});

describe("the log of an agent", () => {
  const logs = async (id: string, query = "") => (await bench.call("GET", `${path}/${id}/logs${query}`)).body;
  const kinds = ({ logs: items }: Json): string[] =>
    items.map(
      ({ stateChangesLogItem, onlineOfflineLogItem }: Json) => (stateChangesLogItem ?? onlineOfflineLogItem).logItemType,
    );

  test("the log of an agent contains only events since the start of the emulator", async () => {
    const agent = agents.findLast((candidate) => candidate.status === "enabled");
    expect(kinds(await logs(agents[0].id))).toEqual(["online"]);
    expect(kinds(await logs(agent.id))).toEqual([]);
    const started = clock;
    for (const verb of ["disable", "disable", "enable"]) {
      clock += 1000;
      await bench.call("POST", `${path}/${agent.id}/${verb}`);
    }
    clock += 1000;
    await bench.call("DELETE", `${path}/${agent.id}`);
    const log = await logs(agent.id);
    expect(kinds(log)).toEqual(["disabled", "enabled", "deleted"]);
    expect(log.logs.map((item: Json) => item.timestampMs - started)).toEqual([1000, 3000, 4000]);
    expect(new Set(log.logs.map((item: Json) => item.agentLogItemType))).toEqual(new Set(["state-changes"]));

    expect(kinds(await logs(agent.id, "?window=1s"))).toEqual(["enabled", "deleted"]);
    const date = (ms: number) => new Date(started + ms).toISOString();
    expect(kinds(await logs(agent.id, `?startDate=${date(2000)}&endDate=${date(3500)}`))).toEqual(["enabled"]);
    const first = await logs(agent.id, "?max=2");
    expect(kinds(first)).toEqual(["disabled", "enabled"]);
    const second = await bench.call("GET", first._links.next.href.slice(bench.url.length));
    expect([kinds(second.body), second.body._links.next]).toEqual([["deleted"], undefined]);
  });

  test.each(["max=0", "max=5001", "window=soon", "startDate=today", "window=1h&startDate=2026-01-01T00:00:00Z", "cursor=x"])(
    "the emulator returns status 400 for a log request with %s",
    async (query) => {
      expect((await bench.call("GET", `${path}/${agents[0].id}/logs?${query}`)).status).toBe(400);
    },
  );
});
