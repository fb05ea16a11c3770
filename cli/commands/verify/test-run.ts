import { ConfigurationError, EndpointMonitoringError, UnauthorizedError } from "../../../api";
import { ExpectationError } from "../../../provider/failures";
import type { Measures } from "../../../provider/kind";
import { Lifecycle } from "../../../provider/lifecycle";
import type { Measurement } from "../../../provider/measurement";
import { registry } from "../../../provider/registry";
import { applicable, figuresOfNone } from "../../../provider/resources/expectations";
import { describeMeasurement, type Expectations } from "../../../provider/resources/measurements";
import { SelectionProof } from "../../../provider/resources/selection-proof";
import { scheduleOf } from "../../../provider/resources/test-reach";
import type { Session } from "../../../provider/session";
import { type Properties, stringOf } from "../../../provider/values";
import { type ManagedResource } from "../../../engine/state";
import { secretMask } from "../../../common/text";
import { andMore } from "../../../common/text";
import type { SelectedTest } from "./selected";

export interface Bounds {
  expect: Expectations;
  waitForResults: { timeout: number; minAgents?: number; waitForMore: number };
}

/**
 * The outcome of a test. `no-verdict` means that too few measurements can be attributed to the run with certainty. `error` means that the
 * test could not run, or that its results could not be read. `interrupted` means that the command ended before the results arrived.
 */
export type TestOutcome = "passed" | "failed" | "no-verdict" | "error" | "skipped" | "interrupted";

export interface TestVerdict extends SelectedTest {
  outcome: TestOutcome;
  reasons: readonly string[];
  measured: readonly Measurement[];
  /** True if the verdict is missing because the test's labels or tags select no agents. */
  lacksAgents?: true;
}

/** Maximum number of concurrent runs, equal to the service's limit per minute (docs/service/requests.md, Rate limits). */
const maxConcurrentRuns = 24;
const maxAgentLines = 10;

/**
 * Runs the tests. A failed test does not stop the other tests, but rejected credentials stop all tests.
 *
 * @param onVerdict function that is called after each verdict, with the number of verdicts
 * @param stop signal that ends the wait and gives the remaining tests the outcome `interrupted`
 * @throws UnauthorizedError, ConfigurationError
 */
export async function runTests(
  session: Session,
  selection: readonly SelectedTest[],
  bounds: Bounds,
  onVerdict: (done: number) => void,
  stop: AbortSignal,
): Promise<TestVerdict[]> {
  const verdicts = new Map<SelectedTest, TestVerdict>();
  const waiting = selection.filter((selectedTest) => selectedTest.refused === undefined);
  const lifecycle = new Lifecycle(registry.testRun, session);
  const work = async (): Promise<void> => {
    for (let selectedTest = waiting.shift(); selectedTest !== undefined; selectedTest = waiting.shift()) {
      const { id: testId, outputs } = selectedTest.resource;
      const accountGroupId = stringOf(outputs["accountGroupId"]);
      // The limits on the command line can apply to values that this test does not measure.
      const expect = applicable(bounds.expect, measuresOf(selectedTest));
      const verdict = await judgeRun(lifecycle, selectedTest, {
        testId,
        accountGroupId,
        expect,
        waitForResults: bounds.waitForResults,
      });
      if (stop.aborted) return;
      verdicts.set(selectedTest, verdict);
      onVerdict(verdicts.size);
    }
  };
  const stopped = Promise.withResolvers<void>();
  stop.addEventListener("abort", () => stopped.resolve());
  await Promise.race([Promise.all(Array.from({ length: maxConcurrentRuns }, work)), stopped.promise]);
  return selection.map((selectedTest) => verdicts.get(selectedTest) ?? unmeasured(selectedTest));
}

/** Creates a resource that runs a test, and evaluates the test's measurements. @throws UnauthorizedError, ConfigurationError */
export async function judgeRun(lifecycle: Lifecycle, selectedTest: SelectedTest, declared: Properties): Promise<TestVerdict> {
  const verdict = (outcome: TestOutcome, measured: readonly Measurement[], reasons: readonly string[] = []): TestVerdict =>
    verdictOf(selectedTest, outcome, measured, reasons);
  try {
    const { state } = await lifecycle.create(lifecycle.check(declared).inputs);
    // The cast is safe, because a completed run stores its results as measurements.
    return verdict("passed", (state["results"] ?? []) as Measurement[]);
  } catch (error) {
    if (error instanceof ExpectationError && error.lacksAgents) return withoutAgents(selectedTest, error.broken);
    if (error instanceof ExpectationError)
      return verdict(error.hasVerdict ? "failed" : "no-verdict", error.measured, error.broken);
    const forAll = error instanceof UnauthorizedError || error instanceof ConfigurationError;
    if (forAll || !(error instanceof EndpointMonitoringError)) throw error;
    return verdict("error", [], [error.message]);
  }
}

/** Returns a verdict without the test's secrets. Error messages from agents may contain the target, which may be secret. */
export function verdictOf(
  selectedTest: SelectedTest,
  outcome: TestOutcome,
  measured: readonly Measurement[],
  reasons: readonly string[],
): TestVerdict {
  return {
    ...selectedTest,
    outcome,
    reasons: reasons.map((reason) => withoutSecrets(selectedTest.resource, reason)),
    measured: measured.map((m) => ({
      ...m,
      ...(m.errorDetails === undefined ? {} : { errorDetails: withoutSecrets(selectedTest.resource, m.errorDetails) }),
    })),
  };
}

/** Returns the verdict of a test with labels or tags that select no agents. */
export function withoutAgents(selectedTest: SelectedTest, reasons: readonly string[]): TestVerdict {
  return { ...verdictOf(selectedTest, "no-verdict", [], reasons), lacksAgents: true };
}

export function measuresOf({ http = false, network = false }: SelectedTest): Measures {
  return { http, network };
}

/** Returns a sentence for each limit that does not apply to any selected test. */
export function unusedBounds(selection: readonly SelectedTest[], { expect }: Bounds): string[] {
  const runs = selection.filter(({ refused }) => refused === undefined).map(measuresOf);
  if (runs.length === 0) return [];
  return figuresOfNone(expect, runs).map((figure) => `The limit for ${figure} has no effect: no selected test measures it.`);
}

/** A test that failed earlier gets the outcome `no-verdict`, so that the stack tag still contains the test. */
export function unmeasured(selectedTest: SelectedTest): TestVerdict {
  const { refused, isUnverified } = selectedTest;
  if (refused === undefined) return { ...selectedTest, outcome: "interrupted", reasons: ["not waited for"], measured: [] };
  if (!isUnverified) return { ...selectedTest, outcome: "skipped", reasons: [refused], measured: [] };
  return { ...selectedTest, outcome: "no-verdict", reasons: [`it was not measured: ${refused}`], measured: [] };
}

function withoutSecrets({ secrets, inputs }: ManagedResource, text: string): string {
  return [...secrets]
    .map((property) => stringOf(inputs[property]) ?? "")
    .filter((secret) => secret !== "")
    .reduce((clean, secret) => clean.replaceAll(secret, secretMask), text);
}

/** Agents that did not reach the target come first. If an agent's name cannot be read, its id appears. */
export async function agentLines(session: Session, { outcome, measured, resource }: TestVerdict): Promise<string[]> {
  if (outcome !== "failed" && outcome !== "no-verdict") return [];
  const worstFirst = measured.toSorted((a, b) => Number(a.available) - Number(b.available));
  const { outputs } = resource;
  const agents = new SelectionProof(session, stringOf(outputs["accountGroupId"]), scheduleOf(outputs));
  const lines = await Promise.all(
    worstFirst.slice(0, maxAgentLines).map(async (m) => {
      const details = m.errorDetails === undefined ? "" : `: ${m.errorDetails}`;
      return `${await agents.nameOf(m.agentId)}: ${describeMeasurement(m)}${details}`;
    }),
  );
  const more = andMore(measured.length - maxAgentLines).trim();
  return more === "" ? lines : [...lines, `${more} agents`];
}
