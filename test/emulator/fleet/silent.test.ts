/** Simulates agents that sleep. The count of expected agents uses `lastSeen`. */
import { Bench, type Json, minimal, paths } from "../support";

const hour = 3_600_000;
const midnight = Date.UTC(2026, 0, 15);
let now = midnight;
let bench: Bench;

interface Seen {
  id: string;
  age: number;
}

const seenAt = async (): Promise<Seen[]> => {
  const all: Seen[] = [];
  for (let next: string | undefined = "/v7/endpoint/agents?aid=1001&max=1000"; next !== undefined;) {
    const { body }: { body: Json } = await bench.call("GET", next);
    for (const { id, lastSeen } of body.agents) all.push({ id, age: now - Date.parse(lastSeen) });
    next = body._links.next?.href.replace(bench.url, "");
  }
  return all;
};

/** Creates a label that matches each agent with labels. */
async function everybody(): Promise<string> {
  const filters = [{ key: "hostname", mode: "in", values: ["*"] }];
  const { body } = await bench.call("POST", `${paths.label}?aid=1001`, { body: { ...minimal.label, filters } });
  return body.id;
}

const labeled = async (id: string): Promise<string[]> => {
  const { body } = await bench.call("GET", `/_emulator/labels/${id}/agents`);
  return body.agents.map((agent: Json) => agent.id);
};

afterEach(() => bench.close());

test("an agent loses its labels after an hour of silence, and regains its labels when it reports again", async () => {
  now = midnight;
  bench = await Bench.start({ agents: 200, nights: true, now: () => now });
  const label = await everybody();
  const { body: made } = await bench.call("POST", `${paths.dynamic}?aid=1001`, {
    body: { ...minimal.dynamic, agentSelectorType: "agent-labels", endpointAgentLabels: [label], maxMachines: 1000 },
  });
  const { body: all } = await bench.call("POST", `${paths.dynamic}?aid=1001`, {
    body: { ...minimal.dynamic, maxMachines: 1000 },
  });
  const selected = async (test: string): Promise<number> =>
    (await bench.call("GET", `/_emulator/tests/${test}/agents`)).body.selected;
  const counts: number[] = [];
  const before = new Map<string, number>();
  let [slept, woke, kept] = [0, 0, 0];
  for (let step = 0; step < 96; step += 1) {
    now = midnight + step * 17 * 60_000 + 4_321;
    const seen = await seenAt();
    const awake = seen.filter(({ age }) => age <= hour).map(({ id }) => id);
    expect({ step, ids: await labeled(label) }).toEqual({ step, ids: awake });
    for (const { id, age } of seen) {
      expect(age).toBeGreaterThanOrEqual(0);
      const earlier = before.get(id) ?? age;
      if (earlier <= hour && age > hour) slept += 1;
      if (earlier > hour && age <= hour) woke += 1;
      if (age > 900_000 && age <= hour) kept += 1;
      before.set(id, age);
    }
    counts.push(awake.length);
    expect(await selected(made.testId)).toBeLessThanOrEqual(awake.length);
    expect(await selected(all.testId)).toBeGreaterThan(seen.length * 0.8);
  }
  // In more than a day, most agents fall asleep and wake up, none stays asleep, and some are silent with their labels.
  expect(Math.min(...counts)).toBeLessThan(before.size / 2);
  expect(Math.max(...counts)).toBeGreaterThan(before.size * 0.7);
  expect([slept, woke].filter((count) => count < before.size / 2)).toEqual([]);
  expect(kept).toBeGreaterThan(0);
});

test("an agent that is silent at the start never gets labels without the option `nights`", async () => {
  now = midnight;
  bench = await Bench.start({ agents: 120, now: () => now });
  const label = await everybody();
  const first = await labeled(label);
  const seen = await seenAt();
  expect(first).toEqual(seen.filter(({ age }) => age <= hour).map(({ id }) => id));
  expect(seen.length - first.length).toBeGreaterThan(0);
  for (const later of [5, 11, 16, 23]) {
    now = midnight + later * hour;
    expect(await labeled(label)).toEqual(first);
  }
});

test("a search for recently seen agents finds exactly the agents that still have labels", async () => {
  now = midnight + 2 * hour;
  bench = await Bench.start({ agents: 200, nights: true, now: () => now });
  const filters = [{ name: "last-seen-ms", operator: "lte", value: hour }];
  const { body } = await bench.call("POST", "/v7/endpoint/agents/filter?aid=1001&max=1", {
    body: { thresholdFilter: { filters } },
  });
  expect(body.totalAgents).toBe((await labeled(await everybody())).length);
});
