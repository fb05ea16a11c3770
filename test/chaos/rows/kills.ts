/** Processes killed during an operation of the real engine, and the steps of docs/recovery.md. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { create } from "../../real/support/fleet";
import type { Program, Stack } from "../../real/support/stack";
import type { Started } from "../../support/process";
import { type CaseOutcome, type Order, type Outcome, Random, type Row, runCases } from "../row";
import { descendantsOf, eventually, isRunning, type Process } from "../support/processes";
import { onlyReads, writesOf } from "../support/seen";
import { differences, faults, fleet, noFaults, recover, unlock, withStack } from "../support/stacks";
import { unlessEnded } from "../support/waiting";

export const row: Row = {
  name: "kills",
  atLeast: 100,
  batch: 4,
  weight: 6,
  run: runAll,
};

const operations = ["create", "update", "refresh", "destroy", "import"] as const;
const victims = ["engine", "provider", "language host", "all", "Ctrl+C", "Ctrl+C twice"] as const;
type Operation = (typeof operations)[number];
type Victim = (typeof victims)[number];

/** Requests of each operation to the service. An import sends none, and starts no host of ours. */
const asks: Record<Operation, RegExp | undefined> = {
  create: /\.create$/,
  update: /\.update$/,
  refresh: /\.list$/,
  destroy: /\.delete$/,
  import: undefined,
};
const processNames: Partial<Record<Victim, RegExp>> = {
  engine: /(?:^|\/)pulumi /,
  provider: /pulumi-resource-pulumi-nodejs|cmd\/dynamic-provider/,
  "language host": /pulumi-language-nodejs/,
};

/** The victims of each operation. */
const cells = operations.flatMap((operation) =>
  victims
    .filter((victim) => operation === "create" || operation === "update" || victim !== "language host")
    .filter((victim) => operation !== "import" || victim !== "provider")
    .map((victim) => ({ operation, victim })),
);

function runAll(order: Order): Promise<Outcome> {
  return runCases(order, 2, async (seed) => {
    const cell = cells[(seed * 7) % cells.length];
    if (!cell) return undefined;
    const random = new Random(seed);
    const killCell = (stack: Stack): Promise<CaseOutcome> =>
      cell.operation === "import" ? killImport(stack, cell.victim, random) : killOperation(stack, seed, cell, random);
    const outcome = await withStack(seed, killCell, cell.operation === "import" ? "typescript" : undefined);
    return (
      outcome && { ...outcome, wrong: outcome.wrong.map((problem) => `${cell.victim} killed in ${cell.operation}: ${problem}`) }
    );
  });
}

async function killOperation(
  stack: Stack,
  seed: number,
  { operation, victim }: { operation: Operation; victim: Victim },
  random: Random,
): Promise<CaseOutcome> {
  const [before, after] = [fleet("Fleet", 0), fleet("Fleet", operation === "update" ? 1 : 0)];
  if (random.chance(0.4)) launchByShell(stack);
  if (operation !== "create") {
    stack.declare(before);
    await stack.up();
    await stack.requests();
  }
  stack.declare(after);
  // The service is slow, and carries out requests although no client waits for the response.
  await faults(stack, ...["POST", "PATCH", "DELETE", "GET"].map((method) => slow(method, operation, random)));
  const words = operation === "create" || operation === "update" ? "up" : operation;
  const run = stack.start(words, "--yes", "--skip-preview", "--suppress-progress");
  const least = 1 + random.below(operation === "refresh" ? 2 : 3);
  const hit = await unlessEnded(run.ended, () => countOf(stack, asks[operation]) >= least);
  await sleep(random.below(400));
  const { wrong, ended } = await kill(run, victim);
  await noFaults(stack);
  // Longer than the service's delay.
  await sleep(1_000);
  if (!hit || (ended === 0 && operation !== "refresh")) return undefined;

  if (operation === "destroy") await destroyAgain(stack);
  else await upAgain(stack);
  const programs: Record<string, Program> = { [stack.selected]: operation === "destroy" ? {} : after };
  wrong.push(...(await differences(stack, programs)));
  if (random.chance(0.25) && operation !== "destroy") {
    const preview = await onlyReads(stack.emulator, "preview", seed, () => stack.run("preview", "--expect-no-changes"));
    if (preview.code !== 0) wrong.push(`a preview afterwards has changes: ${preview.text}`);
  }
  return { reported: ended !== 0, wrong };
}

async function upAgain(stack: Stack): Promise<void> {
  await recover(stack);
  await stack.up();
}

async function destroyAgain(stack: Stack): Promise<void> {
  await recover(stack);
  await stack.destroy();
}

/** An import does not change the service, so the state must contain each record once. */
async function killImport(stack: Stack, victim: Victim, random: Random): Promise<CaseOutcome> {
  const count = 12;
  const filters = [{ key: "platform", values: ["Mac"] }];
  await create(
    stack,
    "label",
    Array.from({ length: count }, (_, i) => ({ name: `Label ${i}`, matchType: "and", filters })),
  );
  const before = writesOf(stack.emulator);
  const run = stack.startCli("import", "--run");
  const hit = await unlessEnded(run.ended, () => descendantsOf(run.pid).some(({ command }) => / import /.test(command)));
  await sleep(random.below(2_500));
  const { wrong, ended } = await kill(run, victim);
  if (!hit || ended === 0) return undefined;
  await unlock(stack);
  const again = await stack.cli("import", "--run");
  if (again.code !== 0) wrong.push(`the import ended with ${again.code} when it was run again: ${again.text}`);
  const ids = stack.resources().map(({ id }) => id);
  if (new Set(ids).size !== count || ids.length !== count) wrong.push(`${ids.length} of ${count} records are in the state`);
  if (JSON.stringify(writesOf(stack.emulator)) !== JSON.stringify(before)) wrong.push("the import wrote to the service");
  return { reported: ended !== 0, wrong };
}

/** Kills the victims. @returns the operation's exit code, and its leftovers */
async function kill(run: Started, victim: Victim): Promise<{ wrong: string[]; ended: number | null }> {
  const launcher: Process[] = [{ pid: run.pid, parent: process.pid, command: run.child.spawnargs.join(" ") }];
  const others = descendantsOf(run.pid);
  if (victim === "Ctrl+C" || victim === "Ctrl+C twice") {
    run.kill("SIGINT");
    if (victim === "Ctrl+C twice") {
      await sleep(300);
      run.kill("SIGINT");
    }
  } else {
    const fits = processNames[victim];
    const chosen = [...launcher, ...others].filter(({ command }) => fits?.test(command) ?? true);
    for (const { pid } of chosen) end(pid);
  }
  const { code } = await run.ended;
  const stay = (): Process[] => others.filter(isRunning);
  await eventually(() => stay().length === 0);
  const remaining = stay();
  for (const { pid } of remaining) end(pid);
  return { wrong: remaining.map(({ command }) => `a process is still running: ${command}`), ended: code };
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Already ended.
  }
}

function slow(method: string, operation: Operation, random: Random): Parameters<typeof faults>[1] {
  const isOwn = method === { create: "POST", update: "PATCH", destroy: "DELETE", refresh: "GET", import: "" }[operation];
  return { method, kind: "latency", ms: isOwn ? 300 + random.below(500) : 0, n: 50 };
}

function countOf(stack: Stack, operation: RegExp | undefined): number {
  const counts = Object.entries(stack.emulator.requests()).filter(([id]) => operation?.test(id));
  return counts.reduce((sum, [, count]) => sum + count, 0);
}

/** Starts the provider as the official host does: by a shell without exec, which is then the provider's parent. */
function launchByShell(stack: Stack): void {
  const folder = join(stack.folder, "launcher");
  mkdirSync(folder);
  const launcher = join(folder, "pulumi-resource-pulumi-nodejs");
  const script = "#!/bin/sh\nscript=$(node -e \"console.log(require.resolve('@pulumi/pulumi/cmd/dynamic-provider'))\")\n";
  // The following command prevents the shell from replacing itself.
  writeFileSync(launcher, `${script}node "$script" "$@"\nexit $?\n`);
  chmodSync(launcher, 0o755);
  stack.environment["PATH"] = [folder, process.env["PATH"]].join(delimiter);
}
