import { listOf } from "../../../provider/compare";
import { hasSecretTitle, titleOf } from "../../../provider/identity";
import type { Update } from "../../../engine/stack";
import type { ManagedResource } from "../../../engine/state";
import { few } from "../../../common/text";
import { UsageError } from "../../../common/errors";

/** A test of a stack that is to be verified, or that could not be. */
export interface SelectedTest {
  resource: ManagedResource;
  /** The reason why it counts as changed although it was not changed itself, as a part of a sentence. */
  cause?: string;
  /** True if it has HTTP results. Absent if it cannot be run. */
  http?: boolean;
  /** True if it has network results. Absent if it cannot be run. */
  network?: boolean;
  /** True if its rounds measure the sessions of users. */
  ofSessions?: true;
  /** The reason why it cannot be run. */
  refused?: string;
  /** True if it has not passed since an earlier verification. */
  isUnverified?: true;
}

/** The measurements of a verification: those of a run, or of the rounds that the service schedules. */
export type Means = "run" | "rounds";

/** The tests to verify: those that the last update changed, all of the stack, or those with a name. */
export type TestChoice = "changed" | "all" | readonly string[];

/**
 * Selects the tests to verify, in the order of the state.
 *
 * @param update the last one of the stack
 * @param unverified returns true if an earlier verification left a test without a pass. Such a test counts as changed until it passes
 * @throws UsageError for a name that no test has, or a test that is named and cannot be run
 */
export function selectTests(
  resources: readonly ManagedResource[],
  choice: TestChoice,
  update: Update | undefined,
  means: Means = "run",
  unverified: (test: ManagedResource) => boolean = () => false,
): SelectedTest[] {
  const selected = (test: ManagedResource, cause?: string): SelectedTest => ({
    ...selectedBy(means, test, cause),
    ...(unverified(test) && { isUnverified: true as const }),
  });
  const tests = resources.filter(({ kind }) => kind.onDemand !== undefined);
  if (choice === "all") return tests.map((test) => selected(test));
  if (choice !== "changed") return named(tests, choice, means);
  return tests.flatMap((test) => {
    if (update && isChanged(test, update)) return [selected(test)];
    const cause = update && referredTo(test, resources).find((other) => isChanged(other, update));
    if (cause !== undefined) return [selected(test, `${cause.kind.noun} ${cause.name} changed`)];
    return unverified(test) ? [selected(test, "it has not passed since an earlier verification")] : [];
  });
}

function named(tests: readonly ManagedResource[], names: readonly string[], means: Means): SelectedTest[] {
  const chosen = new Set<ManagedResource>();
  for (const name of names) {
    const hits = tests.filter((test) => [test.name, test.id, testName(test)].includes(name));
    if (hits.length === 0) throw new UsageError(`The stack has no test "${name}". ${testsText(tests)}`, "work");
    for (const hit of hits) {
      const { refused } = selectedBy(means, hit);
      if (refused !== undefined) throw new UsageError(`Test "${name}" cannot be verified: ${refused}`, "work");
      chosen.add(hit);
    }
  }
  return [...chosen].map((test) => selectedBy(means, test));
}

/** Returns the name of the test in the service, unless the program keeps it secret. */
export function testName({ kind, outputs, secrets }: ManagedResource): string | undefined {
  return hasSecretTitle(kind, secrets) ? undefined : titleOf(kind, outputs);
}

function selectedBy(means: Means, resource: ManagedResource, cause?: string): SelectedTest {
  const { kind, outputs } = resource;
  const answer = (means === "run" ? kind.onDemand?.(outputs) : kind.inRounds?.(outputs)) ?? { refused: "it is no test" };
  return { resource, cause, ...answer };
}

/**
 * Returns true if the update changed a resource. The engine stamps creations, updates, imports, and refreshes that found something. A
 * refresh since the update counts, too, as it may have hidden the stamp of the update. A resource that came into the state after the
 * update was imported.
 */
function isChanged({ created, modified }: ManagedResource, { startTime, endTime }: Update): boolean {
  if (modified === undefined || Date.parse(modified) < Date.parse(startTime)) return false;
  // The end of the update is a whole second, cut off.
  return created === undefined || endTime === undefined || Date.parse(created) < Date.parse(endTime) + 1_000;
}

/** Returns the resources of the stack to which a resource refers, by what its kind declares. */
function referredTo({ kind, outputs, inputs }: ManagedResource, resources: readonly ManagedResource[]): ManagedResource[] {
  const references: Record<string, string | undefined> = kind.refersTo;
  return Object.entries(references).flatMap(([property, kindName]) => {
    const ids = new Set(listOf(outputs[property] ?? inputs[property]));
    return resources.filter((other) => other.kindName === kindName && ids.has(other.id));
  });
}

function testsText(tests: readonly ManagedResource[]): string {
  if (tests.length === 0) return "It has no tests";
  return `It has ${few(tests.map(({ name }) => name).toSorted())}`;
}
