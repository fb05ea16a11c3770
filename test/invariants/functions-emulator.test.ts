/** Tests each function with the emulator: existing records, and results that this machine measured. */
import { createServer, type Server } from "node:http";
import { createClient, LookupError, NotFoundError, type Client } from "../../api";
import { start, type Emulator } from "../../emulator";
import * as sdk from "../../sdk";
import { closeServer, eventually, portOf } from "../emulator/loopback";
import { settle } from "../support/api/functions";
import { call } from "../support/call";

let emulator: Emulator;
let client: Client;
let server: Server;
let port: number;

beforeAll(async () => {
  emulator = await start({ rateLimit: "off", speed: 60, pageSize: 10 });
  settle({ baseUrl: emulator.url, token: "emulator-token" });
  client = createClient({ baseUrl: emulator.url, token: "emulator-token" });
  server = createServer((_, response) => response.end("hello"));
  port = await portOf(server);
});
afterAll(async () => {
  await client.close();
  await emulator.close();
  await closeServer(server);
});

const control = (path: string, body: object): Promise<{ id: string }> => call(emulator.url, "POST", `/_emulator/${path}`, body);
/** Returns the first row as soon as it exists. */
const firstOf = <R>(ask: () => Promise<R[]>): Promise<R> => eventually(async () => (await ask())[0]);

describe("account groups, agents and labels", () => {
  it("getAgentLogs returns state changes, and getProxies and getRealUserTestProfiles return empty lists", async () => {
    const [agent] = await sdk.getAgents({ limit: 1 });
    const agentId = agent?.id ?? "";
    await client.agents.disable({ path: { agentId } });
    await client.agents.enable({ path: { agentId } });
    const logs = await sdk.getAgentLogs({ agentId });
    expect(logs.map(({ agentLogItemType }) => agentLogItemType)).toContain("state-changes");
    expect((await sdk.getAgentLogs({ agentId, limit: 1, max: 1 })).length).toBe(1);
    await expect(sdk.getAgentLogs({ agentId: "nobody" })).rejects.toThrow(NotFoundError);
    expect(await sdk.getProxies()).toEqual([]);
    expect(await sdk.getRealUserTestProfiles()).toEqual([]);
  });

  it("getAccountGroups returns the account groups of the token's user", async () => {
    const groups = await sdk.getAccountGroups();
    expect(groups.map(({ aid }) => aid)).toEqual(["1001", "1002", "1003"]);
  });

  it("getAgents returns the agents from all pages", async () => {
    const all = await sdk.getAgents({ useAllPermittedAids: true });
    expect(all).toHaveLength(25);
    const here = await sdk.getAgents();
    const macs = await sdk.getAgents({ searchFilters: { platform: ["mac"] }, searchSort: [{ sort: "name", order: "desc" }] });
    expect(macs.map(({ name }) => name)).toEqual(
      here
        .filter(({ platform }) => platform === "mac")
        .map(({ name = "" }) => name)
        .toSorted()
        .toReversed(),
    );
    const sizes: number[] = [];
    for await (const page of sdk.getAgents.pages({ useAllPermittedAids: true, max: 7 })) sizes.push(page.length);
    expect(sizes).toEqual([7, 7, 7, 4]);
    const [agent] = here;
    const agents = await sdk.getAgents({
      agentName: agent?.name,
      searchFilters: { computerName: [agent?.computerName ?? ""] },
    });
    expect(agents.map(({ id }) => id)).toEqual([agent?.id]);
  });

  it("getAgent finds an agent by id or name", async () => {
    const [first] = await sdk.getAgents({ limit: 1 });
    const agent = await sdk.getAgent({ agentId: first?.id ?? "", expand: ["clients", "networkInterfaceProfiles"] });
    expect(agent).toMatchObject({
      id: first?.id,
      aid: "1001",
      clients: expect.any(Array),
      networkInterfaceProfiles: expect.any(Array),
    });
    expect(agent).not.toHaveProperty("vpnProfiles");
    expect((await sdk.getAgent({ computerName: first?.computerName ?? "" })).id).toBe(first?.id);
    await expect(sdk.getAgent({ agentName: "nobody" })).rejects.toThrow(LookupError);
    await expect(sdk.getAgent({ agentId: "nobody" })).rejects.toThrow(NotFoundError);
  });

  it("getConnectionString returns a different connection string for each account group", async () => {
    const ownString = await sdk.getConnectionString();
    expect(ownString).toBe(await sdk.getConnectionString({ accountGroupId: "1001" }));
    expect(ownString).not.toBe(await sdk.getConnectionString({ accountGroupId: "1002" }));
  });

  it("getLabels and getLabel return labels with their filters", async () => {
    const filters = [{ key: "platform" as const, mode: "in" as const, values: ["Mac"] }];
    for (const name of ["Office", "Twice", "Twice"]) {
      await client.labels.create({ body: { name, matchType: "or", filters } });
    }
    const labels = await sdk.getLabels();
    expect(labels).toMatchObject(["Office", "Twice", "Twice"].map((name) => ({ name, filters })));
    const office = await sdk.getLabel({ name: "Office" });
    expect([office, await sdk.getLabel({ id: office.id })]).toMatchObject([labels[0], { id: office.id, filters }]);
    const [, second, third] = labels.map(({ id }) => id);
    await expect(sdk.getLabel({ name: "Twice" })).rejects.toThrow(
      `getLabel: 2 labels have the name "Twice": ${second} (Twice); ${third} (Twice). Choose one by id.`,
    );
    await expect(sdk.getLabel({ name: "Office", accountGroupId: "1002" })).rejects.toThrow(LookupError);
  });
});

describe("tests and their results", () => {
  const names = { "agent-to-server": "Path", "http-server": "Page", dynamic: "Meetings" } as const;
  let [path, page, meetings]: sdk.TestRecord[] = [];
  const test = (record: sdk.TestRecord | undefined): sdk.TestRecord => {
    if (!record) throw new Error("not created");
    return record;
  };

  beforeAll(async () => {
    await client.agentToServerTests.create({
      body: { testName: names["agent-to-server"], server: "127.0.0.1", port, protocol: "tcp" },
    });
    await client.httpServerTests.create({ body: { testName: names["http-server"], url: `http://127.0.0.1:${port}/` } });
    await client.dynamicTests.create({ body: { testName: names.dynamic, application: "webex" } });
    [path, page, meetings] = await sdk.getTests();
    await control("sessions", { testId: meetings?.testId, server: "127.0.0.1", port });
  });

  it("getTests returns tests of all types or of one type", async () => {
    expect((await sdk.getTests()).map(({ kind, testName }) => [kind, testName])).toEqual(Object.entries(names));
    expect(await sdk.getTests({ kind: "dynamic" })).toEqual([meetings]);
    expect(await sdk.getTests({ accountGroupId: "1002" })).toEqual([]);
  });

  it("getTest finds a test of any type by id or name", async () => {
    for (const record of [path, page, meetings].map(test)) {
      const byId = await sdk.getTest({ testId: record.testId });
      expect(byId).toMatchObject({ testId: record.testId, kind: record.kind, testName: record.testName });
      expect(await sdk.getTest({ testName: record.testName ?? "" })).toEqual(record);
    }
    await expect(sdk.getTest({ testId: "1" })).rejects.toThrow('getTest: no test has the testId "1"');
    await expect(sdk.getTest({ testName: "Page", kind: "dynamic" })).rejects.toThrow(
      /^getTest: no dynamic test has the testName /,
    );
  });

  it("functions return the network results and paths that a scheduled test measured", async () => {
    const { testId } = test(path);
    const row = await firstOf(() => sdk.getNetworkResults({ test: test(path), window: "1h", limit: 1 }));
    expect(row).toMatchObject({ testId, loss: 0, avgLatency: expect.any(Number) });
    const searched = await sdk.getNetworkResultsOfTests({ searchFilters: { testId: [testId] }, window: "1h" });
    expect(searched.map(({ roundId }) => roundId)).toContain(row.roundId);
    const trace = await firstOf(() => sdk.getPathVisualizations({ test: test(path), window: "1h", limit: 1 }));
    const { agentId, roundId } = trace;
    const [detail] = await sdk.getPathVisualization({ test: testId, agentId, roundId });
    expect(detail).toMatchObject({ testId, agentId, roundId, pathTraces: [{ hops: expect.any(Array) }] });
    const gone = sdk.getPathVisualization({ test: testId, agentId, roundId: 1 });
    await expect(gone).rejects.toThrow(NotFoundError);
  });

  it("functions return the results that an HTTP server test measured", async () => {
    const { testId } = test(page);
    const row = await firstOf(() => sdk.getHttpServerResults({ test: test(page), window: "1h", expand: ["header"], limit: 1 }));
    expect(row).toMatchObject({ testId, responseCode: 200, headers: expect.anything() });
    const searchFilters = { agentId: [row.agentId] };
    const listed = await sdk.getHttpServerResults({ test: testId, window: "1h", searchFilters });
    expect(listed.map(({ roundId }) => roundId)).toContain(row.roundId);
    const many = await sdk.getHttpServerResultsOfTests({ searchFilters: { testId: [testId] }, window: "1h" });
    expect(many.map(({ roundId }) => roundId)).toContain(row.roundId);
  });

  it("functions return the results of a dynamic test's sessions", async () => {
    const { testId } = test(meetings);
    const row = await firstOf(() => sdk.getDynamicNetworkResults({ test: test(meetings), window: "1h", limit: 1 }));
    expect(row).toMatchObject({ testId, application: "webex" });
    const trace = await firstOf(() => sdk.getDynamicPathVisualizations({ test: test(meetings), window: "1h", limit: 1 }));
    const { agentId, roundId } = trace;
    const [detail] = await sdk.getDynamicPathVisualization({ test: test(meetings), agentId, roundId });
    expect(detail).toMatchObject({ testId, agentId, roundId });
  });
});

describe("local networks and real user tests", () => {
  it("functions return this machine's local networks", async () => {
    const networks = await sdk.getLocalNetworks();
    const topologies = await sdk.getLocalNetworkTopologies({ window: "1h" });
    expect(networks.length > 0).toBe(topologies.length > 0);
    for (const { networkTopologyId } of topologies.slice(0, 1)) {
      expect(await sdk.getLocalNetworkTopology({ networkTopologyId })).toMatchObject({ networkTopologyId });
    }
    await expect(sdk.getLocalNetworkTopology({ networkTopologyId: "none" })).rejects.toThrow(NotFoundError);
  });

  it("the functions for real user tests return a visited page", async () => {
    const timing = {
      name: "https://app.example.com/",
      entryType: "navigation",
      startTime: 0,
      duration: 10,
      responseStatus: 200,
    };
    await control("real-user-tests", { url: timing.name, title: "App", userAgent: "", timing, resources: [] });
    const searchFilters = { visitedSite: ["app.example.com"] };
    const [visit] = await sdk.getRealUserTests({ searchFilters, window: "1h" });
    const id = visit?.id ?? "";
    expect(visit).toMatchObject({ visitedSite: "app.example.com" });
    expect(await sdk.getRealUserTestNetworks({ searchFilters })).toMatchObject([{ id }]);
    const [loaded] = await sdk.getRealUserTestPages({ searchFilters });
    expect(loaded).toMatchObject({ id, pageUrl: timing.name });
    expect(await sdk.getRealUserTest({ id })).toMatchObject({ id, pages: [{ pageId: loaded?.pageId }] });
    expect(await sdk.getRealUserTestPage({ id, pageId: loaded?.pageId ?? "" })).toMatchObject({
      har: { log: expect.anything() },
    });
    await expect(sdk.getRealUserTest({ id: "none" })).rejects.toThrow(NotFoundError);
  });
});
