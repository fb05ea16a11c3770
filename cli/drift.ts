import { type KindName, registry } from "../provider/registry";
import { type ExitCode, listOf, options, UsageError } from "./command";
import { acceptAll } from "./drift/accept";
import { managedElsewhere } from "./drift/also";
import { markdownText } from "./drift/markdown";
import { mendAll } from "./drift/mend";
import { managedTwice, namesIn } from "./drift/records";
import type { DriftReport } from "./drift/report";
import { reportOf } from "./drift/findings";
import { withReplacements } from "./drift/replacements";
import { lookAtStack, type Look, type Scope, Sessions } from "./drift/stacks";
import { terminalText } from "./drift/text";
import { writeReport } from "./files";
import type { Io } from "./io";
import { kindsNamed } from "./kinds";
import type { Output } from "./output";
import { Project } from "./engine/project";

const kindNames = Object.keys(registry) as KindName[];

const known = {
  stack: { type: "string", multiple: true },
  also: { type: "string", multiple: true },
  "no-unmanaged": { type: "boolean" },
  only: { type: "string", multiple: true },
  mend: { type: "boolean" },
  accept: { type: "boolean" },
  markdown: { type: "string" },
} as const;

/** Runs the command. */
export async function runDrift(args: readonly string[], out: Output, io: Io): Promise<ExitCode> {
  const given = options(args, known);
  if (given.mend && given.accept)
    throw new UsageError("--mend and --accept exclude each other: one follows the program, one the service");
  if (given.markdown === "-" && given.json)
    throw new UsageError("--json and --markdown - both want standard output: give a FILE");
  const scope = scopeOf(given.only);

  const project = Project.open(io);
  const stacks = await project.stacks([...new Set(given.stack)]);
  if (stacks.length === 0) throw new UsageError(`Project ${project.name} has no stack yet: run \`pulumi stack init\``, "work");
  const own = given["no-unmanaged"] ? undefined : new Set(stacks.map(({ name }) => name));
  const elsewhere = await managedElsewhere(project, own, given.also ?? [], out);

  const looks: Look[] = [];
  const sessions = new Sessions();
  for (const stack of stacks) {
    out.progress(`Looking at stack ${stack.name}`);
    looks.push(await lookAtStack(stack, sessions, scope));
  }
  throwIfAllFailed(looks);
  for (const warning of managedTwice(looks, elsewhere.held)) out.warn(warning);

  const done = given.mend
    ? await mendAll(looks, scope, out)
    : given.accept
      ? await acceptAll(project, looks, scope, out)
      : undefined;
  const now = done?.looks ?? looks;
  const report = await reportOf(now, elsewhere, given["no-unmanaged"] ? undefined : scope, out);
  if (done) Object.assign(report, given.mend ? { mended: done.outcome } : { accepted: done.outcome });
  // What has just been left has its reason, which mending again would meet again.
  if (!given.mend) report.stacks = now.map(withReplacements);
  const unwritten = tell(report, now, given.markdown, out, io);
  const failures = [...report.failures, ...(done?.outcome.failures ?? []), ...unwritten];
  for (const failure of failures) out.error(failure);
  if (done?.interrupted) return 130;
  if (failures.length > 0) return 1;
  return report.drift ? 2 : 0;
}

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
function tell(report: DriftReport, looks: readonly Look[], markdown: string | undefined, out: Output, io: Io): string[] {
  const nameOf = namesIn(looks);
  const failures: string[] = [];
  if (markdown !== undefined && markdown !== "-") {
    const failure = writeReport(io, markdown, markdownText(report, nameOf));
    if (failure !== undefined) failures.push(failure);
  }
  out.result(report, () => (markdown === "-" ? markdownText(report, nameOf) : terminalText(report, nameOf, out)));
  return failures;
}
