/**
 * Compares rehearsals of random programs on random accounts with the following updates: the same failures, the same number of
 * requests, the same agents for each test, and only reads before the update.
 */
import { allOperations } from "../../api";
import { amount, seed } from "../support/amount";
import { readEvents } from "../../engine/update";
import { rehearsedCase, sameOf } from "./support/rehearsed";
import { type Front, fronts, Stack } from "./support/stack";

jest.setTimeout(3 * 60 * 60_000);

const cases = amount(2, 60);
const first = seed(1);
const sideBySide = 3;

/** Requests that look up references to deleted or replaced records: one each for each account group, and no rules to read. */
const ofReferences: readonly string[] = ["alertRules.list", "streams.list"];
const writes = new Set(
  allOperations()
    .filter((operation) => operation.writes)
    .map(({ id }) => id),
);

interface Rehearsed {
  update: { failures: { reason: string }[]; requests: { operations: Record<string, number> } };
  tests: { testName: string; before?: number; after?: number; undecided?: number }[];
  second?: unknown[];
  copy: { reads: number; accountGroups: string[] };
}

interface Outcome {
  seed: number;
  named: string[];
  failed: string[];
  missed: string[];
  invented: string[];
  requests: [rehearsed: Record<string, number>, real: Record<string, number>];
  agents: [rehearsed: string[], real: string[]];
  written: number;
  reads: number;
  asked: [times: number, atMost: number];
  second: [rehearsed: number | undefined, real: number | undefined];
}

test(`rehearsals correctly predict their updates: ${cases} random programs from seed ${first}`, async () => {
  const seeds = Array.from({ length: cases }, (_, i) => first + i);
  const outcomes: Outcome[] = [];
  const work = async (): Promise<void> => {
    for (let nextSeed = seeds.shift(); nextSeed !== undefined; nextSeed = seeds.shift()) {
      const outcome = await compare(nextSeed, fronts[nextSeed % fronts.length] ?? "dynamic");
      outcomes.push(outcome);
      if (cases > 10) process.stderr.write(`${JSON.stringify(outcome)}\n`);
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, work));
  const all = (of: (outcome: Outcome) => string[]): string[] =>
    outcomes.flatMap((outcome) => of(outcome).map((text) => `${outcome.seed} ${text}`));
  expect(outcomes.filter(({ written }) => written > 0)).toEqual([]);
  expect(all(({ invented }) => invented)).toEqual([]);
  expect(all(({ missed }) => missed)).toEqual([]);
  for (const { requests, agents, second, asked } of outcomes) {
    expect(asked[0]).toBeLessThanOrEqual(asked[1]);
    expect(requests[0]).toEqual(requests[1]);
    expect(agents[0]).toEqual(agents[1]);
    expect(second[0]).toBe(second[1]);
  }
  expect(Math.max(...outcomes.map(({ reads }) => reads))).toBeLessThanOrEqual(20);
  if (cases > 10) console.log(JSON.stringify({ cases, failures: all(({ failed }) => failed).length }));
});

async function compare(number: number, front: Front): Promise<Outcome> {
  const { options, facts, prepare } = rehearsedCase(number);
  const stack = await Stack.startWith(front, options);
  try {
    const { before, after } = await prepare(stack);
    stack.declare(before);
    if (Object.keys(before).length > 0) await stack.up();
    stack.declare(after);

    const agentsBefore = await agentsOfTests(stack);
    await stack.requests();
    const rehearsed = await stack.cli("rehearse", "--json", ...facts);
    const during = await stack.requests();
    const { data, error } = JSON.parse(rehearsed.stdout) as { data?: Rehearsed; error?: unknown };
    if (!data) throw new Error(`Seed ${number}: ${JSON.stringify(error)}\n${rehearsed.text}`);

    const update = ["up", "--yes", "--skip-preview", "--json", "--continue-on-error"];
    const real = await stack.run(...update);
    const requests = await stack.requests();
    const running = await agentsOfTests(stack);
    const named = sameOf(data.update.failures.map(({ reason }) => reason));
    // A failure ends the program. In an update without continue-on-error, pending resources then also fail.
    const failures = [...readEvents(real.stdout).failures];
    for (let fresh = failures; fresh.some(({ urn }) => urn !== undefined);) {
      const excluded = failures.flatMap(({ urn }) => (urn === undefined ? [] : ["--exclude", urn]));
      const again = readEvents((await stack.run(...update, ...excluded, "--exclude-dependents")).stdout);
      fresh = again.failures.filter(({ reason }) => !failures.some((failure) => failure.reason === reason));
      failures.push(...fresh);
    }
    const failed = sameOf(failures.map(({ reason }) => reason));
    return {
      seed: number,
      named,
      failed,
      missed: failed.filter((reason) => !named.includes(reason)),
      invented: named.filter((reason) => !failed.includes(reason)),
      // The result of an update after a failure depends on timing.
      requests: failed.length > 0 ? [{}, {}] : [data.update.requests.operations, requests],
      agents: failed.length > 0 ? [[], []] : [differencesIn(data.tests, running), differencesBetween(agentsBefore, running)],
      written: Object.keys(during).filter((operation) => writes.has(operation)).length,
      reads: countOf(during, (operation) => !ofReferences.includes(operation)),
      asked: [
        countOf(during, (operation) => ofReferences.includes(operation)),
        ofReferences.length * data.copy.accountGroups.length,
      ],
      // Only some cases run another preview.
      second: failed.length > 0 || number % 4 > 0 ? [0, 0] : [data.second?.length, (await stack.preview()).length],
    };
  } finally {
    await stack.end();
  }
}

function countOf(requests: Record<string, number>, isCounted: (operation: string) => boolean): number {
  return Object.entries(requests).reduce((sum, [operation, count]) => sum + (isCounted(operation) ? count : 0), 0);
}

/** Returns the ids of the agents that run each test of the service, by the test's id, with its name. */
async function agentsOfTests(stack: Stack): Promise<Map<string, { testName: string; agents: string[] }>> {
  const running = new Map<string, { testName: string; agents: string[] }>();
  for (const collection of ["agent-to-server-tests", "http-server-tests", "dynamic-tests"]) {
    for (const id of await stack.ids(collection)) {
      const answer = await fetch(`${stack.emulator.url}/_emulator/tests/${id}/agents`);
      const { agents } = (await answer.json()) as { agents: { id: string; runs: boolean }[] };
      const { testName } = await stack.stored(collection, id);
      running.set(id, { testName: String(testName), agents: agents.filter(({ runs }) => runs).map((agent) => agent.id) });
    }
  }
  return running;
}

type Running = Awaited<ReturnType<typeof agentsOfTests>>;

function differencesBetween(before: Running, after: Running): string[] {
  const ids = [...new Set([...before.keys(), ...after.keys()])];
  return ids
    .filter(
      (id) =>
        !before.has(id) ||
        !after.has(id) ||
        before.get(id)?.agents.toSorted().join() !== after.get(id)?.agents.toSorted().join(),
    )
    .map(
      (id) => `${(after.get(id) ?? before.get(id))?.testName} ${before.get(id)?.agents.length} ${after.get(id)?.agents.length}`,
    )
    .toSorted();
}

/**
 * Returns differences from a rehearsal. If it leaves the number of a new test's agents open, any possible number is right.
 */
function differencesIn(tests: Rehearsed["tests"], running: Running): string[] {
  const counts = new Map([...running.values()].map(({ testName, agents }) => [testName, agents.length]));
  return tests
    .map(({ testName, before, after, undecided = 0 }) => {
      const now = counts.get(testName) ?? -1;
      const isOpen = after !== undefined && now >= after && now <= after + undecided;
      return `${testName} ${before} ${isOpen ? now : after}`;
    })
    .toSorted();
}
