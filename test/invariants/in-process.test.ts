/** Several commands in one process must not affect each other. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Emulator, start } from "../../emulator";
import { type CommandSettings, type CommandRun, runCommand, startCommand } from "../support/command";
import { answers, EngineStub } from "../support/engine-stub";
import { plainEnv } from "../support/process";
import { previewText, step } from "../cli/review-support";
import { temporary } from "../support/temporary";

const label = { name: "Office", matchType: "or", filters: [{ key: "platform", values: ["Windows"] }] };
const gone = previewText([step("delete", "label", "office", { id: "1", before: label })]);

let folder: string;
let emulators: Emulator[];
beforeAll(async () => {
  folder = temporary();
  for (const name of ["a", "b"]) mkdirSync(join(folder, name));
  emulators = await Promise.all([start({ rateLimit: "off", agents: 3 }), start({ rateLimit: "off", agents: 7 })]);
});
afterAll(() => Promise.all(emulators.map((emulator) => emulator.close())));

const settings = (at: 0 | 1): NodeJS.ProcessEnv =>
  plainEnv({ ENDPOINT_MONITORING_BASE_URL: emulators[at]?.url, ENDPOINT_MONITORING_TOKEN: "emulator-token" });

/** Runs with different folders, environments and streams. */
const runs = (): [string[], CommandSettings][] => [
  [["import", "--only", "agents", "--all-account-groups", "--json"], { cwd: join(folder, "a"), env: settings(0) }],
  [["import", "--only", "agents", "--all-account-groups", "--json"], { cwd: join(folder, "b"), env: settings(1) }],
  [["review", "--preview", "-", "--offline", "--fail-on", "any"], { cwd: folder, stdin: gone }],
  [["review", "--preview", "-", "--offline"], { cwd: folder, stdin: previewText([]), isTTY: true, columns: 40 }],
  [["review", "--preview", "-", "--fail-on", "any"], { cwd: folder, stdin: gone, env: plainEnv() }],
  [["review", "--preview", "-", "--fail-on", "any"], { cwd: folder, stdin: gone, env: settings(1) }],
  [["drift"], { cwd: join(folder, "a") }],
  [["drift", "--json"], { cwd: join(folder, "b") }],
  [["verify", "--bogus"], { cwd: folder }],
  [["--help"], {}],
];

const clean = (): void => {
  for (const name of ["a", "b"]) for (const file of readdirSync(join(folder, name))) rmSync(join(folder, name, file));
};

test("parallel commands have the same output and effects as consecutive commands", async () => {
  const before = process.eventNames().map((name) => [name, process.listenerCount(name)]);
  const [environment, exitCode] = [{ ...process.env }, process.exitCode];
  const alone: CommandRun[] = [];
  for (const run of runs()) alone.push(await runCommand(...run));
  expect(alone.map(({ code }) => code)).toEqual([0, 0, 2, 0, 2, 2, 1, 1, 1, 0]);
  expect(alone.slice(0, 2).map(({ stdout }) => JSON.parse(stdout).data.kinds.agents.listed)).toEqual([3, 7]);
  clean();
  const again: CommandRun[] = [];
  for (const run of runs()) again.push(await runCommand(...run));
  expect(again).toEqual(alone);
  clean();
  // The chunks of both outputs interleave.
  const apart = ({ code, stdout, stderr }: CommandRun) => ({ code, stdout, stderr });
  const together = await Promise.all(runs().map((run) => runCommand(...run)));
  expect(together.map(apart)).toEqual(alone.map(apart));
  expect(process.eventNames().map((name) => [name, process.listenerCount(name)])).toEqual(before);
  expect([{ ...process.env }, process.exitCode]).toEqual([environment, exitCode]);
});

test("a signal to an emulator command stops only that command's emulator", async () => {
  const [first, other] = [startCommand(["emulator", "--json"]), startCommand(["emulator", "--json"])];
  const urls = (await Promise.all([first.line(), other.line()])).map((line) => JSON.parse(line).data.url as string);
  first.interrupt("SIGTERM");
  expect((await first.ended).code).toBe(0);
  expect([first.listeners(), other.listeners()]).toEqual([0, 1]);
  await expect(fetch(`${urls[0]}/_emulator/requests`)).rejects.toThrow("fetch failed");
  expect((await fetch(`${urls[1]}/_emulator/requests`)).status).toBe(200);
  other.interrupt();
  expect((await other.ended).code).toBe(0);
});

describe("a command that has finished", () => {
  /** Connections of this process, on both sides. */
  const connections = (): number => process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
  const office = step("delete", "label", "office", { id: "400000000000001", before: label });
  const oldState = { ...office.oldState, propertyDependencies: {} };

  test.each<[string[], number, Omit<CommandSettings, "env">]>([
    [["import", "--only", "agents", "--all-account-groups"], 0, {}],
    [["import", "--only", "agents", "--account-group", "4711"], 1, {}],
    [["review", "--preview", "-"], 0, { stdin: previewText([office]) }],
    [["drift", "--json"], 2, {}],
    [["drift", "--json", "--fix"], 1, {}],
    [["verify", "--all"], 0, {}],
    [["check"], 2, {}],
  ])("the command %j leaves no open connection", async (args, code, commandSettings) => {
    const cwd = mkdtempSync(join(folder, "connections-"));
    if (!["import", "review"].includes(args[0] ?? "")) writeFileSync(join(cwd, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
    const script = answers({
      "stack ls": [{ name: "dev", current: true }],
      "stack tag": {},
      "stack export": { deployment: { resources: [oldState] } },
      "config --json": {},
      "stack history": [{ kind: "update", result: "succeeded", startTime: "2026-11-22T06:00:00Z" }],
    });
    const engine = new EngineStub(mkdtempSync(join(folder, "engine-")), script);
    const [emulator] = emulators;
    const env = engine.env({ ENDPOINT_MONITORING_BASE_URL: emulator?.url, ENDPOINT_MONITORING_TOKEN: "emulator-token" });
    // An earlier suite in the same process may have left a connection.
    const before = connections();
    const run = await runCommand(args, { cwd, env, ...commandSettings });
    expect({ code: run.code, text: run.text }).toMatchObject({ code });
    // The other side notices the end a moment later. An idle connection would stay open for seconds.
    for (let tries = 0; tries < 50 && connections() > before; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(connections()).toBeLessThanOrEqual(before);
  });
});

test("a command resolves relative paths from its own folder", async () => {
  const cwd = join(folder, "paths");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "preview.json"), gone);
  writeFileSync(join(cwd, "secrets.json"), "[]");
  const reviewed = await runCommand(["review", "--preview", "preview.json", "--offline", "--markdown", "out/review.md"], {
    cwd,
  });
  expect([reviewed.code, reviewed.stderr]).toEqual([0, "The review is in out/review.md\n"]);
  expect(existsSync(join(cwd, "out/review.md"))).toBe(true);
  const lacking = await runCommand(["review", "--preview", "none.json"], { cwd });
  expect(lacking.stderr).toContain("review: none.json cannot be read (ENOENT: no such file or directory)");

  const secrets = await runCommand(["import", "--secrets", "secrets.json"], { cwd });
  expect(secrets.stderr).toContain("secrets.json must contain a JSON object");
  const imported = await runCommand(["import", "--only", "agents", "--all-account-groups"], { cwd, env: settings(0) });
  expect([imported.code, imported.stdout]).toEqual([0, expect.stringMatching(/^ *import\.json {2}3 resources/m)]);
  expect([existsSync(join(cwd, "agents.ts")), existsSync(join(cwd, "import.json"))]).toEqual([true, true]);

  const emulator = startCommand(["emulator", "--data", "records.db"], { cwd });
  await emulator.line();
  expect(existsSync(join(cwd, "records.db"))).toBe(true);
  emulator.interrupt();
  await emulator.ended;
});

test("each command uses colors only if its own environment and terminal permit colors", async () => {
  const review = (commandSettings: CommandSettings) =>
    runCommand(["review", "--preview", "-", "--offline"], { stdin: gone, ...commandSettings }).then(({ stdout }) =>
      stdout.includes("\u001b["),
    );
  const env = { TERM: "xterm-256color" };
  expect(
    await Promise.all([
      review({ isTTY: true, env }),
      review({ isTTY: false, env }),
      review({ isTTY: true, env: { ...env, NO_COLOR: "1" } }),
      review({ isTTY: true, env: { TERM: "dumb" } }),
      review({ isTTY: false, env: { ...env, FORCE_COLOR: "1" } }),
      review({ isTTY: true, env: { ...env, FORCE_COLOR: "0" } }),
    ]),
  ).toEqual([true, false, false, false, true, false]);
});
