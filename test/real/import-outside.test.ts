/** Runs imports without a project, with mistakes, and with a kill while import writes files. */
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtCommand, plainEnv, runNode } from "../support/process";
import { commandIn } from "./support/command-in";
import { create } from "./support/fleet";
import { type Run, Stack } from "./support/stack";
import { temporary } from "../support/temporary";

let stack: Stack;
let folder: string;
beforeEach(async () => {
  stack = await Stack.start({ agents: 0 });
  folder = temporary();
});
afterEach(() => stack.end());

const label = (name: string): Record<string, unknown> => ({
  name,
  matchType: "and",
  filters: [{ key: "platform", values: ["Mac"] }],
});
const byLabel = (testName: string, labelId: string): Record<string, unknown> => ({
  testName,
  server: "vpn.example.com",
  agentSelectorType: "agent-labels",
  endpointAgentLabels: [labelId],
});

const settingsOf = ({ emulator }: Stack): NodeJS.ProcessEnv => ({
  ENDPOINT_MONITORING_BASE_URL: emulator.url,
  ENDPOINT_MONITORING_TOKEN: "emulator-token",
});
const importWith = (settings: NodeJS.ProcessEnv, ...args: string[]): Promise<Run> =>
  commandIn(folder, { ...settingsOf(stack), ...settings }, "import", ...args);

test("import outside of a project uses the environment's settings", async () => {
  const [office = ""] = await create(stack, "label", [label("Office")]);
  await create(stack, "agentToServerTest", [byLabel("Portal", office)]);
  // A read-only token is sufficient.
  const settings = { ENDPOINT_MONITORING_TOKEN: "emulator-read-only-token" };
  const run = await importWith(settings);
  expect([run.code, run.stdout]).toEqual([
    0,
    expect.stringContaining("pulumi import --file import.json --generate-code=false --yes\n") as unknown,
  ]);
  expect(run.stderr).toContain("This folder does not belong to a Pulumi project");
  expect(readdirSync(folder).toSorted()).toEqual(["agent-to-server-tests.ts", "import.json", "index.ts", "labels.ts"]);
  const again = await importWith(settings, "--json");
  const { data } = JSON.parse(again.stdout) as { data: { files: unknown[]; kinds: unknown } };
  expect(data).toMatchObject({ files: [], kinds: { labels: { declared: 1 }, "agent-to-server-tests": { declared: 1 } } });
  const refused = await importWith({}, "--run");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("There is no Pulumi.yaml in") as unknown]);
});

test("import reports each mistake in one line and writes no files", async () => {
  await create(stack, "label", [label("Office")]);
  const before = readdirSync(folder);
  const linesWith = async (settings: NodeJS.ProcessEnv, ...args: string[]): Promise<string[]> => {
    const run = await importWith(settings, ...args);
    expect([args, run.code, run.stdout]).toEqual([args, 1, ""]);
    const lines = run.stderr.trim().split("\n");
    return lines.filter((line) => !/^(Reading|Listing) |This folder does not belong to a Pulumi project/.test(line));
  };
  const lines = (...args: string[]): Promise<string[]> => linesWith({}, ...args);
  expect(await lines("--only", "tokens")).toEqual([
    expect.stringMatching(/--only takes labels, tags, tests.*not "tokens"\. Try/) as unknown,
  ]);
  expect(await lines("--account-group", "4711")).toHaveLength(1);
  expect(await lines("--secrets", "none.json")).toEqual([expect.stringContaining("cannot be read (ENOENT") as unknown]);
  expect(await linesWith({ ENDPOINT_MONITORING_TOKEN: "wrong" })).toEqual([expect.stringContaining("401") as unknown]);
  expect(await linesWith({ ENDPOINT_MONITORING_BASE_URL: "http://127.0.0.1:9" })).toEqual([
    expect.stringContaining("127.0.0.1:9") as unknown,
  ]);
  expect(readdirSync(folder)).toEqual(before);

  writeFileSync(join(folder, "import.json"), '{ "resources": [{ "type": "aws:s3/bucket:Bucket", "name": "b", "id": "b" }] }');
  expect(await lines()).toEqual([
    expect.stringContaining("already exists, but `import` did not write this file. Move the existing file") as unknown,
  ]);
  rmSync(join(folder, "import.json"));
  symlinkSync("/dev/null", join(folder, "labels.ts"));
  expect(await lines("--match", "Office")).toEqual([
    expect.stringMatching(/labels\.ts already exists, but is not a regular file with UTF-8 text/) as unknown,
  ]);
});

test("import reports that an account group has no records", async () => {
  const empty = await importWith({}, "--account-group", "1003");
  expect([empty.code, empty.stdout]).toEqual([0, "There is nothing to import in account group 1003.\n"]);
});

test("a killed import leaves only complete files", async () => {
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
  const written = ["labels.ts", "agent-to-server-tests.ts", "index.ts", "import.json"];
  const textOf = (name: string): string => readFileSync(join(folder, name), "utf8");
  const killer = join(__dirname, "support/killed-writing.cjs");
  let whole: string[][] = [];
  for (let point = 1; point <= 2 * written.length; point += 1) {
    for (const name of written) rmSync(join(folder, name), { force: true });
    const env = plainEnv({ ...settingsOf(stack), NODE_OPTIONS: `--require ${killer}`, KILL_AT: String(point) });
    const killed = await runNode([builtCommand, "import"], { cwd: folder, env });
    expect(killed.code).toBeNull();
    const there = written.filter((name) => existsSync(join(folder, name)));
    // Two points for each file, in this order, so an import file never exists without its program.
    expect([point, there]).toEqual([point, written.slice(0, Math.floor((point - 1) / 2))]);
    const existing = there.map((name) => [name, textOf(name)]);
    expect(existing).toEqual(whole.slice(0, there.length));
    // Both points of a file leave the same files.
    if (point % 2 === 0) continue;
    expect((await importWith({})).code).toBe(0);
    const now = written.map((name) => [name, textOf(name)]);
    if (point === 1) whole = now;
    expect(now).toEqual(whole);
  }
});
