import { listOf } from "../../../provider/compare";
import { hasSecretTitle, titleOf } from "../../../provider/identity";
import type { Update } from "../../../engine/stack";
import type { ManagedResource } from "../../../engine/state";
import { few } from "../../../common/text";
import { UsageError } from "../../../common/errors";

export interface SelectedTest {
  resource: ManagedResource;
  /** The reason why an unchanged test counts as changed, as a sentence fragment. */
  cause?: string;
  /** Whether the test returns HTTP results, or undefined if the test cannot run. */
  http?: boolean;
  /** Whether the test returns network results, or undefined if the test cannot run. */
  network?: boolean;
  /** True if the test's rounds measure user sessions. */
  ofSessions?: true;
  refused?: string;
  isUnverified?: true;
}

/** Source of the measurements: a run of the test, or scheduled rounds. */
export type Means = "run" | "rounds";

/** The tests to verify: changed tests, all tests of the stack, or tests by name. */
export type TestChoice = "changed" | "all" | readonly string[];

/**
 * Selects the tests to verify, in the order of the state.
 *
 * @param update the stack's last update
 * @param unverified function that decides whether a test counts as changed because it did not pass its last verification
 * @throws UsageError for an unknown name, or for a named test that cannot run
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
    const cause = update && referredTo(test, resources).find((resource) => isChanged(resource, update));
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

/** Returns the test's name in the service, or undefined if the name is secret. */
export function testName({ kind, outputs, secrets }: ManagedResource): string | undefined {
  return hasSecretTitle(kind, secrets) ? undefined : titleOf(kind, outputs);
}

function selectedBy(means: Means, resource: ManagedResource, cause?: string): SelectedTest {
  const { kind, outputs } = resource;
  const answer = (means === "run" ? kind.onDemand?.(outputs) : kind.inRounds?.(outputs)) ?? { refused: "it is not a test" };
  return { resource, cause, ...answer };
}

/**
 * Whether the update changed a resource, according to the times that the engine stores. A change after the update also counts, because a
 * refresh may have overwritten the update's time. A resource that was created after the update does not count, because an import created
 * it.
 */
function isChanged({ created, modified }: ManagedResource, { startTime, endTime }: Update): boolean {
  if (modified === undefined || Date.parse(modified) < Date.parse(startTime)) return false;
  // The engine truncates the update's end time to seconds.
  return created === undefined || endTime === undefined || Date.parse(created) < Date.parse(endTime) + 1_000;
}

function referredTo({ kind, outputs, inputs }: ManagedResource, resources: readonly ManagedResource[]): ManagedResource[] {
  const references: Record<string, string | undefined> = kind.refersTo;
  return Object.entries(references).flatMap(([property, kindName]) => {
    const ids = new Set(listOf(outputs[property] ?? inputs[property]));
    return resources.filter((resource) => resource.kindName === kindName && ids.has(resource.id));
  });
}

function testsText(tests: readonly ManagedResource[]): string {
  if (tests.length === 0) return "It has no tests";
  return `It has ${few(tests.map(({ name }) => name).toSorted())}`;
}
