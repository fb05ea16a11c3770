/** Compares the agents that a change affects with an independent count of the emulator's records. */
import { platform } from "../../../api/schemas";
import { start } from "../../../emulator";
import { thisMachineId } from "../../../emulator/fleet/make";
import { unknownValue } from "../../../provider/values";
import { paths } from "../../emulator/support";
import { call } from "../../support/call";
import { useEmulator } from "../../support/emulator";
import { reviewed, step, toMarkdown } from "../../cli/review-support";
import type { EngineStep } from "../../../engine/preview-output";

const on = (...platforms: string[]) => ({
  name: "Office",
  matchType: "or",
  filters: [{ key: "platform", values: platforms }],
});
const vpn = { testName: "VPN", server: "vpn.example.com", maxMachines: 1000 };
const by = (...endpointAgentLabels: string[]) => ({ agentSelectorType: "agent-labels", endpointAgentLabels });

const emulator = useEmulator({ agents: 120 });
const reset = async (): Promise<void> => {
  emulator.reset();
  await emulator.call("DELETE", `/v7/endpoint/agents/${thisMachineId}?aid=1001`);
};
beforeAll(async () => {
  await reset();
  fleet = await readAgents();
  // The fleet of this test does not sleep at night: silent agents are switched off.
  for (const { body } of fleet) if (body["silentSince"] !== undefined) silent.add(String(body["name"]));
});
beforeEach(reset);

interface StoredAgent {
  aid: string;
  body: Record<string, unknown>;
}

/** The agents in the emulator's database. */
async function readAgents(): Promise<StoredAgent[]> {
  const { records } = (await emulator.call("GET", "/_emulator/records/agents")) as { records: { id: string }[] };
  const path = (id: string): string => `/_emulator/records/agents/${id}`;
  return Promise.all(records.map(({ id }) => emulator.call("GET", path(id)) as Promise<unknown> as Promise<StoredAgent>));
}

/** Agents after a reset, which the tests share. */
let fleet: StoredAgent[];

/** Names of enabled agents in the first account group on these platforms. */
function enabledOn(...platforms: string[]): string[] {
  return namesOn(fleet, platforms);
}
function namesOn(agents: readonly StoredAgent[], platforms: string[]): string[] {
  return agents
    .filter(({ aid, body }) => aid === "1001" && body["status"] === "enabled" && body["deleted"] !== true)
    .filter(({ body }) => platforms.includes(String(body["platform"])))
    .map(({ body }) => String(body["name"]))
    .toSorted();
}
const make = (path: string, body: object): Promise<string> => emulator.create(path, body);
/** Every platform. */
const platforms = platform.options;
const review = (...steps: EngineStep[]) => reviewed(emulator.url, steps);
const silent = new Set<string>();
const seenOf = (names: string[]): number => names.filter((name) => !silent.has(name)).length;
const named = (names: string[]) => ({
  count: names.length,
  names: names.slice(0, 10),
  ...(seenOf(names) < names.length && { seen: seenOf(names) }),
});
const note = (names: string[]): string => (seenOf(names) < names.length ? ` (${seenOf(names)} seen within the hour)` : "");

describe("a disabled test in a review", () => {
  const turned = async (from: boolean, to: boolean) => {
    const label = await make(paths.label, on("Windows"));
    const inputs = { ...vpn, ...by(label) };
    const id = await make(paths.agentToServer, inputs);
    if (!from) await emulator.call("PATCH", `${paths.agentToServer}/${id}?aid=1001`, { isEnabled: false });
    const sides = { before: { ...inputs, isEnabled: from }, after: { ...inputs, isEnabled: to } };
    return review(step("update", "agentToServerTest", "t", { id, ...sides }));
  };

  test("the review shows that a test loses all its agents when an update disables it", async () => {
    const windows = enabledOn("windows");
    const { review: result, ...rest } = await turned(true, false);
    expect(result.resources[0]?.reach).toEqual({
      before: named(windows),
      after: { count: 0, names: [] },
      lost: named(windows),
      off: true,
    });
    expect(result.summary.agents).toEqual({ before: windows.length, after: 0 });
    expect(result.findings).toEqual([]);
    const markdown = toMarkdown({ review: result, ...rest });
    expect(markdown).toContain(`| ${windows.length} → 0 |`);
    expect(markdown).toContain("- disabled: no agent runs it");
  });

  test("the review shows that a test gains its agents when an update enables it", async () => {
    const windows = enabledOn("windows");
    const { review: result } = await turned(false, true);
    expect(result.resources[0]?.reach).toEqual({
      before: { count: 0, names: [] },
      after: named(windows),
      gained: named(windows),
    });
    expect(result.summary.agents).toEqual({ before: 0, after: windows.length });
  });

  test("the review shows 0 agents for a disabled test", async () => {
    const { review: result } = await turned(false, false);
    expect(result.resources[0]?.reach).toEqual({ before: named([]), after: named([]), off: true });
    expect(result.summary.agents).toEqual({ before: 0, after: 0 });
    const tags = { ...vpn, isEnabled: false, agentSelectorType: "agent-tags", tagIds: ["x"] };
    const created = await review(step("create", "agentToServerTest", "t", { after: tags }));
    expect(created.review.resources[0]?.reach).toEqual({ after: { count: 0, names: [] }, off: true });
  });

  test("the review reports the agents of a test as unknown if isEnabled is unknown", async () => {
    const after = { ...vpn, isEnabled: unknownValue };
    const { review: result } = await review(step("create", "agentToServerTest", "t", { after }));
    expect(result.resources[0]?.reach).toEqual({
      unknown: "it depends on a value that is secret or known only after the update",
    });
  });
});

test("the review reports an unknown number of agents for an unknown selector", async () => {
  const unknown = { ...vpn, agentSelectorType: "agent-groups" };
  const { review: result, ...rest } = await review(
    step("update", "agentToServerTest", "t", {
      id: "1",
      before: { ...unknown, interval: 60 },
      after: { ...unknown, interval: 300 },
    }),
  );
  expect(result.resources[0]?.reach).toEqual({ unknown: "this version does not know its agentSelectorType" });
  expect(toMarkdown({ review: result, ...rest })).toMatch(/\| \? \|/);
});

test("the review does not count disabled agents of labels and tests", async () => {
  const id = await make(paths.label, on("Windows"));
  const [first] = enabledOn("windows");
  const { agents } = await emulator.call("GET", "/v7/endpoint/agents?aid=1001&max=1000");
  const agent = (agents as { id: string; name: string }[]).find(({ name }) => name === first);
  await emulator.call("POST", `/v7/endpoint/agents/${agent?.id}/disable?aid=1001`, {});
  const agentsNow = await readAgents();
  const windows = namesOn(agentsNow, ["windows"]);
  expect(windows).not.toContain(first);
  const both = namesOn(agentsNow, ["windows", "mac"]);
  const test = await make(paths.agentToServer, { ...vpn, ...by(id) });
  const { review: result } = await review(
    step("update", "label", "l", { id, before: on("Windows"), after: on("Windows", "Mac") }),
  );
  expect(result.summary.agents).toEqual({ before: windows.length, after: both.length });
  const [resource] = result.resources;
  expect([resource?.reach?.before, resource?.reach?.after]).toEqual([named(windows), named(both)]);
  expect(resource?.touches).toMatchObject([{ id: test, before: { count: windows.length }, after: { count: both.length } }]);
});

describe("changes to the agents that a test selects", () => {
  /** Moves a label from agents of one platform to other agents. */
  const moved = async (before: string[], after: string[]) => {
    const ofNames = (values: string[]) => ({ name: "Office", matchType: "or", filters: [{ key: "hostname", values }] });
    const id = await make(paths.label, ofNames(before));
    await make(paths.agentToServer, { ...vpn, ...by(id), maxMachines: 1000 });
    return reviewed(emulator.url, [step("update", "label", "l", { id, before: ofNames(before), after: ofNames(after) })]);
  };
  const agents = () => enabledOn("windows", "mac", "linux");

  test("the review lists the agents that the test gains and loses", async () => {
    const all = agents();
    expect(all.length).toBeGreaterThanOrEqual(32);
    const most = await moved(all.slice(0, 17), [...all.slice(0, 2), ...all.slice(17, 32)]);
    expect(most.review.resources[0]?.touches).toMatchObject([
      {
        name: "VPN",
        before: { count: 17 },
        after: { count: 17 },
        gained: named(all.slice(17, 32)),
        lost: named(all.slice(2, 17)),
      },
    ]);
    emulator.reset();
    const [before, after] = [all.slice(0, 17), all.slice(2, 19)];
    const [lost, gained] = [all.slice(0, 2), all.slice(17, 19)];
    const little = await moved(before, after);
    expect(little.review.resources[0]?.touches).toMatchObject([
      { name: "VPN", before: { count: 17 }, after: { count: 17 }, gained: named(gained), lost: named(lost) },
    ]);
    expect(toMarkdown(little)).toContain(
      `\`VPN\` (not in this preview) 17 → 17${note(after)}, +2: \`${gained[0]}\`, \`${gained[1]}\`, −2: \`${lost[0]}\`, \`${lost[1]}\``,
    );
  });

  test("the review warns if the changed test selects no agent", async () => {
    const all = agents();
    const { agents: records } = await emulator.call("GET", "/v7/endpoint/agents?aid=1001&max=1000");
    const ids = (names: string[]) =>
      (records as { id: string; name: string }[]).filter(({ name }) => names.includes(name)).map(({ id }) => id);
    const specific = (names: string[]) => ({ ...vpn, agentSelectorType: "specific-agents", agents: ids(names) });
    const [before, after] = [specific(all.slice(0, 4)), specific(all.slice(3, 7))];
    const id = await make(paths.agentToServer, before);
    const words = async (now: object) =>
      (
        await review(step("replace", "agentToServerTest", "t", { id, before, after: { ...now }, reasons: ["agents"] }))
      ).findings.map(({ rule }) => rule);
    expect(await words(after)).toEqual(["replacements"]);
    expect(await words({ ...after, isEnabled: false })).toEqual(["replacements"]);
    expect(await words({ ...after, agents: ["nobody"] })).toEqual(["replacements", "selects-none"]);
  });
});

describe("an endpoint agent tag in a review", () => {
  const tagOf = (...filters: object[]) => ({ key: "team", value: "emea", matchType: "or", filters });
  const filter = (key: string, values: string[], more: object = {}) => ({ key, mode: "in", scope: "default", values, ...more });
  const why = "agents do not report their tags, and their records do not contain the values that its filters need";
  const fixed = { objectType: "endpoint-agent", type: "dynamic", accessType: "all" };

  test("the review reports agents as uncertain if their platform differs from a filter value only in spelling", async () => {
    const [windows, mac, all] = [enabledOn("windows"), enabledOn("mac"), enabledOn(...platforms)];
    // The spelling of a platform in records is certain. The spelling in filters is not.
    const after = tagOf(filter("platform", ["windows", "Mac"]));
    const analysis = await review(step("create", "endpointAgentTag", "emea", { after }));
    const unclear = { unclear: mac.length, why };
    expect(analysis.review.resources[0]?.reach).toEqual({ after: { ...named(windows), ...unclear } });
    expect(analysis.review.findings).toEqual([
      expect.objectContaining({
        rule: "unknown-reach",
        text: `tag "emea" selects ${windows.length} agents, and may select ${mac.length} more: ${why}`,
      }),
    ]);
    expect(toMarkdown(analysis)).toContain(`${windows.length} (${mac.length} unclear)`);
    expect(windows.length * mac.length * (all.length - windows.length - mac.length)).toBeGreaterThan(0);
  });

  test("the review reports all agents as uncertain if a filter uses agent metadata", async () => {
    const all = enabledOn(...platforms);
    for (const unknown of [filter("location", ["London"]), filter("team", ["emea"], { scope: "custom" })]) {
      const { review: result } = await review(step("create", "endpointAgentTag", "emea", { after: tagOf(unknown) }));
      expect(result.resources[0]?.reach).toEqual({ after: { count: 0, names: [], unclear: all.length, why } });
      expect(result.findings.map(({ rule }) => rule)).toEqual(["unknown-reach"]);
    }
    const nobody = tagOf(filter("hostname", ["none-such"]));
    const { review: second } = await review(step("create", "endpointAgentTag", "emea", { after: nobody }));
    expect(second.resources[0]?.reach).toEqual({ after: { count: 0, names: [] } });
    expect(second.findings.map(({ rule }) => rule)).toEqual(["selects-none"]);
  });

  test("the review lists the agents that certainly match before and after the update if it cannot evaluate a filter", async () => {
    const [windows, mac] = [enabledOn("windows"), enabledOn("mac")];
    const somewhere = filter("location", ["London"]);
    const [before, after] = [tagOf(filter("platform", ["windows"]), somewhere), tagOf(filter("platform", ["mac"]), somewhere)];
    const id = await make("/v7/tags", { ...fixed, ...before });
    const text = toMarkdown(await review(step("update", "endpointAgentTag", "emea", { id, before, after })));
    const rest = (certain: readonly unknown[], all: number): string => `; unclear for ${all - certain.length} agents: ${why}`;
    const all = enabledOn(...platforms).length;
    expect(text).toContain(`now: ${windows.length} agents${note(windows)}: `);
    expect(text).toContain(`afterwards: ${mac.length} agents${note(mac)}: `);
    expect(text).toContain(rest(windows, all));
    expect(text).toContain(rest(mac, all));
    expect(text).not.toMatch(/gains|loses/);
  });

  test("the review lists each test with a changed tag and the agents that the test loses", async () => {
    const [windows, mac] = [enabledOn("windows"), enabledOn("mac")];
    const [before, after] = [tagOf(filter("platform", ["windows"])), tagOf(filter("platform", ["mac"]))];
    const id = await make("/v7/tags", { ...fixed, ...before });
    await make(paths.agentToServer, { ...vpn, agentSelectorType: "agent-tags", tagIds: [id] });
    const { review: result } = await review(step("update", "endpointAgentTag", "emea", { id, before, after }));
    const [{ touches = [] } = {}] = result.resources;
    expect(touches).toEqual([
      expect.objectContaining({
        name: "VPN",
        before: named(windows),
        after: named(mac),
        gained: named(mac),
        lost: named(windows),
      }),
    ]);
    expect(result.findings).toEqual([]);
  });

  test("the review shows agents that were already uncertain before the update", async () => {
    const [windows, all] = [enabledOn("windows"), enabledOn(...platforms)];
    const [before, after] = [tagOf(filter("location", ["London"])), tagOf(filter("platform", ["windows"]))];
    const id = await make("/v7/tags", { ...fixed, ...before });
    await make(paths.agentToServer, { ...vpn, agentSelectorType: "agent-tags", tagIds: [id] });
    const analysis = await review(step("update", "endpointAgentTag", "emea", { id, before, after }));
    const { summary, resources } = analysis.review;
    const open = { before: { unclear: all.length } };
    expect(summary.agents).toEqual({ before: 0, after: windows.length, open });
    expect(resources[0]?.touches).toEqual([
      expect.objectContaining({ before: expect.objectContaining({ count: 0, unclear: all.length }), after: named(windows) }),
    ]);
    const text = toMarkdown(analysis);
    const numbers = `0 (${all.length} unclear) → ${windows.length}`;
    expect(text).toContain(`Agents affected: ${numbers}\n`);
    expect(text).toContain(`| ${numbers} |`);
    expect(text).toContain(`\`VPN\` (not in this preview) ${numbers}${note(windows)}`);
  });

  test("the review shows a question mark next to the total if a label's agents are unknown", async () => {
    const windows = enabledOn("windows");
    const [before, after] = [{ ...on("Windows"), filters: [{ key: "future", values: ["x"] }] }, on("Windows")];
    const id = await make(paths.label, after);
    await make(paths.agentToServer, { ...vpn, ...by(id) });
    await emulator.call("PATCH", `/_emulator/records/labels/${id}`, { filters: before.filters });
    const analysis = await review(step("update", "label", "l", { id, before, after }));
    const { summary, resources } = analysis.review;
    expect(summary.agents).toEqual({ before: 0, after: windows.length, open: { before: { unknown: 1 } } });
    expect(resources[0]?.reach).toMatchObject({ after: named(windows), unknown: expect.any(String) });
    expect(resources[0]?.reach).not.toHaveProperty("before");
    const text = toMarkdown(analysis);
    expect(text).toContain(`Agents affected: 0 (without 1 resource with unknown agents) → ${windows.length}\n`);
    expect(text).toContain(`| ? → ${windows.length} |`);
    expect(text).toContain(`\`VPN\` (not in this preview) ? → ${windows.length}`);
  });

  test("the review counts only agents with all tags of the test as certain", async () => {
    const windows = await make("/v7/tags", { ...fixed, ...tagOf(filter("platform", ["windows"])) });
    const wide = { ...tagOf(filter("platform", ["windows", "mac"])), value: "wide" };
    const both = await make("/v7/tags", { ...fixed, ...wide });
    const after = { ...vpn, agentSelectorType: "agent-tags", tagIds: [windows, both] };
    const { review: result } = await review(step("create", "agentToServerTest", "t", { after }));
    expect(result.resources[0]?.reach?.after).toMatchObject({
      count: enabledOn("windows").length,
      unclear: enabledOn("mac").length,
    });
  });

  test("the review reports all agents as uncertain if the list of tags contains a label's id", async () => {
    const label = await make(paths.label, on("Windows"));
    const after = { ...vpn, agentSelectorType: "agent-tags", tagIds: [label] };
    const { review: result } = await review(step("create", "agentToServerTest", "t", { after }));
    expect(result.resources[0]?.reach?.after).toMatchObject({ count: 0, unclear: enabledOn(...platforms).length });
  });
});

test.each([
  ["by day", 13],
  ["by night", 2],
])("the review counts the agents that the service saw within the last hour: %s", async (_, oClock) => {
  let now = Date.UTC(2026, 0, 15, oClock, 7);
  const sleepers = await start({ rateLimit: "off", agents: 300, nights: true, now: () => now });
  try {
    const everybody = { name: "All", matchType: "or", filters: [{ key: "hostname", values: ["*"] }] };
    const none = { ...everybody, filters: [{ key: "hostname", values: ["none-*"] }] };
    const made = await call(sleepers.url, "POST", `${paths.label}?aid=1001`, everybody);
    const test = { ...vpn, ...by(String(made["id"])) };
    await call(sleepers.url, "POST", `${paths.agentToServer}?aid=1001`, test);
    const listed = await call(sleepers.url, "GET", "/v7/endpoint/agents?aid=1001&max=1000");
    const enabled = (listed["agents"] as { status: string; lastSeen: string }[]).filter(({ status }) => status === "enabled");
    const seen = enabled.filter(({ lastSeen }) => now - Date.parse(lastSeen) <= 3_600_000).length;
    expect(seen).toBeLessThan(enabled.length);
    const id = String(made["id"]);
    const widened = await reviewed(sleepers.url, [step("create", "label", "l", { after: { ...everybody, name: "Other" } })]);
    expect(widened.review.resources[0]?.reach?.after).toMatchObject({ count: enabled.length, seen });
    expect(widened.review.findings.map(({ text }) => text)).toContainEqual(
      expect.stringContaining(`(${enabled.length} agents, ${seen} seen within the hour)`),
    );
    expect(toMarkdown(widened)).toContain(`${enabled.length} agents (${seen} seen within the hour): `);
    const ended = await reviewed(sleepers.url, [step("update", "label", "l", { id, before: everybody, after: none })]);
    expect(ended.review.resources[0]?.reach?.before).toMatchObject({ count: enabled.length, seen });
    expect(toMarkdown(ended)).toContain(`now: ${enabled.length} agents (${seen} seen within the hour): `);
    // The emulator decides which agents are awake. Its label also lists disabled agents.
    const labeled = (await (await fetch(`${sleepers.url}/_emulator/labels/${id}/agents`)).json()) as { agents: object[] };
    const all = listed["agents"] as { lastSeen: string }[];
    expect(labeled.agents).toHaveLength(all.filter(({ lastSeen }) => now - Date.parse(lastSeen) <= 3_600_000).length);
    // Ten hours later other agents sleep.
    now += 10 * 3_600_000;
    const later = await reviewed(sleepers.url, [step("update", "label", "l", { id, before: everybody, after: none })]);
    expect(later.review.resources[0]?.reach?.before?.seen).not.toBe(seen);
  } finally {
    await sleepers.close();
  }
});
