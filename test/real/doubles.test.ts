/** Updates two stacks of one program at the same moment on the real engine. */
import { kindCases } from "../support/kinds";
import { fronts, type Run, Stack } from "./support/stack";

interface Shared {
  check: string;
  ids: string[];
  text: string;
}

describe.each(fronts)("two stacks with %s resources that start together", (front) => {
  let stack: Stack;
  let runs: Run[];
  let doubles: string[][];
  beforeAll(async () => {
    stack = await Stack.startWith(front, { agents: 0 });
    await stack.add("other");
    stack.declare(
      Object.fromEntries(
        Array.from({ length: 12 }, (_, at) => {
          const args = { ...kindCases.agentToServerTest.minimal, testName: `race ${at}` };
          return [`race${at}`, { kind: "AgentToServerTest", args }];
        }),
      ),
    );
    const up = ["up", "--yes", "--skip-preview", "--continue-on-error", "--stack"];
    runs = await Promise.all(["dev", "other"].map((name) => stack.run(...up, name)));
    const { collection } = kindCases.agentToServerTest;
    const stored = await Promise.all(
      (await stack.ids(collection)).map(async (id) => ({ id, name: (await stack.stored(collection, id))["testName"] })),
    );
    doubles = [...Map.groupBy(stored, ({ name }) => name).values()].map((same) => same.map(({ id }) => id).toSorted());
    doubles = doubles.filter((ids) => ids.length > 1);
  });
  afterAll(() => stack.end());

  test("one of two simultaneous updates reports both ids of each duplicate record", () => {
    const printed = runs.flatMap(({ text }) => text.split("\n"));
    for (const ids of doubles) {
      const lines = printed.filter((line) => line.includes("same name and content") && ids.every((id) => line.includes(id)));
      expect([ids, lines.length > 0]).toEqual([ids, true]);
    }
    // A stack that starts a little later finds the existing records.
    const isRefused = runs.some(({ text }) => text.includes("An identical record exists already"));
    expect(doubles.length > 0 || isRefused).toBe(true);
  });

  test("drift and check exit with code 2 if two stacks create duplicates", async () => {
    const drift = await stack.cli("drift", "--all-stacks", "--json");
    const { shared = [] } = (JSON.parse(drift.stdout) as { data: { shared?: Shared[] } }).data;
    expect(shared.map(({ check, ids }) => [check, ...ids].join()).toSorted()).toEqual(
      doubles.map((ids) => ["doubled", ...ids].join()).toSorted(),
    );
    expect(drift.code).toBe(doubles.length > 0 ? 2 : 0);
    const check = await stack.cli("check", "--stack", "dev", "--json");
    const { findings } = (JSON.parse(check.stdout) as { data: { findings: { rule: string; level: string }[] } }).data;
    const finding = findings.find(({ rule }) => rule === "shared records");
    expect([check.code, finding?.level]).toEqual(doubles.length > 0 ? [2, "error"] : [0, "passed"]);
  });
});
