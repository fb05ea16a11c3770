import { visible } from "./words";
import { type KindName, registry } from "../provider/registry";
import { type Command, listOf, options, UsageError } from "./command";
import { acceptAll } from "./drift/accept";
import { heldElsewhere } from "./drift/also";
import { markdownText } from "./drift/markdown";
import { mendAll } from "./drift/mend";
import { managedTwice, namesIn } from "./drift/records";
import type { DriftReport } from "./drift/report";
import { reportOf } from "./drift/findings";
import { lookAtStack, type Look, type Scope, Sessions } from "./drift/stacks";
import { terminalText } from "./drift/text";
import { writeWhole } from "./files";
import type { Held } from "./held";
import { kindsNamed, kindWords } from "./kinds";
import type { Output } from "./output";
import { Project } from "./project";

const kindNames = Object.keys(registry) as KindName[];

const help = `Says what was changed, deleted or made behind Pulumi's back, and puts it right.

Usage: endpoint-monitoring drift [OPTIONS]

It compares what the service holds with what was declared at the last update of each stack (after a
\`pulumi refresh\`: with what that found). It needs the stacks' backend and their settings, nothing else,
and changes nothing unless told to. These are drift:

  changed    the service holds a property otherwise than the program declares it
  missing    a resource has gone from the service
  unmanaged  somebody made a record, and none of the stacks manages it: looked for in the account groups
             that the stacks' settings and resources name. Agents register themselves, they are no drift

What the program leaves to the service is told where it has changed, and is no drift.

Options:
  --stack NAME     Stack to look at, as often as wanted (default: every stack of the project)
  --also NAME      What else manages records, so that these are not unmanaged, as often as wanted: the full
                   name of a stack in the same backend, the folder of another Pulumi project, or a file
                   that \`pulumi stack export\` wrote
  --no-unmanaged   Do not look for what is unmanaged
  --only KINDS     Look at these kinds only, comma-separated:
                   ${kindWords().join(", ")}
  --mend           Make the service what the program declares: runs \`pulumi up\` for the drifted resources
                   alone. Other changes of the program stay where they are and are told, and what is
                   unmanaged is not touched
  --accept         Make the program what the service holds: writes it into the source, each resource whole
                   or not at all, says where it can't and why, and refreshes the state. What is missing or
                   unmanaged is told only
  --markdown FILE  Write the report as Markdown too, fit for an issue; - prints it instead of the text
  --json           Print the report as one JSON object
  --help           This text

Examples:
  endpoint-monitoring drift --stack prod --also organization/network/prod --markdown drift.md
  endpoint-monitoring drift --stack prod --no-unmanaged --mend

Exit codes: 0 no drift (with --mend and --accept: none is left), 2 drift, 1 a stack could not be looked
at or an update failed, 130 interrupted.
`;

const known = {
  stack: { type: "string", multiple: true },
  also: { type: "string", multiple: true },
  "no-unmanaged": { type: "boolean" },
  only: { type: "string", multiple: true },
  mend: { type: "boolean" },
  accept: { type: "boolean" },
  markdown: { type: "string" },
} as const;

export const driftCommand: Command = {
  name: "drift",
  summary: "Say what was changed, deleted or made behind Pulumi's back, and put it right",
  help,
  async run(args, out) {
    const given = options(args, known);
    if (given.mend && given.accept)
      throw new UsageError("--mend and --accept exclude each other: one follows the program, one the service");
    if (given.markdown === "-" && given.json)
      throw new UsageError("--json and --markdown - both want standard output: give a FILE");
    const scope = scopeOf(given.only);
    const say = (text: string): void => out.progress(text);

    const project = await Project.open();
    const stacks = await project.stacks([...new Set(given.stack)]);
    if (stacks.length === 0)
      throw new UsageError(`Project ${project.name} has no stack yet: run \`pulumi stack init\``, "work");
    const elsewhere: Held[] = [];
    for (const name of given.also ?? []) elsewhere.push(...(await heldElsewhere(project, name, say)));

    const looks: Look[] = [];
    const sessions = new Sessions();
    for (const stack of stacks) {
      say(`Looking at stack ${stack.name}`);
      looks.push(await lookAtStack(stack, sessions, scope));
    }
    throwIfAllFailed(looks);
    for (const warning of managedTwice(looks, elsewhere)) out.warn(warning);

    const done = given.mend
      ? await mendAll(looks, scope, say)
      : given.accept
        ? await acceptAll(project, looks, scope, out)
        : undefined;
    const now = done?.looks ?? looks;
    const report = await reportOf(now, elsewhere, given["no-unmanaged"] ? undefined : scope, out);
    if (done) Object.assign(report, given.mend ? { mended: done.outcome } : { accepted: done.outcome });
    const unwritten = tell(report, now, given.markdown, out);
    const failures = [...report.failures, ...(done?.outcome.failures ?? []), ...unwritten];
    for (const failure of failures) out.note(`${out.paint("red", "error:", process.stderr)} ${visible(failure)}`);
    if (done?.interrupted) return 130;
    if (failures.length > 0) return 1;
    return report.drift ? 2 : 0;
  },
};

function scopeOf(only: readonly string[] | undefined): Scope {
  return { kinds: new Set(only ? kindsNamed(listOf(only)).map(({ name }) => name) : kindNames) };
}

/** Where no stack could be looked at there is nothing to report. */
function throwIfAllFailed(looks: readonly Look[]): void {
  const errors = looks.flatMap(({ error }) => error ?? []);
  const [first] = errors;
  if (first === undefined || errors.length < looks.length) return;
  if (new Set(errors.map(({ message }) => message)).size === 1) throw first;
  throw new UsageError(looks.map(({ stack, error }) => `stack ${stack.name}: ${error?.message ?? ""}`).join(" "), "work");
}

/** Tells the report. @returns why the file could not be written: what was found, and done, is told all the same */
function tell(report: DriftReport, looks: readonly Look[], markdown: string | undefined, out: Output): string[] {
  const nameOf = namesIn(looks);
  const failures: string[] = [];
  if (markdown !== undefined && markdown !== "-") {
    try {
      writeWhole(markdown, markdownText(report, nameOf));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      failures.push(error.message);
    }
  }
  out.result(report, () => (markdown === "-" ? markdownText(report, nameOf) : terminalText(report, nameOf, out)));
  return failures;
}
