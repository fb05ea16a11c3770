/** Read-only commands on a stack whose program, state and service all differ. They must send no writes. */
import type { Stack } from "../../real/support/stack";
import { type CaseOutcome, type Order, type Outcome, Random, type Row, runCases } from "../row";
import { onlyReads, reads } from "../support/seen";
import { faults, fleet, noFaults, withStack } from "../support/stacks";

export const row: Row = {
  name: "writes of read-only commands",
  atLeast: 40,
  batch: 10,
  last: true,
  run: runAll,
};

const commands: readonly (readonly [string, (stack: Stack) => Promise<{ code: number | null }>])[] = [
  ["check", (stack) => stack.cli("check")],
  ["import --dry-run", (stack) => stack.cli("import", "--dry-run", "--json")],
  ["review", (stack) => stack.cli("review", "--json")],
  ["drift", (stack) => stack.cli("drift", "--json")],
  ["preview", (stack) => stack.run("preview", "--json")],
  ["preview --refresh", (stack) => stack.run("preview", "--refresh", "--json")],
  ["refresh --preview-only", (stack) => stack.run("refresh", "--preview-only")],
];

/** The results of other rows count once, with the first cases of this row. */
let countedBefore = 0;

async function runAll(order: Order): Promise<Outcome> {
  return withStack(order.seed, async (stack) => {
    stack.declare(fleet("Fleet", 0));
    await stack.up();
    // Resources to create, update, delete and replace, resources with drift, and unmanaged records.
    const { calls: _, ...rest } = fleet("Fleet", 1, 3);
    stack.declare({ ...rest, ...replaced(rest) });
    const label = stack.state()["label-0"]?.id ?? "";
    await stack.api("PATCH", `/v7/endpoint/labels/${label}`, { color: "#123456" });
    const byHand = { name: "By hand", matchType: "and", filters: [{ key: "platform", values: ["Mac"] }] };
    await stack.api("POST", "/v7/endpoint/labels", byHand);
    const { reported, wrong } = await runCases(order, 1, (seed) => runCase(stack, seed));
    const tried = reads.watched - countedBefore;
    countedBefore = reads.watched;
    return { tried, reported, wrong: [...wrong, ...reads.found.splice(0)] };
  });
}

async function runCase(stack: Stack, seed: number): Promise<CaseOutcome> {
  const random = new Random(seed);
  const [command, work] = commands[seed % commands.length] ?? commands[0] ?? [];
  if (!command || !work) throw new Error("there is no command");
  if (random.chance(0.3)) await faults(stack, { method: "GET", kind: "status", status: random.pick([403, 500]), n: 6 });
  const { code } = await onlyReads(stack.emulator, command, seed, () => work(stack));
  await noFaults(stack);
  return { reported: code !== 0, wrong: [] };
}

function replaced({ portal }: ReturnType<typeof fleet>): ReturnType<typeof fleet> {
  return portal ? { portal: { ...portal, args: { ...portal.args, httpTimeLimit: 4_321 } } } : {};
}
