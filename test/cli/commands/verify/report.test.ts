import type { Properties } from "../../../../provider/values";
import { registry, type KindName } from "../../../../provider/registry";
import type { Measurement } from "../../../../provider/measurement";
import type { ManagedResource } from "../../../../engine/state";
import { commentLimit } from "../../../../cli/report/markdown";
import { Output } from "../../../../cli/report/output";
import { silentIo } from "../../../support/command";
import { junitFaults, parseXml } from "../../../support/report-schemas";
import { toJUnit } from "../../../../cli/report/junit";
import { toMarkdown } from "../../../../cli/report/markdown";
import { checkFiles } from "../../../../cli/report/present";
import { toTerminal } from "../../../../cli/report/terminal";
import { boundsOf, choiceOf } from "../../../../cli/commands/verify/limits";
import { type Verification, verifyReport } from "../../../../cli/commands/verify/report";
import type { TestOutcome, TestVerdict } from "../../../../cli/commands/verify/test-run";
import { selectTests } from "../../../../cli/commands/verify/selected";
import type { Update } from "../../../../engine/stack";

/** Times in the history are whole seconds, unlike times in the state. */
const update: Update = {
  kind: "update",
  result: "succeeded",
  startTime: "2026-11-21T15:48:27.000Z",
  endTime: "2026-11-21T15:48:29.000Z",
};
const [before, during, atItsEnd, after] = [
  "2026-11-21T15:48:26.999999999Z",
  "2026-11-21T15:48:28.257721674Z",
  "2026-11-21T15:48:29.257721674Z",
  "2026-11-21T15:50:00.1Z",
];

function managed(
  name: string,
  kindName: KindName,
  outputs: Properties,
  stamps: { created?: string; modified?: string } = {},
): ManagedResource {
  const kind = registry[kindName];
  const times = { created: before, modified: before, ...stamps };
  return {
    stack: "dev",
    urn: `urn:pulumi:dev::test::${kindName}::${name}`,
    name,
    kindName,
    kind,
    id: `id-of-${name}`,
    inputs: outputs,
    outputs,
    secrets: new Set(),
    protect: false,
    ignoreChanges: [],
    ...times,
  };
}

const names = (selection: ReturnType<typeof selectTests>): string[] => selection.map((selected) => selected.resource.name);

describe("tests that `verify` selects", () => {
  const test = (name: string, stamps: object, more: Properties = {}): ManagedResource =>
    managed(name, "agentToServerTest", { testName: `Test ${name}`, server: "192.0.2.1", ...more }, stamps);

  it("`verify` selects the tests that changed since the beginning of the update", () => {
    const stack = [
      test("same", {}),
      test("updated", { modified: during }),
      test("created", { created: during, modified: during }),
      test("created-last", { created: atItsEnd, modified: atItsEnd }),
      test("refreshed", { modified: after }),
      test("imported", { created: after, modified: after }),
      test("unstamped", { created: undefined, modified: undefined }),
      managed("label", "label", { name: "L" }, { modified: during }),
    ];
    expect(names(selectTests(stack, "changed", update))).toEqual(["updated", "created", "created-last", "refreshed"]);
    expect(selectTests(stack, "changed", undefined)).toEqual([]);
    expect(names(selectTests(stack, "all", undefined))).toEqual(stack.slice(0, -1).map(({ name }) => name));
  });

  it("`verify` selects tests that refer to changed labels and agents", () => {
    const stack = [
      managed("office", "label", { name: "Office" }, { modified: during }),
      managed("kiosk", "endpointAgent", { agentId: "id-of-kiosk" }, { modified: during }),
      managed("home", "label", { name: "Home" }),
      test("by-label", {}, { endpointAgentLabels: ["id-of-home", "id-of-office"] }),
      test("by-agent", {}, { agents: ["id-of-kiosk"] }),
      test("elsewhere", {}, { endpointAgentLabels: ["id-of-home"], agents: ["id-of-office"] }),
      test("itself", { modified: during }, { endpointAgentLabels: ["id-of-office"] }),
    ];
    const selection = selectTests(stack, "changed", update);
    expect(selection.map((selected) => [selected.resource.name, selected.cause])).toEqual([
      ["by-label", "label office changed"],
      ["by-agent", "agent kiosk changed"],
      ["itself", undefined],
    ]);
  });

  it("`verify` gives a reason for each test that cannot run", () => {
    const stack = [
      test("network", {}),
      managed("http", "httpServerTest", { testName: "H", isEnabled: true }),
      managed("off", "httpServerTest", { testName: "O", isEnabled: false }),
      managed("dynamic", "dynamicTest", { testName: "D" }),
    ];
    expect(selectTests(stack, "all", undefined).map(({ http, refused }) => http ?? refused)).toEqual([
      false,
      true,
      "it is disabled (isEnabled is false)",
      "dynamic tests follow the sessions of users, and cannot be run at will",
    ]);
  });

  it("`verify` selects each named test once", () => {
    const secret = { ...test("secret", {}), secrets: new Set(["testName"]) };
    const stack = [test("one", {}), test("two", {}), secret];
    expect(names(selectTests(stack, ["Test two", "id-of-one", "two"], undefined))).toEqual(["two", "one"]);
    expect(() => selectTests(stack, ["Test secret"], undefined)).toThrow(
      'The stack has no test "Test secret". It has one, secret, two',
    );
    expect(() => selectTests([], ["x"], undefined)).toThrow("It has no tests");
    expect(() => selectTests([managed("calls", "dynamicTest", { testName: "C" })], ["calls"], undefined)).toThrow(
      'Test "calls" cannot be verified: dynamic tests follow the sessions of users',
    );
  });
});

describe("limits that `verify` checks", () => {
  it("`verify` requires an availability of 100% by default", () => {
    expect(boundsOf({}).expect).toEqual({ minAvailability: 100 });
    expect(boundsOf({ "min-availability": "0", "max-loss": "2.5" }).expect).toEqual({ minAvailability: 0, maxLoss: 2.5 });
    expect(boundsOf({}).waitForResults).toEqual({ timeout: 120, waitForMore: 5 });
  });

  it.each([
    [{ "max-loss": "101" }, "--max-loss takes a percentage of at most 100"],
    [{ "min-availability": "x" }, '--min-availability takes a number such as 2.5, not "x"'],
    [{ "min-agents": "0" }, "--min-agents takes a number of at least 1"],
    [{ "min-agents": "1.5" }, '--min-agents takes a whole number, not "1.5"'],
    [{ timeout: "-1" }, '--timeout takes a number such as 2.5, not "-1"'],
  ])("`verify` refuses the invalid limit %j", (options, message) => {
    expect(() => boundsOf(options)).toThrow(message);
  });
});

describe("options --all and --test", () => {
  it("`verify` refuses --all together with --test", () => {
    expect([choiceOf({}), choiceOf({ all: true }), choiceOf({ test: ["Portal, EU"] })]).toEqual([
      "changed",
      "all",
      ["Portal, EU"],
    ]);
    expect(() => choiceOf({ all: true, test: ["x"] })).toThrow("--all and --test cannot be used together");
    for (const options of [{}, { markdown: "-" }, { markdown: "r.md", json: true }])
      expect(() => checkFiles(options)).not.toThrow();
    expect(() => checkFiles({ markdown: "-", json: true })).toThrow("both write to standard output");
  });
});

describe("report of the verify command", () => {
  const measured = (members: Partial<Measurement>): Measurement => ({ agentId: "a", roundId: 1, available: true, ...members });
  const verdict = (name: string, outcome: TestOutcome, more: Partial<TestVerdict> = {}): TestVerdict => ({
    resource: managed(name, "httpServerTest", { testName: name }),
    http: true,
    outcome,
    reasons: [],
    measured: [],
    ...more,
  });
  const report = (verdicts: TestVerdict[], agents: Verification["agents"] = new Map()): Verification => ({
    stack: "dev",
    update,
    bounds: boundsOf({ "max-loss": "5" }),
    verdicts,
    agents,
  });

  const nothing = "Nothing to verify";
  const data = (verification: Verification) => verifyReport(verification, nothing).data as { counts: object; tests: object[] };
  const text = (verification: Verification) =>
    toTerminal(verifyReport(verification, nothing).blocks("terminal"), new Output(false, silentIo()));
  const markdownOf = (verification: Verification) => toMarkdown(verifyReport(verification, nothing).blocks("markdown"));

  const failed = verdict("b", "failed", {
    reasons: ["loss over 5 % on 1 of 2 agents"],
    measured: [measured({ loss: 10, avgLatency: 3.456 }), measured({ agentId: "b", loss: 0, avgLatency: 20, responseTime: 7 })],
  });
  const all = [
    verdict("c", "passed", { measured: [measured({ loss: 0, avgLatency: 0.04, responseTime: 2 })], cause: "label l changed" }),
    failed,
    verdict("a", "passed", { measured: [measured({})] }),
    verdict("d", "no-verdict", { reasons: ["0 of 1 agents answered within 120 s"] }),
    verdict("e", "skipped", { reasons: ["it is disabled"] }),
  ];

  it("the JUnit report of `verify` has a case for each test", () => {
    const xml = toJUnit(verifyReport(report(all, new Map([[failed, ["desk: reached"]]])), nothing).findings ?? []);
    expect(junitFaults(xml)).toEqual([]);
    const [suite] = parseXml(xml).children;
    const outcomes = suite?.children.map(
      ({ attributes, children: [outcomeElement] }) => `${attributes["name"]} ${outcomeElement?.name}`,
    );
    const expected = ["a undefined", "b failure", "c undefined", "d failure", "e skipped"].map(
      (line) => `HTTP server test ${line}`,
    );
    expect(outcomes?.toSorted()).toEqual(expected);
    expect(xml).toContain("desk: reached");
  });

  it("the terminal report of `verify` ends with the failures", () => {
    expect(text(report(all, new Map([[failed, ["desk: reached"]]])))).toBe(
      [
        "Stack dev. Last update: 2026-11-21 15:48:27 UTC, succeeded.",
        "Limits: availability at least 100 %, loss at most 5 %, results of every agent that a test names (otherwise 1 agent) within 120 s.",
        "",
        "   test  agents  loss  latency  response  verdict",
        "-  e                                      skipped: it is disabled",
        "✓  a     1       –     –        –         passed",
        "✓  c     1       0 %   0 ms     2 ms      passed (label l changed)",
        "✗  d                                      no verdict: 0 of 1 agents answered within 120 s",
        "✗  b     2       10 %  20 ms    7 ms      failed: loss over 5 % on 1 of 2 agents",
        "   desk: reached",
        "",
        "1 failed, 1 no verdict, 2 passed, 1 skipped.",
        "No verdict: there are too few measurements. Check that the test's agents are online, or wait longer with --timeout.",
      ].join("\n"),
    );
  });

  it("the report of `verify` recommends a change of labels or tags if a test has no agents", () => {
    const reasons = ['label "Nowhere" selects no agent'];
    const lines = text(report([{ ...failed, outcome: "no-verdict", reasons, measured: [], lacksAgents: true }]));
    expect(lines).toContain('no verdict: label "Nowhere" selects no agent');
    expect(lines).toContain("No verdict: labels or tags select no agent. Change their filters, or select other agents.");
    expect(lines).not.toContain("--timeout");
  });

  it("the Markdown report of `verify` begins with the failures", () => {
    const markdown = markdownOf(report(all, new Map([[failed, ["desk: <b>reached</b>"]]])));
    expect(markdown.split("\n")[0]).toBe("## ❌ Tests of stack `dev`: 1 failed, 1 no verdict, 2 passed, 1 skipped");
    const [first, rest] = markdown.split("<details><summary>2 passed, 1 skipped</summary>");
    expect(first).toContain("| ✗ | `b` | 2 | 10 % | 20 ms | 7 ms | failed: loss over 5 % on 1 of 2 agents |");
    expect(first).toContain("- `b`: desk: &#60;b&#62;reached&#60;/b&#62;");
    expect(rest).toContain("| ✓ | `a` | 1 |");
    expect(markdownOf(report([all[0] ?? failed]))).toContain("## ✅ Tests of stack `dev`: 1 passed\n");
  });

  it("the Markdown report of `verify` fits into a pull request comment", () => {
    const many = Array.from({ length: 1_000 }, (_, i) =>
      verdict(`test ${i} ${"x".repeat(100)}`, "failed", { reasons: ["loss over 5 % on 1 of 2 agents"] }),
    );
    const agents = new Map(many.map((test) => [test, Array.from({ length: 10 }, (_, i) => `agent ${i} ${"y".repeat(50)}`)]));
    const markdown = markdownOf(report(many, agents));
    expect(markdown.length).toBeLessThanOrEqual(commentLimit);
    const rows = markdown.match(/^\| ✗ .*\|$/gm)?.length ?? 0;
    expect(rows).toBeGreaterThan(100);
    expect(markdown).toContain(`… and ${1_000 - rows} more tests.`);
    // Measurements have their share of the length, and count the omitted entries.
    const lines = markdown.match(/^- <code>test \d+ x.*: agent/gm)?.length ?? 0;
    expect(lines).toBeGreaterThan(50);
    expect(markdown).toContain(`- … and ${(10_000 - lines).toLocaleString("en-US")} more lines`);
    expect(markdown.trimEnd()).toMatch(/<\/details>$/);
  });

  it("the JSON report of `verify` contains every measurement", () => {
    expect(data(report(all)).counts).toEqual({ passed: 2, failed: 1, "no-verdict": 1, skipped: 1 });
    expect(data(report(all)).tests[1]).toMatchObject({
      name: "b",
      kind: "HttpServerTest",
      testId: "id-of-b",
      agents: 2,
      worst: { loss: 10, latency: 20, responseTime: 7 },
      measurements: [{ loss: 10 }, { loss: 0 }],
    });
  });
});
