/**
 * Runs `migrate labels` with an engine that runs the program in this process, against the emulator. Tests every reason to
 * stop.
 */
import { runCommand } from "../../../support/command";
import { skipIdleTime } from "../../../support/idle-time";
import { otherAreas } from "../../../support/kinds";
import { changesIn, imports, labelText, testText, throughAll, useBenches, windows } from "../../migrate-programs";
import type { MigrationReport } from "../../../../cli/commands/migrate/run";
import type { MigrationBench } from "../../migrate-support";
import { call } from "../../../support/call";

skipIdleTime();

const benches = useBenches();

/** Changes the service without the stack. */
const api = (method: string, path: string, body?: object): Promise<{ id: string }> =>
  call(benches.emulator.url, method, path, body);

/** A label, a test that uses it, and more declarations. */
function small(more = ""): Record<string, string> {
  return { "index.ts": `${imports}${labelText("office")}${testText("portal", "[office.id]")}${more}` };
}

/** Creates a bench after some steps. */
async function benchAfter(steps: number, files = small()): Promise<MigrationBench> {
  const bench = await benches.of(files);
  for (let i = 0; i < steps; i += 1) {
    const { report, stderr } = await bench.migrate("--key", "team");
    if (report?.state !== "written") throw new Error(stderr);
    await bench.up();
  }
  return bench;
}

/** The id of the resource with this end of its URN. */
function idOf(bench: MigrationBench, end: string): string {
  return [...bench.state.values()].find(({ urn }) => urn.endsWith(end))?.id ?? "";
}

/** A run that wrote nothing. Returns its exit code and message. */
async function failed(bench: MigrationBench, ...args: string[]): Promise<string> {
  const files = bench.files;
  const { code, stderr } = await bench.migrate(...args);
  expect(bench.files).toEqual(files);
  return `${code} ${stderr.trimEnd().split("\n").at(-1)}`;
}

describe("the migration step for tags", () => {
  test("`migrate labels` builds a tag's key and value from templates", async () => {
    const label = `const office = new Label("office", {\n  name: "Office 'A'",\n  color: "#3366cc",\n  ${windows},\n});\n`;
    const bench = await benches.of({ "index.ts": `${imports}// All of them.\n${label}${labelText("lab", "it's ${x}")}` });
    const { report } = await bench.migrate("--key", "site {name}", "--value", "`{name}`");
    expect(changesIn(report)).toEqual(["create lab", "create office"]);
    await bench.up();
    const tags = [...bench.state.values()].filter(({ type }) => type.endsWith("EndpointAgentTag"));
    expect(tags.map(({ outputs }) => [outputs?.["key"], outputs?.["value"], outputs?.["color"]])).toEqual([
      ["site Office 'A'", "`Office 'A'`", "#3366cc"],
      ["site it's ${x}", "`it's ${x}`", "#A7EB10"],
    ]);
    expect(bench.files["index.ts"]).toContain(
      `new EndpointAgentTag("office", {\n  key: "site Office 'A'", value: "\`Office 'A'\`",\n`,
    );
  });

  test("`migrate labels` writes a template literal for a label with a computed name", async () => {
    const loop = `for (const site of ["Oslo"]) new Label(\`l-\${site}\`, { name: \`Site \${site}\`, ${windows} });\n`.replace(
      'for (const site of ["Oslo"]) new',
      'for (const site of ["Oslo"]) {\n  new',
    );
    const bench = await benches.of({ "index.ts": `${imports}${loop}}\n` });
    const { report } = await bench.migrate("--key", "site", "--value", "{name}!");
    expect([report.state, changesIn(report)]).toEqual(["written", ["create l-Oslo"]]);
    expect(bench.files["index.ts"]).toContain("value: `${`Site ${site}`}!`");
  });

  test("`migrate labels` requires --key if it writes a tag", async () => {
    const bench = await benches.of(small());
    expect(await failed(bench)).toMatch(/^1 .*The first step of a migration requires --key.*migrate labels --key team/);
    expect((await bench.migrate("--key", "team")).report.state).toBe("written");
  });

  test.each([
    ["--key", "{nom}", "--key has the unknown placeholder {nom}. Use {name}"],
    ["--key", " ", "--key is empty"],
  ])("`migrate labels` refuses the option %s %s", async (option, value, message) => {
    expect(await failed(await benches.of(small()), option, value)).toContain(message);
  });

  test("`migrate labels` refuses a program in JavaScript", async () => {
    const bench = await benches.of({
      "index.js": `const { Label } = require("pulumi-endpoint-monitoring");\n${labelText("a")}`,
    });
    expect(await failed(bench, "--key", "team")).toContain(
      "`migrate labels` edits only TypeScript, but the program's entry file is",
    );
  });

  test("`migrate labels` reports duplicate label names and existing tags before it edits the program", async () => {
    const bench = await benches.of({
      "index.ts": `${imports}${labelText("a", "Lab")}${labelText("b", "Lab")}${labelText("c")}`,
    });
    const { id } = await api("POST", "/v7/tags", {
      key: "team",
      value: "c",
      objectType: "test",
      accessType: "all",
    });
    const message = await failed(bench, "--key", "team");
    expect(message).toContain('a and b would all get "team": "Lab"');
    expect(message).toContain(`c would get "team": "c", which tag ${id} for objects of type test already has`);
    expect((await bench.migrate("--key", "team {name}", "--value", "yes")).code).toBe(1);
    expect((await bench.migrate("--key", "kind", "--value", "{name}")).code).toBe(1);
  });

  test("`migrate labels` gives advice about each label that cannot become a tag", async () => {
    const odd = [
      `new Label("empty", { name: "Empty", matchType: "and", filters: [] });`,
      `const argsOf = () => ({ name: "Given", matchType: "and", filters: [{ key: "platform", values: ["Mac"] }] });\nnew Label("given", argsOf());`,
    ];
    const bench = await benches.of(small(odd.join("\n")));
    const { code, report } = await bench.migrate("--key", "team");
    expect([code, changesIn(report)]).toEqual([2, ["create office"]]);
    expect(report.left.map(({ name, position, reason }) => `${name} ${position?.line} ${reason}`)).toEqual([
      "empty 5 cannot be a tag: filters must have at least 1 item",
      "given 7 has no literal name in its arguments",
    ]);
    const notMigrated = report.left.find(({ name }) => name === "given");
    expect(notMigrated?.advice).toContain(
      'write new EndpointAgentTag("given", { key: "team", value: "Given", matchType: "and"',
    );
  });

  test("`migrate labels` skips an account group that refuses tags", async () => {
    const far = `new Label("far", { name: "Far", accountGroupId: "1002", ${windows} });\n`;
    const bench = await benches.of({ "index.ts": `${imports}${labelText("near")}${far}` });
    bench.emulator.fault({ operation: "tags.list", kind: "latency", ms: 0 });
    bench.emulator.fault({ operation: "tags.list", kind: "status", status: 403 });
    const { code, report } = await bench.migrate("--key", "team");
    expect([code, changesIn(report)]).toEqual([2, ["create near"]]);
    expect(report.left.map(({ name, reason }) => [name, reason])).toEqual([
      ["far", expect.stringMatching(/^is in account group 1002; its tags could not be read: .* 403/)],
    ]);
    for (const n of [1, 2]) bench.emulator.fault({ operation: "tags.list", kind: "status", status: 403, n });
    expect(await failed(bench, "--key", "team")).toContain("403");
  });

  test("`migrate labels` reads computed label names from the preview", async () => {
    const sites = 'const sites = JSON.parse(\'["Oslo", "Rome"]\') as string[];\n';
    const loop = `for (const site of sites) {\n  const label = new Label(site, { name: site, ${windows} });\n  ${testText("`t-${site}`", "[label.id]")}}\n`;
    const bench = await benches.of(small(sites + loop));
    const { code, report } = await bench.migrate("--key", "team");
    expect([code, changesIn(report)]).toEqual([0, ["create Oslo", "create Rome", "create office"]]);
    expect(await bench.up()).toHaveLength(3);
    const before = await bench.migrate("--dry-run");
    expect([before.code, changesIn(before.report)]).toEqual([2, ["replace portal"]]);
    expect(before.report.left.map(({ name, reason }) => `${name} ${reason}`)).toEqual([
      "t-Oslo has no visible declaration in the program",
      "t-Rome has no visible declaration in the program",
    ]);
    const lines = bench.files["index.ts"]?.split("\n") ?? [];
    for (const [names, text, column] of [
      [["Oslo", "Rome"], "const label =", 17],
      [["t-Oslo", "t-Rome"], "new HttpServerTest(`t-", 3],
    ] as const) {
      const line = lines.findIndex((programLine) => programLine.includes(text)) + 1;
      for (const name of names) bench.positions[name] = `index.ts#${line},${column}`;
    }
    const after = await bench.migrate();
    expect([after.code, changesIn(after.report)]).toEqual([0, ["replace portal", "replace t-Oslo", "replace t-Rome"]]);
  });

  test("`migrate labels` finds a user-declared tag by its name", async () => {
    const files = small(
      `const args = { name: "Given", ${windows} };\nconst given = new Label("given", args);\n${testText("t", "[given.id]")}`,
    );
    const bench = await benches.of(files);
    const byHand = `const mine = new EndpointAgentTag("given", { key: "team", value: "Given", ${windows} });\n`;
    bench.write(
      "index.ts",
      `${bench.files["index.ts"]?.replace("Label }", "EndpointAgentTag, Label }")}`.replace(
        "const given",
        `${byHand}const given`,
      ),
    );
    await bench.up();
    await throughAll(bench);
    expect(bench.files["index.ts"]).toContain("tagIds: [given.id]");
    expect(bench.files["index.ts"]).not.toContain("mine");
  });
});

describe("runs of `migrate labels` that do not edit the program", () => {
  test("a second run of `migrate labels` without an update in between edits no files", async () => {
    const bench = await benches.of(small());
    await bench.migrate("--key", "team");
    const files = bench.files;
    bench.others["prod"] = [];
    const { code, report } = await bench.migrate("--key", "team");
    expect([code, report.state, report.files, report.otherStacks]).toEqual([0, "waiting", [], ["prod"]]);
    expect(changesIn(report)).toEqual(["create office"]);
    expect(bench.files).toEqual(files);
  });

  test("`migrate labels --dry-run` restores the program's files", async () => {
    const bench = await benches.of(small());
    const files = bench.files;
    const { code, report } = await bench.migrate("--key", "team", "--dry-run");
    expect([code, report.state, report.files, changesIn(report)]).toEqual([0, "planned", ["index.ts"], ["create office"]]);
    expect(bench.files).toEqual(files);
  });

  test("`migrate labels` reports that the program has no labels to migrate", async () => {
    const bench = await benches.of({
      "index.ts": `${imports}new HttpServerTest("a", { testName: "a", url: "https://a.example.com" });\n`,
    });
    const { code, report } = await bench.migrate();
    expect([code, report.state, report.next]).toEqual([0, "done", []]);
  });

  test("`migrate labels` restores the files if the user interrupts the preview", async () => {
    const bench = await benches.of(small());
    const files = bench.files;
    const run = await bench.interruptedAt(2, "--key", "team");
    expect(run.code).toBe(130);
    expect(bench.files).toEqual(files);
  });

  test("`migrate labels` reverts an edit that changes another resource", async () => {
    const counted = `let n = 0;\nconst nth = () => \`N\${(n += 1)}\`;\nnew Label("odd", { name: nth(), ${windows} });\n`;
    const bench = await benches.of(small(counted));
    const { code, report } = await bench.migrate("--key", "team");
    expect([code, changesIn(report)]).toEqual([2, ["create office"]]);
    expect(report.left.map(({ name, reason }) => `${name}: ${reason}`)).toEqual(["odd: the edited program would update it"]);
    expect(bench.steps().filter(({ op }) => op !== "same")).toHaveLength(1);
  });

  test("`migrate labels` fails if the service does not answer", async () => {
    const bench = await benches.of(small());
    expect(await bench.without(() => failed(bench, "--key", "team"))).toMatch(
      /^1 .*(could not be read|cannot be reached|failed)/,
    );
  });

  test("`migrate labels` fails without a stack or a project", async () => {
    const bench = await benches.of(small());
    expect(await failed(bench, "--stack", "prod")).toMatch(/^1 .*has no stack prod/);
    const run = await runCommand(["migrate", "labels"]);
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining("There is no Pulumi.yaml")]);
  });

  test.each([
    [[], "Missing argument. Expected: labels"],
    [["tests"], 'Unknown argument "tests". Expected: labels'],
    [["label", "--json"], 'Unknown argument "label" (did you mean labels?). Expected: labels'],
  ])("`migrate labels` reports a mistake in the command line %j", async (args, message) => {
    const run = await runCommand(["migrate", ...args]);
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining(message)]);
  });
});

describe("the migration step for tests", () => {
  test("`migrate labels` skips protected tests and reports their positions in the program", async () => {
    const files = small();
    const bench = await benches.of(files);
    const { id } = await api("POST", "/v7/endpoint/labels", { name: "Foreign", matchType: "and", filters: [] });
    bench.write(
      "index.ts",
      `${bench.files["index.ts"]}${labelText("lab")}${testText("foreign", `["${id}"]`)}${testText("mixed", `["${id}", lab.id]`)}${labelText("room")}${testText("safe", "[room.id]")}${testText("near", "[room.id]")}`,
    );
    bench.protectedNames.add("safe");
    await bench.up();
    await bench.migrate("--key", "team");
    await bench.up();
    const { code, report } = await bench.migrate();
    expect([code, changesIn(report)]).toEqual([2, ["replace portal"]]);
    expect(
      report.left.map(({ name, position, reason }) => `${name} ${position?.file}:${position?.line} ${reason.split(":")[0]}`),
    ).toEqual([
      `foreign index.ts:8 selects by label ${id}, which this stack does not manage`,
      `mixed index.ts:9 selects by label ${id}, which this stack does not manage`,
      "safe index.ts:12 is protected, but would be replaced",
      "near index.ts:13 selects by label room, which is also used by test safe, which does not change",
    ]);
    expect(report.left[2]?.advice).toContain("run `pulumi state unprotect --yes");
  });

  test("`migrate labels` prints the commands that set and remove the setting replaceOrder", async () => {
    const command = (words: string): string => `pulumi config ${words} --stack dev`;
    const bench = await benchAfter(1);
    const { report } = await bench.migrate("--dry-run");
    expect(report.next[0]).toContain(command("set endpoint-monitoring:replaceOrder create-first"));
    bench.configuration["endpoint-monitoring:replaceOrder"] = "create-first";
    const { report: then } = await bench.migrate();
    expect(then.next[0]).toContain("created before the old one is deleted");
    expect(then.next[0]).toContain(command("rm endpoint-monitoring:replaceOrder"));
  });

  test("`migrate labels` does not migrate a label and its tests if the label's id is a stack output", async () => {
    const both = `const ids = [office.id];\n${testText("a", "ids")}${testText("b", "ids")}export const shown = ids;\n`;
    const bench = await benchAfter(1, { "index.ts": `${imports}${labelText("office")}${both}` });
    bench.outputs = { shown: [idOf(bench, "Label::office")] };
    const { code, report } = await bench.migrate();
    expect([code, report.state]).toEqual([2, "blocked"]);
    expect(report.left[0]).toMatchObject({ name: "a", position: { file: "index.ts", line: 4 } });
    // The advice does not repeat that the label is in use.
    expect(report.left.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(report.left[0]?.reason).toBe("selects by label office, which is also in the stack's output shown");
  });

  test("`migrate labels` does not migrate the tests of a label that another resource uses", async () => {
    const bench = await benchAfter(1, small(`${labelText("lab")}${testText("vpn", "[lab.id]")}`));
    bench.outputs = { lab: { urn: "urn", id: idOf(bench, "Label::lab") } };
    const from = [...bench.state.keys()].find((urn) => urn.endsWith("Label::office")) ?? "";
    const urn = "urn:pulumi:dev::test::test:index:Thing::thing";
    bench.foreign.push({ urn, type: "test:index:Thing", propertyDependencies: { label: [from] } });
    const { report } = await bench.migrate();
    expect(changesIn(report)).toEqual(["replace vpn"]);
    expect(report.left).toMatchObject([{ name: "portal", reason: "selects by label office, which is also used by thing" }]);
  });

  test("`migrate labels` does not migrate a test that shares a selector constant with an unmigrated test", async () => {
    const selecting = (name: string, label: string): string =>
      testText(name, `[${label}.id]`).replace('"agent-labels"', "selector");
    const bench = await benches.of(
      small(`const selector = "agent-labels";\n${labelText("lab")}${selecting("t", "office")}${selecting("u", "lab")}`),
      ["u"],
    );
    await bench.migrate("--key", "team");
    await bench.up();
    const { report } = await bench.migrate();
    expect(report.left.map(({ name, reason }) => `${name} ${reason}`)).toEqual([
      "portal selects by label office, which is also used by test t, which does not change",
      "t selects by a shared value, which is also used by test u, which does not change",
      "u is protected, but would be replaced",
    ]);
  });

  test("`migrate labels` does not migrate a test that would then select different agents", async () => {
    const chosen = testText("odd", "[office instanceof Label ? office.id : lab.id]");
    const bench = await benchAfter(1, small(`${labelText("lab")}${testText("vpn", "[lab.id]")}${chosen}`));
    const { code, report } = await bench.migrate();
    expect([code, report.state, changesIn(report)]).toEqual([2, "written", ["replace vpn"]]);
    expect(report.left.map(({ name, reason }) => `${name} ${reason.replace(/\[.*\]/, "…")}`)).toEqual([
      "portal selects by label office, which is also used by test odd, which does not change",
      "odd the edited program declares another value: its tagIds would be …",
    ]);
  });

  test("`migrate labels` does not migrate a test that selects a label by a literal id", async () => {
    const bench = await benchAfter(1);
    const text = `["${idOf(bench, "Label::office")}"]`;
    bench.write("index.ts", `${bench.files["index.ts"]}`.replace("[office.id]", text));
    const { report } = await bench.migrate();
    expect(report.left.map(({ reason }) => reason)).toEqual(["selects by label ids that are text in the program"]);
  });
});

describe("agents of migrated tests", () => {
  const labels = `${labelText("office")}new Label("x", { name: "x", ${windows} });
const wild = new Label("wild", { name: "wild", matchType: "and", filters: [{ key: "hostname", values: ["*"] }] });
const lower = new Label("lower", { name: "lower", matchType: "and", filters: [{ key: "platform", values: ["linux"] }] });
`;

  test("the review compares the agents of each test before and after the migration", async () => {
    const tests = [
      ["exact", "[office.id]"],
      ["wild", "[wild.id]"],
      ["several", "[office.id, wild.id]"],
    ] as const;
    const bench = await benchAfter(1, {
      "index.ts": `${imports}${labels}${tests.map(([name, of]) => testText(name, of)).join("")}`,
    });
    const { report } = await bench.migrate();
    const reaches = (report.review?.resources ?? []).map(({ name, reach }): [string, unknown] => {
      return [name, [reach?.before?.count, reach?.after?.count, reach?.after?.unclear, reach?.gained, reach?.lost]];
    });
    expect(Object.fromEntries(reaches)).toEqual({
      exact: [3, 3, undefined, undefined, undefined],
      wild: [6, 0, 6, undefined, undefined],
      several: [6, 0, 6, undefined, undefined],
    });
  });

  test("the review reports agents that a changed tag rule adds or removes", async () => {
    const bench = await benchAfter(1, { "index.ts": `${imports}${labels}${testText("exact", "[office.id]")}` });
    const edited = bench.files["index.ts"]?.replace(/(new EndpointAgentTag\("office".*key: "platform")/, '$1, mode: "not-in"');
    bench.write("index.ts", edited ?? "");
    const tag = [...bench.state.values()].find(({ urn }) => urn.endsWith("Tag::office"));
    const filters = [{ key: "platform", mode: "not-in", scope: "default", values: ["windows"] }];
    const path = `/v7/tags/${tag?.id}`;
    const { key, value, color, icon, matchType } = tag?.outputs ?? {};
    const fixed = { objectType: "endpoint-agent", type: "dynamic", accessType: "all" };
    await api("PUT", path, { key, value, color, icon, matchType, filters, ...fixed });
    Object.assign(tag ?? {}, { inputs: { ...tag?.inputs, filters }, outputs: { ...tag?.outputs, filters } });
    const { report } = await bench.migrate();
    expect(report.review?.resources).toMatchObject([{ name: "exact", reach: { gained: { count: 3 }, lost: { count: 3 } } }]);
  });
});

describe("the migration step for labels", () => {
  test("`migrate labels` does not delete a label that an unmanaged test uses", async () => {
    const bench = await benchAfter(2, small(labelText("lab")));
    const label = [...bench.state.values()].find(({ urn }) => urn.endsWith("Label::office"))?.id ?? "";
    const path = "/v7/endpoint/tests/scheduled-tests/http-server";
    const body = {
      testName: "Theirs",
      url: "https://x.example.com",
      agentSelectorType: "agent-labels",
      endpointAgentLabels: [label],
    };
    await api("POST", path, body);
    const { code, report } = await bench.migrate();
    expect([code, changesIn(report)]).toEqual([2, ["delete lab"]]);
    expect(report.left).toMatchObject([
      { name: "office", reason: expect.stringMatching(/is used by test Theirs \(\d+\)/) as string },
    ]);
    expect(await bench.up()).toEqual(["delete label lab"]);
  });

  test("`migrate labels` prints the command that unprotects a protected label", async () => {
    const bench = await benches.of(small(), ["office"]);
    for (let i = 0; i < 2; i += 1) {
      await bench.migrate("--key", "team");
      await bench.up();
    }
    const { report } = await bench.migrate();
    expect(report.left).toMatchObject([
      { name: "office", advice: expect.stringContaining("pulumi state unprotect") as string },
    ]);
  });

  test("`migrate labels` requires --allow-shared to delete a label that may also be a tag", async () => {
    const bench = await benchAfter(2);
    const label = [...bench.state.values()].find(({ urn }) => urn.endsWith("Label::office"))?.id ?? "";
    const tag = [...bench.state.values()].find(({ urn }) => urn.endsWith("Tag::office"))?.id ?? "";
    await api("PATCH", `/_emulator/records/tags/${tag}`, { legacyId: Number(label) });
    const { code, report } = await bench.migrate();
    expect([code, report.state]).toEqual([2, "blocked"]);
    expect(report.shared).toEqual([{ label: "office", labelId: label, tagId: tag }]);
    expect(report.left[0]?.reason).toContain("deleting the label may delete the tag");
    const allowed = await bench.migrate("--allow-shared");
    expect([allowed.code, changesIn(allowed.report)]).toEqual([0, ["delete office"]]);
  });
});

test("`migrate labels` reports alert rules and streams that use a replaced test or deleted label", async () => {
  const bench = await benchAfter(1);
  const { alertRules, streams } = otherAreas;
  const rule = { ...alertRules.body, ruleName: "Portal down", testIds: [idOf(bench, "Test::portal")] };
  await api("POST", alertRules.path, rule);
  await api("POST", streams.path, { name: "siem", endpointAgentLabel: [{ id: idOf(bench, "Label::office") }] });
  const referrers = ({ review }: MigrationReport): string[] =>
    (review?.resources ?? []).flatMap(({ references = [] }) => references.map(({ name }) => name));
  expect(referrers((await bench.migrate("--dry-run")).report)).toEqual(["Portal down"]);
  await bench.migrate();
  await bench.up();
  expect(referrers((await bench.migrate("--dry-run")).report)).toEqual(["siem"]);
});

test("`migrate labels` prints the report of each step", async () => {
  const bench = await benches.of(small(testText("vpn", "[office.id]")));
  const { text } = await bench.read("--key", "team");
  expect(text).toMatchSnapshot("tags");
  await bench.up();
  expect((await bench.read()).text).toMatchSnapshot("tests");
  await bench.up();
  expect((await bench.read()).text).toMatchSnapshot("labels");
});
