/**
 * The seams on the real engine, a case of each class: between provider processes, between updates, and between an answer and what it
 * proves. test/provider/seams.test.ts has every case on the engine model.
 */
import { amount } from "../support/amount";
import { kindCases } from "../support/kinds";
import { type Declared, fronts, type Program, Stack } from "./support/stack";

const count = amount(40, 500);
const office = { name: "Office", matchType: "or", filters: [{ key: "asn", values: ["64512"] }] };
const bad: Declared = {
  kind: "AgentToServerTest",
  args: { testName: "Bad", server: "vpn.example.com", agentSelectorType: "agent-labels", endpointAgentLabels: ["4711"] },
};

let stack: Stack;
beforeEach(async () => {
  stack = await Stack.startWith("native", { agents: 6 });
}, 60_000);
afterEach(() => stack.end());

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

it(`${count} records are kept through a rename, a move and the other front: by aliases, and by adopt: true`, async () => {
  const labels = (of: (at: number) => Partial<Declared>, prefix: string, more: object = {}): Program =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at): [string, Declared] => [
        `${prefix}-${at}`,
        { kind: "Label", args: { ...office, name: `Label ${at}`, ...more }, ...of(at) },
      ]),
    );
  stack.writeStateOnce();
  stack.declare(labels(() => ({ front: "dynamic" }), "old"));
  await stack.up();
  const before = await labelIds();
  expect(before).toHaveLength(count);

  // Neither adopted nor doubled unasked.
  stack.declare(labels(() => ({ front: "native", provider: "east" }), "new"));
  expect(await failing("up")).toContain("give its old name or parent in the resource option aliases");
  expect([await labelIds(), stateIds()]).toEqual([before, before]);

  // The advice: the alias names the former name, and no type.
  stack.declare(labels((at) => ({ front: "native", provider: "east", options: { aliases: [{ name: `old-${at}` }] } }), "new"));
  await stack.up();
  expect([await labelIds(), stateIds()]).toEqual([before, before]);

  stack.declare(labels(() => ({ front: "dynamic", options: { parent: "site" } }), "moved", { adopt: true }));
  await stack.up();
  expect([await labelIds(), stateIds()]).toEqual([before, before]);
  await stack.destroy();
  expect([await labelIds(), stateIds()]).toEqual([[], []]);
}, 900_000);

it.each(fronts)(
  "an agent is kept by a rename to the other front, and by a replacement that another update ends, from the %s front",
  async (front) => {
    const all = await agentIds();
    const [, one = "", two = ""] = all;
    const other = front === "dynamic" ? "native" : "dynamic";
    const kiosk = (agentId: string): Declared => ({ kind: "EndpointAgent", args: { agentId, onDestroy: "delete" }, front });
    stack.declare({ kiosk: kiosk(one) });
    await stack.up();
    stack.declare({ renamed: { ...kiosk(one), front: other, provider: "east" } });
    await stack.up();
    expect([stateIds(), await agentIds()]).toEqual([[one], all]);
    stack.declare({ renamed: { ...kiosk(two), front: other, provider: "east" }, bad });
    await failing("up");
    stack.declare({ renamed: { ...kiosk(two), front: other, provider: "east" } });
    await stack.up();
    expect([stateIds(), await agentIds()]).toEqual([[two], all]);
    await stack.destroy();
    expect(await agentIds()).toEqual(all.filter((id) => id !== two));
  },
  300_000,
);

it("a wrong path prefix and another address stop every operation, until the stack says that the service moved", async () => {
  stack.declare({
    office: { kind: "Label", args: office, front: "dynamic" },
    beside: { kind: "Label", args: { ...office, name: "Beside" }, front: "native" },
  });
  await stack.up();
  const before = await labelIds();
  const { url } = stack.emulator;
  const elsewhere = url.replace("127.0.0.1", "localhost");
  // A refresh and a destroy take the settings of the last update unless they run the program.
  const reading = [
    ["refresh", "--run-program"],
    ["destroy", "--run-program", "--continue-on-error"],
  ];
  // An update without a change sends nothing.
  for (const [baseUrl, commands] of [
    [`${url}/wrong/prefix`, reading],
    [elsewhere, [["up"], ...reading]],
  ] as const) {
    stack.configure({ baseUrl });
    for (const words of commands) {
      await failing(...words);
      expect([words, await labelIds(), stateIds()]).toEqual([words, before, before]);
    }
  }
  stack.configure({ baseUrl: elsewhere, movedFrom: url });
  expect(await stack.up()).toEqual({ same: 2 });
  stack.configure({ movedFrom: null });
  await stack.destroy();
  expect([await labelIds(), stateIds()]).toEqual([[], []]);
}, 300_000);

it("replaceOnChanges of the native front deletes the record that is replaced, by paths, too, and keeps an agent", async () => {
  const all = await agentIds();
  const tag = kindCases.endpointAgentTag.minimal;
  const asn = { key: "asn", mode: "in", values: ["64512"] };
  const program = (color: string, agentName: string, platform: string): Program => ({
    office: { kind: "Label", args: { ...office, color }, options: { replaceOnChanges: ["color"] } },
    first: {
      kind: "Label",
      args: { ...office, name: "First", color },
      options: { replaceOnChanges: ["color"], deleteBeforeReplace: false },
    },
    // The path of the one leads to what changes, that of the other does not.
    ...Object.fromEntries(
      ["filters[1].values", "filters[0].values"].map((path) => [
        path,
        {
          kind: "Label",
          args: { ...office, name: path, filters: [asn, { key: "platform", mode: "in", values: [platform] }] },
          options: { replaceOnChanges: [path] },
        },
      ]),
    ),
    emea: { kind: "EndpointAgentTag", args: { ...tag, color }, options: { replaceOnChanges: ["color"] } },
    kiosk: {
      kind: "EndpointAgent",
      args: { agentId: all[1], agentName, onDestroy: "delete" },
      options: { replaceOnChanges: ["agentName"] },
    },
  });
  stack.declare(program("#112233", "Desk", "Mac"));
  await stack.up();
  const before = new Set(stateIds());
  const unmoved = [all[1] ?? "", stack.state()["filters[0].values"]?.id ?? ""].toSorted();
  stack.declare(program("#445566", "Kiosk", "Windows"));
  expect(await stack.up()).toEqual({ replace: 5, update: 1 });
  const now = [...(await stack.ids("labels")), ...(await stack.ids("tags")), all[1] ?? ""].toSorted();
  expect([stateIds(), now.filter((id) => before.has(id)), await agentIds()]).toEqual([now, unmoved, all]);
  expect(await stack.preview()).toEqual([]);
  await stack.destroy();
  expect([await stack.ids("labels"), await stack.ids("tags")]).toEqual([[], []]);
}, 300_000);
