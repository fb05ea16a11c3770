import { bounded, code, folded, plain, table } from "../markdown";
import type { Output } from "../output";
import { countOutcomes, figure, outcomeWords, summaryOf, worstOf } from "./figures";
import type { Bounds, Outcome, Verdict } from "./run";
import { testName } from "./selected";
import type { Update } from "../engine/stack";

/** Everything a verification found. */
export interface Report {
  stack: string;
  update: Update | undefined;
  bounds: Bounds;
  verdicts: readonly Verdict[];
  /** What agents measured of tests that did not pass, a line each. */
  agents: ReadonlyMap<Verdict, readonly string[]>;
}

const marks: Record<Outcome, readonly [sign: string, style: Parameters<Output["paint"]>[0]]> = {
  passed: ["✓", "green"],
  failed: ["✗", "red"],
  late: ["✗", "red"],
  error: ["✗", "red"],
  interrupted: ["!", "yellow"],
  skipped: ["-", "dim"],
};

/** The report as data, for `--json`. */
export function reportData({ stack, update, bounds, verdicts }: Report) {
  return {
    stack,
    update: update && { startTime: update.startTime, result: update.result },
    bounds: { ...bounds.expect, ...bounds.waitForResults },
    counts: countOutcomes(verdicts),
    tests: verdicts.map(({ held, cause, outcome, reasons, measured }) => ({
      name: held.name,
      kind: held.kind.name,
      testId: held.id,
      testName: testName(held),
      cause,
      outcome,
      reasons,
      agents: measured.length,
      worst: worstOf(measured),
      measurements: measured,
    })),
  };
}

const head = ["test", "agents", "loss", "latency", "response", "verdict"];

/** The report as a table, for a terminal. */
export function reportText(report: Report, out: Output): string {
  // What needs a look stands last, where a terminal leaves the eye.
  const verdicts = inOrder(report.verdicts, Object.keys(outcomeWords).toReversed());
  const rows = verdicts.map((verdict) => [verdict.held.name, ...cells(verdict), verdictText(verdict)]);
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  // The last column is as long as it is.
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => (column < head.length - 1 ? cell.padEnd(widths[column] ?? 0) : cell)).join("  ");
  const lines = verdicts.flatMap((verdict, at) => {
    const [sign, style] = marks[verdict.outcome];
    const details = report.agents.get(verdict)?.map((text) => out.paint("dim", `    ${text}`)) ?? [];
    return [`${out.paint(style, sign)} ${line(rows[at] ?? [])}`, ...details];
  });
  return [
    `Stack ${report.stack}. ${updateText(report)}.`,
    `${boundsText(report.bounds)}.`,
    "",
    `  ${out.paint("dim", line(head))}`,
    ...lines,
    "",
    `${summaryOf(verdicts)}.`,
    ...hints(report),
  ].join("\n");
}

/** What to do about tests without results: the service does not say why there are none. */
function hints({ verdicts }: Report): string[] {
  if (!verdicts.some(({ outcome }) => outcome === "late")) return [];
  return ["No results: look whether the agents that the test selects are online, or wait longer with --timeout."];
}

/** By outcome, those of one in the order of names. */
function inOrder(verdicts: readonly Verdict[], outcomes: readonly string[]): Verdict[] {
  return verdicts.toSorted(
    (a, b) => outcomes.indexOf(a.outcome) - outcomes.indexOf(b.outcome) || a.held.name.localeCompare(b.held.name, "en"),
  );
}

/** Rows of a table: the longest comment holds no more. */
const mostRows = 200;

/** The report as Markdown, bounded to what a comment takes. */
export function reportMarkdown(report: Report): string {
  const { stack, bounds } = report;
  const verdicts = inOrder(report.verdicts, Object.keys(outcomeWords));
  const bad = verdicts.filter(({ outcome }) => outcome !== "passed" && outcome !== "skipped");
  const rest = verdicts.filter((verdict) => !bad.includes(verdict));
  const sign = bad.length > 0 ? "❌" : "✅";
  const parts = [
    `## ${sign} Tests of stack ${code(stack)}: ${verdicts.length === 0 ? "none to verify" : summaryOf(verdicts)}`,
    `${plain(updateText(report))}. ${plain(boundsText(bounds))}.`,
    ...(bad.length > 0 ? [rowsOf(bad)] : []),
    ...bad.slice(0, mostRows).flatMap((verdict) => {
      const lines = report.agents.get(verdict) ?? [];
      if (lines.length === 0) return [];
      return [folded(`Agents of ${plain(verdict.held.name)}`, lines.map((text) => `- ${plain(text)}`).join("\n"))];
    }),
    ...hints(report),
    ...(rest.length > 0 ? [bad.length > 0 ? folded(summaryOf(rest), rowsOf(rest)) : rowsOf(rest)] : []),
  ];
  return bounded(parts, (count) => `${count} more ${count === 1 ? "part" : "parts"} left out: the comment would be too long.`);
}

function rowsOf(verdicts: readonly Verdict[]): string {
  const rows = verdicts.slice(0, mostRows).map((verdict) => {
    const [sign] = marks[verdict.outcome];
    return [sign, code(verdict.held.name), ...cells(verdict), plain(verdictText(verdict))];
  });
  const more = verdicts.length > mostRows ? `\n\nand ${verdicts.length - mostRows} more` : "";
  return `${table(["", ...head], rows)}${more}`;
}

function cells({ measured, http }: Verdict): string[] {
  const { loss, latency, responseTime } = worstOf(measured);
  if (measured.length === 0) return ["", "", "", ""];
  return [`${measured.length}`, figure(loss, "%"), figure(latency, "ms"), http ? figure(responseTime, "ms") : ""];
}

function verdictText({ outcome, reasons, cause }: Verdict): string {
  const word = cause === undefined ? outcomeWords[outcome] : `${outcomeWords[outcome]} (${cause})`;
  return reasons.length === 0 ? word : `${word}: ${reasons.join(", ")}`;
}

function updateText({ update }: Report): string {
  return update === undefined ? "No update yet" : `Last update: ${timeText(update.startTime)}, ${update.result}`;
}

/** What had to be kept, as a sentence without its full stop. */
function boundsText({ expect, waitForResults }: Bounds): string {
  const { maxLoss, maxLatency, maxResponseTime, minAvailability = 0 } = expect;
  const parts = [
    `availability at least ${minAvailability} %`,
    ...(maxLoss === undefined ? [] : [`loss at most ${maxLoss} %`]),
    ...(maxLatency === undefined ? [] : [`latency at most ${maxLatency} ms`]),
    ...(maxResponseTime === undefined ? [] : [`response time at most ${maxResponseTime} ms`]),
    `results of ${waitForResults.minAgents} ${waitForResults.minAgents === 1 ? "agent" : "agents"} within ${waitForResults.timeout} s`,
  ];
  return `Bounds: ${parts.join(", ")}`;
}

/** A time of the history as people read it. */
export function timeText(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
