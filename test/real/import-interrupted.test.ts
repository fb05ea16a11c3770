/** Presses Ctrl+C while the engine imports. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EngineWrapper } from "./support/engine-wrapper";
import { create } from "./support/fleet";
import { Stack } from "./support/stack";

/** Number of labels, so that the engine is interrupted long before it has imported all. */
const count = 80;
const labels = Array.from({ length: count }, (_, i) => ({
  name: `Label ${i}`,
  matchType: "and",
  filters: [{ key: "platform", values: ["Mac"] }],
}));

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.start({ agents: 0 }, "typescript");
  writeFileSync(join(stack.folder, "index.ts"), "");
  await create(stack, "label", labels.slice(0, 1));
});
afterAll(() => stack.end());

test("import names a remaining lock of the stack and the command that deletes the lock", async () => {
  const lock = join(stack.folder, "backend/.pulumi/locks/organization/test/dev/4-2.json");
  mkdirSync(dirname(lock), { recursive: true });
  writeFileSync(lock, JSON.stringify({ pid: 1, username: "u", hostname: "h", timestamp: "2026-01-01T00:00:00Z" }));
  const message = `Stack dev is locked by ${lock}: if no other pulumi uses it, unlock it with \`pulumi cancel --yes --stack dev\``;
  const engine = new EngineWrapper(stack.folder, { stuckIn: "import" });
  const { length: before } = engine.calls;
  try {
    const run = stack.startCli("import", "--run");
    while (!engine.calls.includes("import --file", before)) await sleep(50);
    run.kill("SIGINT");
    const ended = await run.ended;
    expect([ended.code, ended.stderr]).toEqual([130, expect.stringContaining(message) as unknown]);
  } finally {
    engine.end();
  }
  const next = await stack.cli("import", "--run");
  expect([next.code, next.stderr]).toEqual([1, expect.stringContaining("currently locked by 1 lock(s)") as unknown]);
  expect(next.stderr).toContain(message);
  await stack.must("cancel", "--yes", "--stack", "dev");
  expect(existsSync(lock)).toBe(false);
});

test("a second import completes an import that Ctrl+C interrupted", async () => {
  await create(stack, "label", labels.slice(1));
  // The state then shows the progress.
  const engine = new EngineWrapper(stack.folder, { without: "PULUMI_SKIP_CHECKPOINTS" });
  const run = stack.startCli("import", "--run");
  const locks = join(stack.folder, "backend/.pulumi/locks");
  const isLocked = (): boolean =>
    existsSync(locks) && readdirSync(locks, { recursive: true, encoding: "utf8" }).some((name) => name.endsWith(".json"));
  // After the first imported resource, because the engine may ignore Ctrl+C before.
  const state = join(stack.folder, "backend/.pulumi/stacks/test/dev.json");
  while (!readFileSync(state, "utf8").includes("endpoint-monitoring:Label")) await sleep(5);
  expect(isLocked()).toBe(true);
  run.kill("SIGINT");
  const ended = await run.ended;
  engine.end();
  expect([ended.code, ended.stderr]).toEqual([
    130,
    expect.stringContaining("The engine finished its pending operations") as unknown,
  ]);
  expect(isLocked()).toBe(false);
  expect(await stack.cli("import", "--run")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("A preview shows no change of the imported resources.") as unknown,
  });
  expect(stack.resources()).toHaveLength(count);
});
