/**
 * Simulates a week of agents between review and merge: agents appear, disappear, sleep, wake, change networks, and are
 * disabled and enabled. `apply` runs the approved merge, unless a user changes a rule that selects agents in that week.
 */
import { Random } from "../../emulator/fleet/random";
import { date } from "../../emulator/date";
import { amount, seed } from "../support/amount";
import { type DeclaredResource, Scene, toServer } from "../cli/approval-support";
import { call } from "../support/call";

const agents = 80;
const daysOfAWeek = 7;
const eventsOfADay = 10;
/** An agent's report of its location. */
const surroundings = ["publicIP", "location", "region", "asnDetails", "networkInterfaceProfiles", "vpnProfiles"] as const;

interface StoredAgent {
  id: string;
  aid: string;
  body: Record<string, unknown>;
}

const label = (name: string, ...filters: [key: string, ...values: string[]][]): DeclaredResource => ({
  kind: "label",
  args: { name, matchType: "or", filters: filters.map(([key, ...values]) => ({ key, mode: "in", values })) },
});
const byLabel = (id: string, rest: object = {}): object => ({
  agentSelectorType: "agent-labels",
  endpointAgentLabels: [id],
  ...rest,
});

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.start(agents);
});
afterAll(() => scene.end());

const control = (method: string, path: string, body?: object): Promise<never> =>
  call(scene.emulator.url, method, `/_emulator/records/${path}`, body) as Promise<never>;

/** The agents of the stack's account group, including those that come later. */
async function fleet(): Promise<StoredAgent[]> {
  const { records } = (await control("GET", "agents")) as { records: { id: string }[] };
  const all = await Promise.all(records.map(({ id }) => control("GET", `agents/${id}`) as Promise<StoredAgent>));
  return all.filter(({ aid }) => aid === "1001");
}

const change = (agent: StoredAgent, changes: Record<string, unknown>): Promise<never> => {
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) delete agent.body[name];
    else agent.body[name] = value;
  }
  return control("PATCH", `agents/${agent.id}`, changes);
};

/** Events of a fleet, and how often each happened in this test. */
const happened = { come: 0, go: 0, sleep: 0, wake: 0, move: 0, off: 0, on: 0 };
type Happening = keyof typeof happened;

/** An agent's location, as another agent that goes there reports it. */
function placeOf(agent: StoredAgent | undefined): Record<string, unknown> {
  return Object.fromEntries(surroundings.map((name) => [name, agent?.body[name] ?? null]));
}

async function live(random: Random, all: StoredAgent[]): Promise<void> {
  const there = all.filter(({ body }) => body["deleted"] !== true);
  const anyAgent = (isOne: (body: StoredAgent["body"]) => boolean, among = there): StoredAgent | undefined => {
    const candidates = among.filter(({ body }) => isOne(body));
    return candidates.length > 0 ? random.pick(candidates as [StoredAgent, ...StoredAgent[]]) : undefined;
  };
  const what = random.pick<Happening>(["come", "go", "sleep", "wake", "move", "move", "move", "off", "on"]);
  const done: Record<Happening, [StoredAgent | undefined, Record<string, unknown>]> = {
    come: [anyAgent(({ deleted }) => deleted === true, all), { deleted: false, status: "enabled" }],
    go: [anyAgent(() => true), { deleted: true }],
    sleep: [anyAgent(({ silentSince }) => silentSince === undefined), { silentSince: date(Date.now()) }],
    wake: [anyAgent(({ silentSince }) => silentSince !== undefined), { silentSince: null }],
    move: [anyAgent(() => true), placeOf(anyAgent(() => true))],
    off: [anyAgent(({ status }) => status === "enabled"), { status: "disabled" }],
    on: [anyAgent(({ status }) => status === "disabled"), { status: "enabled" }],
  };
  const [agent, changes] = done[what];
  if (!agent) return;
  await change(agent, changes);
  happened[what] += 1;
}

const wireless: [string, string] = ["connection", "wireless"];
const windows: [string, string] = ["platform", "Windows"];

/** A stack with a change that waits for approval. Network, platform and number of agents affect the selected agents. */
async function prepare(random: Random): Promise<void> {
  scene.reset();
  const home = await scene.hold("home", label("Home", wireless));
  const desk = await scene.hold("desk", label("Desk", windows));
  await scene.hold("by-home", toServer("By home", byLabel(home, { maxMachines: 1_000 })));
  await scene.hold("by-desk", toServer("By desk", byLabel(desk, { interval: 60 })));
  await scene.hold("all", toServer("All", { maxMachines: 12 }));
  await scene.hold("old", toServer("Old", { maxMachines: 1_000 }));
  // This resource always changes, because the events change its label.
  scene.program["by-desk"] = toServer("By desk", byLabel(desk, { interval: 300 }));
  const changes: (() => void)[] = [
    () => (scene.program["home"] = label("Home", wireless, windows)),
    () => (scene.program["home"] = label("Home", ["vpn-vendor", "anyconnect"], wireless)),
    () => (scene.program["home"] = label("Home", ["platform", "Mac"])),
    () => (scene.program["all"] = toServer("All", { maxMachines: 30 })),
    () => (scene.program["all"] = toServer("All", { maxMachines: 1_000, interval: 600 })),
    () => (scene.program["all"] = toServer("All", byLabel(home))),
    () => delete scene.program["old"],
    () => (scene.program["fresh"] = toServer("Fresh", byLabel(home, { maxMachines: 1_000 }))),
    () => (scene.program["everybody"] = toServer("Everybody", { maxMachines: 1_000 })),
    () => (scene.program["wired"] = label("Wired", ["connection", "ethernet"])),
  ];
  for (const applyChange of changes) if (random.chance(0.35)) applyChange();
}

/** Changes to a rule, each with the subject of its refusal. */
const rules: ((random: Random) => Promise<string>)[] = [
  async () => (await scene.edit("desk", { filters: [{ key: "platform", mode: "in", values: ["Mac"] }] }), "by-desk"),
  async () => (await scene.edit("desk", { filters: [{ key: "platform", mode: "in", values: ["Windows", "Mac"] }] }), "by-desk"),
  async () => (
    await scene.edit("desk", { matchType: "and", filters: [{ key: "connection", mode: "in", values: ["wireless"] }] }),
    "by-desk"
  ),
  async () => {
    scene.program["by-desk"] = toServer("By desk", byLabel(scene.inState("desk").id, { interval: 300, maxMachines: 3 }));
    return "by-desk";
  },
  async () => {
    scene.program["by-desk"] = toServer("By desk", byLabel(scene.inState("home").id, { interval: 300 }));
    return "by-desk";
  },
  async () => {
    scene.program["by-desk"] = toServer("By desk", { interval: 300, maxMachines: 1_000 });
    return "by-desk";
  },
];

const first = seed(1);
const merges = amount(2, 100);

test(`apply refuses a week-old approval only if a selection rule changed: ${merges} approvals from seed ${first}`, async () => {
  const refused: string[] = [];
  const letPass: string[] = [];
  let moved = 0;
  for (let number = first; number < first + merges; number += 1) {
    const random = new Random(number);
    await prepare(random);
    const all = await fleet();
    for (const agent of all) if (random.chance(0.2)) await change(agent, { deleted: true });
    await scene.approve();
    for (let day = 0; day < daysOfAWeek; day += 1) {
      for (let event = 0; event < eventsOfADay; event += 1) await live(random, all);
      scene.later(86_400);
    }
    const quiet = await scene.apply();
    moved += quiet.passed.filter(({ rule }) => rule === "agents").length;
    if (quiet.code !== 0 || !scene.applied)
      refused.push(`seed ${number}: ${quiet.differences.map(({ text }) => text).join("; ")}${quiet.text}`);
    const about = await rules[number % rules.length]?.(random);
    const changed = await scene.apply();
    if (changed.code !== 2 || !changed.differences.some(({ urn }) => urn?.endsWith(`::${about}`))) {
      letPass.push(`seed ${number}, rule ${number % rules.length}: ${changed.text}`);
    }
  }
  if (merges > 10) console.log(JSON.stringify({ merges, refused: refused.length, letPass: letPass.length, moved, happened }));
  expect(refused.slice(0, 3)).toEqual([]);
  expect(letPass.slice(0, 3)).toEqual([]);
  // A week without events tests nothing.
  for (const [what, times] of Object.entries(happened)) expect([what, times >= merges]).toEqual([what, true]);
  expect(moved).toBeGreaterThan(merges / 2);
}, 1_800_000);
