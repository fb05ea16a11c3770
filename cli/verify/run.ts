import { ConfigurationError, EndpointMonitoringError, UnauthorizedError } from "../../api";
import { ExpectationError } from "../../provider/failures";
import type { Measures } from "../../provider/kind";
import { Lifecycle } from "../../provider/lifecycle";
import type { Measurement } from "../../provider/measurement";
import { registry } from "../../provider/registry";
import { AgentFinder } from "../../provider/resources/agent-finder";
import { applicable, figuresOfNone } from "../../provider/resources/expectations";
import { describeMeasurement, type Expectations } from "../../provider/resources/measurements";
import type { Session } from "../../provider/session";
import { type Properties, stringOf } from "../../provider/values";
import { type ManagedResource, secretMask } from "../engine/state";
import { andMore } from "../report/text";
import type { SelectedTest } from "./selected";

/** The results that a verification waits for, and their bounds. */
export interface Bounds {
  expect: Expectations;
  waitForResults: { timeout: number; minAgents?: number; settle: number };
}

/**
 * The outcome of a test. `no-verdict`: too few measurements of selected agents prove to be of the run. `error`: it could not be run, or its
 * results not be read. `interrupted`: the command was ended before its results were there.
 */
export type TestOutcome = "passed" | "failed" | "no-verdict" | "error" | "skipped" | "interrupted";

export interface TestVerdict extends SelectedTest {
  outcome: TestOutcome;
  reasons: readonly string[];
  measured: readonly Measurement[];
}

/** Runs at once: as many as the service allows in a minute (shared/api/README.md, Rate limits). The client paces them. */
const maxConcurrentRuns = 24;
const maxAgentLines = 10;

/**
 * Runs tests and judges what they measure. One that fails does not stop the others; refused credentials do.
 *
 * @param onVerdict called with the number of verdicts as each comes
 * @param stop aborted when nobody waits any longer: verdicts are then of what was there
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
  const waiting = selection.filter((one) => one.refused === undefined);
  const lifecycle = new Lifecycle(registry.testRun, session);
  const work = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const verdict = await judge(lifecycle, one, bounds);
      if (stop.aborted) return;
      verdicts.set(one, verdict);
      onVerdict(verdicts.size);
    }
  };
  const stopped = Promise.withResolvers<void>();
  stop.addEventListener("abort", () => stopped.resolve());
  await Promise.race([Promise.all(Array.from({ length: maxConcurrentRuns }, work)), stopped.promise]);
  return selection.map((one) => verdicts.get(one) ?? untried(one));
}

async function judge(lifecycle: Lifecycle, one: SelectedTest, bounds: Bounds): Promise<TestVerdict> {
  const { id, outputs } = one.resource;
  const { waitForResults } = bounds;
  // One command line is for tests of all kinds.
  const expect = applicable(bounds.expect, measuresOf(one));
  return judgeRun(lifecycle, one, { testId: id, accountGroupId: stringOf(outputs["accountGroupId"]), expect, waitForResults });
}

/** Creates a resource that runs a test, and judges what it measures. @throws UnauthorizedError, ConfigurationError */
export async function judgeRun(lifecycle: Lifecycle, one: SelectedTest, declared: Properties): Promise<TestVerdict> {
  const verdict = (outcome: TestOutcome, measured: readonly Measurement[], reasons: readonly string[] = []): TestVerdict =>
    verdictOf(one, outcome, measured, reasons);
  try {
    const { state } = await lifecycle.create(lifecycle.check(declared).inputs);
    // A run that was waited for has them.
    return verdict("passed", (state["results"] ?? []) as Measurement[]);
  } catch (error) {
    if (error instanceof ExpectationError)
      return verdict(error.hasVerdict ? "failed" : "no-verdict", error.measured, error.broken);
    const forAll = error instanceof UnauthorizedError || error instanceof ConfigurationError;
    if (forAll || !(error instanceof EndpointMonitoringError)) throw error;
    return verdict("error", [], [error.message]);
  }
}

/** A verdict without a secret of the test: what agents report of a failure may name the target. */
export function verdictOf(
  one: SelectedTest,
  outcome: TestOutcome,
  measured: readonly Measurement[],
  reasons: readonly string[],
): TestVerdict {
  return {
    ...one,
    outcome,
    reasons: reasons.map((reason) => withoutSecrets(one.resource, reason)),
    measured: measured.map((m) => ({
      ...m,
      ...(m.errorDetails === undefined ? {} : { errorDetails: withoutSecrets(one.resource, m.errorDetails) }),
    })),
  };
}

function measuresOf({ http = false, network = false }: SelectedTest): Measures {
  return { http, network };
}

/** A sentence for each bound that applies to no test of a selection. */
export function unusedBounds(selection: readonly SelectedTest[], { expect }: Bounds): string[] {
  const runs = selection.filter(({ refused }) => refused === undefined).map(measuresOf);
  if (runs.length === 0) return [];
  return figuresOfNone(expect, runs).map((figure) => `The bound on ${figure} applies to no test: none of these measures it.`);
}

function untried(one: SelectedTest): TestVerdict {
  if (one.refused !== undefined) return skippedVerdict(one, one.refused);
  return { ...one, outcome: "interrupted", reasons: ["not waited for"], measured: [] };
}

/** A test that cannot be measured. If it was not green when it was last measured, it is not forgotten: nothing shows that it is now. */
export function skippedVerdict(one: SelectedTest, reason: string): TestVerdict {
  if (!one.isUnverified) return { ...one, outcome: "skipped", reasons: [reason], measured: [] };
  return { ...one, outcome: "no-verdict", reasons: [`it was not measured: ${reason}`], measured: [] };
}

/** The failure that an agent reports may name the target, which a program can keep secret. */
function withoutSecrets({ secrets, inputs }: ManagedResource, text: string): string {
  return [...secrets]
    .map((property) => stringOf(inputs[property]) ?? "")
    .filter((secret) => secret !== "")
    .reduce((clean, secret) => clean.replaceAll(secret, secretMask), text);
}

/**
 * Describes what agents measured of a test that did not pass: those that did not reach the target first. People know agents by their names, so
 * those are asked for; where that fails, the ids will do.
 */
export async function agentLines(session: Session, { outcome, measured, resource }: TestVerdict): Promise<string[]> {
  if (outcome !== "failed" && outcome !== "no-verdict") return [];
  const worstFirst = measured.toSorted((a, b) => Number(a.available) - Number(b.available));
  const finder = AgentFinder.of(session);
  const accountGroupId = stringOf(resource.outputs["accountGroupId"]);
  const lines = await Promise.all(
    worstFirst.slice(0, maxAgentLines).map(async (m) => {
      const name = await agentName(finder, m.agentId, accountGroupId);
      return `${name}: ${describeMeasurement(m)}${m.errorDetails === undefined ? "" : `: ${m.errorDetails}`}`;
    }),
  );
  const more = andMore(measured.length - maxAgentLines).trim();
  return more === "" ? lines : [...lines, `${more} agents`];
}

async function agentName(finder: AgentFinder, id: string, accountGroupId: string | undefined): Promise<string> {
  try {
    const agent = await finder.listed(id, accountGroupId);
    return agent?.name ?? agent?.computerName ?? id;
  } catch (error) {
    if (error instanceof EndpointMonitoringError) return id;
    throw error;
  }
}
