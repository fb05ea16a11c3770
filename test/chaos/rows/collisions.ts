/** Simultaneous changes to one service: by stacks, by updates of one stack, and by a user. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Stack } from "../../real/support/stack";
import { type CaseOutcome, type Order, type Outcome, Random, type Row, runCases } from "../row";
import { onlyReads } from "../support/seen";
import { differences, faults, fleet, noFaults, withStack } from "../support/stacks";
import { unlessEnded } from "../support/waiting";

export const row: Row = {
  name: "collisions",
  atLeast: 30,
  batch: 3,
  weight: 3,
  run: runAll,
};

const scenes = [twoStacks, twoUpdates, person] as const;

function runAll(order: Order): Promise<Outcome> {
  return runCases(order, 1, async (seed) => {
    const scene = scenes[seed % scenes.length] ?? twoStacks;
    return withStack(seed, (stack) => scene(stack, new Random(seed), seed));
  });
}

/** Both stacks declare different records, or the same ones. Each gets its own, or one of them reports an existing record. */
async function twoStacks(stack: Stack, random: Random): Promise<CaseOutcome> {
  const same = random.chance();
  const programs = { dev: fleet("Fleet", 0), prod: fleet(same ? "Fleet" : "Other", 0) };
  await stack.add("prod");
  await stack.secret("password", "prod secret", "prod");
  await slow(stack, random);
  const start = (name: "dev" | "prod") => {
    stack.declare(programs[name]);
    return stack.start("up", "--yes", "--skip-preview", "--suppress-progress", "--stack", name);
  };
  const first = start("dev");
  // The program is read from a file, so the second stack declares its own once the first has read it.
  await unlessEnded(first.ended, () => asked(stack, ".list"));
  const second = start("prod");
  const [a, b] = await Promise.all([first.ended, second.ended]);
  await noFaults(stack);
  const reported = [a, b].some(({ code }) => code !== 0);
  const wrong = [a, b]
    .filter(({ code, text }) => code !== 0 && !(same && text.includes("exists already")))
    .map(({ text }) => `an update failed: ${text}`);
  // Failed creates may leave no records that the states do not know.
  const managed = Object.fromEntries(
    (["dev", "prod"] as const).map((name) => {
      const state = stack.state(name);
      return [name, Object.fromEntries(Object.entries(programs[name]).filter(([resource]) => resource in state))];
    }),
  );
  if (!reported && !same && Object.values(managed).some((resources) => Object.keys(resources).length < 5))
    wrong.push("lost: a state lacks a resource");
  return { reported, wrong: [...wrong, ...(await differences(stack, managed))].map((problem) => `two stacks: ${problem}`) };
}

/** The engine's lock lets only one of them run. */
async function twoUpdates(stack: Stack, random: Random): Promise<CaseOutcome> {
  stack.declare(fleet("Fleet", 0));
  if (random.chance()) {
    await stack.up();
    stack.declare(fleet("Fleet", 1));
  }
  const program = fleet("Fleet", stack.resources().length > 0 ? 1 : 0);
  await stack.requests();
  await slow(stack, random);
  const up = () => stack.start("up", "--yes", "--skip-preview", "--suppress-progress");
  const first = up();
  await sleep(random.below(2_000));
  const second = up();
  const runs = await Promise.all([first.ended, second.ended]);
  await noFaults(stack);
  const failed = runs.filter(({ code }) => code !== 0);
  const wrong = failed.filter(({ text }) => !text.includes("currently locked")).map(({ text }) => `an update failed: ${text}`);
  // Each may block the other if both begin at once. Then neither has done anything.
  if (failed.length === 2) await stack.up();
  return {
    reported: failed.length > 0,
    wrong: [...wrong, ...(await differences(stack, { dev: program }))].map((problem) => `two updates: ${problem}`),
  };
}

interface Drift {
  data: { stacks: { changed: { id: string }[]; missing: { id: string }[] }[]; unmanaged?: { id: string }[] };
}

/** A user changes, deletes and creates records during an update. Drift shows all changes that the update did not revert. */
async function person(stack: Stack, random: Random, seed: number): Promise<CaseOutcome> {
  stack.declare(fleet("Fleet", 0));
  await stack.up();
  const program = fleet("Fleet", 1);
  stack.declare(program);
  await stack.requests();
  await slow(stack, random);
  const up = stack.start("up", "--yes", "--skip-preview", "--suppress-progress");
  await unlessEnded(up.ended, () => asked(stack, ".update"));
  await sleep(random.below(700));
  const deed = random.pick(["edit", "delete", "create"]);
  const touched = await meddle(stack, deed, random);
  const ended = await up.ended;
  await noFaults(stack);
  const gone = ended.code !== 0 && /has gone|no longer exists/.test(ended.text);
  const wrong = ended.code === 0 || (deed === "delete" && gone) ? [] : [`the update failed: ${ended.text}`];
  const run = await onlyReads(stack.emulator, "drift", seed, () => stack.cli("drift", "--json"));
  const { data } = JSON.parse(run.stdout) as Drift;
  const managed = data.stacks.flatMap(({ changed, missing }) => [...changed, ...missing]);
  const shown = [...managed, ...(data.unmanaged ?? [])].map(({ id }) => id);
  const asDeclared = (await differences(stack, { dev: program })).length === 0;
  if (!asDeclared && !shown.includes(touched)) wrong.push(`lost: drift does not report ${touched}: ${run.stdout}`);
  if (asDeclared && shown.length > 0) wrong.push(`drift reports a record with the declared values: ${run.stdout}`);
  return { reported: shown.length > 0, wrong: wrong.map((problem) => `a user (${deed}): ${problem}`) };
}

/** @returns the id of the changed record */
async function meddle(stack: Stack, deed: string, random: Random): Promise<string> {
  const labels = "/v7/endpoint/labels";
  if (deed === "create") {
    const body = { name: "By hand", matchType: "and", filters: [{ key: "platform", values: ["Mac"] }] };
    return ((await (await stack.api("POST", labels, body)).json()) as { id: string }).id;
  }
  const id = stack.state()[`label-${random.below(2)}`]?.id ?? "";
  await (deed === "edit" ? stack.api("PATCH", `${labels}/${id}`, { name: "By hand" }) : stack.api("DELETE", `${labels}/${id}`));
  return id;
}

function slow(stack: Stack, random: Random): Promise<void> {
  const latency = (method: string) => ({ method, kind: "latency" as const, ms: 100 + random.below(500), n: 10 });
  return faults(stack, latency("POST"), latency("PATCH"));
}

function asked(stack: Stack, ending: string): boolean {
  return Object.keys(stack.emulator.requests()).some((id) => id.endsWith(ending) && !id.startsWith("accountGroups"));
}
