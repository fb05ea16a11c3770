/**
 * Tests effects of an update other than the program's changes: remains of earlier updates, options, identity, unknown values.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { kindCases } from "../support/kinds";
import { frontsWithinTime, type Program, Stack } from "./support/stack";

interface Printed {
  code: number | null;
  text: string;
  data: {
    outcome: string;
    changes: number;
    differences: { what: string; text: string }[];
    summary: Record<string, number>;
    resources: { name: string; op: string }[];
    findings: { rule: string; text: string }[];
    approval: { digest: string };
  };
}

describe.each(frontsWithinTime)("approvals of updates with %s resources", (front) => {
  let stack: Stack;
  const file = () => join(stack.folder, "approval.json");
  async function cli(...args: string[]): Promise<Printed> {
    const run = await stack.cli(...args, "--json");
    const { data = {} } = (run.stdout === "" ? {} : JSON.parse(run.stdout)) as { data?: object };
    return { code: run.code, text: run.text, data: data as Printed["data"] };
  }
  const review = (...args: string[]) => cli("review", "--approval", file(), ...args);
  const apply = (...args: string[]) => cli("apply", "--approved", file(), ...args);

  beforeEach(async () => {
    stack = await Stack.startWith(front, { agents: 20 });
  });
  afterEach(() => stack.end());

  test("apply refuses a pending deletion that was not approved", async () => {
    const args = kindCases.agentToServerTest.minimal;
    const program = (isPrioritized: boolean): Program => ({
      test: { kind: "AgentToServerTest", args: { ...args, isPrioritized } },
    });
    stack.configure({ replaceOrder: "create-first" });
    stack.declare(program(false));
    await stack.up();
    stack.declare(program(true));
    const clean = await review();
    expect(clean.data.findings.map(({ rule }) => rule)).not.toContain("pending");
    stack.emulator.fault({ method: "DELETE", kind: "status", status: 403, n: 9 });
    expect((await stack.run("up", "--yes", "--skip-preview")).code).not.toBe(0);
    stack.emulator.clearFaults();
    const ids = await stack.ids(kindCases.agentToServerTest.collection);
    expect(ids).toHaveLength(2);
    // The earlier approval does not contain the pending deletion, although the program is the same.
    const refused = await apply();
    expect([refused.code, refused.data.outcome]).toEqual([2, "refused"]);
    expect(refused.data.differences.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/\(id \d+, left over from an earlier update\), which was not approved/),
    );
    expect(await stack.ids(kindCases.agentToServerTest.collection)).toEqual(ids);

    const remaining = await review();
    expect(remaining.data.summary).toMatchObject({ deleted: 1 });
    expect(remaining.data.findings.map(({ rule }) => rule)).toEqual(expect.arrayContaining(["pending", "deletes"]));
    expect(remaining.data.approval.digest).not.toBe(clean.data.approval.digest);
    const preview = await stack.must("preview", "--json", "--show-sames", "--show-replacement-steps");
    writeFileSync(join(stack.folder, "preview.json"), preview.stdout);
    const read = await cli("review", "--preview", "preview.json");
    expect(read.data.findings.map(({ rule }) => rule)).toContain("pending");
    const applied = await apply();
    expect([applied.code, applied.data.outcome, applied.data.changes]).toEqual([0, "applied", 1]);
    expect(await stack.ids(kindCases.agentToServerTest.collection)).toHaveLength(1);
    // Already done, by any user.
    expect((await apply()).data).toMatchObject({ outcome: "applied", differences: [], passed: [{ rule: "done" }] });
  });

  test("apply refuses resource options that were added or removed after the approval", async () => {
    const label = (options: object, color = "#111111") => ({
      kind: "Label",
      args: { ...kindCases.label.minimal, name: "L", color },
      options,
    });
    const other = (options: object) => ({ kind: "HttpServerTest", args: kindCases.httpServerTest.minimal, options });
    const kept = { protect: true };
    /** Two labels that change and two tests that stay. The second of each has another name. */
    const program = (color: string, options: Record<string, object> = {}): Program => ({
      label: label(options["label"] ?? kept, color),
      retained: { ...label(options["retained"] ?? kept, color), args: { ...label({}, color).args, name: "R" } },
      other: other(options["other"] ?? kept),
      ignoring: { ...other(options["ignoring"] ?? kept), args: { ...other({}).args, testName: "I" } },
    });
    stack.declare(program("#111111"));
    await stack.up();
    stack.declare(program("#222222"));
    const approved = await review();
    expect(approved.data.findings.map(({ rule }) => rule)).not.toContain("options");
    stack.declare(
      program("#222222", {
        label: {},
        retained: { ...kept, retainOnDelete: true },
        other: {},
        ignoring: { ...kept, ignoreChanges: ["url"] },
      }),
    );
    const refused = await apply();
    const attacks = [
      'label "label": option protect',
      'label "retained": option retainOnDelete',
      'HTTP server test "other" would be kept with other options',
      'HTTP server test "ignoring" would be kept with other options',
    ];
    expect([refused.code, refused.data.differences.map((difference) => difference.text)]).toEqual([
      2,
      expect.arrayContaining(attacks.map((text) => expect.stringContaining(text) as unknown)),
    ]);
    // As a separate change, it is reviewed, stops the review, and can be applied.
    stack.declare(program("#111111", { other: { ignoreChanges: ["url"] } }));
    const shown = await review();
    expect(shown.data.findings.map(({ rule }) => rule)).toContain("options");
    expect(shown.data.resources).toMatchObject([{ name: "other", op: "options" }]);
    expect(await apply()).toMatchObject({ code: 0, data: { outcome: "applied" } });
    expect(stack.state()["other"]).toMatchObject({ ignoreChanges: ["url"] });
    expect(stack.state()["other"]?.protect).not.toBe(true);
  });

  test("apply sends only the approved value in place of an unknown value", async () => {
    const everybody = await stack.make("label", { ...kindCases.label.minimal, name: "Everybody" });
    const lateUrl = { $after: "one", value: "https://good.example.com" };
    const program = (url: unknown, ...endpointAgentLabels: unknown[]): Program => ({
      one: { kind: "Label", args: { ...kindCases.label.minimal, name: "One" } },
      two: { kind: "Label", args: { ...kindCases.label.minimal, name: "Two" } },
      late: { kind: "HttpServerTest", args: { ...kindCases.httpServerTest.minimal, testName: "Late", url } },
      test: {
        kind: "HttpServerTest",
        args: { ...kindCases.httpServerTest.minimal, agentSelectorType: "agent-labels", endpointAgentLabels },
      },
    });
    const asApproved = program(lateUrl, { $id: "two" }, { $id: "one" }, everybody);
    stack.declare(asApproved);
    const shown = await review();
    expect(shown.data.findings.filter(({ rule }) => rule === "unknown-value").map(({ text }) => text)).toEqual([
      expect.stringMatching(
        /^HTTP server test "late": url is known only during the update, made from "one", so it cannot be reviewed \(index\.js:\d+\)$/,
      ),
    ]);
    expect([shown.code, shown.text]).toEqual([
      1,
      expect.stringContaining("No approval: late.url is known only during the update"),
    ]);
    const approved = await review("--allow-unknown", "late.url");
    expect(approved.data.findings.map(({ rule }) => rule)).not.toContain("unknown-value");
    await stack.secret("url", "https://other.example.com");
    stack.declare(program({ $secret: "url" }, { $id: "two" }, { $id: "one" }, everybody));
    expect((await apply()).code).toBe(2);
    expect(await stack.ids(kindCases.httpServerTest.collection)).toEqual([]);
    // The preview and the digest are the same.
    stack.declare(program(lateUrl, { $id: "two" }, { $after: "one", value: everybody }, everybody));
    const refused = await apply("--approved", approved.data.approval.digest);
    expect([refused.code, refused.data.outcome, refused.data.differences]).toEqual([2, "left the plan", []]);
    expect(refused.text).toContain(
      "was not sent, because the value of endpointAgentLabels is not the approved id of a new resource",
    );
    expect(Object.keys(stack.state())).not.toContain("test");
    // The labels are done, and a now known value is compared with their ids.
    stack.declare(program(lateUrl, { $id: "two" }, everybody, everybody));
    expect((await apply()).data).toMatchObject({ outcome: "refused", differences: [{ what: "differs" }] });
    stack.declare(asApproved);
    expect(await apply()).toMatchObject({ code: 0, data: { outcome: "applied" } });
    const { one, two, late, test } = stack.state();
    expect(test?.inputs["endpointAgentLabels"]).toEqual([two?.id, one?.id, everybody]);
    expect(late?.inputs["url"]).toBe(lateUrl.value);
    expect(new Set(await stack.ids(kindCases.httpServerTest.collection))).toEqual(new Set([late?.id, test?.id]));
  });

  test("apply refuses a program that behaves differently during the update", async () => {
    const program = (more: string): string => `
const pulumi = require("@pulumi/pulumi");
const { Label } = require("${stack.module}");
const args = (name) => ({ name, matchType: "or", filters: [{ key: "platform", values: ["Windows"] }] });
new Label("one", args(${more === "name" ? 'pulumi.runtime.isDryRun() ? "One" : "Other"' : '"One"'}));
if (!pulumi.runtime.isDryRun() && ${more === "create"}) new Label("extra", args("Extra"));
exports.output = pulumi.runtime.isDryRun() || ${more !== "output"};
`;
    stack.write(program("name"));
    // Both programs have the same preview.
    await review();
    for (const more of ["name", "create", "output"]) {
      stack.write(program(more));
      const refused = await apply();
      expect([more, refused.code, refused.data.outcome]).toEqual([more, 2, "left the plan"]);
      expect(Object.keys(stack.state())).not.toContain("extra");
      expect(stack.state()["one"]?.inputs["name"]).not.toBe("Other");
    }
  });

  test("apply keeps a record that a resource with an explicit provider adopts", async () => {
    stack.declare({ label: { kind: "Label", args: kindCases.label.minimal } });
    await stack.up();
    // The adopting provider is another process than the record's previous one.
    const id = stack.state()["label"]?.id;
    const args = { ...kindCases.label.minimal, adopt: true };
    stack.declare({ renamed: { kind: "Label", args, provider: "east" } });
    const shown = await review();
    expect(shown.data.resources).toMatchObject([{ name: "renamed", op: "adopt", id, from: { name: "label" } }]);
    expect(await apply()).toMatchObject({ code: 0 });
    expect([stack.state()["renamed"]?.id, await stack.ids(kindCases.label.collection)]).toEqual([id, [id]]);
  });
});
