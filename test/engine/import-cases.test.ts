/** Importing where things are not as usual: other stacks and account groups, older engines, records no program can say, trouble. */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { compilerSays, sourcesIn } from "./support/checked";
import { EngineWrapper } from "./support/engine-wrapper";
import { create } from "./support/fleet";
import { Stack } from "./support/stack";

jest.setTimeout(240_000);

const nothingToDo = { code: 0, text: expect.stringMatching(/\d+ unchanged/) as unknown };
const label = (name: string): Record<string, unknown> => ({
  name,
  matchType: "and",
  filters: [{ key: "platform", values: ["Mac"] }],
});
const byLabel = (testName: string, ...endpointAgentLabels: string[]): Record<string, unknown> => ({
  testName,
  server: "vpn.example.com",
  agentSelectorType: "agent-labels",
  endpointAgentLabels,
});

let stack: Stack;
afterEach(() => stack.end());

async function started(options: object = {}): Promise<Stack> {
  stack = await Stack.start({ agents: 0, ...options }, "typescript");
  return stack;
}

async function imported(...args: string[]): Promise<{ data: Record<string, never>; warnings?: string[]; code: number | null }> {
  const run = await stack.cli("import", "--json", ...args);
  if (run.code === 1) throw new Error(run.text);
  return { ...(JSON.parse(run.stdout) as { data: Record<string, never>; warnings?: string[] }), code: run.code };
}

/** Everything in the project's folder but for what the engine and the packages keep there. */
const files = (): string[] =>
  readdirSync(stack.folder)
    .filter((name) => !["node_modules", "backend", "home"].includes(name))
    .toSorted();

test("a dry run shows what would be done, and writes nothing", async () => {
  await started();
  const [office = "", branch = ""] = await create(stack, "label", [label("Office"), label("Branch")]);
  await create(stack, "agentToServerTest", [byLabel("Office", office, branch)]);
  await stack.cli("import", "--match", "branch", "--run");
  const before = Object.fromEntries(files().map((name) => [name, readFileSync(join(stack.folder, name), "utf8")]));
  await stack.requests();
  const run = await stack.cli("import", "--dry-run", "--exclude", "nothing");
  expect(run.code).toBe(0);
  expect(run.stdout).toBe(`Would import from account group 1001 into stack dev:
  2 labels: 1 new, 1 managed already
  1 agent-to-server test: 1 new

labels.ts:
  office  office  "Office" (${office})

agent-to-server-tests.ts:
  officeTest  office  "Office" (281474976710656)

Managed already:
  branch  "Branch" (${branch})  stack dev

Would write:
  labels.ts  1 declaration added
  agent-to-server-tests.ts  1 declaration
  index.ts  loads them
  import.dev.json  2 resources for the engine
`);
  expect(Object.fromEntries(files().map((name) => [name, readFileSync(join(stack.folder, name), "utf8")]))).toEqual(before);
  expect(Object.keys(await stack.requests()).filter((operation) => !operation.endsWith(".list"))).toEqual([]);
});

test("what another stack of the project manages is told and left to it; every account group has its own", async () => {
  await started();
  const [office = ""] = await create(stack, "label", [label("Office")]);
  const [there = ""] = await create(stack, "label", [label("Branch")], "1002");
  await create(stack, "agentToServerTest", [byLabel("Branch", there)], "1002");
  expect((await stack.cli("import", "--run")).code).toBe(0);
  await stack.must("stack", "init", "prod");
  stack.configure({ baseUrl: stack.emulator.url, accountGroupId: "1002" });
  await stack.secret("endpoint-monitoring:token", "emulator-token");

  const { data } = await imported("--stack", "prod", "--account-group", "1001,1002", "--run");
  expect(data["managed"]).toEqual([{ kind: "label", id: office, title: "Office", name: "office", stack: "dev" }]);
  expect([data["accountGroups"], data["imported"]]).toEqual([["1001", "1002"], 2]);
  // The group of the stack's settings needs no word.
  expect(readFileSync(join(stack.folder, "agent-to-server-tests.ts"), "utf8")).not.toContain("accountGroupId");
  // The program is that of both stacks; this one has not imported what the other has.
  const preview = await stack.run("preview", "--stack", "prod", "--target", "**Branch", "--target", "**::branch");
  expect(preview).toMatchObject(nothingToDo);
  expect(preview.text).not.toMatch(/to (create|update|delete|replace)/);
});

test("records of other account groups say where they are", async () => {
  await started({ agents: 8 });
  await create(stack, "label", [label("Office")]);
  const [there = ""] = await create(stack, "label", [label("Branch")], "1002");
  await create(stack, "agentToServerTest", [byLabel("Branch", there)], "1002");
  const { data } = await imported("--all-account-groups", "--agents", "--run");
  expect(data["accountGroups"]).toEqual(["1001", "1002", "1003"]);
  const sources = sourcesIn(stack.folder);
  expect(sources["labels.ts"]?.match(/accountGroupId: "1002"/g)).toHaveLength(1);
  expect(sources["labels.ts"]).not.toContain('"1001"');
  expect(sources["agent-to-server-tests.ts"]).toContain("endpointAgentLabels: [branch.id]");
  // Where an agent is can change: it is said of each.
  expect(sources["agents.ts"]?.match(/accountGroupId/g)).toHaveLength(8);
  expect(compilerSays(stack.folder)).toBe("");
  expect(await stack.run("preview", "--expect-no-changes")).toMatchObject(nothingToDo);
  expect(await stack.run("refresh", "--preview-only", "--expect-no-changes")).toMatchObject(nothingToDo);
});

test("an older engine gets a program that adopts, and is told so", async () => {
  await started();
  const [office = ""] = await create(stack, "label", [label("Office"), label("Twin"), label("Twin")]);
  await create(stack, "agentToServerTest", [byLabel("Office", office)]);
  const engine = new EngineWrapper(stack.folder, { version: "3.253.0" });
  try {
    const { data, warnings, code } = await imported();
    expect(code).toBe(2);
    expect(warnings).toEqual([expect.stringContaining("Pulumi 3.253.0 reads each resource when it imports") as unknown]);
    expect([data["adopts"], data["importFile"], data["next"]]).toEqual([true, undefined, ["pulumi up --stack dev"]]);
    expect(data["inexpressible"]).toHaveLength(2);
  } finally {
    engine.end();
  }
  expect(sourcesIn(stack.folder)["labels.ts"]).toContain("adopt: true");
  expect(compilerSays(stack.folder)).toBe("");
  await stack.requests();
  // The stack itself, a label and a test.
  expect(await stack.up()).toEqual({ create: 3 });
  expect(Object.keys(await stack.requests()).filter((operation) => !operation.endsWith(".list"))).toEqual([]);
  expect((await stack.must("stack", "export")).stdout).toContain(`"id": "${office}"`);
  // Asked for, it is the same.
  const again = await stack.cli("import", "--adopt", "--only", "labels", "--match", "Office");
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("1 managed already") as unknown]);
});

test("what no program can say is listed with its reasons, and the rest goes on", async () => {
  await started();
  const [odd = "", left = "", silent = ""] = await create(stack, "agentToServerTest", [
    { testName: "Odd", server: "vpn.example.com" },
    { testName: "Left", server: "vpn.example.com" },
    { testName: "Silent", server: "vpn.example.com", interval: 60 },
  ]);
  const change = (id: string, body: object): Promise<Response> =>
    fetch(`${stack.emulator.url}/_emulator/records/agent-to-server-tests/${id}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  await change(odd, { tcpProbeMode: "prefer-secret" });
  await change(left, { ipVersion: "V9_SECRET" });
  await fetch(`${stack.emulator.url}/_emulator/omit`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      operation: "tests.agentToServer.list",
      members: ["interval", "isPrioritized", "createdDate", "agentSelectorConfig"],
    }),
  });
  const run = await stack.cli("import", "--run");
  expect(run.code).toBe(2);
  expect(run.stdout).toContain("3 agent-to-server tests: 2 new, 1 that cannot be expressed");
  expect(run.stdout).toContain(`agent-to-server test "Odd" (${odd}): tcpProbeMode must be one of auto, sack, syn`);
  expect(run.stdout).toContain(`agent-to-server test "Left" (${left}): ipVersion must be one of V4_ONLY`);
  expect(run.text).not.toMatch(/prefer-secret|V9_SECRET/);
  expect(
    Object.values(stack.state())
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual([left, silent].toSorted());
  expect(await stack.run("preview", "--expect-no-changes")).toMatchObject(nothingToDo);
  expect(await stack.run("refresh", "--preview-only", "--expect-no-changes")).toMatchObject(nothingToDo);
});

test("a label that has gone, and one that is not imported, are referred to by their ids", async () => {
  await started();
  const [office = "", gone = "", aside = ""] = await create(stack, "label", [label("Office"), label("Gone"), label("Aside")]);
  await create(stack, "agentToServerTest", [
    byLabel("One", office, gone),
    byLabel("Two", gone, aside),
    byLabel("Three", office),
  ]);
  await stack.api("DELETE", `/v7/endpoint/labels/${gone}`);
  await imported("--exclude", aside, "--run");
  const text = sourcesIn(stack.folder)["agent-to-server-tests.ts"];
  expect(text).toContain(`endpointAgentLabels: [office.id, "${gone}"]`);
  expect(text).toContain(`endpointAgentLabels: ["${gone}", "${aside}"]`);
  expect(await stack.run("preview", "--expect-no-changes")).toMatchObject(nothingToDo);

  // A person drops the label, and two tests that use it keep it by its id: nothing else changes.
  writeFileSync(join(stack.folder, "labels.ts"), "export {};\n");
  const tests = (text ?? "").replaceAll("office.id", `"${office}"`).replace(/import \{ office \}.*\n/, "");
  writeFileSync(join(stack.folder, "agent-to-server-tests.ts"), tests);
  await stack.must("state", "unprotect", "--all", "--yes");
  expect((await stack.preview()).map(({ op, name }) => `${op} ${name}`)).toEqual(["delete office"]);
});

test("files of an import that was not run are made use of by the next", async () => {
  await started();
  const [office = ""] = await create(stack, "label", [label("Office")]);
  await create(stack, "agentToServerTest", [byLabel("Portal", office)]);
  await imported("--only", "labels");
  const labels = sourcesIn(stack.folder)["labels.ts"];
  // Tests alone: the label of the first run is still to be imported, else the next update would make a second one.
  await imported("--only", "tests");
  const { resources } = JSON.parse(readFileSync(join(stack.folder, "import.dev.json"), "utf8")) as {
    resources: { name: string }[];
  };
  expect(resources.map(({ name }) => name)).toEqual(["office", "portal"]);
  rmSync(join(stack.folder, "import.dev.json"));
  const { data } = await imported("--run");
  expect([data["imported"], data["files"]]).toEqual([2, []]);
  expect(sourcesIn(stack.folder)["labels.ts"]).toBe(labels);
  expect(await stack.run("preview", "--expect-no-changes")).toMatchObject(nothingToDo);
});

test("killed at any point of its writing, it leaves whole files or none, and another run makes up for it", async () => {
  await started();
  const labels = await create(
    stack,
    "label",
    Array.from({ length: 20 }, (_, i) => label(`Label ${i}`)),
  );
  await create(
    stack,
    "agentToServerTest",
    labels.map((id, i) => byLabel(`Test ${i}`, id)),
  );
  await imported();
  const written = ["labels.ts", "agent-to-server-tests.ts", "index.ts", "import.dev.json"];
  const textOf = (name: string): string => readFileSync(join(stack.folder, name), "utf8");
  const whole = written.map((name) => [name, textOf(name)]);
  const killer = join(__dirname, "support/killed-writing.cjs");
  for (let point = 1; point <= 2 * written.length; point += 1) {
    for (const name of written) rmSync(join(stack.folder, name), { force: true });
    Object.assign(process.env, { NODE_OPTIONS: `--require ${killer}`, KILL_AT: String(point) });
    const run = stack.startCli("import");
    delete process.env["NODE_OPTIONS"];
    expect((await run.ended).code).toBeNull();
    const there = written.filter((name) => existsSync(join(stack.folder, name)));
    // Two points a file, in this order: never an import file without its program.
    expect([point, there]).toEqual([point, written.slice(0, Math.floor((point - 1) / 2))]);
    expect(there.map((name) => [name, textOf(name)])).toEqual(whole.slice(0, there.length));
    // Both points of a file leave the same behind.
    if (point % 2 === 0) continue;
    await imported();
    expect(written.map((name) => [name, textOf(name)])).toEqual(whole);
  }
});

test("Ctrl+C while the engine imports ends it in order, and another run finishes", async () => {
  await started();
  await create(
    stack,
    "label",
    Array.from({ length: 150 }, (_, i) => label(`Label ${i}`)),
  );
  await imported();
  const run = stack.startCli("import", "--run");
  const locks = join(stack.folder, "backend/.pulumi/locks");
  const isLocked = (): boolean =>
    existsSync(locks) && readdirSync(locks, { recursive: true, encoding: "utf8" }).some((name) => name.endsWith(".json"));
  // Once it has imported something: before that, it may not yet listen to Ctrl+C.
  const state = join(stack.folder, "backend/.pulumi/stacks/test/dev.json");
  while (!readFileSync(state, "utf8").includes("endpoint-monitoring:Label")) await sleep(5);
  expect(isLocked()).toBe(true);
  run.kill("SIGINT");
  const ended = await run.ended;
  expect([ended.code, ended.stderr]).toEqual([130, expect.stringContaining("The engine has wound up") as unknown]);
  expect(isLocked()).toBe(false);
  expect((await stack.cli("import", "--run")).code).toBe(0);
  expect(Object.keys(stack.state())).toHaveLength(150);
  expect(await stack.run("preview", "--expect-no-changes")).toMatchObject(nothingToDo);
});

test("Ctrl+C that ends the engine at once: that it may have left its lock is said", async () => {
  await started();
  await create(stack, "label", [label("Office")]);
  const engine = new EngineWrapper(stack.folder, { stuckIn: "import" });
  try {
    const run = stack.startCli("import", "--run");
    while (!engine.calls.includes("import --file")) await sleep(5);
    run.kill("SIGINT");
    const ended = await run.ended;
    expect([ended.code, ended.stderr]).toEqual([
      130,
      expect.stringMatching(/ended at once: .*`pulumi cancel` frees it/) as unknown,
    ]);
  } finally {
    engine.end();
  }
  expect((await stack.cli("import", "--run")).code).toBe(0);
});

test("mistakes and trouble are one line each, and nothing is written", async () => {
  await started();
  await create(stack, "label", [label("Office")]);
  const before = files();
  const lines = async (...args: string[]): Promise<string[]> => {
    const run = await stack.cli("import", ...args);
    expect([args, run.code, run.stdout]).toEqual([args, 1, ""]);
    return run.stderr
      .trim()
      .split("\n")
      .filter((line) => !/^(Reading|Listing) /.test(line));
  };
  expect(await lines("--stack", "none")).toEqual([expect.stringMatching(/has no stack none\. There are dev/) as unknown]);
  expect(await lines("--only", "tokens")).toEqual([
    expect.stringMatching(/--only takes labels, tests.*not "tokens"\. Try/) as unknown,
  ]);
  expect(await lines("--account-group", "4711")).toHaveLength(1);
  expect(await lines("--secrets", "none.json")).toEqual([expect.stringContaining("cannot be read (ENOENT") as unknown]);
  expect(await lines("--out", "Pulumi.yaml")).toEqual([expect.stringContaining("Pulumi.yaml is not a folder") as unknown]);
  await stack.secret("endpoint-monitoring:token", "wrong");
  expect(await lines()).toEqual([expect.stringContaining("401") as unknown]);
  await stack.secret("endpoint-monitoring:token", "emulator-token");
  stack.configure({ baseUrl: "http://127.0.0.1:9" });
  expect(await lines()).toEqual([expect.stringContaining("127.0.0.1:9") as unknown]);
  expect(files()).toEqual(before);

  // Reading is enough.
  stack.configure({ baseUrl: stack.emulator.url });
  await stack.secret("endpoint-monitoring:token", "emulator-read-only-token");
  writeFileSync(
    join(stack.folder, "import.dev.json"),
    '{ "resources": [{ "type": "aws:s3/bucket:Bucket", "name": "b", "id": "b" }] }',
  );
  expect(await lines()).toEqual([
    expect.stringContaining("is no import file of this command. Name another with --file") as unknown,
  ]);
  const { data, warnings } = await imported("--file", "ours.json", "--out", "monitoring", "--exclude", "x");
  expect(data["importFile"]).toBe(join(stack.folder, "ours.json"));
  expect(readdirSync(join(stack.folder, "monitoring"))).toEqual(["index.ts", "labels.ts"]);
  expect(warnings).toEqual([expect.stringContaining('add import "./monitoring/index" to index.ts') as unknown]);
  rmSync(join(stack.folder, "monitoring"), { recursive: true });
  symlinkSync("/dev/null", join(stack.folder, "labels.ts"));
  expect(await lines("--file", "other.json", "--match", "Office")).toEqual([
    expect.stringMatching(/labels\.ts is there and is no file of UTF-8 text, or is a link/) as unknown,
  ]);
});

test("where there is nothing, and where a program is JavaScript, that is said", async () => {
  await started();
  const empty = await stack.cli("import", "--account-group", "1003");
  expect([empty.code, empty.stdout]).toEqual([0, "There is nothing to import in account group 1003.\n"]);
  await create(stack, "label", [label("Office")]);
  writeFileSync(join(stack.folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
  writeFileSync(join(stack.folder, "index.js"), "");
  const { warnings } = await imported();
  expect(warnings).toEqual([expect.stringContaining('as in require("./labels")') as unknown]);
  expect(files()).not.toContain("index.ts");
});

test("a program of ES modules, which Node runs itself", async () => {
  await started();
  writeFileSync(join(stack.folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
  writeFileSync(join(stack.folder, "package.json"), '{ "type": "module" }\n');
  const [office = ""] = await create(stack, "label", [label("Office")]);
  await create(stack, "agentToServerTest", [byLabel("Office", office)]);
  const { warnings } = await imported("--run");
  expect(warnings).toEqual([expect.stringContaining('"allowImportingTsExtensions": true') as unknown]);
  expect(await stack.run("preview", "--expect-no-changes")).toMatchObject(nothingToDo);
  // The next one goes by what is there.
  await create(stack, "dynamicTest", [{ testName: "Calls", application: "webex" }]);
  expect((await imported("--run")).warnings).toBeUndefined();
  expect(readFileSync(join(stack.folder, "index.ts"), "utf8")).toContain('import "./dynamic-tests.ts";');
  expect(await stack.run("preview", "--expect-no-changes")).toMatchObject(nothingToDo);
});

test.each([
  ["runtime: python\n", "the runtime in its Pulumi.yaml is python"],
  ["runtime:\n  name: nodejs\n  options: { typescript: false }\n", "its Pulumi.yaml says typescript: false"],
])("a project that cannot run what would be written is left alone: %j", async (runtime, why) => {
  await started();
  await create(stack, "label", [label("Office")]);
  writeFileSync(join(stack.folder, "Pulumi.yaml"), `name: test\n${runtime}`);
  const before = files();
  const { code, stderr } = await stack.cli("import", "--run");
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(`Project test cannot run the TypeScript that is written here: ${why}`),
  ]);
  const dry = await imported("--dry-run");
  expect([dry.code, dry.warnings]).toEqual([0, [expect.stringContaining(why)]]);
  expect(files()).toEqual(before);
});

test("outside a project the files are written for one to come, as the environment says", async () => {
  await started();
  const [office = ""] = await create(stack, "label", [label("Office")]);
  await create(stack, "agentToServerTest", [byLabel("Portal", office)]);
  const folder = mkdtempSync(join(tmpdir(), "no-project-"));
  const settings = { ENDPOINT_MONITORING_BASE_URL: stack.emulator.url, ENDPOINT_MONITORING_TOKEN: "emulator-token" };
  const cli = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
    new Promise((resolve) => {
      const script = [join(__dirname, "../../dist/cli/main.js"), "import", ...args];
      execFile(process.execPath, script, { cwd: folder, env: { ...stack.env, ...settings } }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      );
    });
  const run = await cli();
  expect([run.code, run.stdout]).toEqual([
    0,
    expect.stringContaining("pulumi import --file import.json --generate-code=false --yes\n") as unknown,
  ]);
  expect(run.stderr).toContain("This folder belongs to no Pulumi project");
  expect(readdirSync(folder).toSorted()).toEqual(["agent-to-server-tests.ts", "import.json", "index.ts", "labels.ts"]);
  const again = await cli("--json");
  const { data } = JSON.parse(again.stdout) as { data: { files: unknown[]; kinds: unknown } };
  expect(data).toMatchObject({ files: [], kinds: { labels: { declared: 1 }, "agent-to-server-tests": { declared: 1 } } });
  const refused = await cli("--run");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("There is no Pulumi.yaml in") as unknown]);
  rmSync(folder, { recursive: true });
});
