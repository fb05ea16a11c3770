import { type ExitCode, options } from "./command";
import { Project } from "./engine/project";
import type { Update } from "./engine/stack";
import { dateOf, type Io, onFirstInterrupt } from "./io";
import type { Output } from "./report/output";
import { markdownOption, present } from "./report/present";
import { counted, timeText } from "./report/text";
import { boundsOf, choiceOf, roundsOf, verifyOptions } from "./verify/options";
import { countOutcomes, type Verification, verifyReport } from "./verify/report";
import { roundsTimeout, verifyRounds } from "./verify/rounds";
import { agentLines, runTests, type TestVerdict, unusedBounds } from "./verify/run";
import { selectTests, type TestChoice } from "./verify/selected";

export async function runVerify(args: readonly string[], out: Output, io: Io): Promise<ExitCode> {
  const given = options(args, verifyOptions);
  const [choice, bounds, rounds, markdown] = [choiceOf(given), boundsOf(given), roundsOf(given), markdownOption(given)];

  const stack = await Project.open(io).stack(given.stack);
  out.progress(`Looking for the tests to verify in stack ${stack.name}`);
  const update = await stack.lastUpdate();
  const selection = selectTests(await stack.managed(), choice, update, rounds ? "rounds" : "run");
  if (rounds && given.timeout === undefined) bounds.waitForResults.timeout = roundsTimeout(selection, rounds.count);
  const show = (verdicts: readonly TestVerdict[], agents: Verification["agents"] = new Map()): boolean => {
    const verification = { stack: stack.name, update, bounds, verdicts, agents, ...(rounds && { rounds }) };
    const failure = present(verifyReport(verification, nothingText(stack.name, choice, update)), markdown, out, io);
    if (failure !== undefined) out.error(failure);
    return failure === undefined;
  };
  if (selection.length === 0) return show([]) ? 0 : 1;
  if (choice === "changed" && update?.result !== "succeeded") {
    out.warn(`The last update of stack ${stack.name} ${update?.result}: what it had changed by then is verified.`);
  }
  for (const unused of unusedBounds(selection, bounds)) out.warn(unused);

  const session = await stack.session();
  const stop = new AbortController();
  const total = selection.filter(({ refused }) => refused === undefined).length;
  if (total > 0) {
    out.progress(
      rounds
        ? `Waiting for ${counted(rounds.count, "round")} of ${counted(total, "test")}`
        : `Running ${counted(total, "test")}`,
    );
  }
  // Ctrl+C ends the wait, and what was measured is reported; a second one ends the command.
  const unsubscribe = onFirstInterrupt(io, () => stop.abort());
  const onVerdict = (done: number): void => out.progress(`${done} of ${total} done`);
  const onRounds = (done: number, begun: number): void =>
    out.count(done, total, `tests${begun > 0 ? `, ${counted(begun, "round")} of the others` : ""}`);
  const work = rounds
    ? verifyRounds(session, selection, bounds, rounds, update, () => dateOf(io), onRounds, stop.signal)
    : runTests(session, selection, bounds, onVerdict, stop.signal);
  const verdicts = await work.finally(unsubscribe);
  if (!rounds) out.doneSoFar = "The tests were run; their report was not made.";
  const agents = new Map<TestVerdict, string[]>();
  // Who has pressed Ctrl+C does not wait for names.
  if (!stop.signal.aborted) {
    await Promise.all(verdicts.map(async (verdict) => agents.set(verdict, await agentLines(session, verdict))));
  }
  const isWritten = show(verdicts, agents);
  if (stop.signal.aborted) return 130;
  return isWritten ? exitCode(verdicts) : 1;
}

function nothingText(stack: string, choice: TestChoice, update: Update | undefined): string {
  if (choice !== "changed") return `Nothing to verify: stack ${stack} has no tests.`;
  if (update === undefined) return `Nothing to verify: stack ${stack} has had no update yet. --all runs every test it holds.`;
  return `Nothing to verify: the update of stack ${stack} at ${timeText(update.startTime)} changed no test.`;
}

/** What could not be run weighs more than what failed: the verification is not complete. */
function exitCode(verdicts: readonly TestVerdict[]): ExitCode {
  const { error = 0, failed = 0, late = 0 } = countOutcomes(verdicts);
  if (error > 0) return 1;
  return failed + late > 0 ? 2 : 0;
}
