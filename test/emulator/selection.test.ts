import { fleetOf, prepareFleet, type FleetAgent } from "../../emulator/fleet/fleet";
import { settle } from "../../emulator/options";
import { labels, type StoredLabel } from "../../emulator/model/labels";
import { type StoredTest, testCollection } from "../../emulator/model/tests";
import {
  agentsAssigned,
  agentsOfLabel,
  agentsRunning,
  agentsSelected,
  testsAtOnce,
  testsRunBy,
} from "../../emulator/selection";
import { Store } from "../../emulator/store";
import { agents } from "../../emulator/model/agents";
import { Bench, type Json, minimal, paths } from "./support";

const aid = "1001";
let service: { store: Store; settings: ReturnType<typeof settle> };
beforeEach(() => {
  service = { store: new Store(), settings: settle({ agents: 60, now: () => Date.UTC(2026, 0, 15) }) };
  prepareFleet(service);
});
afterEach(() => service.store.close());

const here = () => fleetOf(service).list(aid);
const enabled = () => here().filter(({ body }) => body.status === "enabled" && !body.deleted);
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);
const set = (agent: FleetAgent | undefined, changes: Partial<FleetAgent["body"]>) => {
  if (agent) service.store.replace(agents, agent.id, { ...agent.body, ...changes });
};

function label(filters: StoredLabel["filters"], group = aid) {
  return service.store.insert(labels, group, () => ({ name: "x", color: "#000000", matchType: "or" as const, filters }));
}

function makeTest(changes: Partial<StoredTest> = {}, kind = "agent-to-server-tests", group = aid) {
  const body: StoredTest = {
    testName: "x",
    ipVersion: "V4_ONLY",
    isPrioritized: false,
    interval: 60,
    protocol: "icmp",
    agentSelectorType: "all-agents",
    maxMachines: 1000,
    tcpProbeMode: "auto",
    isEnabled: true,
    networkMeasurements: true,
    hasPathTraceInSession: true,
    createdDate: "",
    modifiedDate: "",
    ...changes,
  };
  return service.store.insert(testCollection<StoredTest>(kind), group, () => body);
}

const windows: StoredLabel["filters"] = [{ key: "platform", mode: "in", values: ["Windows"] }];

describe("agents of a label", () => {
  test("a label selects the matching agents of its account group, except deleted agents", () => {
    const windowsLabel = label(windows);
    const expected = here().filter(({ body }) => body.platform === "windows");
    expect(expected.some(({ body }) => body.status === "disabled")).toBe(true);
    expect(agentsOfLabel(service, windowsLabel)).toEqual(expected);
    set(expected[0], { deleted: true });
    expect(ids(agentsOfLabel(service, windowsLabel))).toEqual(ids(expected).slice(1));
  });

  test("a change of an agent or a filter changes which agents a label selects", () => {
    const windowsLabel = label(windows);
    const before = agentsOfLabel(service, windowsLabel);
    const other = here().find(({ body }) => body.platform === "mac");
    set(other, { platform: "windows" });
    set(before[1], { platform: "linux" });
    const after = agentsOfLabel(service, windowsLabel);
    expect(new Set(ids(after))).toEqual(new Set([...ids(before).filter((id) => id !== before[1]?.id), other?.id]));
    const body = {
      ...windowsLabel.body,
      filters: [{ key: "platform" as const, mode: "not-in" as const, values: ["Windows"] }],
    };
    service.store.replace(labels, windowsLabel.id, body);
    expect(ids(agentsOfLabel(service, windowsLabel))).toEqual(ids(here()).filter((id) => !ids(after).includes(id)));
    service.store.put(agents, ids(after)[0] ?? "", "1002", after[0]?.body ?? here()[0]?.body ?? ({} as never));
    expect(agentsOfLabel(service, { ...windowsLabel, body }).some(({ id }) => id === ids(after)[0])).toBe(false);
    service.store.clear();
    prepareFleet(service);
    expect(ids(agentsOfLabel(service, windowsLabel))).toEqual(
      ids(here().filter(({ body: { platform } }) => platform === "windows")),
    );
  });
});

describe("agent selections of a test", () => {
  test("the selector all-agents selects the enabled agents of the account group", () => {
    expect(agentsAssigned(service, makeTest())).toEqual(enabled());
    expect(enabled().length).toBeLessThan(here().length);
    expect(ids(agentsAssigned(service, makeTest({ maxMachines: 3 })))).toEqual(ids(enabled()).slice(0, 3));
    expect(agentsSelected(service, makeTest({ maxMachines: 3 }))).toEqual(enabled());
  });

  test("the selector specific-agents selects each existing agent of the account group once", () => {
    const foreign = fleetOf(service).list("1002")[0]?.id ?? "";
    const off = here().find(({ body }) => body.status === "disabled")?.id ?? "";
    const [first = "", second = ""] = ids(enabled());
    const selected = makeTest({ agentSelectorType: "specific-agents", agents: [second, foreign, off, "nobody", first, first] });
    expect(ids(agentsAssigned(service, selected))).toEqual([first, second]);
  });

  test("the selector agent-labels selects the agents of each existing label of the account group", () => {
    const [first, other, gone] = [
      label(windows),
      label([{ key: "connection", mode: "in", values: ["Ethernet"] }]),
      label(windows),
    ];
    const foreign = label([{ key: "hostname", mode: "in", values: ["*"] }], "1002");
    const select = (...endpointAgentLabels: string[]) =>
      ids(agentsAssigned(service, makeTest({ agentSelectorType: "agent-labels", endpointAgentLabels })));
    const either = enabled().filter(({ body, facts }) => body.platform === "windows" || facts.connection.includes("Ethernet"));
    expect(select(first.id, other.id)).toEqual(ids(either));
    service.store.delete(labels, gone.id, aid);
    expect(select(gone.id, foreign.id, "1")).toEqual([]);
    expect(select(gone.id, first.id)).toEqual(ids(enabled().filter(({ body }) => body.platform === "windows")));
  });

  test("a label no longer matches an agent after the agent's transfer to another account group", () => {
    const foreign = label(windows, "1002");
    const selecting = makeTest({ agentSelectorType: "agent-labels", endpointAgentLabels: [foreign.id] });
    expect(agentsAssigned(service, selecting)).toEqual([]);
    const moved = agentsOfLabel(service, foreign)[0];
    if (moved) service.store.put(agents, moved.id, aid, moved.body);
    expect([moved === undefined, agentsAssigned(service, selecting)]).toEqual([false, []]);
    expect(agentsOfLabel(service, foreign)).not.toContainEqual(expect.objectContaining({ id: moved?.id }));
  });

  test("the selector agent-tags selects no agents if all its tags are missing", () => {
    expect(agentsAssigned(service, makeTest({ agentSelectorType: "agent-tags", tagIds: ["t"] }))).toEqual([]);
  });

  test("a selection immediately excludes disabled, deleted and transferred agents", () => {
    const limited = makeTest({ maxMachines: 2 });
    const [first, second, third, fourth] = enabled();
    set(first, { status: "disabled" });
    expect(ids(agentsAssigned(service, limited))).toEqual(ids([second, third].filter((agent) => agent !== undefined)));
    set(second, { deleted: true });
    if (third) service.store.put(agents, third.id, "1003", third.body);
    expect(agentsAssigned(service, limited)[0]?.id).toBe(fourth?.id);
    set(first, { status: "enabled" });
    expect(agentsAssigned(service, limited)[0]?.id).toBe(first?.id);
  });
});

describe("tests that an agent runs", () => {
  const advantage = () => enabled().filter(({ body }) => body.licenseType === "advantage")[1];
  const names = (agentId = "") => testsRunBy(service, agentId).map(({ body }) => body.testName);

  test.each(["advantage", "essentials", "embedded", "embed-wireless-advantage"] as const)(
    "the license %s limits the number of tests that an agent runs",
    (type) => {
      const agent = enabled()[1];
      set(agent, { licenseType: type });
      const tests = Array.from({ length: 12 }, (_, n) => makeTest({ testName: String(n) }));
      const limit = { advantage: 10, essentials: 4, embedded: 1, "embed-wireless-advantage": 1 }[type];
      expect(testsAtOnce[type]).toBe(limit);
      expect(names(agent?.id)).toEqual(tests.slice(0, limit).map(({ body }) => body.testName));
      for (const [at, test] of tests.entries()) {
        expect(ids(agentsRunning(service, test)).includes(agent?.id ?? "")).toBe(at < limit);
        expect(ids(agentsAssigned(service, test))).toContain(agent?.id);
      }
    },
  );

  test("an agent runs prioritized tests first, then tests with more specific selectors, then older tests", () => {
    const agent = advantage();
    set(agent, { licenseType: "essentials" });
    const hosts = label([{ key: "hostname", mode: "in", values: [agent?.body.computerName ?? ""] }]);
    const direct = { agentSelectorType: "specific-agents", agents: [agent?.id ?? ""] } satisfies Partial<StoredTest>;
    const labeled = { agentSelectorType: "agent-labels", endpointAgentLabels: [hosts.id] } satisfies Partial<StoredTest>;
    makeTest({ testName: "all" });
    makeTest({ testName: "labeled 1", ...labeled }, "dynamic-tests");
    makeTest({ testName: "labeled 2", ...labeled }, "http-server-tests");
    makeTest({ testName: "off", ...direct, isEnabled: false });
    makeTest({ testName: "direct", ...direct }, "http-server-tests");
    expect(names(agent?.id)).toEqual(["direct", "labeled 1", "labeled 2", "all"]);
    const first = makeTest({ testName: "all, prioritized", isPrioritized: true });
    expect(names(agent?.id)).toEqual(["all, prioritized", "direct", "labeled 1", "labeled 2"]);
    makeTest({ testName: "direct, prioritized", isPrioritized: true, ...direct });
    expect(names(agent?.id)).toEqual(["direct, prioritized", "all, prioritized", "direct", "labeled 1"]);
    service.store.delete(testCollection("agent-to-server-tests"), first.id, aid);
    expect(names(agent?.id)).toEqual(["direct, prioritized", "direct", "labeled 1", "labeled 2"]);
    expect(testsRunBy(service, agent?.id ?? "").map(({ collection }) => collection)).toEqual([
      "agent-to-server-tests",
      "http-server-tests",
      "dynamic-tests",
      "http-server-tests",
    ]);
  });

  test("the tests beyond an agent's limit do not move to other agents", () => {
    const [first, second] = enabled();
    set(first, { licenseType: "embedded" });
    makeTest({ maxMachines: 1 });
    const crowded = makeTest({ maxMachines: 1 });
    expect(ids(agentsAssigned(service, crowded))).toEqual([first?.id]);
    expect(agentsRunning(service, crowded)).toEqual([]);
    expect(testsRunBy(service, second?.id ?? "")).toEqual([]);
  });

  test("an agent runs neither disabled tests nor tests of other account groups", () => {
    const off = makeTest({ isEnabled: false });
    const foreign = makeTest({}, "dynamic-tests", "1002");
    expect([agentsRunning(service, off), testsRunBy(service, "nobody")]).toEqual([[], []]);
    expect(agentsAssigned(service, off)).toEqual(enabled());
    expect(new Set(agentsRunning(service, foreign).map((agent) => agent.aid))).toEqual(new Set(["1002"]));
    expect(names(enabled()[0]?.id)).toEqual([]);
  });

  test("each agent runs its assigned tests in order up to its limit", () => {
    for (let n = 0; n < 40; n += 1) {
      makeTest(
        { testName: String(n), maxMachines: 1 + ((n * 7) % 40), isPrioritized: n % 5 === 0 },
        n % 2 === 0 ? "dynamic-tests" : undefined,
      );
    }
    const all = ["agent-to-server-tests", "dynamic-tests"]
      .flatMap((name) => service.store.all(testCollection<StoredTest>(name)))
      .toSorted((a, b) => Number(b.body.isPrioritized) - Number(a.body.isPrioritized) || a.sequence - b.sequence);
    for (const agent of enabled()) {
      const assigned = all.filter((test) => ids(agentsAssigned(service, test)).includes(agent.id));
      expect(ids(testsRunBy(service, agent.id))).toEqual(ids(assigned).slice(0, testsAtOnce[agent.body.licenseType]));
    }
  });
});

test("the emulator accepts a test that selects nonexistent agents", async () => {
  const bench = await Bench.start();
  const body = { ...minimal.dynamic, agentSelectorType: "specific-agents", agents: ["5d0764ac-7e42-4ec8-a0d4-39fc53edccba"] };
  const created = await bench.call("POST", paths.dynamic, { body });
  expect([created.status, created.body.agentSelectorConfig.agents]).toEqual([201, body.agents]);
  const listed: Json = (await bench.call("GET", paths.dynamic)).body;
  expect(listed.tests).toHaveLength(1);
  await bench.close();
});
