import type { Measurement } from "../../../provider/measurement";
import type { ExitCode } from "../../command";
import type { Update } from "../../../engine/stack";
import {
  type Block,
  heading,
  type TextMark,
  type Medium,
  type Report,
  rowText,
  type Table,
  type TableRow,
  text,
} from "../../report/document";
import type { Finding, Level } from "../../../common/finding";
import { errorText, ours, type Phrase, phrase, word } from "../../../common/phrase";
import { compareText, counted, timeText } from "../../../common/text";
import type { Bounds, TestOutcome, TestVerdict } from "./test-run";
import { testName } from "./selected";

export interface Verification {
  stack: string;
  update: Update | undefined;
  /** Whether the command verifies tests in the program (`--agent`) instead of tests in the stack. */
  isDeclared?: boolean;
  bounds: Bounds;
  verdicts: readonly TestVerdict[];
  agents: ReadonlyMap<TestVerdict, readonly string[]>;
  /** Number of scheduled rounds that the command waited for, or undefined if the command ran the tests itself. */
  rounds?: number;
}

const cross: TextMark = { sign: "✗", tone: "red" };

/** Order of the outcomes in reports, the worst outcome first. */
const outcomes: Record<TestOutcome, { words: string; mark: TextMark; level: Level }> = {
  error: { words: "could not be run", mark: cross, level: "error" },
  failed: { words: "failed", mark: cross, level: "error" },
  "no-verdict": { words: "no verdict", mark: cross, level: "warning" },
  interrupted: { words: "interrupted", mark: { sign: "!", tone: "yellow" }, level: "warning" },
  passed: { words: "passed", mark: { sign: "✓", tone: "green" }, level: "passed" },
  skipped: { words: "skipped", mark: { sign: "-", tone: "dim" }, level: "skipped" },
};
const severity = Object.keys(outcomes);

/**
 * Returns the report of a verification.
 * @param nothingText text of the report if no test was verified
 */
export function verifyReport(verification: Verification, nothingText: string): Report {
  return {
    data: dataOf(verification),
    findings: findingsOf(verification),
    blocks: (medium) => blocksOf(verification, nothingText, medium),
  };
}

function dataOf({ stack, update, bounds, verdicts, rounds }: Verification) {
  return {
    stack,
    update: update && { startTime: update.startTime, result: update.result },
    bounds: { ...bounds.expect, ...bounds.waitForResults },
    ...(rounds && { rounds }),
    counts: countOutcomes(verdicts),
    tests: verdicts.map(({ resource, cause, outcome, reasons, measured }) => ({
      name: resource.name,
      kind: resource.kind.name,
      testId: resource.id,
      testName: testName(resource),
      cause,
      outcome,
      reasons,
      agents: agentsIn(measured),
      worst: worstOf(measured),
      measurements: measured,
    })),
  };
}

function blocksOf(verification: Verification, nothingText: string, medium: Medium): Block[] {
  const { stack, bounds } = verification;
  const isBad = ({ outcome }: TestVerdict): boolean => outcome !== "passed" && outcome !== "skipped";
  // On a terminal, failures come last, directly above the prompt. In Markdown, failures come first.
  const direction = medium === "terminal" ? -1 : 1;
  const rank = ({ outcome }: TestVerdict): number => direction * severity.indexOf(outcome);
  const verdicts = verification.verdicts.toSorted((a, b) => rank(a) - rank(b) || compareText(a.resource.name, b.resource.name));
  const facts = [updateText(verification), boundsText(bounds, verification.rounds)];
  const open = verdicts.filter(({ outcome }) => outcome === "no-verdict");
  const advice = [
    ...(open.some(({ lacksAgents = false }) => lacksAgents) ? [noAgentsAdvice] : []),
    ...(open.some(({ lacksAgents = false }) => !lacksAgents) ? [noVerdictAdvice] : []),
  ];
  if (medium === "terminal") {
    if (verdicts.length === 0) return [text([nothingText])];
    const rows = tableOf(verdicts, verification);
    return [text([`Stack ${stack}. ${facts[0]}.`], [`${facts[1]}.`]), rows, text([`${summaryOf(verdicts)}.`], ...advice)];
  }
  const [bad, rest] = [verdicts.filter(isBad), verdicts.filter((verdict) => !isBad(verdict))];
  const folded: Block = { kind: "folded", summary: [summaryOf(rest)], blocks: [tableOf(rest, verification)] };
  const summary = verdicts.length === 0 ? "no tests to verify" : summaryOf(verdicts);
  return [
    heading(phrase`${ours(bad.length > 0 ? "❌" : "✅")} Tests of stack ${stack}: ${ours(summary)}`, 2),
    text([`${facts.join(". ")}.`], ...advice),
    ...(bad.length > 0 ? [tableOf(bad, verification)] : []),
    ...(rest.length > 0 ? (bad.length > 0 ? [folded] : [tableOf(rest, verification)]) : []),
  ];
}

function tableOf(verdicts: readonly TestVerdict[], { agents }: Verification): Table {
  const rows = verdicts.map((verdict) => rowOf(verdict, agents));
  const head = ["test", "agents", "loss", "latency", "response", "verdict"];
  return { kind: "table", noun: "test", head, rows, detailsTitle: "Measurements" };
}

function rowOf(verdict: TestVerdict, agents: Verification["agents"]): TableRow {
  const cells = [[word(verdict.resource.name)], ...figures(verdict), verdictPhrase(verdict)];
  const details = agents.get(verdict)?.map((line): Phrase => [errorText(line)]) ?? [];
  return { mark: outcomes[verdict.outcome].mark, cells, details };
}

function findingsOf({ verdicts, agents }: Verification): Finding[] {
  const rank = ({ outcome }: TestVerdict): number => severity.indexOf(outcome);
  const ordered = verdicts.toSorted((a, b) => rank(a) - rank(b) || compareText(a.resource.name, b.resource.name));
  return ordered.map((verdict) => {
    const { name, position, urn, kind } = verdict.resource;
    return {
      rule: "verify",
      level: outcomes[verdict.outcome].level,
      subject: { noun: kind.noun, name, urn },
      ...(position && { position }),
      text: rowText(rowOf(verdict, agents)),
    };
  });
}

/** Advice for inconclusive tests, if the service does not return a reason. */
const noVerdictAdvice: Phrase = [
  "No verdict: there are too few measurements. Check that the test's agents are online, or wait longer with --timeout.",
];

/** Advice for tests with labels or tags that select no agents. */
const noAgentsAdvice: Phrase = ["No verdict: labels or tags select no agent. Change their filters, or select other agents."];

/** Returns the worst measured loss, latency and response time. */
function worstOf(measured: readonly Measurement[]): { loss?: number; latency?: number; responseTime?: number } {
  const most = (of: (m: Measurement) => number | undefined): number | undefined => {
    const values = measured.map(of).filter((value) => value !== undefined);
    return values.length > 0 ? values.reduce((largest, value) => Math.max(largest, value)) : undefined;
  };
  return { loss: most((m) => m.loss), latency: most((m) => m.avgLatency), responseTime: most((m) => m.responseTime) };
}

export function countOutcomes(verdicts: readonly TestVerdict[]): Partial<Record<TestOutcome, number>> {
  const counts: Partial<Record<TestOutcome, number>> = {};
  for (const { outcome } of verdicts) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

function summaryOf(verdicts: readonly TestVerdict[]): string {
  const counts: Record<string, number> = countOutcomes(verdicts);
  const parts = Object.entries(outcomes).filter(([outcome]) => outcome in counts);
  return parts.map(([outcome, { words }]) => `${counts[outcome] ?? 0} ${words}`).join(", ");
}

function figures({ measured, http }: TestVerdict): Phrase[] {
  const { loss, latency, responseTime } = worstOf(measured);
  if (measured.length === 0) return [[], [], [], []];
  return [[`${agentsIn(measured)}`], [figure(loss, "%")], [figure(latency, "ms")], http ? [figure(responseTime, "ms")] : []];
}

function figure(value: number | undefined, unit: string): string {
  return value === undefined ? "–" : `${Math.round(value * 10) / 10} ${unit}`;
}

function verdictPhrase({ outcome, reasons, cause }: TestVerdict): Phrase {
  const why = cause === undefined ? [] : [" (", errorText(cause), ")"];
  return [outcomes[outcome].words, ...why, ...(reasons.length === 0 ? [] : [": ", errorText(reasons.join(", "))])];
}

function updateText({ update, isDeclared }: Verification): string {
  if (isDeclared) return "Tests as the program declares them";
  return update === undefined ? "No update yet" : `Last update: ${timeText(update.startTime)}, ${update.result}`;
}

/** Counts each agent once, because the same agent may send measurements in several rounds or sessions. */
function agentsIn(measured: readonly Measurement[]): number {
  return new Set(measured.map(({ agentId }) => agentId)).size;
}

function boundsText({ expect, waitForResults }: Bounds, rounds?: number): string {
  const { maxLoss, maxLatency, maxResponseTime, minAvailability = 0 } = expect;
  const parts = [
    `availability at least ${minAvailability} %`,
    ...(maxLoss === undefined ? [] : [`loss at most ${maxLoss} %`]),
    ...(maxLatency === undefined ? [] : [`latency at most ${maxLatency} ms`]),
    ...(maxResponseTime === undefined ? [] : [`response time at most ${maxResponseTime} ms`]),
    `${rounds ? `${counted(rounds, "scheduled round")} with ` : ""}results of ${waitForResults.minAgents === undefined ? "every agent that a test names (otherwise 1 agent)" : counted(waitForResults.minAgents, "agent")} within ${waitForResults.timeout} s`,
  ];
  return `Limits: ${parts.join(", ")}`;
}

export function isMeasured(verdicts: readonly TestVerdict[]): boolean {
  return verdicts.some(({ outcome }) => outcome === "passed" || outcome === "failed");
}

/** Returns the exit code for the worst outcome: an error, a failed test, or an inconclusive test. */
export function exitCode(verdicts: readonly TestVerdict[], lacksTests: boolean): ExitCode {
  const { error = 0, failed = 0, "no-verdict": open = 0 } = countOutcomes(verdicts);
  if (error > 0) return 1;
  if (failed > 0) return 2;
  return open > 0 || lacksTests ? 3 : 0;
}
