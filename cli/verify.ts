import type { Session } from "../provider/session";
import { type Command, type ExitCode, options } from "./command";
import { writeWhole } from "./files";
import type { Output } from "./output";
import { Project, type Update } from "./project";
import { counted } from "./words";
import { agentLines } from "./verify/agents";
import { countOutcomes } from "./verify/figures";
import { boundsOf, choiceOf, defaults, known, markdownTo } from "./verify/options";
import { reportData, reportMarkdown, reportText, timeText, type Report } from "./verify/report";
import { type Bounds, runTests, unusedBounds, type Verdict } from "./verify/run";
import { type Choice, type Selected, selectTests } from "./verify/selected";

const help = `Runs the tests that the last \`pulumi up\` changed, once and at once, and holds what agents measure against bounds.

Usage: endpoint-monitoring verify [OPTIONS]

Which tests:
  --stack NAME            Stack whose last update is looked at (default: the selected one)
  --test NAME|ID          This test instead, by its name in the program or in the service, or by its id; repeatable
  --all                   Every test of the stack instead
  Only the last update counts: where one was repeated after it failed, name the tests, or take --all. A test counts as changed, too,
  when a label or an agent that it names was changed. Disabled and dynamic tests are skipped: they are not run at will.

Bounds, held against each agent that answers; the table shows the worst that any of them measured:
  --min-availability PERCENT  Least share of agents that reach the target (default ${defaults.minAvailability}: every one)
  --max-loss PERCENT          Most loss on the path, of tests that probe the network
  --max-latency MS            Most average latency, of tests that probe the network
  --max-response-time MS      Most response time, of tests of HTTP servers
  A bound whose figure an agent did not measure is not met. An agent does not reach the target where the name is not resolved, the
  connection or TLS is refused, no answer comes, or the answer has a status of 400 or more. A lower --min-availability allows such
  agents; at least one agent then has to measure each figure.

How long:
  --min-agents N          Agents whose results are needed (default ${defaults.minAgents})
  --settle SECONDS        Go on waiting for others, until none has answered for so long (default ${defaults.settle})
  --timeout SECONDS       Longest wait for the results of a test (default ${defaults.timeout})

Output:
  --markdown FILE         Write the report as Markdown; "-" is standard output
  --json                  Print it as JSON
  --help                  This text

Example:
  pulumi up --yes && endpoint-monitoring verify --max-loss 5 --max-response-time 800

Exit codes: 0 every test passed, or there was none to run; 2 some failed, or had no results in time; 1 some could not be run, or
another error; 130 interrupted.
`;

export const verifyCommand: Command = {
  name: "verify",
  summary: "Run the tests that an update changed, and hold their results against bounds",
  help,
  async run(args, out) {
    const given = options(args, known);
    const [choice, bounds, markdown] = [choiceOf(given), boundsOf(given), markdownTo(given)];

    const stack = await (await Project.open()).stack(given.stack);
    out.progress(`Looking for the tests to verify in stack ${stack.name}`);
    const update = await stack.lastUpdate();
    const selection = selectTests(await stack.held(), choice, update);
    const report = (verdicts: readonly Verdict[], agents: Report["agents"] = new Map()): Report => {
      return { stack: stack.name, update, bounds, verdicts, agents };
    };
    if (selection.length === 0) {
      show(out, markdown, report([]), nothingText(stack.name, choice, update));
      return 0;
    }
    if (choice === "changed" && update?.result !== "succeeded") {
      out.warn(`The last update of stack ${stack.name} ${update?.result}: what it had changed by then is verified.`);
    }
    for (const unused of unusedBounds(selection, bounds)) out.warn(unused);
    const session = await stack.session();
    const stop = new AbortController();
    const verdicts = await interruptible(stop, () => runAll(session, selection, bounds, out, stop.signal));
    const agents = new Map<Verdict, string[]>();
    // Who has pressed Ctrl+C does not wait for names.
    if (!stop.signal.aborted) {
      await Promise.all(verdicts.map(async (verdict) => agents.set(verdict, await agentLines(session, verdict))));
      await session.client.close();
    }
    const whole = report(verdicts, agents);
    show(out, markdown, whole, reportText(whole, out));
    return stop.signal.aborted ? 130 : exitCode(verdicts);
  },
};

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
async function interruptible<T>(stop: AbortController, work: () => Promise<T>): Promise<T> {
  const interrupt = (): void => stop.abort();
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    return await work();
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  }
}

function show(out: Output, markdown: ReturnType<typeof markdownTo>, report: Report, text: string): void {
  if (markdown && "file" in markdown) writeWhole(markdown.file, reportMarkdown(report));
  out.result(reportData(report), markdown && "stdout" in markdown ? reportMarkdown(report) : text);
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
