import type { Session } from "../provider/session";
import { type ExitCode, options } from "./command";
import { writeReport } from "./files";
import { type Io, onFirstInterrupt } from "./io";
import type { Output } from "./output";
import { Project, type Update } from "./project";
import { counted } from "./words";
import { agentLines } from "./verify/agents";
import { countOutcomes } from "./verify/figures";
import { boundsOf, choiceOf, known, markdownTo } from "./verify/options";
import { reportData, reportMarkdown, reportText, timeText, type Report } from "./verify/report";
import { type Bounds, runTests, unusedBounds, type Verdict } from "./verify/run";
import { type Choice, type Selected, selectTests } from "./verify/selected";

/** Runs the command. */
export async function runVerify(args: readonly string[], out: Output, io: Io): Promise<ExitCode> {
  const given = options(args, known);
  const [choice, bounds, markdown] = [choiceOf(given), boundsOf(given), markdownTo(given)];

  const stack = await Project.open(io).stack(given.stack);
  out.progress(`Looking for the tests to verify in stack ${stack.name}`);
  const update = await stack.lastUpdate();
  const selection = selectTests(await stack.held(), choice, update);
  const report = (verdicts: readonly Verdict[], agents: Report["agents"] = new Map()): Report => {
    return { stack: stack.name, update, bounds, verdicts, agents };
  };
  if (selection.length === 0) {
    return show(out, io, markdown, report([]), nothingText(stack.name, choice, update)) ? 0 : 1;
  }
  if (choice === "changed" && update?.result !== "succeeded") {
    out.warn(`The last update of stack ${stack.name} ${update?.result}: what it had changed by then is verified.`);
  }
  for (const unused of unusedBounds(selection, bounds)) out.warn(unused);
  const session = await stack.session();
  const stop = new AbortController();
  const verdicts = await interruptible(io, stop, () => runAll(session, selection, bounds, out, stop.signal));
  out.doneSoFar = "The tests were run; their report was not made.";
  const agents = new Map<Verdict, string[]>();
  // Who has pressed Ctrl+C does not wait for names.
  if (!stop.signal.aborted) {
    await Promise.all(verdicts.map(async (verdict) => agents.set(verdict, await agentLines(session, verdict))));
  }
  const whole = report(verdicts, agents);
  const isWritten = show(out, io, markdown, whole, reportText(whole, out));
  if (stop.signal.aborted) return 130;
  return isWritten ? exitCode(verdicts) : 1;
}

function runAll(
  session: Session,
  selection: readonly Selected[],
  bounds: Bounds,
  out: Output,
  stop: AbortSignal,
): Promise<Verdict[]> {
  const count = selection.filter(({ refused }) => refused === undefined).length;
  if (count > 0) out.progress(`Running ${counted(count, "test")}`);
  return runTests(session, selection, bounds, (done) => out.progress(`${done} of ${count} done`), stop);
}

/** Ctrl+C ends the wait, and what is there is reported; a second one ends the command. */
async function interruptible<T>(io: Io, stop: AbortController, work: () => Promise<T>): Promise<T> {
  const unsubscribe = onFirstInterrupt(io, () => stop.abort());
  try {
    return await work();
  } finally {
    unsubscribe();
  }
}

/** @returns whether the report is where it was asked for */
function show(out: Output, io: Io, markdown: ReturnType<typeof markdownTo>, report: Report, text: string): boolean {
  const failure = markdown && "file" in markdown ? writeReport(io, markdown.file, reportMarkdown(report)) : undefined;
  out.result(reportData(report), markdown && "stdout" in markdown ? reportMarkdown(report) : text);
  if (failure !== undefined) out.error(failure);
  return failure === undefined;
}

function nothingText(stack: string, choice: Choice, update: Update | undefined): string {
  if (choice !== "changed") return `Nothing to verify: stack ${stack} has no tests.`;
  if (update === undefined) return `Nothing to verify: stack ${stack} has had no update yet. --all runs every test it holds.`;
  return `Nothing to verify: the update of stack ${stack} at ${timeText(update.startTime)} changed no test.`;
}

/** What could not be run weighs more than what failed: the verification is not whole. */
function exitCode(verdicts: readonly Verdict[]): ExitCode {
  const { error = 0, failed = 0, late = 0 } = countOutcomes(verdicts);
  if (error > 0) return 1;
  return failed + late > 0 ? 2 : 0;
}
