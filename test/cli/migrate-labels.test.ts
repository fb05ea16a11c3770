/** `migrate labels` beside an engine that runs the program in this process, against the emulator: every way to stop. */
import { runCommand } from "../support/command";
import { otherAreas } from "../support/kinds";
import { inState } from "./drift-support";
import { imports, labelText, testText, throughAll, useBenches, windows } from "./migrate-programs";
import type { MigrationBench } from "./migrate-support";

const benches = useBenches();

/** Calls the service behind the stack's back. */
async function api(method: string, path: string, body?: object): Promise<{ id: string }> {
  const headers = { authorization: "Bearer emulator-token", "content-type": "application/json" };
  const answer = await fetch(benches.emulator.url + path, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { id: string };
}

/** A label and a test of it, with more after them. */
function small(more = ""): Record<string, string> {
  return { "index.ts": `${imports}${labelText("office")}${testText("portal", "[office.id]")}${more}` };
}

/** A bench that has taken some steps. */
async function benchAfter(steps: number, files = small()): Promise<MigrationBench> {
  const bench = await benches.of(files);
  for (let i = 0; i < steps; i += 1) {
    const { report, stderr } = await bench.migrate("--key", "team");
    if (report?.state !== "written") throw new Error(stderr);
    await bench.up();
  }
  return bench;
}

/** A run that wrote nothing: its exit code and what it said. */
async function failed(bench: MigrationBench, ...args: string[]): Promise<string> {
  const files = bench.files;
  const { code, stderr } = await bench.migrate(...args);
  expect(bench.files).toEqual(files);
  return `${code} ${stderr.trimEnd().split("\n").at(-1)}`;
}

describe("how tags are called", () => {
  test("writes key and value by templates, and copies a color that is set", async () => {
    const label = `const office = new Label("office", {\n  name: "Office 'A'",\n  color: "#3366cc",\n  ${windows},\n});\n`;
    const bench = await benches.of({ "index.ts": `${imports}// All of them.\n${label}${labelText("lab", "it's ${x}")}` });
    const { report } = await bench.migrate("--key", "site {name}", "--value", "`{name}`");
    expect(report.tags).toEqual([
      { name: "office", key: "site Office 'A'", value: "`Office 'A'`" },
      { name: "lab", key: "site it's ${x}", value: "`it's ${x}`" },
    ]);
    await bench.up();
    const tags = [...bench.state.values()].filter(({ type }) => type.endsWith("EndpointAgentTag"));
    expect(tags.map(({ outputs }) => [outputs?.["value"], outputs?.["color"]])).toEqual([
      ["`Office 'A'`", "#3366cc"],
      ["`it's ${x}`", "#A7EB10"],
    ]);
    expect(bench.files["index.ts"]).toContain(
      `new EndpointAgentTag("office", {\n  key: "site Office 'A'", value: "\`Office 'A'\`",\n`,
    );
  });

  test("a name that is worked out becomes a template", async () => {
    const loop = `for (const site of ["Oslo"]) new Label(\`l-\${site}\`, { name: \`Site \${site}\`, ${windows} });\n`.replace(
      'for (const site of ["Oslo"]) new',
      'for (const site of ["Oslo"]) {\n  new',
    );
    const bench = await benches.of({ "index.ts": `${imports}${loop}}\n` });
    const { report } = await bench.migrate("--key", "site", "--value", "{name}!");
    expect(report).toMatchObject({ state: "written", tags: [{ key: "site", value: "Site Oslo!" }] });
    expect(bench.files["index.ts"]).toContain("value: `${`Site ${site}`}!`");
  });

  test("a key has to be given, once there is a tag to write", async () => {
    const bench = await benches.of(small());
    expect(await failed(bench)).toMatch(/^1 .*The tags need a key.*migrate labels --key team/);
    expect((await bench.migrate("--key", "team")).report.state).toBe("written");
  });

  test.each([
    ["--key", "{nom}", "--key knows {name} alone"],
    ["--key", " ", "--key takes a text"],
    ["--step", "all", "--step takes tags, tests, labels"],
  ])("%s %s is refused", async (option, value, message) => {
    expect(await failed(await benches.of(small()), option, value)).toContain(message);
  });

  test("two labels of one name, and a tag that is there already, are reported before anything is written", async () => {
    const bench = await benches.of({
      "index.ts": `${imports}${labelText("a", "Lab")}${labelText("b", "Lab")}${labelText("c")}`,
    });
    const { id } = await api("POST", "/v7/tags", {
      key: "team",
      value: "c",
      objectType: "test",
      accessType: "all",
    });
    const said = await failed(bench, "--key", "team");
    expect(said).toContain('"team": "Lab" would be the tag of a and b');
    expect(said).toContain(`"team": "c" of c exists already: tag ${id}, for objects of type test`);
    expect((await bench.migrate("--key", "team {name}", "--value", "yes")).code).toBe(1);
    expect((await bench.migrate("--key", "kind", "--value", "{name}")).code).toBe(1);
  });

  test("leaves labels that cannot become tags, each with advice, and writes the others", async () => {
    const odd = [
      `new Label("empty", { name: "Empty", matchType: "and", filters: [] });`,
      `new Label("blank", { name: " ", ${windows} });`,
      `new Label("control", { name: "a\\u0007b", ${windows} });`,
      `const argsOf = () => ({ name: "Given", matchType: "and", filters: [{ key: "platform", values: ["Mac"] }] });\nnew Label("given", argsOf());`,
    ];
    const bench = await benches.of(small(odd.join("\n")));
    const { code, report } = await bench.migrate("--key", "team");
    expect([code, report.tags.map(({ name }) => name)]).toEqual([2, ["office"]]);
    expect(report.left.map(({ name, position, reason }) => `${name} ${position?.line} ${reason}`)).toEqual([
      "empty 5 has no filter, and a tag needs one",
      "blank 6 has a name that makes an empty value",
      "control 7 has a name with a control character, which would be in the value",
      "given 9 has arguments that the program does not show",
    ]);
    const given = report.left.find(({ name }) => name === "given");
    expect(given?.advice).toContain('write new EndpointAgentTag("given", { key: "team", value: "Given", matchType: "and"');
  });

  test("names that the program does not show are those of the last update, else their labels are left", async () => {
    const sites = 'const sites = JSON.parse(\'["Oslo", "Rome"]\') as string[];\n';
    const loop = `for (const site of sites) {\n  const label = new Label(site, { name: site, ${windows} });\n  ${testText("`t-${site}`", "[label.id]")}}\n`;
    const bench = await benches.of(small(sites + loop));
    const { code, report } = await bench.migrate("--key", "team", "--dry-run");
    expect([code, report.tags.map(({ name }) => name)]).toEqual([2, ["office"]]);
    expect(report.left.map(({ name, reason }) => `${name} ${reason}`)).toEqual([
      "undefined has a name that the program computes",
      "Oslo is declared where the program does not show it",
      "Rome is declared where the program does not show it",
    ]);
    const line = bench.files["index.ts"]?.split("\n").findIndex((one) => one.includes("const label =")) ?? 0;
    const column = `index.ts#${line + 1},17`;
    Object.assign(bench.positions, { Oslo: column, Rome: column });
    const other = await bench.migrate("--key", "team");
    expect([other.code, other.report.tags.map(({ name }) => name)]).toEqual([0, ["office", "Oslo", "Rome"]]);
    expect(await bench.up()).toHaveLength(3);
  });

  test("a tag that a person wrote by hand is found by its name", async () => {
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

describe("where it stops", () => {
  test("a second run before the update writes nothing, and reports the waiting changes", async () => {
    const bench = await benches.of(small());
    await bench.migrate("--key", "team");
    const files = bench.files;
    const { code, report } = await bench.migrate("--key", "team");
    expect([code, report.state, report.files]).toEqual([0, "waiting", []]);
    expect(report.pending.map(({ op, name }) => `${op} ${name}`)).toEqual(["create office"]);
    expect(bench.files).toEqual(files);
  });

  test("a step that is done is done", async () => {
    const bench = await benchAfter(1);
    const files = bench.files;
    const { code, report } = await bench.migrate("--step", "tags");
    expect([code, report.state, report.step]).toEqual([0, "done", "tags"]);
    expect(bench.files).toEqual(files);
  });

  test("a dry run writes nothing, and reports the step", async () => {
    const bench = await benches.of(small());
    const files = bench.files;
    const { code, report } = await bench.migrate("--key", "team", "--dry-run");
    expect([code, report.state, report.files, report.tags.length]).toEqual([0, "planned", ["index.ts"], 1]);
    expect(bench.files).toEqual(files);
  });

  test("tests do not come before the tags of their labels", async () => {
    const { code, report } = await (await benches.of(small())).migrate("--step", "tests");
    expect([code, report.state]).toEqual([2, "blocked"]);
    expect(report.left.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/selects by label \d+, which has no tag yet$/),
    ]);
  });

  test("nothing to do", async () => {
    const bench = await benches.of({
      "index.ts": `${imports}new HttpServerTest("a", { testName: "a", url: "https://a.example.com" });\n`,
    });
    const { code, report } = await bench.migrate();
    expect([code, report.state, report.next]).toEqual([0, "done", []]);
  });

  test("puts the files back if the user interrupts the preview", async () => {
    const bench = await benches.of(small());
    const files = bench.files;
    const run = await bench.interruptedAt(2, "--key", "team");
    expect(run.code).toBe(130);
    expect(bench.files).toEqual(files);
  });

  test("puts an edit back if it declares something else, and writes the others", async () => {
    const counted = `let n = 0;\nconst nth = () => \`N\${(n += 1)}\`;\nnew Label("odd", { name: nth(), ${windows} });\n`;
    const bench = await benches.of(small(counted));
    const { code, report } = await bench.migrate("--key", "team");
    expect([code, report.tags.map(({ name }) => name)]).toEqual([2, ["office"]]);
    expect(report.left.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
      'odd: the edited program declares it otherwise: its value would be "N2"',
    ]);
    expect(bench.steps().filter(({ op }) => op !== "same")).toHaveLength(1);
  });

  test("the service does not answer", async () => {
    const bench = await benches.of(small());
    expect(await bench.without(() => failed(bench, "--key", "team"))).toMatch(
      /^1 .*(could not be read|cannot be reached|failed)/,
    );
  });

  test("there is no stack, and no project", async () => {
    const bench = await benches.of(small());
    expect(await failed(bench, "--stack", "prod")).toMatch(/^1 .*has no stack prod/);
    const run = await runCommand(["migrate", "labels"]);
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining("There is no Pulumi.yaml")]);
  });

  test.each([
    [[], "A word is missing: labels"],
    [["tests"], 'It takes labels, not "tests"'],
    [["label", "--json"], 'It takes labels, not "label" (did you mean labels?)'],
  ])("the command line %j", async (args, message) => {
    const run = await runCommand(["migrate", ...args]);
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining(message)]);
  });
});

describe("tests", () => {
  test("leaves tests that select by an id or are protected, and those of the same label, each with its place", async () => {
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
    expect([code, report.replaced.map(({ name }) => name)]).toEqual([2, ["portal"]]);
    expect(
      report.left.map(({ name, position, reason }) => `${name} ${position?.file}:${position?.line} ${reason.split(":")[0]}`),
    ).toEqual([
      `foreign index.ts:8 selects by label ${id}, which this stack does not manage`,
      `mixed index.ts:9 selects by label ${id}, which this stack does not manage`,
      "safe index.ts:12 is protected, and would be replaced",
      "near index.ts:13 selects by label room, which test safe selects by too, and stays",
    ]);
    expect(report.left[2]?.advice).toContain("run `pulumi state unprotect --yes");
  });

  test("--create-first creates new tests first, and without it the report names the command", async () => {
    const bench = await benchAfter(1);
    const { report } = await bench.migrate("--create-first");
    expect(bench.configuration).toEqual({ "endpoint-monitoring:replaceOrder": "create-first" });
    expect(report.next[0]).toContain("created before the old one is deleted");
    benches.emulator.reset();
    const other = await benchAfter(1, small());
    expect((await other.migrate()).report.next[0]).toContain(
      "pulumi config set endpoint-monitoring:replaceOrder create-first --stack dev",
    );
    expect(other.configuration).toEqual({});
  });

  test("a label that only one of two uses of a constant migrates stays", async () => {
    const both = `const ids = [office.id];\n${testText("a", "ids")}${testText("b", "ids")}export const shown = ids;\n`;
    const bench = await benchAfter(1, { "index.ts": `${imports}${labelText("office")}${both}` });
    const { code, report } = await bench.migrate();
    expect([code, report.state]).toEqual([2, "blocked"]);
    expect(report.left[0]).toMatchObject({ name: "a", position: { file: "index.ts", line: 8 } });
    // That the label is in use goes without saying.
    expect(report.left.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(report.left[0]?.reason).toBe("selects by label office, which is used in the program");
  });
});

describe("agents of tests", () => {
  const labels = `${labelText("office")}new Label("x", { name: "x", ${windows} });
const wild = new Label("wild", { name: "wild", matchType: "and", filters: [{ key: "hostname", values: ["*"] }] });
const lower = new Label("lower", { name: "lower", matchType: "and", filters: [{ key: "platform", values: ["linux"] }] });
`;

  test("the same, the same if tags read values as labels do, or it cannot be determined", async () => {
    const tests = [
      ["exact", "[office.id]"],
      ["wild", "[wild.id]"],
      ["several", "[office.id, wild.id]"],
    ] as const;
    const bench = await benches.of({
      "index.ts": `${imports}${labels}${tests.map(([name, of]) => testText(name, of)).join("")}`,
    });
    const { report } = await bench.migrate("--key", "team");
    const told = report.tests.map(({ name, verdict, selected, why }) => [name, verdict, selected, why]);
    expect(told).toEqual([
      ["exact", "same", 3, undefined],
      ["wild", "same-if", 6, undefined],
      ["several", "unknown", 6, "it selects by several tags, and whether agents need one or all of them is not known"],
    ]);
  });

  test("another rule of the tag is a difference, with the agents", async () => {
    const bench = await benchAfter(1, { "index.ts": `${imports}${labels}${testText("exact", "[office.id]")}` });
    const edited = bench.files["index.ts"]?.replace(/(new EndpointAgentTag\("office".*key: "platform")/, '$1, mode: "not-in"');
    bench.write("index.ts", edited ?? "");
    const tag = [...bench.state.values()].find(({ urn }) => urn.endsWith("Tag::office"));
    Object.assign(tag ?? {}, {
      inputs: { ...tag?.inputs, filters: [{ key: "platform", mode: "not-in", scope: "default", values: ["windows"] }] },
    });
    Object.assign(tag ?? {}, { outputs: { ...tag?.outputs, filters: tag?.inputs?.["filters"] } });
    const { report } = await bench.migrate();
    expect(report.tests).toMatchObject([{ name: "exact", verdict: "differ", selected: 3 }]);
    expect([report.tests[0]?.lost.length, report.tests[0]?.gained.length]).toEqual([3, 3]);
  });
});

describe("labels", () => {
  test("a label that a test of others uses is left, with the test", async () => {
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
    expect([code, report.labels]).toEqual([2, ["lab"]]);
    expect(report.left).toMatchObject([
      { name: "office", reason: expect.stringMatching(/is used by test Theirs \(\d+\)/) as string },
    ]);
    expect(await bench.up()).toEqual(["delete label lab"]);
  });

  test("a label that another stack manages too is left", async () => {
    const bench = await benchAfter(2);
    const label = [...bench.state.values()].find(({ urn }) => urn.endsWith("Label::office"));
    bench.others["prod"] = [inState("label", "office", {}, { id: label?.id })];
    const { code, report } = await bench.migrate();
    expect([code, report.state, report.otherStacks]).toEqual([2, "blocked", ["prod"]]);
    expect(report.left).toMatchObject([{ name: "office", reason: "is managed by stack prod, too" }]);
  });

  test("labels stay as long as tests of another stack of the program select by its own", async () => {
    const bench = await benchAfter(2);
    const inputs = { agentSelectorType: "agent-labels", endpointAgentLabels: ["7"] };
    bench.others["prod"] = [
      inState("label", "office", {}, { id: "7" }),
      inState("httpServerTest", "portal", {}, { id: "8", inputs }),
    ];
    const { report } = await bench.migrate();
    expect(report.left).toMatchObject([{ name: "office", advice: "run `pulumi up --stack prod`, then this again" }]);
    bench.others["prod"] = [inState("label", "office", {}, { id: "7" })];
    expect((await bench.migrate()).report.labels).toEqual(["office"]);
  });

  test("a label that the program uses for something else stays with its tests, and is reported with the place", async () => {
    const bench = await benchAfter(
      1,
      small(`export const officeId = office.id;\n${labelText("lab")}${testText("vpn", "[lab.id]")}`),
    );
    const { report } = await bench.migrate();
    const reason = "selects by label office, which is used in the program";
    expect(report.left).toMatchObject([{ name: "portal", reason, position: { file: "index.ts", line: 6 } }]);
    expect(report.replaced.map(({ name }) => name)).toEqual(["vpn"]);
    await bench.up();
    expect((await bench.migrate()).report.labels).toEqual(["lab"]);
  });

  test("a protected label is left, with the command", async () => {
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

  test("a label that may be a tag underneath is deleted only when that is allowed", async () => {
    const bench = await benchAfter(2);
    const label = [...bench.state.values()].find(({ urn }) => urn.endsWith("Label::office"))?.id ?? "";
    const tag = [...bench.state.values()].find(({ urn }) => urn.endsWith("Tag::office"))?.id ?? "";
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ legacyId: Number(label) });
    const changed = await fetch(`${benches.emulator.url}/_emulator/records/tags/${tag}`, { method: "PATCH", headers, body });
    expect(changed.ok).toBe(true);
    const { code, report } = await bench.migrate();
    expect([code, report.state]).toEqual([2, "blocked"]);
    expect(report.shared).toEqual([{ label: "office", labelId: label, tagId: tag, key: "team", value: "office" }]);
    expect(report.left[0]?.reason).toContain("deleting it might delete the tag");
    const allowed = await bench.migrate("--allow-shared");
    expect([allowed.code, allowed.report.labels]).toEqual([0, ["office"]]);
  });
});

test("reports the alert rules and streams that name a replaced test or a deleted label", async () => {
  const bench = await benchAfter(1);
  const idOf = (name: string): string => [...bench.state.values()].find(({ urn }) => urn.endsWith(name))?.id ?? "";
  const { alertRules, streams } = otherAreas;
  const rule = { ...alertRules.body, ruleName: "Portal down", testIds: [idOf("Test::portal")] };
  await api("POST", alertRules.path, rule);
  await api("POST", streams.path, { name: "siem", endpointAgentLabel: [{ id: idOf("Label::office") }] });
  const { report } = await bench.migrate("--dry-run");
  expect(report.references).toEqual([
    'HTTP-server test "portal": 1 alert rule names this test and will lose it: "Portal down"',
  ]);
  await bench.migrate();
  await bench.up();
  const last = await bench.migrate("--dry-run");
  expect(last.report.references).toEqual(['label "office": 1 stream names this label and will lose it: "siem"']);
});

test("the report for people", async () => {
  const bench = await benches.of(small(testText("vpn", "[office.id]")));
  const { text } = await bench.read("--key", "team");
  expect(text).toMatchSnapshot("tags");
  await bench.up();
  expect((await bench.read()).text).toMatchSnapshot("tests");
  await bench.up();
  expect((await bench.read()).text).toMatchSnapshot("labels");
});
