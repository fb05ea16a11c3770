/**
 * Tests the boundaries between provider processes, between updates, and between a response and the fact that it proves, on the
 * real engine with a case of each class. test/invariants/seams.test.ts has each case on the engine model.
 */
import { amount, isLong } from "../support/amount";
import { kindCases } from "../support/kinds";
import { type Declared, type Front, fronts, type Program, Stack } from "./support/stack";

const count = amount(40, 500);
const office = { name: "Office", matchType: "or", filters: [{ key: "asn", values: ["64512"] }] };
const bad: Declared = {
  kind: "AgentToServerTest",
  args: { testName: "Bad", server: "vpn.example.com", agentSelectorType: "agent-labels", endpointAgentLabels: ["4711"] },
};

let stack: Stack;
let all: string[];
beforeAll(async () => {
  stack = await Stack.startWith("native", { agents: 24 });
  all = await agentIds();
});
afterAll(() => stack.end());

const stateIds = (): string[] =>
  stack
    .resources()
    .map(({ id }) => id)
    .toSorted();
const labelIds = async (): Promise<string[]> => (await stack.ids("labels")).toSorted();
const agentIds = async (): Promise<string[]> => {
  const answer = await stack.api("GET", "/v7/endpoint/agents?max=100");
  return ((await answer.json()) as { agents: { id: string }[] }).agents.map(({ id }) => id);
};
const failing = async (...words: string[]): Promise<string> => {
  const run = await stack.run(...words, "--yes", "--skip-preview");
  expect(run.code).not.toBe(0);
  return run.text;
};

// One stack, whose updates cover several cases each. If a case does not change, its part of the program stays.
const labels = (of: (at: number) => Partial<Declared>, prefix: string, more: object = {}): Program =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at): [string, Declared] => [
      `${prefix}-${at}`,
      { kind: "Label", args: { ...office, name: `Label ${at}`, ...more }, ...of(at) },
    ]),
  );
const otherOf = (front: Front): Front => (front === "dynamic" ? "native" : "dynamic");
/** An agent for each front, which is renamed to the other front. */
const kiosks = (name: string, frontOf: (front: Front) => Partial<Declared>, at: number): Program =>
  Object.fromEntries(
    fronts.map((front, i) => [
      `${name}-${front}`,
      { kind: "EndpointAgent", args: { agentId: all[at + i], onDestroy: "delete" }, ...frontOf(front) },
    ]),
  );
const renamed = (at: number): Program => kiosks("renamed", (front) => ({ front: otherOf(front), provider: "east" }), at);
const asn = { key: "asn", mode: "in", values: ["64512"] };
const paths = ["filters[1].values", "filters[0].values"];
/** Native resources that replace on a change of the named properties. */
const replacing = (color: string, agentName: string, platform: string): Program => ({
  office: { kind: "Label", args: { ...office, color }, options: { replaceOnChanges: ["color"] } },
  first: {
    kind: "Label",
    args: { ...office, name: "First", color },
    options: { replaceOnChanges: ["color"], deleteBeforeReplace: false },
  },
  // One path leads to the change, and the other does not.
  ...Object.fromEntries(
    paths.map((path) => [
      path,
      {
        kind: "Label",
        args: { ...office, name: path, filters: [asn, { key: "platform", mode: "in", values: [platform] }] },
        options: { replaceOnChanges: [path] },
      },
    ]),
  ),
  emea: {
    kind: "EndpointAgentTag",
    args: { ...kindCases.endpointAgentTag.minimal, color },
    options: { replaceOnChanges: ["color"] },
  },
  kiosk: {
    kind: "EndpointAgent",
    args: { agentId: all[5], agentName, onDestroy: "delete" },
    options: { replaceOnChanges: ["agentName"] },
  },
});
const old = ["#112233", "Desk", "Mac"] as const;
const fresh = ["#445566", "Kiosk", "Windows"] as const;
const idsOf = (fits: (name: string) => boolean): string[] =>
  stack
    .resources()
    .flatMap(({ name, id }) => (fits(name) ? [id] : []))
    .toSorted();
const isLabel = (name: string): boolean => /^(?:old|new|moved)-/.test(name);
let kept: string[];

it(`a rename that also moves to the native plugin fails and keeps all ${count} records`, async () => {
  stack.writeStateOnce();
  const others = { ...kiosks("kiosk", (front) => ({ front }), 1), ...replacing(...old) };
  stack.declare({ ...labels(() => ({ front: "dynamic" }), "old"), ...others });
  await stack.up();
  kept = idsOf(isLabel);
  const [before, managed] = [await labelIds(), stateIds()];
  expect([kept.length, before.length]).toEqual([count, count + 4]);
  stack.declare({ ...labels(() => ({ front: "native", provider: "east" }), "new"), ...others });
  expect(await failing("up")).toContain("set its old name or parent in the resource option aliases");
  expect([await labelIds(), stateIds()]).toEqual([before, managed]);
});

describe("an update with aliases, replaceOnChanges and moves between provider types", () => {
  let before: Record<string, string>;
  let changes: Record<string, number>;
  beforeAll(async () => {
    before = Object.fromEntries(stack.resources().map(({ name, id }) => [name, id]));
    stack.declare({
      ...labels((at) => ({ front: "native", provider: "east", options: { aliases: [{ name: `old-${at}` }] } }), "new"),
      ...renamed(1),
      ...replacing(...fresh),
    });
    changes = await stack.up();
  });

  // The alias contains the previous name without a type.
  it("the update keeps the records of resources with aliases", () => expect(idsOf(isLabel)).toEqual(kept));

  it("the update keeps agents that move to another provider type", async () => {
    expect(idsOf((name) => name.startsWith("renamed-"))).toEqual(all.slice(1, 3).toSorted());
    expect(await agentIds()).toEqual(all);
  });

  it("the update deletes the old records after replaceOnChanges", async () => {
    expect(changes).toMatchObject({ replace: 5, update: 1 });
    const names = Object.keys(replacing(...fresh));
    const unmoved = names.filter((name) => stack.state()[name]?.id === before[name]);
    expect(unmoved.toSorted()).toEqual(["filters[0].values", "kiosk"]);
    expect([...(await stack.ids("labels")), ...(await stack.ids("tags"))].toSorted()).toEqual(
      idsOf((name) => isLabel(name) || (names.includes(name) && name !== "kiosk")),
    );
  });
});

it("repeating a failed update keeps the records of moved resources and the agents of replaced resources", async () => {
  const moved = labels(() => ({ front: "dynamic", options: { parent: "site" } }), "moved", { adopt: true });
  const program = { ...moved, ...renamed(3), ...replacing(...fresh) };
  stack.declare({ ...program, bad });
  await failing("up", "--continue-on-error");
  stack.declare(program);
  await stack.up();
  expect(idsOf(isLabel)).toEqual(kept);
  expect(idsOf((name) => name.startsWith("renamed-"))).toEqual(all.slice(3, 5).toSorted());
  expect(await agentIds()).toEqual(all);
  expect(await stack.preview()).toEqual([]);
});

it("a changed base URL stops each operation until movedFrom names the old base URL", async () => {
  const [before, managed] = [[...(await labelIds()), ...(await stack.ids("tags")), ...(await agentIds())], stateIds()];
  const { url } = stack.emulator;
  const elsewhere = url.replace("127.0.0.1", "localhost");
  // A refresh and a destroy use the settings of the last update unless they run the program. An update without changes sends
  // nothing.
  for (const [baseUrl, commands] of [
    [`${url}/wrong/prefix`, [["destroy", "--run-program", "--continue-on-error"]]],
    [
      elsewhere,
      [["up"], ["refresh", "--run-program"], ...(isLong ? [["destroy", "--run-program", "--continue-on-error"]] : [])],
    ],
  ] as const) {
    stack.configure({ baseUrl });
    for (const words of commands) {
      await failing(...words);
      const now = [...(await labelIds()), ...(await stack.ids("tags")), ...(await agentIds())];
      expect([words, now, stateIds()]).toEqual([words, before, managed]);
    }
  }
  stack.configure({ baseUrl: elsewhere, movedFrom: url });
  const { same: unchanged = 0, update: ofProviders = 0, ...changes } = await stack.up();
  // The component, and the explicit providers with changed settings.
  expect([changes, unchanged + ofProviders, ofProviders <= 2, stateIds()]).toEqual([{}, managed.length + 3, true, managed]);
  stack.configure({ movedFrom: null });
  await stack.destroy();
  expect([await labelIds(), await stack.ids("tags"), stateIds()]).toEqual([[], [], []]);
  // Replaced agents stay in the service.
  expect(await agentIds()).toEqual(all.filter((_, at) => at < 3 || at > 5));
});
