/** The same faults during updates of the real engine, several of them in one update. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../../../emulator/faults";
import type { Program, Stack } from "../../real/support/stack";
import { type CaseOutcome, type Order, type Outcome, Random, type Row, runCases } from "../row";
import type { Change } from "../support/operations";
import { differences, faults, fleet, noFaults, withStack } from "../support/stacks";
import { impatient, type Trouble, troubles } from "../support/trouble";

export const row: Row = {
  name: "faults during engine updates",
  atLeast: 36,
  batch: 4,
  weight: 2,
  run: runAll,
};

/** Troubles that need more than faults of the service belong to the row without an engine. */
const names = Object.keys(troubles).filter((trouble) => trouble !== "refused" && trouble !== "token ends midway");

function runAll(order: Order): Promise<Outcome> {
  return runCases(order, 2, (seed) => withStack(seed, (stack) => runCase(stack, seed)));
}

async function runCase(stack: Stack, seed: number): Promise<CaseOutcome> {
  const random = new Random(seed);
  stack.configure(impatient);
  stack.declare(fleet("Fleet", 0));
  await stack.up();
  const program = changed(random);
  stack.declare(program);
  // Each seed has the next fault of the table, and up to two others.
  const chosen = Array.from({ length: 1 + random.below(3) }, (_, i) => names[(seed + i * 5) % names.length] ?? "500");
  const change: Change = { title: "", writes: ["POST", "PATCH", "DELETE"], before: {}, after: {} };
  const made = chosen.map((name) => troubles[name]?.(change, random, "http://elsewhere.invalid") ?? { faults: [] });
  const injected = made.flatMap((trouble: Trouble): readonly Fault[] => trouble.faults);
  await faults(stack, ...injected);
  const first = await stack.run("up", "--yes", "--skip-preview", "--suppress-progress");
  await noFaults(stack);
  await sleep(Math.max(...made.map(({ settledAfterMs = 0 }) => settledAfterMs)));
  const wrong: string[] = [];
  if (/\n {4}at .*\.js:\d+/.test(first.text)) wrong.push(`it failed with a stack: ${first.text}`);
  if (first.code !== 0) {
    stack.configure({ adopt: "identical", timeout: null, deadline: null, createOutcomeTimeout: null });
    const second = await stack.run("up", "--yes", "--skip-preview", "--suppress-progress");
    if (second.code !== 0) wrong.push(`the second up failed: ${second.text}; the first: ${first.text}`);
  }
  wrong.push(...(await differences(stack, { [stack.selected]: program })));
  const place = `${chosen.join(", ")} ${JSON.stringify(injected)}`;
  return { reported: first.code !== 0, wrong: wrong.map((problem) => `${place}: ${problem}`) };
}

/** Returns another version of the program: with one more record, one less, and one replaced. */
function changed(random: Random): Program {
  const all = fleet("Fleet", 1, 3);
  const { portal, calls, ...others } = all;
  const replaced = portal && { ...portal, args: { ...portal.args, httpTimeLimit: 4_000 + random.below(1_000) } };
  return {
    ...others,
    ...(random.chance() && calls && { calls }),
    ...(replaced && { portal: replaced }),
  };
}
