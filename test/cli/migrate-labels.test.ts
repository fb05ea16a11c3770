/** `migrate labels` beside an engine that runs the program in this process, against the emulator: every step, and every way to stop. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Emulator, start } from "../../emulator";
import { runCommand } from "../support/command";
import { inState } from "./drift-support";
import { MigrationBench } from "./migrate-support";

let emulator: Emulator;
const benches: MigrationBench[] = [];
beforeAll(async () => {
  emulator = await start({ rateLimit: "off", agents: 12 });
});
afterAll(() => emulator.close());
beforeEach(() => emulator.reset());
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.end();
});

async function benchOf(files: Record<string, string>): Promise<MigrationBench> {
  const bench = new MigrationBench(emulator);
  benches.push(bench);
  return bench.start(files);
}

const windows = 'matchType: "and", filters: [{ key: "platform", values: ["windows"] }]';
const imports = 'import { HttpServerTest, Label } from "pulumi-endpoint-monitoring";\n\n';

function labelText(variable: string, name = variable): string {
  return `const ${variable} = new Label("${variable}", { name: ${JSON.stringify(name)}, ${windows} });\n`;
}

function testText(name: string, labels: string): string {
  const selector = `agentSelectorType: "agent-labels", endpointAgentLabels: ${labels}`;
  return `new HttpServerTest(${name.startsWith("`") ? name : `"${name}"`}, { testName: "T", url: "https://x.example.com", ${selector} });\n`;
}

/** Calls the service behind the stack's back. */
async function api(method: string, path: string, body?: object): Promise<{ id: string }> {
  const headers = { authorization: "Bearer emulator-token", "content-type": "application/json" };
  const answer = await fetch(emulator.url + path, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { id: string };
}

/** Names of the agents that a test selects, as the emulator says. */
async function agentsOf(bench: MigrationBench): Promise<string[]> {
  const tests = [...bench.state.values()].filter(({ type }) => type.endsWith("Test"));
  const lists = tests
    .toSorted((a, b) => (a.urn < b.urn ? -1 : 1))
    .map(async ({ id }) => {
      const answer = await fetch(`${emulator.url}/_emulator/tests/${id}/agents`);
      return JSON.stringify(((await answer.json()) as { selected: unknown }).selected);
    });
  return Promise.all(lists);
}

/** Takes every step, each with its update. @returns the programs after each step, and what each update did */
async function throughAll(bench: MigrationBench): Promise<{ programs: Record<string, string>[]; updates: string[][] }> {
  const programs: Record<string, string>[] = [];
  const updates: string[][] = [];
  for (const step of ["tags", "tests", "labels"]) {
    const { code, report, stderr } = await bench.migrate("--key", "team");
    expect({ code, left: report?.left, stderr: report ? "" : stderr, step: report?.step }).toEqual({
      code: 0,
      left: [],
      stderr: "",
      step,
    });
    programs.push(bench.files);
    updates.push(await bench.up());
    // The next update has nothing to do.
    expect(bench.steps().filter(({ op }) => op !== "same")).toEqual([]);
  }
  const { report } = await bench.migrate();
  expect(report).toMatchObject({ state: "done", remaining: { labels: 0, tests: 0 }, left: [] });
  return { programs, updates };
}

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
    const bench = await benchOf(shapes[shape] ?? {});
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
  });
});
