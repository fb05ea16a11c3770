/** What the next update does beside what its program says: what is left of earlier ones, options, identity, values that are not known. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Fault } from "../../emulator/faults";
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
    stops: { word: string; text: string }[];
    approval: { digest: string };
  };
}

describe.each(frontsWithinTime)("the next update, %s front", (front) => {
  let stack: Stack;
  const file = () => join(stack.folder, "approval.json");
  const fault = async (asked: Fault): Promise<void> => {
    const headers = { "x-emulator-control": "test", "content-type": "application/json" };
    await fetch(`${stack.emulator.url}/_emulator/faults`, { method: "POST", headers, body: JSON.stringify(asked) });
  };
  async function cli(...args: string[]): Promise<Printed> {
    const run = await stack.cli(...args, "--json");
    const { data = {} } = (run.stdout === "" ? {} : JSON.parse(run.stdout)) as { data?: object };
    return { code: run.code, text: run.text, data: data as Printed["data"] };
  }
  const review = (...args: string[]) => cli("review", "--approval", file(), ...args);
  const apply = (...args: string[]) => cli("apply", "--approved", file(), ...args);

  beforeEach(async () => {
    stack = await Stack.startWith(front, { agents: 20 });
  }, 300_000);
  afterEach(() => stack.end());

  test("a deletion that an earlier update left is reviewed, approved, and not applied unapproved", async () => {
    const args = kindCases.agentToServerTest.minimal;
    const program = (isPrioritized: boolean): Program => ({
      test: { kind: "AgentToServerTest", args: { ...args, isPrioritized } },
    });
    stack.configure({ replaceOrder: "create-first" });
    stack.declare(program(false));
    await stack.up();
    stack.declare(program(true));
    const clean = await review();
    expect(clean.data.stops.map(({ word }) => word)).not.toContain("pending");
    await fault({ method: "DELETE", kind: "status", status: 403, n: 9 });
    expect((await stack.run("up", "--yes", "--skip-preview")).code).not.toBe(0);
    await fetch(`${stack.emulator.url}/_emulator/faults/reset`, { method: "POST", headers: { "x-emulator-control": "test" } });
    const ids = await stack.ids(kindCases.agentToServerTest.collection);
    expect(ids).toHaveLength(2);
    // The approval of before has no deletion that is left, as its file is of the same program.
    const refused = await apply();
    expect([refused.code, refused.data.outcome]).toEqual([2, "refused"]);
    expect(refused.data.differences.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/left it \(id \d+\), which was not approved/),
    );
    expect(await stack.ids(kindCases.agentToServerTest.collection)).toEqual(ids);

    const left = await review();
    expect(left.data.summary).toMatchObject({ deleted: 1 });
    expect(left.data.stops.map(({ word }) => word)).toEqual(expect.arrayContaining(["pending", "deletes"]));
    expect(left.data.approval.digest).not.toBe(clean.data.approval.digest);
    const given = await stack.must("preview", "--json", "--show-sames", "--show-replacement-steps");
    writeFileSync(join(stack.folder, "preview.json"), given.stdout);
    const read = await cli("review", "--preview", "preview.json");
    expect(read.data.stops.map(({ word }) => word)).toContain("pending");
    const applied = await apply();
    expect([applied.code, applied.data.outcome, applied.data.changes]).toEqual([0, "applied", 1]);
    expect(await stack.ids(kindCases.agentToServerTest.collection)).toHaveLength(1);
    // Done already, by whomever.
    expect((await apply()).data).toMatchObject({ outcome: "applied", differences: [], passed: [{ rule: "done" }] });
  }, 300_000);

  test("options that the program adds or takes away after the approval are refused, on what changes and on what stays", async () => {
    const label = (options: object, color = "#111111") => ({
      kind: "Label",
      args: { ...kindCases.label.minimal, name: "L", color },
      options,
    });
    const other = (options: object) => ({ kind: "HttpServerTest", args: kindCases.httpServerTest.minimal, options });
    stack.declare({ label: label({ protect: true }), other: other({ protect: true }) });
    await stack.up();
    stack.declare({ label: label({ protect: true }, "#222222"), other: other({ protect: true }) });
    const approved = await review();
    expect(approved.data.stops.map(({ word }) => word)).not.toContain("options");
    const attacks: [Program, string][] = [
      [{ label: label({}, "#222222"), other: other({ protect: true }) }, 'label "label": option protect'],
      [
        { label: label({ protect: true }, "#222222"), other: other({}) },
        'HTTP-server test "other" would be kept with other options',
      ],
      [
        { label: label({ protect: true, retainOnDelete: true }, "#222222"), other: other({ protect: true }) },
        'label "label": option retainOnDelete',
      ],
      [
        { label: label({ protect: true }, "#222222"), other: other({ protect: true, ignoreChanges: ["url"] }) },
        'HTTP-server test "other" would be kept with other options',
      ],
    ];
    for (const [program, text] of attacks) {
      stack.declare(program);
      const refused = await apply();
      expect([refused.code, text, refused.data.differences.map((one) => one.text)]).toEqual([
        2,
        text,
        expect.arrayContaining([expect.stringContaining(text)]),
      ]);
    }
    // As a change of its own it is reviewed, a stop, and applied.
    stack.declare({ label: label({ protect: true }), other: other({ ignoreChanges: ["url"] }) });
    const shown = await review();
    expect(shown.data.stops.map(({ word }) => word)).toContain("options");
    expect(shown.data.resources).toMatchObject([{ name: "other", op: "options" }]);
    expect(await apply()).toMatchObject({ code: 0, data: { outcome: "applied" } });
    expect(stack.state()["other"]).toMatchObject({ ignoreChanges: ["url"] });
    expect(stack.state()["other"]?.protect).not.toBe(true);
  }, 300_000);

  test("a value that is known only during the update is a stop, and approved only where it is let pass by name", async () => {
    const label = { kind: "Label", args: kindCases.label.minimal };
    const test = (url: unknown): Program => ({
      label,
      test: { kind: "HttpServerTest", args: { ...kindCases.httpServerTest.minimal, url } },
    });
    stack.declare(test({ $after: "label", value: "https://good.example.com" }));
    const shown = await review();
    expect(shown.data.stops.filter(({ word }) => word === "unknown-value").map(({ text }) => text)).toEqual([
      expect.stringMatching(
        /^HTTP-server test "test": url is known only during the update, made from "label", so nobody can review it \(index\.js:\d+\)$/,
      ),
    ]);
    expect([shown.code, shown.text]).toEqual([
      1,
      expect.stringContaining("No approval: test.url is known only during the update"),
    ]);
    const passed = await review("--allow-unknown", "test.url");
    expect(passed.data.stops.map(({ word }) => word)).not.toContain("unknown-value");
    stack.declare(test({ $secret: "url" }));
    await stack.secret("url", "https://other.example.com");
    expect((await apply()).code).toBe(2);
    stack.declare(test({ $after: "label", value: "https://good.example.com" }));
    expect(await apply()).toMatchObject({ code: 0, data: { outcome: "applied" } });
    expect(stack.state()["test"]?.inputs["url"]).toBe("https://good.example.com");
  }, 300_000);

  test("the id of a new label is approved as that, and another one is not sent", async () => {
    const everybody = await stack.make("label", { ...kindCases.label.minimal, name: "Everybody" });
    const program = (...endpointAgentLabels: unknown[]): Program => ({
      one: { kind: "Label", args: { ...kindCases.label.minimal, name: "One" } },
      two: { kind: "Label", args: { ...kindCases.label.minimal, name: "Two" } },
      test: {
        kind: "HttpServerTest",
        args: { ...kindCases.httpServerTest.minimal, agentSelectorType: "agent-labels", endpointAgentLabels },
      },
    });
    stack.declare(program({ $id: "two" }, { $id: "one" }, everybody));
    const approved = await review();
    expect(approved.data.stops.map(({ word }) => word)).not.toContain("unknown-value");
    // The preview is the same, and so is the digest.
    stack.declare(program({ $id: "two" }, { $after: "one", value: everybody }, everybody));
    const refused = await apply("--approved", approved.data.approval.digest);
    expect([refused.code, refused.data.outcome, refused.data.differences]).toEqual([2, "left the plan", []]);
    expect(refused.text).toContain("was not sent: endpointAgentLabels is not what was approved");
    expect(await stack.ids(kindCases.httpServerTest.collection)).toEqual([]);
    // The labels are done, and a value that is known now is held against their ids.
    stack.declare(program({ $id: "two" }, everybody, everybody));
    expect((await apply()).data).toMatchObject({ outcome: "refused", differences: [{ what: "differs" }] });
    stack.declare(program({ $id: "two" }, { $id: "one" }, everybody));
    expect(await apply()).toMatchObject({ code: 0, data: { outcome: "applied" } });
    const { one, two, test } = stack.state();
    expect(test?.inputs["endpointAgentLabels"]).toEqual([two?.id, one?.id, everybody]);
  }, 300_000);

  test("a program that creates or declares something else in the update than in the preview is refused, and ends with 2", async () => {
    const program = (more: string): string => `
const pulumi = require("@pulumi/pulumi");
const { Label } = require("${stack.module}");
const args = (name) => ({ name, matchType: "or", filters: [{ key: "platform", values: ["Windows"] }] });
new Label("one", args(${more === "name" ? 'pulumi.runtime.isDryRun() ? "One" : "Other"' : '"One"'}));
if (!pulumi.runtime.isDryRun() && ${more === "create"}) new Label("extra", args("Extra"));
`;
    for (const more of ["create", "name"]) {
      stack.write(program(more));
      await review();
      const refused = await apply();
      expect([more, refused.code, refused.data.outcome]).toEqual([more, 2, "left the plan"]);
    }
    expect(Object.keys(stack.state())).not.toContain("extra");
    expect(stack.state()["one"]?.inputs["name"]).not.toBe("Other");
  }, 300_000);

  test("another client, tenant or account group than approved is refused, and what another provider adopts is kept", async () => {
    stack.declare({ label: { kind: "Label", args: kindCases.label.minimal } });
    await review();
    for (const [name, value] of [
      ["clientId", "another"],
      ["tenantId", "another"],
      ["accountGroupId", "1002"],
    ] as const) {
      stack.configure({ [name]: value });
      const refused = await apply();
      stack.configure({ [name]: null });
      expect([refused.code, refused.data.differences.map(({ text }) => text)]).toEqual([
        2,
        expect.arrayContaining([expect.stringContaining(`setting ${name}: approved `)]),
      ]);
    }
    expect(await apply()).toMatchObject({ code: 0 });

    // The provider that adopts the record is another process than the one that has it.
    const id = stack.state()["label"]?.id;
    const args = { ...kindCases.label.minimal, adopt: true };
    stack.declare({ renamed: { kind: "Label", args, provider: "east" } });
    const shown = await review();
    expect(shown.data.resources).toMatchObject([{ name: "renamed", op: "adopt", id, from: { name: "label" } }]);
    expect(await apply()).toMatchObject({ code: 0 });
    expect([stack.state()["renamed"]?.id, await stack.ids(kindCases.label.collection)]).toEqual([id, [id]]);
  }, 300_000);
});
