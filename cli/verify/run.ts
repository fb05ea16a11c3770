import { ConfigurationError, EndpointMonitoringError, UnauthorizedError } from "../../api";
import { ExpectationError } from "../../provider/failures";
import type { Measures } from "../../provider/kind";
import { Lifecycle } from "../../provider/lifecycle";
import { registry } from "../../provider/registry";
import type { Measurement } from "../../provider/measurement";
import { applicable, figuresOfNone } from "../../provider/resources/expectations";
import type { Expectations } from "../../provider/resources/measurements";
import type { Session } from "../../provider/session";
import { stringOf } from "../../provider/values";
import { type Held, secretMask } from "../held";
import type { Selected } from "./selected";

/** What results are waited for, and what they have to keep. */
export interface Bounds {
  expect: Expectations;
  waitForResults: { timeout: number; minAgents: number; settle: number };
}

/**
 * What became of a test. `late`: too few agents answered in time. `error`: it could not be run, or its results not be read.
 * `interrupted`: the command was ended before its results were there.
 */
export type Outcome = "passed" | "failed" | "late" | "error" | "skipped" | "interrupted";

export interface Verdict extends Selected {
  outcome: Outcome;
  /** What is wrong, a sentence part each. */
  reasons: readonly string[];
  measured: readonly Measurement[];
}

/** Runs at once: as many as the service lets out in a minute (shared/api/README.md, Rate limits). The client paces them. */
const atOnce = 24;

/**
 * Runs tests and judges what they measure. One that fails does not stop the others; refused credentials do.
 *
 * @param onVerdict told of each verdict as it comes
 * @param stop aborted when nobody waits any longer: verdicts are then of what was there
 * @throws UnauthorizedError, ConfigurationError
 */
export async function runTests(
  session: Session,
  selection: readonly Selected[],
  bounds: Bounds,
  onVerdict: (done: number) => void,
  stop: AbortSignal,
): Promise<Verdict[]> {
  const verdicts = new Map<Selected, Verdict>();
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
  await Promise.race([Promise.all(Array.from({ length: atOnce }, work)), stopped.promise]);
  return selection.map((one) => verdicts.get(one) ?? untried(one));
}

async function judge(lifecycle: Lifecycle, one: Selected, bounds: Bounds): Promise<Verdict> {
  const { id, outputs } = one.held;
  const { waitForResults } = bounds;
  // One command line is for tests of all kinds.
  const expect = applicable(bounds.expect, measuresOf(one));
  const declared = { testId: id, accountGroupId: stringOf(outputs["accountGroupId"]), expect, waitForResults };
  const verdict = (outcome: Outcome, measured: readonly Measurement[], reasons: readonly string[] = []): Verdict => ({
    ...one,
    outcome,
    reasons,
    measured: measured.map((m) => ({
      ...m,
      ...(m.errorDetails === undefined ? {} : { errorDetails: withoutSecrets(one.held, m.errorDetails) }),
    })),
  });
  try {
    const { state } = await lifecycle.create(lifecycle.check(declared).inputs);
    // A run that was waited for has them.
    return verdict("passed", (state["results"] ?? []) as Measurement[]);
  } catch (error) {
    if (error instanceof ExpectationError) return verdict(error.inTime ? "failed" : "late", error.measured, error.broken);
    const forAll = error instanceof UnauthorizedError || error instanceof ConfigurationError;
    if (forAll || !(error instanceof EndpointMonitoringError)) throw error;
    return verdict("error", [], [withoutSecrets(one.held, error.message)]);
  }
}

function measuresOf({ http = false, network = false }: Selected): Measures {
  return { http, network };
}

/** What bounds are held against no test of a selection: a sentence for each. */
export function unusedBounds(selection: readonly Selected[], { expect }: Bounds): string[] {
  const runs = selection.filter(({ refused }) => refused === undefined).map(measuresOf);
  if (runs.length === 0) return [];
  return figuresOfNone(expect, runs).map(
    (figure) => `The bound on ${figure} is held against no test: none of these measures it.`,
  );
}

function untried(one: Selected): Verdict {
  if (one.refused !== undefined) return { ...one, outcome: "skipped", reasons: [one.refused], measured: [] };
  return { ...one, outcome: "interrupted", reasons: ["not waited for"], measured: [] };
}

/** What agents say of a failure may name the target, which a program can keep secret. */
function withoutSecrets({ secrets, inputs }: Held, text: string): string {
  return [...secrets]
    .map((property) => stringOf(inputs[property]) ?? "")
    .filter((secret) => secret !== "")
    .reduce((clean, secret) => clean.replaceAll(secret, secretMask), text);
}
