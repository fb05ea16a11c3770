import { readFileSync } from "node:fs";
import { join } from "node:path";
import { amount } from "../support/amount";
import { report } from "./support/drift";
import { oneListAKind } from "./support/fleet";
import { type Program, Stack } from "./support/stack";

/**
 * The service lists labels in pages, and these labels do not fit into one page of default size. It lists tests without pages.
 */
const labels = amount(110, 250);
const tests = amount(15, 250);
const kinds = {
  label: {
    className: "Label",
    args: { matchType: "and", filters: [{ key: "platform", values: ["Mac"] }] },
    naming: "name",
    count: labels,
  },
  server: { className: "AgentToServerTest", args: { server: "www.example.com" }, naming: "testName", count: tests },
  http: { className: "HttpServerTest", args: { url: "https://www.example.com" }, naming: "testName", count: tests },
  dynamic: { className: "DynamicTest", args: { application: "webex" }, naming: "testName", count: tests },
};
const all = labels + 3 * tests;
const program: Program = Object.fromEntries(
  Object.entries(kinds).flatMap(([prefix, { className, args, naming, count }]) =>
    Array.from({ length: count }, (_, i) => [
      `${prefix}-${i}`,
      { kind: className, args: { ...args, [naming]: `${prefix} ${i}` } },
    ]),
  ),
);
const paths: Record<string, string> = {
  label: "/v7/endpoint/labels",
  server: "/v7/endpoint/tests/scheduled-tests/agent-to-server",
  http: "/v7/endpoint/tests/scheduled-tests/http-server",
  dynamic: "/v7/endpoint/tests/dynamic-tests/agent-to-server",
};

const total = (requests: Record<string, number>): number => Object.values(requests).reduce((sum, count) => sum + count, 0);

describe(`drift of ${all} resources`, () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.startWith("native");
    // The engine writes the whole state once, not after each of a thousand steps.
    stack.writeStateOnce();
    stack.declare(program);
    await stack.up("--parallel", "32");
  });
  afterAll(() => stack.end());

  it("drift reads all resources with fewer than 21 requests", async () => {
    await stack.requests();
    const run = await stack.cli("drift", "--json");
    expect({ code: run.code, resources: report(run).stacks[0]?.resources }).toEqual({ code: 0, resources: all });
    const counts = await stack.requests();
    expect(total(counts)).toBeLessThanOrEqual(20);
    expect(counts).toEqual(oneListAKind);
  });

  it("check reads all resources with fewer than 21 requests", async () => {
    await stack.requests();
    expect((await stack.cli("check")).code).toBe(0);
    expect(total(await stack.requests())).toBeLessThanOrEqual(20);
  });

  it("drift --fix reports and fixes changes to all resources in one update", async () => {
    const state = stack.state();
    for (const { name, id } of Object.values(state)) {
      const [prefix = ""] = name.split("-");
      await stack.api("PATCH", `${paths[prefix]}/${id}`, prefix === "label" ? { color: "#000000" } : { interval: 900 });
    }
    await stack.requests();
    const shown = await stack.cli("drift", "--json", "--markdown", "drift.md");
    expect({ code: shown.code, changed: report(shown).stacks[0]?.changed.length }).toEqual({ code: 2, changed: all });
    const markdown = readFileSync(join(stack.folder, "drift.md"), "utf8");
    expect(markdown.length).toBeLessThanOrEqual(60_000);
    expect(markdown).toMatch(new RegExp(`^## Drift: ${all} changed\\n`));
    // Long reports are truncated. test/cli/commands/drift/report.test.ts tests any length.
    expect(/^… and \d+ more resources\.$/m.test(markdown)).toBe(all === 1_000);
    expect(total(await stack.requests())).toBeLessThanOrEqual(20);

    const run = await stack.cli("drift", "--json", "--fix");
    expect({ code: run.code, fixed: report(run).fixed?.resources.length }).toEqual({ code: 0, fixed: all });
    // The changes, and the cost of four reads: before, in the preview, in the update and afterwards. The review uses the first.
    const { "labels.update": label = 0, "tests.agentToServer.update": server = 0, ...rest } = await stack.requests();
    const { "tests.httpServer.update": http = 0, "tests.dynamic.update": dynamic = 0, ...lists } = rest;
    expect([label, server, http, dynamic]).toEqual([labels, tests, tests, tests]);
    expect(lists).toEqual({
      "accountGroups.list": 1,
      "labels.list": 4,
      // The stack has no tag: one list for unmanaged tags, and one for the review.
      "tags.list": 2,
      "tests.agentToServer.list": 4,
      "tests.httpServer.list": 4,
      "tests.dynamic.list": 4,
      // The review counts agents, and shows the licenses and the role.
      "agents.list": 1,
      "agents.filter": 1,
      "account.usage": 1,
      "account.user": 1,
      "account.role": 1,
    });
  });
});
