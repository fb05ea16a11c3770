/** `endpoint-monitoring migrate --to`: which files it edits, which it leaves, and what it refuses. The engine is in test/engine/migrate-fronts. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { FrontReport } from "../../cli/migrate/front";
import { runCommand } from "../support/command";
import { answers, EngineStub } from "../support/engine-stub";
import { repository } from "../support/process";

let root: string;
let folder: string;
let stub: EngineStub;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "fronts-"));
  folder = join(root, "stacks/office");
  mkdirSync(join(root, "node_modules"), { recursive: true });
  symlinkSync(join(repository, "node_modules/typescript"), join(root, "node_modules/typescript"));
  mkdirSync(join(root, "node_modules/pulumi-endpoint-monitoring/plugin"), { recursive: true });
  stub = new EngineStub(mkdtempSync(join(root, "engine-")), answers({ "stack ls": [] }));
});
afterEach(() => rmSync(root, { recursive: true }));

const declaring = 'import { Label } from "pulumi-endpoint-monitoring";\nexport const office = new Label("office", {});\n';
const project = "name: office\nruntime: nodejs\nmain: index.ts\n";

function put(files: Record<string, string>, from = folder): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(from, path)), { recursive: true });
    writeFileSync(join(from, path), text);
  }
}

const textOf = (path: string): string => readFileSync(join(folder, path), "utf8");

async function migrated(...args: string[]): Promise<{ code: number; data: FrontReport }> {
  const run = await runCommand(["migrate", ...args, "--json"], { cwd: folder, env: stub.env() });
  if (run.code === 1) throw new Error(run.text);
  return { code: run.code, data: (JSON.parse(run.stdout) as { data: FrontReport }).data };
}

async function refused(...args: string[]): Promise<string> {
  const run = await runCommand(["migrate", ...args], { cwd: folder, env: stub.env() });
  expect(run).toMatchObject({ code: 1, stdout: "" });
  expect(run.stderr).not.toMatch(/^\s+at |bug/m);
  return run.stderr;
}

it("edits what the program loads or declares, and names the rest with its line", async () => {
  put({
    "Pulumi.yaml": project,
    "index.ts": 'import "./labels";\nimport "../../shared/site";\n',
    "labels.ts": declaring,
    "aliased/more.ts": declaring,
    "scripts/report.ts": '// Agents\nimport { getAgents } from "pulumi-endpoint-monitoring";\nvoid getAgents();\n',
    "other/Pulumi.yaml": "name: other\nruntime: nodejs\n",
    "other/index.ts": declaring,
    "old.d.ts": declaring,
  });
  put({ "shared/site.ts": declaring }, root);
  const { code, data } = await migrated("--to", "native");
  expect(data.files.map(({ path }) => path)).toEqual(["Pulumi.yaml", "aliased/more.ts", "labels.ts"]);
  expect(data.left.map(({ position: { file, line }, reason }) => `${file}:${line} ${reason}`)).toEqual([
    "scripts/report.ts:2 is in a file that the program does not load, such as a test or a script",
    "index.ts:2 loads ../../shared/site, outside of the project, which is left as it is",
  ]);
  expect([code, data.state, data.preview]).toEqual([2, "written", undefined]);
  expect(textOf("other/index.ts")).toBe(declaring);
  expect(readFileSync(join(root, "shared/site.ts"), "utf8")).toBe(declaring);
  // A workspace has the package above the project.
  expect(textOf("Pulumi.yaml")).toBe(
    `${project}plugins:\n  providers:\n    - name: endpoint-monitoring\n      path: ../../node_modules/pulumi-endpoint-monitoring/plugin\n`,
  );
});

it("edits a program in JavaScript, its modules of both kinds too", async () => {
  const files = {
    "index.mjs": 'import { office } from "./labels.cjs";\nexport const id = office.id;\n',
    "labels.cjs": 'const { Label } = require("pulumi-endpoint-monitoring");\nexports.office = new Label("office", {});\n',
    "more.mts": declaring,
  };
  put({ "Pulumi.yaml": project.replace("index.ts", "index.mjs"), ...files });
  const { code, data } = await migrated("--to=native");
  expect([code, data.files.map(({ path }) => path)]).toEqual([0, ["Pulumi.yaml", "labels.cjs", "more.mts"]]);
  const back = await migrated("--to", "dynamic");
  expect(back.data.files.map(({ path }) => path)).toEqual(["Pulumi.yaml", "labels.cjs", "more.mts"]);
  for (const [path, text] of Object.entries(files)) expect(textOf(path)).toBe(text);
});

it("edits the sources of a compiled program, and says to compile it first", async () => {
  put({
    "Pulumi.yaml": project.replace("index.ts", "dist/index.js"),
    "tsconfig.json": '{ "compilerOptions": { "outDir": "dist" } }',
    "dist/index.js": 'require("pulumi-endpoint-monitoring");\n',
    "src/index.ts": declaring,
  });
  const { data } = await migrated("--to", "native");
  expect(data.files.map(({ path }) => path)).toEqual(["Pulumi.yaml", "src/index.ts"]);
  expect(data.next[0]).toBe("Compile the program (tsconfig.json), and look at `pulumi preview`.");
});

it("shows the change and what is left to people, and writes nothing in a dry run", async () => {
  put({ "Pulumi.yaml": project, "index.ts": `${declaring}void office.pulumiType === "endpoint-monitoring:index:Label";\n` });
  const run = await runCommand(["migrate", "--to", "native", "--dry-run"], { cwd: folder, env: {} });
  expect(run).toMatchObject({ code: 0, stderr: "Reading the program\n" });
  expect(run.stdout).toContain("Would move the program to the native front: 2 files");
  expect(run.stdout).toMatch(
    /Pulumi\.yaml[^]*line 4[^]*plugins:[^]*line 6[^]*endpoint-monitoring[^]*line 7[^]*path: \.\.\/\.\.\/node_modules/,
  );
  expect(run.stdout).toMatch(
    /index\.ts[^]*line 1[^]*from "pulumi-endpoint-monitoring";[^]*from "pulumi-endpoint-monitoring\/native";/,
  );
  expect([textOf("Pulumi.yaml"), stub.calls]).toEqual([project, []]);
});

it("keeps the plugin for files that cannot move back", async () => {
  const native = 'import { Label } from "pulumi-endpoint-monitoring/native";\n';
  const named = `${project}plugins:\n  providers:\n    - name: endpoint-monitoring\n      path: ./node_modules/pulumi-endpoint-monitoring/plugin\n`;
  const stays = `${native}new Label("a", {}, { import: "1" });\n`;
  put({
    "Pulumi.yaml": named,
    "index.ts": 'import "./labels";\nimport "./imported";\n',
    "labels.ts": native,
    "imported.ts": stays,
  });
  const { code, data } = await migrated("--to", "dynamic");
  expect([code, data.files.map(({ path }) => path)]).toEqual([2, ["labels.ts"]]);
  expect([textOf("Pulumi.yaml"), textOf("imported.ts")]).toEqual([named, stays]);
  expect(data.left.map(({ position }) => position)).toEqual([{ file: "imported.ts", line: 2, column: 22 }]);
});

describe("refuses, and writes nothing", () => {
  test.each<[string, string[], RegExp]>([
    ["a front that there is none of", ["--to", "nativ"], /--to takes dynamic, native, not "nativ"/],
    ["a subject besides", ["labels", "--to", "native"], /Unknown option '--to'/],
    ["an option of labels", ["--to", "native", "--key", "team"], /Unknown option '--key'/],
    ["nothing to move to", [], /The first word is what to migrate: labels; or --to names the front/],
  ])("%s", async (_what, args, message) => {
    put({ "Pulumi.yaml": project, "index.ts": declaring });
    expect(await refused(...args)).toMatch(message);
    expect(textOf("index.ts")).toBe(declaring);
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ["no project", {}, /There is no Pulumi\.yaml/],
    ["another runtime", { "Pulumi.yaml": "name: a\nruntime: python\n" }, /the runtime in its Pulumi\.yaml is python/],
    [
      "a project file in braces",
      { "Pulumi.yaml": "{ name: a, runtime: nodejs }\n", "index.ts": declaring },
      /Pulumi\.yaml:1 holds its keys in braces\. Add these lines/,
    ],
    ["a project file that is none", { "Pulumi.yaml": "name: [\n", "index.ts": declaring }, /Pulumi\.yaml cannot be read/],
    [
      "a broken program",
      { "Pulumi.yaml": project, "index.ts": `${declaring}const = ;\n` },
      /index\.ts:3:\d+ is no valid program/,
    ],
  ])("%s", async (_what, files, message) => {
    mkdirSync(folder, { recursive: true });
    put(files);
    expect(await refused("--to", "native")).toMatch(message);
    for (const [path, text] of Object.entries(files)) expect(textOf(path)).toBe(text);
  });

  test("an engine that is missing or fails, before anything is written", async () => {
    put({ "Pulumi.yaml": project, "index.ts": declaring });
    stub = new EngineStub(mkdtempSync(join(root, "engine-")), 'echo "error: no backend" >&2; exit 255');
    expect(await refused("--to", "native")).toMatch(/no backend/);
    expect([textOf("Pulumi.yaml"), textOf("index.ts")]).toEqual([project, declaring]);
    expect(existsSync(join(folder, ".git"))).toBe(false);
  });
});
