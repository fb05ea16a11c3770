/**
 * Replaces a fleet of labels by a fleet of tags, step by step, with an update after each step. The engine's preview before
 * each update matches the report of the step. The emulator counts the agents that each test selects.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MigrationReport } from "../../cli/commands/migrate/run";
import type { ResourceData } from "../../plan/judge/review";
import { amount, isLong } from "../support/amount";
import { compilerSays, sourcesIn } from "./support/checked";
import { labelBodies } from "./support/fleet";
import { Stack } from "./support/stack";

const count = { labels: amount(12, 200), tests: amount(18, 300) };
/** Labels in a table, and labels in a loop with a test each. All others are constants. */
const [tabled, looped] = [4, 4];

let stack: Stack;
let before: Map<string, string>;
let announced: readonly ResourceData[];

beforeAll(async () => {
  stack = await Stack.start({ agents: 60 }, "typescript");
  stack.writeStateOnce();
  for (const [path, text] of Object.entries(program())) writeFileSync(join(stack.folder, path), text);
  await stack.up();
  before = await agentsByTest();
});
afterAll(() => stack.end());

/** A typical program: labels in a separate file, tests of three types, a table and a loop. */
function program(): Record<string, string> {
  const bodies = labelBodies(count.labels * 3)
    .filter(({ filters }) => (filters as object[]).length > 0)
    .slice(0, count.labels - looped)
    .map((body, i) => ({ ...body, name: `Group ${i}` }));
  const constants = bodies
    .slice(tabled)
    .map((body, i) => `export const label${i} = new Label("label-${i}", ${JSON.stringify(body)});`);
  const table = bodies.slice(0, tabled).map((body, i) => `  t${i}: new Label("table-${i}", ${JSON.stringify(body)}),`);
  const labelIds = constants.map((_, i) => `label${i}.id`).concat(table.map((_, i) => `labels.t${i}.id`));
  const tests = Array.from({ length: count.tests - looped }, (_, i) => {
    const [a = "", b = ""] = [labelIds[i % labelIds.length], labelIds[(i * 7 + 3) % labelIds.length]];
    const ids = i % 5 === 0 && a !== b ? [a, b] : [a];
    const selector = `agentSelectorType: "agent-labels", endpointAgentLabels: [${ids.join(", ")}], maxMachines: 200`;
    const target = ['server: "h.example.com"', 'url: "https://h.example.com"', 'application: "zoom"'][i % 3];
    const className = ["AgentToServerTest", "HttpServerTest", "DynamicTest"][i % 3];
    return `new ${className}("test-${i}", { testName: "Test ${i}", ${target}, ${selector} });`;
  });
  const loop = `for (const n of [${Array.from({ length: looped }, (_, i) => i).join(", ")}]) {
  const site = new Label(\`site-\${n}\`, { name: \`Site \${n}\`, matchType: "and", filters: [{ key: "hostname", values: [\`*\${n}\`] }] });
  new HttpServerTest(\`site-test-\${n}\`, { testName: \`Site \${n}\`, url: "https://s.example.com", agentSelectorType: "agent-labels", endpointAgentLabels: [site.id] });
}`;
  return {
    "labels.ts": `import { Label } from "pulumi-endpoint-monitoring";

${constants.join("\n")}
export const labels = {
${table.join("\n")}
};
`,
    "index.ts": `import { AgentToServerTest, DynamicTest, HttpServerTest, Label } from "pulumi-endpoint-monitoring";
import { ${constants.map((_, i) => `label${i}`).join(", ")}, labels } from "./labels";

${tests.join("\n")}
${loop}
`,
  };
}

/**
 * Returns the agents that each test selects and is assigned to, as the emulator counts them, by the test's name in the
 * program.
 */
async function agentsByTest(): Promise<Map<string, string>> {
  const tests = stack.resources().filter(({ urn }) => /Test::/.test(urn));
  const lists = tests.map(async ({ name, id }): Promise<[string, string]> => {
    const answer = await fetch(`${stack.emulator.url}/_emulator/tests/${id}/agents`);
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    const { selected, agents } = (await answer.json()) as { selected: number; agents: { name: string }[] };
    return [name, `${selected}: ${agents.map((agent) => agent.name).join(", ")}`];
  });
  return new Map((await Promise.all(lists)).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

async function migrate(...args: string[]): Promise<MigrationReport> {
  const run = await stack.cli("migrate", "labels", "--json", ...args);
  if (run.code !== 0) throw new Error(run.text);
  return (JSON.parse(run.stdout) as { data: MigrationReport }).data;
}

/** Whether to repeat previews that the update and the command itself also make: only in the long form. */

async function expectPreview(expected: Record<string, number>): Promise<void> {
  expect(isLong ? await previewed() : expected).toEqual(expected);
}

/** Returns the engine's planned operations by type. */
async function previewed(): Promise<Record<string, number>> {
  const { stdout } = await stack.must("preview", "--json");
  const { steps } = JSON.parse(stdout) as { steps: { op: string; urn: string }[] };
  const changing = steps.filter(({ op, urn }) => op !== "same" && !urn.includes("pulumi:pulumi:Stack"));
  const kinds = changing.map(
    ({ op, urn }) => `${op} ${/endpoint-monitoring:(\w+)::/.exec(urn)?.[1]?.replace(/^.*Test$/, "Test") ?? urn}`,
  );
  return Object.fromEntries([...Map.groupBy(kinds, (kind) => kind)].map(([kind, all]) => [kind, all.length]));
}

test("a preview shows no changes before the migration", async () => {
  expect(stack.resources()).toHaveLength(count.labels + count.tests);
  await expectPreview({});
  expect(new Set(before.values()).size).toBeGreaterThan(3);
});

test("the first step of migrate labels only creates a tag for each label", async () => {
  const report = await migrate("--key", "team");
  expect(report).toMatchObject({ state: "written", step: "tags", left: [], shared: [] });
  expect(report.review?.summary.created).toBe(count.labels);
  await expectPreview({ "create EndpointAgentTag": count.labels });
  // After a stop here, the next run continues.
  expect(await migrate("--key", "team")).toMatchObject({ state: "waiting", files: [] });
  expect(await stack.up()).toEqual({ create: count.labels, same: count.labels + count.tests });
  await expectPreview({});
});

test("the second step of migrate labels makes each test select tags", async () => {
  const report = await migrate();
  expect(report).toMatchObject({ state: "written", step: "tests", left: [] });
  announced = report.review?.resources ?? [];
  expect(announced).toHaveLength(count.tests);
  expect(announced.every(({ op, cost }) => op === "replace" && cost?.includes("result history"))).toBe(true);
  const shown = isLong ? await previewed() : { "replace Test": count.tests };
  expect(shown["replace Test"]).toBe(count.tests);
  expect(Object.keys(shown).every((kind) => kind.endsWith(" Test"))).toBe(true);
  expect(await stack.up()).toEqual({ replace: count.tests, same: count.labels * 2 });
  await expectPreview({});
});

test("the third step of migrate labels deletes all labels", async () => {
  const report = await migrate();
  expect(report).toMatchObject({ state: "written", step: "labels", left: [] });
  expect(report.review?.summary.deleted).toBe(count.labels);
  await expectPreview({ "delete Label": count.labels });
  expect(await stack.up()).toEqual({ delete: count.labels, same: count.labels + count.tests });
  expect(await previewed()).toEqual({});
  expect(await stack.ids("labels")).toEqual([]);
});

test("the program compiles after the migration", async () => {
  expect(await migrate()).toMatchObject({ state: "done", left: [] });
  expect(JSON.stringify(sourcesIn(stack.folder))).not.toMatch(/\bLabel\b|agent-labels|endpointAgentLabels/);
  expect(compilerSays(stack.folder)).toBe("");
});

test("each test selects the agents that the migration announced", async () => {
  const after = await agentsByTest();
  expect([...after.keys()]).toEqual([...before.keys()]);
  const changed = [...before].filter(([name, agents]) => after.get(name) !== agents).map(([name]) => name);
  // The emulator evaluates tags like labels, so no test gains or loses agents, as announced.
  expect(changed).toEqual([]);
  expect(announced.flatMap(({ name, reach }) => (reach?.gained || reach?.lost ? [name] : []))).toEqual([]);
  const unclear = announced.filter(({ reach }) => reach?.after?.unclear !== undefined).length;
  expect([unclear > 0, unclear < count.tests]).toEqual([true, true]);
});
