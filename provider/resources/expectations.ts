import { ExpectationError } from "../failures";
import type { Failure, Measures } from "../kind";
import type { Measurement } from "../measurement";
import { isObject, isUnknown } from "../values";
import { describeMeasurement, type Expected } from "./measurements";
import type { Tested } from "./results";

/** Bounds on a figure: what the figure is, and which part of a test measures it. */
const bounds = [
  { bound: "maxLoss", figure: "loss", unit: "%", part: "network", of: (m: Measurement) => m.loss },
  { bound: "maxLatency", figure: "latency", unit: "ms", part: "network", of: (m: Measurement) => m.avgLatency },
  { bound: "maxResponseTime", figure: "response time", unit: "ms", part: "http", of: (m: Measurement) => m.responseTime },
] as const;

/** Why a test does not measure a figure. */
const unmeasured: Record<keyof Measures, string> = {
  http: "the test makes no HTTP request",
  network: "the test does not probe the network",
};

/** Agents that an error lists. */
const agentsListed = 10;

/** The bounds whose figures a run with these measurements does not bring. */
function outside(expected: Partial<Record<keyof Expected, unknown>>, measures: Measures) {
  return bounds.filter(({ bound, part }) => expected[bound] !== undefined && !measures[part]);
}

/** What is expected without the bounds that do not apply to a run with these measurements. */
export function applicable(expected: Expected, measures: Measures): Expected {
  return { ...expected, ...Object.fromEntries(outside(expected, measures).map(({ bound }) => [bound, undefined])) };
}

/** The figures of bounds that apply to none of these runs. */
export function figuresOfNone(expected: Expected, runs: readonly Measures[]): string[] {
  const unused = bounds.filter(({ bound, part }) => expected[bound] !== undefined && !runs.some((run) => run[part]));
  return unused.map(({ figure }) => figure);
}

/** Bounds that a test with these measurements can never meet. */
export function expectationRules(expected: unknown, measures: Measures): Failure[] {
  if (!isObject(expected)) return [];
  return outside(expected, measures)
    .filter(({ bound }) => !isUnknown(expected[bound]))
    .map(({ bound, part }) => ({ path: `expect.${bound}`, reason: `cannot be met: ${unmeasured[part]}` }));
}

/**
 * Refuses bounds that a test can never meet, before it is run.
 *
 * @throws ExpectationError
 */
export function checkMeasurable({ testId, ...measures }: Tested, expected: Expected | undefined): void {
  const broken = outside(expected ?? {}, measures).map(({ figure, part }) => `no ${figure} is measured: ${unmeasured[part]}`);
  if (broken.length === 0) return;
  const message = `Test ${testId} cannot meet what is expected: ${broken.join(", ")}. Remove the bound, or run another test.`;
  throw new ExpectationError(message, [], broken, true);
}

/** Whether a bound needs what probes of the network measure. */
export function needsNetwork(expected: Expected | undefined): boolean {
  return bounds.some(({ bound, part }) => part === "network" && expected?.[bound] !== undefined);
}

/** An expectation that is not met, as a sentence part, and the agents because of which it is not. */
interface Breach {
  reason: string;
  agents: readonly Measurement[];
}

/**
 * Decides whether measurements meet what is expected. A bound takes a figure that was measured: without one it is not met. An agent
 * that did not reach the target breaks the run whatever it measured, unless `minAvailability` decides about such agents.
 *
 * @throws ExpectationError with the measurements, those that break a bound first
 */
export function checkExpectations(measured: readonly Measurement[], expected: Expected | undefined): void {
  const breaches = expected ? breachesOf(measured, expected) : [];
  if (breaches.length === 0) return;
  const broken = breaches.map(({ reason }) => reason);
  const worstFirst = [...new Set([...breaches.flatMap(({ agents }) => agents), ...measured])];
  const shown = worstFirst.slice(0, agentsListed).map((m) => `${m.agentId} (${describeMeasurement(m)})`);
  const more = measured.length > agentsListed ? ` and ${measured.length - agentsListed} more` : "";
  const agents = measured.length === 0 ? "" : ` Agents: ${shown.join("; ")}${more}.`;
  const message = `Measured otherwise than expected: ${broken.join(", ")}.${agents}`;
  throw new ExpectationError(message, worstFirst, broken, true);
}

function breachesOf(measured: readonly Measurement[], expected: Expected): Breach[] {
  if (measured.length === 0) return [{ reason: "no agent measured anything", agents: [] }];
  const { minAvailability } = expected;
  const unreached = measured.filter(({ available }) => !available);
  const breaches: Breach[] = [];
  const breach = (agents: readonly Measurement[], text: string, why = ""): void => {
    if (agents.length > 0) breaches.push({ reason: `${text} ${agents.length} of ${measured.length} agents${why}`, agents });
  };
  const declared = bounds.flatMap(({ bound, ...rest }) => {
    const most = expected[bound];
    return most === undefined ? [] : [{ ...rest, most, without: `${bound} ${most}: no ${rest.figure} measured on` }];
  });
  for (const { figure, unit, of, most, without } of declared) {
    const over = measured.filter((m) => (of(m) ?? 0) > most);
    breach(over, `${figure} over ${most} ${unit} on`);
    const missing = measured.filter((m) => of(m) === undefined && (m.available || minAvailability === undefined));
    breach(missing, without, causesOf(missing));
  }
  if (minAvailability === undefined) {
    const blamed = new Set(breaches.flatMap(({ agents }) => agents));
    const others = unreached.filter((m) => !blamed.has(m));
    breach(others, "target not reached by", causesOf(others));
    return breaches;
  }
  // Multiplied first: 29 of 100 agents are 29 %, not a little less.
  const availability = ((measured.length - unreached.length) * 100) / measured.length;
  if (availability < minAvailability) {
    breaches.push({ reason: `availability ${Math.floor(availability)} %, under ${minAvailability} %`, agents: unreached });
  }
  // Where some agents may miss the target, all of them may have: somebody still has to measure each figure.
  if (breaches.length > 0) return breaches;
  for (const { of, without } of declared) {
    if (measured.every((m) => of(m) === undefined)) breach(measured, without, causesOf(measured));
  }
  return breaches;
}

/** Why agents have no figure, each cause once, in brackets. */
function causesOf(agents: readonly Measurement[]): string {
  const causes = new Set(agents.map(causeOf).filter((cause) => cause !== undefined));
  return causes.size === 0 ? "" : ` (${[...causes].join(", ")})`;
}

/** What each phase of a request is called where it failed. */
const failedPhases = new Map([
  ["dns", "the name was not resolved"],
  ["connect", "no connection"],
  ["ssl", "TLS failed"],
  ["send", "the request was not sent"],
  ["receive", "no whole answer came"],
]);

function causeOf({ available, loss, responseCode = 0, errorType = "none" }: Measurement): string | undefined {
  if (available) return undefined;
  if (responseCode >= 400) return `status ${responseCode}`;
  if (errorType === "none") return loss === undefined ? undefined : "no probe reached the target";
  return failedPhases.get(errorType) ?? `failed in ${errorType}`;
}
