import { ExpectationError } from "../failures";
import type { CheckFailure, Measures } from "../kind";
import type { Measurement } from "../measurement";
import { isObject, isUnknown } from "../values";
import { describeMeasurement, type Expectations } from "./measurements";
import type { MeasuredTest } from "./results";

/**
 * Limits that a program may declare in `expect`. Each entry contains the measured value, its unit, and the part of the test that measures
 * the value.
 */
const bounds = [
  { bound: "maxLoss", figure: "loss", unit: "%", part: "network", of: (m: Measurement) => m.loss },
  { bound: "maxLatency", figure: "latency", unit: "ms", part: "network", of: (m: Measurement) => m.avgLatency },
  { bound: "maxResponseTime", figure: "response time", unit: "ms", part: "http", of: (m: Measurement) => m.responseTime },
] as const;

const unmeasured: Record<keyof Measures, string> = {
  http: "the test makes no HTTP request",
  network: "the test does not probe the network",
};

const maxListedAgents = 10;

function unmeasuredBounds(expected: Partial<Record<keyof Expectations, unknown>>, measures: Measures) {
  return bounds.filter(({ bound, part }) => expected[bound] !== undefined && !measures[part]);
}

export function applicable(expected: Expectations, measures: Measures): Expectations {
  return { ...expected, ...Object.fromEntries(unmeasuredBounds(expected, measures).map(({ bound }) => [bound, undefined])) };
}

/** Returns the names of values that have a limit but that no test measures. */
export function figuresOfNone(expected: Expectations, runs: readonly Measures[]): string[] {
  const unused = bounds.filter(({ bound, part }) => expected[bound] !== undefined && !runs.some((run) => run[part]));
  return unused.map(({ figure }) => figure);
}

/** Returns a failure for each declared limit on a value that the test does not measure. */
export function expectationRules(expected: unknown, measures: Measures): CheckFailure[] {
  if (!isObject(expected)) return [];
  return unmeasuredBounds(expected, measures)
    .filter(({ bound }) => !isUnknown(expected[bound]))
    .map(({ bound, part }) => ({ path: `expect.${bound}`, reason: `cannot be met: ${unmeasured[part]}` }));
}

/**
 * Refuses limits on values that the test does not measure, before the test runs.
 *
 * @throws ExpectationError
 */
export function checkMeasurable({ testId, ...measures }: MeasuredTest, expected: Expectations | undefined): void {
  const broken = unmeasuredBounds(expected ?? {}, measures).map(
    ({ figure, part }) => `no ${figure} is measured: ${unmeasured[part]}`,
  );
  if (broken.length === 0) return;
  const message = `Test ${testId} cannot meet the expectations: ${broken.join(", ")}. Remove the limit, or run another test.`;
  throw new ExpectationError(message, [], broken, true);
}

export function needsNetwork(expected: Expectations | undefined): boolean {
  return bounds.some(({ bound, part }) => part === "network" && expected?.[bound] !== undefined);
}

/** An expectation that was not met, with the agents that did not meet the expectation. `reason` is part of a sentence. */
interface Breach {
  reason: string;
  agents: readonly Measurement[];
}

/**
 * Checks whether measurements meet the expectations. If a value with a limit was not measured, the limit is not met. An agent that did not
 * reach the target fails the run, unless `minAvailability` allows such agents. An agent without results counts as an agent that did not
 * reach the target.
 *
 * @param silent names of selected agents without results
 * @throws ExpectationError with the measurements, the worst measurements first
 */
export function checkExpectations(
  measured: readonly Measurement[],
  expected: Expectations | undefined,
  silent: readonly string[] = [],
): void {
  const breaches = expected ? breachesOf(measured, expected, silent) : [];
  if (breaches.length === 0) return;
  const broken = breaches.map(({ reason }) => reason);
  const worstFirst = [...new Set([...breaches.flatMap(({ agents }) => agents), ...measured])];
  const shown = worstFirst.slice(0, maxListedAgents).map((m) => `${m.agentId} (${describeMeasurement(m)})`);
  const more = measured.length > maxListedAgents ? ` and ${measured.length - maxListedAgents} more` : "";
  const agents = measured.length === 0 ? "" : ` Agents: ${shown.join("; ")}${more}.`;
  const message = `The measurements do not meet the expectations: ${broken.join(", ")}.${agents}`;
  throw new ExpectationError(message, worstFirst, broken, true);
}

function breachesOf(measured: readonly Measurement[], expected: Expectations, silent: readonly string[]): Breach[] {
  if (measured.length === 0) return [{ reason: "no agent measured anything", agents: [] }];
  const { minAvailability } = expected;
  const unreached = measured.filter(({ available }) => !available);
  const selected = measured.length + silent.length;
  const silence = silent.length === 0 ? "" : `no results from ${silent.length} of ${selected} agents: ${listed(silent)}`;
  const breaches: Breach[] = [];
  const breach = (agents: readonly Measurement[], text: string, why = ""): void => {
    if (agents.length > 0) breaches.push({ reason: `${text} ${agents.length} of ${measured.length} agents${why}`, agents });
  };
  const declared = bounds.flatMap(({ bound, ...rest }) => {
    const most = expected[bound];
    return most === undefined ? [] : [{ ...rest, most, without: `${bound} ${most}: no ${rest.figure} measured by` }];
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
    if (silence !== "") breaches.push({ reason: silence, agents: [] });
    return breaches;
  }
  // The multiplication comes before the division to avoid a rounding error: 29 of 100 agents are exactly 29 %.
  const availability = ((measured.length - unreached.length) * 100) / selected;
  if (availability < minAvailability) {
    const why = silence === "" ? "" : ` (${silence})`;
    breaches.push({
      reason: `availability ${Math.floor(availability)} %, under ${minAvailability} %${why}`,
      agents: unreached,
    });
  }
  // If `minAvailability` allows agents that do not reach the target, at least one agent must have measured each value with a limit.
  if (breaches.length > 0) return breaches;
  for (const { of, without } of declared) {
    if (measured.every((m) => of(m) === undefined)) breach(measured, without, causesOf(measured));
  }
  return breaches;
}

function listed(names: readonly string[]): string {
  const more = names.length > maxListedAgents ? ` and ${names.length - maxListedAgents} more` : "";
  return names.slice(0, maxListedAgents).join(", ") + more;
}

/** Returns the reasons why agents did not measure a value, as text in parentheses. */
function causesOf(agents: readonly Measurement[]): string {
  const causes = new Set(agents.map(causeOf).filter((cause) => cause !== undefined));
  return causes.size === 0 ? "" : ` (${[...causes].join(", ")})`;
}

const failedPhases = new Map([
  ["dns", "the name was not resolved"],
  ["connect", "no connection"],
  ["ssl", "TLS failed"],
  ["send", "the request was not sent"],
  ["receive", "no complete response"],
]);

function causeOf({ available, loss, responseCode = 0, errorType = "none" }: Measurement): string | undefined {
  if (available) return undefined;
  if (responseCode >= 400) return `status ${responseCode}`;
  if (errorType === "none") return loss === undefined ? undefined : "no probe reached the target";
  return failedPhases.get(errorType) ?? `failed in ${errorType}`;
}
