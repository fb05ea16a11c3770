/** `migrate labels` takes programs of all shapes through all steps, beside an engine that runs them in this process. */
import { agentsOf, imports, labelText, testText, throughAll, useBenches, windows } from "./migrate-programs";

const benches = useBenches();

const shapes: Record<string, Record<string, string>> = {
  "constants of one file": {
    "index.ts": `${imports}${labelText("office")}${labelText("lab")}${testText("portal", "[office.id]")}${testText("vpn", "[lab.id, office.id]")}`,
  },
  "constants of another file, one of them in use twice": {
    "index.ts": 'import "./labels";\nimport "./tests";\n',
    "labels.ts": `import { Label } from "pulumi-endpoint-monitoring";\n\nexport ${labelText("office")}export ${labelText("lab")}`,
    "tests.ts": `import { HttpServerTest } from "pulumi-endpoint-monitoring";\nimport { lab, office } from "./labels";\n\n${testText("a", "[office.id]")}${testText("b", "[office.id, lab.id]")}`,
  },
  "names of the whole package and of a whole file": {
    "index.ts": `import * as em from "pulumi-endpoint-monitoring";\nimport * as labels from "./labels";\n\n${testText("a", "[labels.office.id]").replace("new ", "new em.")}`,
    "labels.ts": `import * as em from "pulumi-endpoint-monitoring";\n\nexport ${labelText("office").replace("new ", "new em.")}`,
  },
  "a loop that makes a label and its test": {
    "index.ts": `${imports}for (const site of ["Oslo", "Rome"]) {\n  const label = new Label(\`label-\${site}\`, { name: site, ${windows} });\n  ${testText("`test-${site}`", "[label.id]")}}\n`,
  },
  "a table of labels": {
    "index.ts": `${imports}const labels = {\n  office: new Label("office", { name: "Office", ${windows} }),\n  lab: new Label("lab", { name: "Lab", ${windows} }),\n};\n${testText("a", "[labels.office.id]")}${testText("b", "[labels.lab.id, labels.office.id]")}`,
  },
  "a table that a loop fills": {
    "index.ts": `${imports}const labels: Record<string, Label> = {};\nfor (const site of ["Oslo", "Rome"]) {\n  labels[site] = new Label(site, { name: site, ${windows} });\n}\n${testText("a", "[labels.Oslo.id]")}`,
  },
  "a list that a callback makes": {
    "index.ts": `${imports}const labels = ["Oslo", "Rome"].map((site) => new Label(site, { name: site, ${windows} }));\n${testText("a", "labels.map((label) => label.id)")}`,
  },
  "a helper that makes a label": {
    "index.ts": `${imports}function makeLabel(name: string) {\n  return new Label(name, { name, ${windows} });\n}\nconst office = makeLabel("Office");\nconst lab = makeLabel("Lab");\n${testText("a", "[office.id, lab.id]")}`,
  },
  "a helper that makes a label and its test": {
    "index.ts": `${imports}function site(name: string) {\n  const label = new Label(\`label-\${name}\`, { name, ${windows} });\n  ${testText("`test-${name}`", "[label.id]")}}\nsite("Oslo");\nsite("Rome");\n`,
  },
  "a helper that makes a test for a label": {
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
  "a helper, where something else has the name that its copy would get": {
    "index.ts": `${imports}const makeTag = "a text";\nconst makeLabel = (name: string) => new Label(name, { name, ${windows} });\nconst label = makeLabel("Office");\n${testText("a", "[label.id]")}console.log(makeTag);\n`,
  },
  "a class that makes a label and its test": {
    "index.ts": `${imports}class Site {\n  constructor(name: string) {\n    const label = new Label(\`label-\${name}\`, { name, ${windows} });\n    ${testText("`test-${name}`", "[label.id]")}  }\n}\nnew Site("Oslo");\nnew Site("Rome");\n`,
  },
  "a file with its own habits": {
    "index.ts":
      `${imports}// Who works there.\nconst office: Label = new Label('office', {\n\tname: 'Office', // its name\n\tmatchType: 'and',\n\tfilters: [{ key: 'platform', values: ['windows'] }],\n}) // the first\n\n// Everybody.\n${testText("a", "[office.id /* the office */]")}`
        .replaceAll(";", "")
        .replaceAll("\n", "\r\n"),
  },
  "JavaScript of CommonJS in two files": {
    "index.js": `const { HttpServerTest } = require("pulumi-endpoint-monitoring");\nconst { office } = require("./labels");\n\n${testText("a", "[office.id]")}`,
    "labels.js": `const { Label } = require("pulumi-endpoint-monitoring");\n\n${labelText("office")}exports.office = office;\n`,
  },
  "JavaScript that exports an object": {
    "index.js": `const { HttpServerTest } = require("pulumi-endpoint-monitoring");\nconst labels = require("./labels");\n\n${testText("a", "[labels.office.id]")}`,
    "labels.js": `const { Label } = require("pulumi-endpoint-monitoring");\n\n${labelText("office")}module.exports = { office };\n`,
  },
};

describe("every step, and an update after each that does what was announced", () => {
  test.each(Object.keys(shapes))("%s", async (shape) => {
    const bench = await benches.of(shapes[shape] ?? {});
    const before = await agentsOf(bench);
    const { programs, updates } = await throughAll(bench);
    expect(await agentsOf(bench)).toEqual(before);
    expect(updates.map((done) => [...new Set(done.map((one) => one.split(" ").slice(0, 2).join(" ")))])).toEqual([
      ["create endpointAgentTag"],
      ["replace httpServerTest"],
      ["delete label"],
    ]);
    expect(JSON.stringify(programs.at(-1))).not.toMatch(/\bLabel\b|endpointAgentLabels|agent-labels/);
    expect(programs.at(-1)).toMatchSnapshot();
    const hasPlainEnds = (files: Record<string, string>): boolean => /(^|[^\r])\n/.test(Object.values(files).join(""));
    expect(hasPlainEnds(programs.at(-1) ?? {})).toBe(hasPlainEnds(shapes[shape] ?? {}));
  });
});
