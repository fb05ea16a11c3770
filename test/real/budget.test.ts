/**
 * Counts the commands' requests to the service, in addition to the changes themselves. The number of resources does not
 * matter. drift-command-many covers fixes.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RecordKindName } from "../../provider/registry";
import { amount } from "../support/amount";
import { create } from "./support/fleet";
import { Stack } from "./support/stack";

jest.setTimeout(300_000);

const most = 20;
const labels = amount(60, 300);
const tests = amount(140, 700);
const kinds: RecordKindName[] = ["agentToServerTest", "httpServerTest", "dynamicTest"];

const total = (requests: Record<string, number>): number => Object.values(requests).reduce((sum, count) => sum + count, 0);

let stack: Stack;
let ids: string[];
beforeAll(async () => {
  stack = await Stack.start({ agents: 100 }, "typescript");
  stack.writeStateOnce();
  const filters = (i: number) => [{ key: "hostname", values: [`host-${i}-*`] }];
  ids = await create(
    stack,
    "label",
    Array.from({ length: labels }, (_, i) => ({ name: `Label ${i}`, matchType: "or", filters: filters(i) })),
  );
  for (const [k, kind] of kinds.entries()) {
    const bodies = Array.from({ length: tests }, (_, i) => ({
      testName: `Test ${i}`,
      ...[{ server: `host-${i}.example.com` }, { url: `https://host-${i}.example.com` }, { application: "webex" }][k],
      agentSelectorType: "agent-labels",
      endpointAgentLabels: [ids[i % labels]],
    }));
    await create(
      stack,
      kind,
      bodies.filter((_, i) => i % kinds.length === k),
    );
  }
});
afterAll(() => stack.end());
beforeEach(() => stack.requests());

it("import stays within its request limit", async () => {
  const run = await stack.cli("import", "--run", "--json");
  expect([run.code, JSON.parse(run.stdout).data.imported]).toEqual([0, labels + tests]);
  expect(total(await stack.requests())).toBeLessThanOrEqual(most);
});

it("check stays within its request limit", async () => {
  expect((await stack.cli("check")).code).toBe(0);
  expect(total(await stack.requests())).toBeLessThanOrEqual(most);
});

it("drift stays within its request limit, with or without changed records", async () => {
  expect((await stack.cli("drift")).code).toBe(0);
  expect(total(await stack.requests())).toBeLessThanOrEqual(most);
  await stack.api("PATCH", `/v7/endpoint/labels/${ids[7]}`, { color: "#000000" });
  await stack.requests();
  const run = await stack.cli("drift", "--json");
  expect([run.code, JSON.parse(run.stdout).data.stacks[0].changed.length]).toEqual([2, 1]);
  expect(total(await stack.requests())).toBeLessThanOrEqual(most);
});

it("the review of a change stays within its request limit", async () => {
  const file = join(stack.folder, "dynamic-tests.ts");
  const text = readFileSync(file, "utf8");
  const first = text.indexOf('application: "webex"');
  writeFileSync(file, `${text.slice(0, first)}interval: 300,\n    ${text.slice(first)}`);
  const run = await stack.cli("review", "--json");
  expect([run.code, JSON.parse(run.stdout).data.summary.updated]).toEqual([0, 1]);
  expect(total(await stack.requests())).toBeLessThanOrEqual(most);
});
