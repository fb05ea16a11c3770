/** Runs `migrate labels` on programs of every shape, with an engine that runs them in this process. */
import { agentsOf, imports, labelText, testText, throughAll, useBenches, windows } from "../cli/migrate-programs";

const benches = useBenches();

const shapes: Record<string, Record<string, string>> = {
  "constants of one file": {
    "index.ts": `${imports}${labelText("office")}${labelText("lab")}${testText("portal", "[office.id]")}${testText("vpn", "[lab.id, office.id]")}`,
  },
  "constants of another file, one of them used twice": {
    "index.ts": 'import "./labels";\nimport "./tests";\n',
    "labels.ts": `import { Label } from "pulumi-endpoint-monitoring";\n\nexport ${labelText("office")}export ${labelText("lab")}`,
    "tests.ts": `import { HttpServerTest } from "pulumi-endpoint-monitoring";\nimport { lab, office } from "./labels";\n\n${testText("a", "[office.id]")}${testText("b", "[office.id, lab.id]")}`,
  },
  "namespace imports of the package and of a file": {
    "index.ts": `import * as em from "pulumi-endpoint-monitoring";\nimport * as labels from "./labels";\n\n${testText("a", "[labels.office.id]").replace("new ", "new em.")}`,
    "labels.ts": `import * as em from "pulumi-endpoint-monitoring";\n\nexport ${labelText("office").replace("new ", "new em.")}`,
  },
  "a loop that declares a label and its test": {
    "index.ts": `${imports}for (const site of ["Oslo", "Rome"]) {\n  const label = new Label(\`label-\${site}\`, { name: site, ${windows} });\n  ${testText("`test-${site}`", "[label.id]")}}\n`,
  },
  "a table of labels": {
    "index.ts": `${imports}const labels = {\n  office: new Label("office", { name: "Office", ${windows} }),\n  lab: new Label("lab", { name: "Lab", ${windows} }),\n};\n${testText("a", "[labels.office.id]")}${testText("b", "[labels.lab.id, labels.office.id]")}`,
  },
  "a table that a loop fills": {
    "index.ts": `${imports}const labels: Record<string, Label> = {};\nfor (const site of ["Oslo", "Rome"]) {\n  labels[site] = new Label(site, { name: site, ${windows} });\n}\n${testText("a", "[labels.Oslo.id]")}`,
  },
  "a list that is filled when the program runs": {
    "index.ts": `${imports}const labels: Label[] = [];\nlabels.push(new Label("own", { name: "own", ${windows} }));\nfor (const label of labels) ${testText("a", "[label.id]")}`,
  },
  "a list that a callback returns": {
    "index.ts": `${imports}const labels = ["Oslo", "Rome"].map((site) => new Label(site, { name: site, ${windows} }));\n${testText("a", "labels.map((label) => label.id)")}`,
  },
  "a function that declares a label": {
    "index.ts": `${imports}function makeLabel(name: string) {\n  return new Label(name, { name, ${windows} });\n}\nconst office = makeLabel("Office");\nconst lab = makeLabel("Lab");\n${testText("a", "[office.id, lab.id]")}`,
  },
  "a function that declares a label and its test": {
    "index.ts": `${imports}function site(name: string) {\n  const label = new Label(\`label-\${name}\`, { name, ${windows} });\n  ${testText("`test-${name}`", "[label.id]")}}\nsite("Oslo");\nsite("Rome");\n`,
  },
  "a function that declares a test for a label": {
    "index.ts": `${imports}${labelText("office")}function testFor(name: string, label: Label) {\n  ${testText("`test-${name}`", "[label.id]")}}\ntestFor("a", office);\ntestFor("b", office);\n`,
  },
  "constants between labels and tests": {
    "index.ts":
      `${imports}${labelText("office")}${labelText("lab")}const everywhere = [office.id, lab.id];\nconst common = { agentSelectorType: "agent-labels", endpointAgentLabels: everywhere } as const;\nnew HttpServerTest("a", { testName: "a", url: "https://a.example.com", ...common });\nnew HttpServerTest("b", { testName: "b", url: "https://b.example.com", ...common });\n`.replace(
        " as const",
        "",
      ),
  },
  "constants that another file passes on": {
    "index.ts": `import { HttpServerTest } from "pulumi-endpoint-monitoring";\nimport { office } from "./all";\n\n${testText("a", "[office.id]")}`,
    "all.ts": `export { office } from "./labels";\n`,
    "labels.ts": `import { Label } from "pulumi-endpoint-monitoring";\n\n${labelText("office")}export { office };\n`,
  },
  "a function with a copy that would get a name in use": {
    "index.ts": `${imports}const makeTag = "a text";\nconst makeLabel = (name: string) => new Label(name, { name, ${windows} });\nconst label = makeLabel("Office");\n${testText("a", "[label.id]")}console.log(makeTag);\n`,
  },
  "a class that declares a label and its test": {
    "index.ts": `${imports}class Site {\n  constructor(name: string) {\n    const label = new Label(\`label-\${name}\`, { name, ${windows} });\n    ${testText("`test-${name}`", "[label.id]")}  }\n}\nnew Site("Oslo");\nnew Site("Rome");\n`,
  },
  "a label in a private property": {
    "index.ts": `${imports}class Site {\n  constructor(private readonly label: Label) {}\n  test() {\n    ${testText("t", "[this.label.id]")}  }\n}\nnew Site(new Label("own", { name: "own", ${windows} })).test();\n`,
  },
  "a file with an unusual format": {
    "index.ts":
      `${imports}// Who works there.\nconst office: Label = new Label('office', {\n\tname: 'Office', // its name\n\tmatchType: 'and',\n\tfilters: [{ key: 'platform', values: ['windows'] }],\n}) // the first\n\n// Everybody.\n${testText("a", "[office.id /* the office */]")}`
        .replaceAll(";", "")
        .replaceAll("\n", "\r\n"),
  },
  "a list of objects with all arguments of labels": {
    "index.ts": `${imports}const sites = [\n  { key: "oslo", args: { name: "Oslo", ${windows} } },\n  { key: "rome", args: { name: "Rome", ${windows} } },\n];\nfor (const site of sites) {\n  const label = new Label(site.key, site.args);\n  ${testText("`test-${site.key}`", "[label.id]")}}\n`,
  },
  "an object with spread arguments of labels": {
    "index.ts": `${imports}const sites = {\n  oslo: { name: "Oslo", matchType: "and" },\n  rome: { name: "Rome", matchType: "and" },\n};\nconst labels: Record<string, Label> = {};\nfor (const [key, site] of Object.entries(sites)) {\n  labels[key] = new Label(key, { ...site, filters: [{ key: "platform", values: ["windows"] }] });\n}\n${testText("a", "Object.values(labels).map(({ id }) => id)")}${testText("b", "[labels.oslo.id]")}`,
  },
  "a list of objects with the labels of tests": {
    "index.ts": `${imports}${labelText("office")}${labelText("lab")}const tests = [\n  { name: "a", labels: [office.id] },\n  { name: "b", labels: [office.id, lab.id] },\n];\nfor (const one of tests) {\n  ${testText("`${one.name}`", "one.labels")}}\n`,
  },
  "a list of objects with all arguments of tests": {
    "index.ts": `${imports}${labelText("office")}const tests = [\n  { key: "a", args: { testName: "a", url: "https://a.example.com", agentSelectorType: "agent-labels", endpointAgentLabels: [office.id] } },\n  { key: "b", args: { testName: "b", url: "https://b.example.com", agentSelectorType: 'agent-labels', endpointAgentLabels: [office.id] } },\n];\ntests.forEach(({ key, args }) => new HttpServerTest(key, args));\n`,
  },
  "arguments in constants": {
    "index.ts": `${imports}const args = { name: "Office", ${windows} };\nconst office = new Label("office", args, { protect: false, aliases: [{ name: "old" }] });\nconst endpointAgentLabels = [office.id];\nnew HttpServerTest("a", { testName: "a", url: "https://a.example.com", agentSelectorType: "agent-labels", endpointAgentLabels });\n`,
  },
};

describe("programs with an update after each step", () => {
  test.each(Object.keys(shapes))("the command `migrate labels` converts a program with %s", async (shape) => {
    const bench = await benches.of(shapes[shape] ?? {});
    const before = await agentsOf(bench);
    const { programs, updates } = await throughAll(bench);
    expect(await agentsOf(bench)).toEqual(before);
    expect(updates.map((done) => [...new Set(done.map((change) => change.split(" ").slice(0, 2).join(" ")))])).toEqual([
      ["create endpointAgentTag"],
      ["replace httpServerTest"],
      ["delete label"],
    ]);
    const last = JSON.stringify(programs.at(-1))
      .replace("tagIds: endpointAgentLabels", "")
      .replace("const endpointAgentLabels", "");
    expect(last).not.toMatch(/\bLabel\b|endpointAgentLabels|agent-labels/);
    expect(programs.at(-1)).toMatchSnapshot();
    const hasPlainEnds = (files: Record<string, string>): boolean => /(^|[^\r])\n/.test(Object.values(files).join(""));
    expect(hasPlainEnds(programs.at(-1) ?? {})).toBe(hasPlainEnds(shapes[shape] ?? {}));
  });
});

const ownLabel = `new Label("own", { name: "own", ${windows} })`;
const ownVariable = `const own = ${ownLabel};\n`;
const selecting = (selector: string): string =>
  `const selector = ${selector};\nnew HttpServerTest("t", { testName: "t", url: "https://t.example.com", agentSelectorType: selector, endpointAgentLabels: [own.id] });\n`;
const nowhere = "own:3 is declared in a place where no tag can be written next to it";

/** Programs that a step cannot migrate completely: the step before it, and the remaining part. */
const limits: Record<string, [program: string, steps: number, left: string]> = {
  "a label in an expression with a condition": [`const own = false ? undefined : ${ownLabel};\n`, 0, nowhere],
  "a label in an if without a block": [`if (true) ${ownLabel};\n`, 0, nowhere],
  "a label in a loop without a block": [`for (const name of ["own"]) ${ownLabel.replace('"own"', "name")};\n`, 0, nowhere],
  "a label in a member of a class": [`class Site { label = ${ownLabel}; }\nnew Site();\n`, 0, nowhere],
  "a name under a computed key": [
    `const key = "name";\nnew Label("own", { [key]: "own", ${windows} });\n`,
    0,
    "own:4 has an argument with a key in brackets",
  ],
  "a name in an unknown spread": [
    `const rest = JSON.parse('{ "name": "own" }');\nnew Label("own", { ...rest, ${windows} });\n`,
    0,
    "own:4 has no literal name in its arguments",
  ],
  "a computed selector": [
    ownVariable + selecting('["agent", "labels"].join("-")'),
    1,
    "t:6 has an agentSelectorType that is not plain text",
  ],
  "a label of a test that does not migrate": [
    `${ownVariable}${selecting('"agent-labels"')}const ids = (...of: unknown[]) => ({ endpointAgentLabels: of });\nnew HttpServerTest("u", { testName: "u", url: "https://u.example.com", agentSelectorType: selector, ...ids(own.id) });\n`,
    1,
    "t:6 selects by label own, which is also used by test u, which does not change, u:8 has endpointAgentLabels that cannot be read from the program",
  ],
};

test.each(Object.keys(limits))("migrate labels reports why it does not migrate a program with %s", async (limit) => {
  const [program, steps, expected] = limits[limit] ?? ["", 0, ""];
  const bench = await benches.of({ "index.ts": imports + program });
  for (let i = 0; i < steps; i += 1) {
    expect(await bench.migrate("--key", "team")).toMatchObject({ code: 0, report: { state: "written" } });
    await bench.up();
  }
  const { files } = bench;
  const { code, report } = await bench.migrate("--key", "team");
  expect([code, report.state]).toEqual([2, "blocked"]);
  const reported = report.left.map(({ name, position, reason }) => `${name}:${position?.line} ${reason}`);
  expect(reported.toSorted().join(", ")).toBe(expected);
  expect(bench.files).toEqual(files);
});
