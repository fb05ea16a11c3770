import { openedStack } from "../../../engine/stacks";
import type { Session } from "../../../provider/session";
import type { ExitCode, Invocation } from "../../command";
import type { VerifyValues } from "./options";
import { Project } from "../../../engine/project";
import type { Update } from "../../../engine/stack";
import { onFirstInterrupt } from "../../../engine/io";
import type { Output } from "../../report/output";
import { checkFiles, present } from "../../report/present";
import { counted, timeText } from "../../../common/text";
import { Memory, type Verdict } from "./memory";
import { boundsOf, choiceOf, roundsOf } from "./limits";
import { exitCode, isMeasured, type Verification, verifyReport } from "./report";
import { roundsTimeout, verifyRounds } from "./rounds";
import { agentLines, type Bounds, runTests, type TestVerdict, unusedBounds } from "./test-run";
import { type SelectedTest, selectTests, type TestChoice } from "./selected";

export async function run(values: VerifyValues, invocation: Invocation): Promise<ExitCode> {
  const { out, io } = invocation;
  if (values.agent) {
    const { verifyDeclared } = require("./declared") as typeof import("./declared");
    return verifyDeclared(values, values.agent, invocation);
  }
  const [choice, bounds, rounds] = [choiceOf(values), boundsOf(values), roundsOf(values)];
  checkFiles(values);

  const stack = await openedStack(Project.open(io), values.stack);
  out.progress(`Selecting the tests to verify in stack ${stack.name}`);
  const [update, managed, memory] = await Promise.all([stack.lastUpdate(), stack.managed(), Memory.of(stack)]);
  const selection = selectTests(managed, choice, update, rounds ? "rounds" : "run", memory.has);
  if (rounds && values.timeout === undefined) bounds.waitForResults.timeout = roundsTimeout(selection, rounds);
  const tests = managed.filter(({ kind }) => kind.onDemand !== undefined);
  const stop = new AbortController();
  let verdicts: TestVerdict[] = [];
  let agents: Verification["agents"] = new Map();
  if (selection.length > 0) {
    if (choice === "changed" && update?.result !== "succeeded") {
      out.warn(`The last update of stack ${stack.name} ${update?.result}: its changes so far are verified.`);
    }
    for (const unused of unusedBounds(selection, bounds)) out.warn(unused);
    const open = selection.filter(({ refused }) => refused === undefined);
    const remember = (latest: readonly Verdict[]): Promise<void> => memory.keep(tests, latest, out);
    // After the first Ctrl+C, the command stops waiting and reports the measurements so far. The second Ctrl+C ends the command.
    const unsubscribe = onFirstInterrupt(io, () => stop.abort());
    let session: Session;
    try {
      session = await stack.session();
      for (const { kind, id, written } of managed) session.readLag.noteWrite(kind.name, id, written);
      verdicts = await measure(session, selection, bounds, rounds, open.length, out, stop.signal);
    } catch (error) {
      await remember(open.map(({ resource }) => ({ resource, outcome: "error" })));
      throw error;
    } finally {
      unsubscribe();
    }
    await remember(verdicts);
    if (!rounds) out.doneSoFar = "The tests ran, but the report is not complete.";
    // After Ctrl+C, the command does not wait for the names of agents.
    if (!stop.signal.aborted) {
      agents = new Map(
        await Promise.all(verdicts.map(async (verdict) => [verdict, await agentLines(session, verdict)] as const)),
      );
    }
  }
  const hasMeasured =
    selection.length > 0
      ? isMeasured(verdicts)
      : // Every unchanged test passed its last verification, because the stack tag lists all tests that did not pass.
        choice === "changed" && update !== undefined && tests.length > 0;
  const lacksTests = values["require-tests"] === true && !hasMeasured;
  if (lacksTests) out.warn("No verdict: --require-tests requires a measured test, but there is none.");
  const verification = { stack: stack.name, update, bounds, verdicts, agents, ...(rounds && { rounds }) };
  const unwritten = present(verifyReport(verification, nothingText(stack.name, choice, update)), values, out, io);
  if (unwritten !== undefined) out.error(unwritten);
  if (stop.signal.aborted) return 130;
  return unwritten === undefined ? exitCode(verdicts, lacksTests) : 1;
}

/**
 * Runs the tests, or waits for their scheduled rounds.
 * @param total number of tests in the stack that can be verified
 */
function measure(
  session: Session,
  selection: readonly SelectedTest[],
  bounds: Bounds,
  rounds: number | undefined,
  total: number,
  out: Output,
  stop: AbortSignal,
): Promise<TestVerdict[]> {
  if (!rounds) {
    if (total > 0) out.progress(`Running ${counted(total, "test")}`);
    return runTests(session, selection, bounds, (done) => out.progress(`${done} of ${total} done`), stop);
  }
  if (total > 0) out.progress(`Waiting for ${counted(rounds, "round")} of ${counted(total, "test")}`);
  const onRounds = (done: number, begun: number): void =>
    out.count(done, total, `tests${begun > 0 ? `, ${counted(begun, "round")} of the others` : ""}`);
  return verifyRounds(session, selection, bounds, rounds, onRounds, stop);
}

function nothingText(stack: string, choice: TestChoice, update: Update | undefined): string {
  if (choice !== "changed") return `Nothing to verify: stack ${stack} has no tests.`;
  if (update === undefined) return `Nothing to verify: stack ${stack} has no update yet. Use --all to run all of its tests.`;
  const when = timeText(update.startTime);
  return `Nothing to verify: the update of stack ${stack} at ${when} changed no test, and no earlier failure remains.`;
}
