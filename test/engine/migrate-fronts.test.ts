/** A program moves to the native plugin and back by `migrate --to`: in the state alone, with an update and a refresh at each station. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FrontReport } from "../../cli/migrate/front";
import { compilerSays, sourcesIn } from "./support/checked";
import { Stack } from "./support/stack";

jest.setTimeout(600_000);

const program: Record<string, string> = {
  "index.ts": `import * as pulumi from "@pulumi/pulumi";
import * as em from "pulumi-endpoint-monitoring"; // everything
import { office } from "./labels";
import { Site } from './site';
require("./tests");

const settings = new pulumi.Config("endpoint-monitoring");
const group = new em.Provider("group", {
  baseUrl: settings.require("baseUrl"),
  token: settings.requireSecret("token"),
  accountGroupId: "1002",
});
new em.Label("of-group", { name: "Of group", matchType: "or", filters: [{ key: "platform", values: ["Mac"] }] }, { provider: group });
new Site("berlin");
new Site("paris", { providers: [group] });
export const id = office.id;
export const count = em.getLabelsOutput({}, { dependsOn: office }).apply((labels) => labels.length > 0);
`,
  "labels.ts": `import { Label, type LabelArgs } from "pulumi-endpoint-monitoring";

const args: LabelArgs = { name: "Office", matchType: "or", filters: [{ key: "platform", values: ["Windows"] }] };
export const office = new Label("office", args);
new Label("below", { ...args, name: "Below" }, { parent: office });
`,
  "site.ts": `import * as pulumi from "@pulumi/pulumi";
import { Label } from 'pulumi-endpoint-monitoring';

export class Site extends pulumi.ComponentResource {
  constructor(name: string, opts?: pulumi.ComponentResourceOptions) {
    super("acme:monitoring:Site", name, {}, opts);
    new Label(name, { name, matchType: "or", filters: [{ key: "platform", values: ["Mac"] }] }, { parent: this });
  }
}
`,
  "tests.ts": `import { office } from "./labels";
const { HttpServerTest } = require("pulumi-endpoint-monitoring");

new HttpServerTest("portal", {
  testName: "Portal",
  url: "https://www.example.com",
  authType: "basic",
  username: "probe",
  password: "s3cret-value",
  agentSelectorType: "agent-labels",
  endpointAgentLabels: [office.id],
});
`,
};
const script = `import { getAgents } from "pulumi-endpoint-monitoring";\nvoid getAgents().then((agents) => console.log(agents.length));\n`;
const records = 6;

let stack: Stack;
let ids: Record<string, string>;
let project: string;

beforeAll(async () => {
  stack = await Stack.start({}, "typescript");
  for (const [path, text] of Object.entries(program)) writeFileSync(join(stack.folder, path), text);
  mkdirSync(join(stack.folder, "scripts"));
  writeFileSync(join(stack.folder, "scripts/report.ts"), script);
  project = `# Of the network team\n${textOf("Pulumi.yaml")}`;
  writeFileSync(join(stack.folder, "Pulumi.yaml"), project);
  stack.environment["ENDPOINT_MONITORING_PREVIEW_REACH"] = "off";
  await stack.up();
  ids = idsOf();
  await stack.add("prod");
});
afterAll(() => stack.end());

function textOf(path: string): string {
  return readFileSync(join(stack.folder, path), "utf8");
}

function idsOf(): Record<string, string> {
  return Object.fromEntries(stack.resources().map(({ name, id }) => [name, id]));
}

async function migrated(...args: string[]): Promise<{ code: number | null; data: FrontReport; error?: { message: string } }> {
  const run = await stack.cli("migrate", "--to", ...args, "--json");
  return { code: run.code, ...(JSON.parse(run.stdout) as { data: FrontReport }) };
}

const changing = (requests: Record<string, number>): string[] =>
  Object.keys(requests).filter((operation) => /create|update|delete/.test(operation));

/** An update and a refresh, in which nothing happens to a record. */
async function updated(token: RegExp): Promise<void> {
  const steps = await stack.preview();
  expect(steps.map(({ op, name }) => `${op} ${name}`)).toEqual(["update group"]);
  await stack.requests();
  const changes = await stack.up();
  expect([changes["create"], changes["delete"], changes["replace"], changes["update"]]).toEqual([
    undefined,
    undefined,
    undefined,
    1,
  ]);
  expect(changing(await stack.requests())).toEqual([]);
  expect(Object.keys(await stack.refresh())).toEqual(["same"]);
  expect(await stack.preview()).toEqual([]);
  expect(idsOf()).toEqual(ids);
  for (const { urn } of stack.resources()) expect(urn).toMatch(token);
}

it("shows in a dry run what it would write, without an engine", async () => {
  const path = process.env["PATH"];
  stack.environment["PATH"] = "/nowhere";
  const { code, data } = await migrated("native", "--dry-run");
  if (path !== undefined) stack.environment["PATH"] = path;
  expect([code, data.state, data.preview]).toEqual([2, "planned", undefined]);
  expect(data.files.map(({ path: file }) => file)).toEqual(["Pulumi.yaml", ...Object.keys(program)]);
  expect(data.files[1]?.changes).toEqual([
    {
      line: 2,
      before: 'import * as em from "pulumi-endpoint-monitoring"; // everything',
      after: 'import * as em from "pulumi-endpoint-monitoring/native"; // everything',
    },
  ]);
  expect(sourcesIn(stack.folder)).toEqual(program);
  expect(textOf("Pulumi.yaml")).toBe(project);
});

it("moves to the plugin: imports, types and require of several files, a component and a provider", async () => {
  await stack.requests();
  const { code, data } = await migrated("native");
  expect(Object.keys(ids)).toHaveLength(records);
  expect([code, data.state, data.preview]).toEqual([2, "written", { moves: records, also: [], stay: [] }]);
  expect(changing(await stack.requests())).toEqual([]);
  expect(data.otherStacks).toEqual(["prod"]);
  expect(data.left).toEqual([expect.objectContaining({ position: { file: "scripts/report.ts", line: 1, column: 1 } })]);
  expect(textOf("scripts/report.ts")).toBe(script);
  const moved = Object.entries(program).map(([path, text]) => [
    path,
    text.replace(/pulumi-endpoint-monitoring(?=["'])/g, "pulumi-endpoint-monitoring/native"),
  ]);
  expect(sourcesIn(stack.folder)).toEqual(Object.fromEntries(moved));
  expect(textOf("Pulumi.yaml")).toBe(
    `${project}plugins:\n  providers:\n    - name: endpoint-monitoring\n      path: ./node_modules/pulumi-endpoint-monitoring/plugin\n`,
  );
  expect(compilerSays(stack.folder)).toBe("");
  await updated(/endpoint-monitoring:index:\w+::/);
});

it("changes nothing when it is run again", async () => {
  const before = sourcesIn(stack.folder);
  const { data } = await migrated("native");
  expect([data.state, data.files]).toEqual(["done", []]);
  expect(sourcesIn(stack.folder)).toEqual(before);
});

it("moves back; the plugin stays in Pulumi.yaml until the state does not need it, and then goes", async () => {
  const named = textOf("Pulumi.yaml");
  const { data } = await migrated("dynamic");
  expect([data.state, data.preview]).toEqual(["written", { moves: records, also: [], stay: [] }]);
  expect(data.next.join()).toContain("takes the plugin out of Pulumi.yaml");
  expect(sourcesIn(stack.folder)).toEqual(program);
  expect(textOf("Pulumi.yaml")).toBe(named);
  expect((await migrated("dynamic")).data).toMatchObject({ state: "done", files: [] });
  await updated(/pulumi-nodejs:dynamic\/endpoint-monitoring:\w+::/);

  expect((await migrated("dynamic")).data).toMatchObject({ state: "written", files: [{ path: "Pulumi.yaml" }] });
  expect(textOf("Pulumi.yaml")).toBe(project);
  expect((await migrated("dynamic")).data).toMatchObject({ state: "done", files: [] });
  expect(await stack.preview()).toEqual([]);
});

it("puts the files back where the next update would do more, or the program does not run", async () => {
  const site = join(stack.folder, "site.ts");
  writeFileSync(site, `${program["site.ts"]}new Label("more", { name: "More", matchType: "or", filters: [] });\n`);
  const waiting = await migrated("native");
  expect(waiting).toMatchObject({ code: 1, error: { message: expect.stringMatching(/\(create more\).*`pulumi up` first/s) } });
  writeFileSync(site, program["site.ts"] ?? "");
  expect([sourcesIn(stack.folder), textOf("Pulumi.yaml")]).toEqual([program, project]);

  stack.configure({ baseUrl: "http://127.0.0.1:9" });
  const down = await migrated("native");
  stack.configure({ baseUrl: stack.emulator.url });
  expect(down.code).toBe(1);
  expect(down.error?.message).toMatch(/cannot be previewed/);
  expect(down.error?.message).not.toMatch(/^\s+at /m);
  expect([sourcesIn(stack.folder), textOf("Pulumi.yaml")]).toEqual([program, project]);
});
