import { type ExitCode, UsageError, wordsOf } from "../command";
import { labelSteps, type MigrateValues } from "../commands/migrate";
import { referenceTo } from "../drift/look";
import { pendingIn, previewProgram } from "../drift/program-preview";
import { putBack, writeEdits } from "../edit/edit-files";
import { mistakeIn } from "../edit/typescript";
import { changingSteps, previewStack } from "../engine/preview";
import { engineError } from "../engine/run";
import { nameOfUrn } from "../engine/state";
import { commandLine } from "../import/steps";
import type { Io } from "../io";
import { lossPhrases } from "../operation/references";
import type { Output } from "../report/output";
import { checkFiles, present } from "../report/present";
import { stringOf } from "../../provider/values";
import { migrationDocument } from "./document";
import type { LabelStep, LeftOver, MigrationReport, PendingChange } from "./report";
import { type Local, readLocal, readService, type Situation, testsIn } from "./situation";
import { type Excluded, planLabels, planTags, planTests, sharedRecords, type StepPlan } from "./steps";
import { TagNaming } from "./template";

/** `endpoint-monitoring migrate labels` */
export async function migrateLabels(given: MigrateValues, out: Output, io: Io): Promise<ExitCode> {
  checkFiles(given);
  const report = await migrate(given, out, io);
  const unwritten = present(migrationDocument(report), given, out, io);
  if (unwritten !== undefined) {
    out.error(unwritten);
    return 1;
  }
  return report.left.length > 0 ? 2 : 0;
}

async function migrate(given: MigrateValues, out: Output, io: Io): Promise<MigrationReport> {
  const [asked] = given.step === undefined ? [] : wordsOf("step", [given.step], labelSteps);
  const naming = given.key === undefined ? undefined : new TagNaming(given.key, given.value);
  const local = await readLocal(given.stack, out, io);
  if (local.labels.size === 0 && local.program.labels.length === 0) return reportOf(local, "done");
  out.progress(`Previewing stack ${local.stack.name}`);
  // Options change no record, and no step depends on them.
  const pending = pendingIn(await previewProgram(local.stack)).filter(({ op }) => op !== "options");
  const { stack } = local;
  if (pending.length > 0) {
    const next = `Run \`${commandLine(["up"], stack.name)}\`, so that each step can be reviewed by itself; then run this command again.`;
    return reportOf(local, "waiting", { pending, next: [next] });
  }
  const situation = await readService(local, out);
  const plans: Record<LabelStep, (excluded: Excluded) => StepPlan> = {
    tags: (excluded) => planTags(situation, naming, excluded),
    tests: (excluded) => planTests(situation, excluded),
    labels: (excluded) => planLabels(situation, given["allow-shared"] === true, excluded),
  };
  const isDry = given["dry-run"] === true;
  const shared = sharedRecords(situation);
  const left: LeftOver[] = [];
  for (const step of asked === undefined ? labelSteps : [asked]) {
    const planned = plans[step](new Map());
    const isEmpty = planned.edits.length === 0;
    const { plan, also } = isDry || isEmpty ? { plan: planned, also: [] } : await writeStep(situation, plans[step], out);
    left.push(...plan.left);
    if (plan.edits.length === 0) continue;
    const createsFirst = step === "tests" && (await isCreateFirst(situation, given["create-first"] === true && !isDry, out));
    return reportOf(situation, isDry ? "planned" : "written", {
      plan,
      step,
      also,
      left: once(left),
      shared,
      references: await referencesLost(situation, plan),
      next: nextOf(stack.name, step, isDry, createsFirst || given["create-first"] === true),
    });
  }
  const next = left.length > 0 ? ["Do what is said of each of these, then run this command again."] : [];
  return reportOf(situation, left.length > 0 ? "blocked" : "done", {
    left: once(left),
    shared,
    next,
    ...(asked && { step: asked }),
  });
}

/** Reports what several steps leave once, by the first of them. A label that a reported test uses is not reported. */
function once(left: readonly LeftOver[]): LeftOver[] {
  const ids = new Set(left.map(({ id }) => id));
  const own = left.filter(({ usedBy }) => usedBy === undefined || !usedBy.every((id) => ids.has(id)));
  return [...new Map(own.toReversed().map((one) => [`${one.kind} ${one.name} ${one.id}`, one])).values()].toReversed();
}

/** Finds the alert rules and streams that name records that a step replaces or deletes. */
async function referencesLost(
  { managed, references }: Situation,
  { expected }: StepPlan,
): Promise<MigrationReport["references"]> {
  const lost = managed.filter(({ urn }) => ["replace", "delete"].includes(expected.get(urn)?.op ?? ""));
  const named = lost.map(async ({ kind, name, id, outputs }) => {
    return { kind, name, referrers: await references.to(kind, id, stringOf(outputs["accountGroupId"])) };
  });
  return lossPhrases(await Promise.all(named));
}

const createFirstArguments = ["config", "set", "endpoint-monitoring:replaceOrder", "create-first"];

/** Whether a replacement creates the new record first. @param set whether to configure the stack so @throws UsageError */
async function isCreateFirst({ stack }: Local, set: boolean, out: Output): Promise<boolean> {
  if ((await stack.configured())("replaceOrder") === "create-first") return true;
  if (!set) return false;
  out.progress(`Setting replaceOrder in the configuration of stack ${stack.name}`);
  const run = await stack.run(createFirstArguments);
  if (run.code !== 0) throw engineError(`The program is edited, but replaceOrder of stack ${stack.name} could not be set`, run);
  return true;
}

/**
 * Writes a step into the program and has the engine preview it. Resources that would change otherwise than announced are left out, and
 * the rest is written again. If the program does not run, the files are put back.
 *
 * @param planWithout plans the step without some resources
 * @throws UsageError
 */
async function writeStep(
  { project, stack, program }: Situation,
  planWithout: (excluded: Excluded) => StepPlan,
  out: Output,
): Promise<{ plan: StepPlan; also: readonly PendingChange[] }> {
  const excluded = new Map<string, string>();
  for (;;) {
    const plan = planWithout(excluded);
    const { edits, expected, step } = plan;
    if (edits.length === 0) return { plan, also: [] };
    const broken = edits.find(({ path, after }) => mistakeIn(program.instances.source.ts, path, after));
    if (broken)
      throw new UsageError(`${broken.path} would be no valid program, so nothing was written. Edit it by hand`, "work");
    writeEdits(project.folder, edits);
    out.progress(`Previewing stack ${stack.name} with the edited program`);
    const what = `The edited program of stack ${stack.name} cannot be previewed, and was put back`;
    const preview = await previewStack(stack, what).catch((error: unknown) => {
      putBack(project.folder, edits);
      throw error;
    });
    const { wrong, also } = comparedWith(expected, changingSteps(preview), step === "tests");
    if (wrong.size === 0) {
      out.doneSoFar = "The program is edited: look at it, and run `pulumi up`.";
      return { plan, also };
    }
    putBack(project.folder, edits);
    const before = excluded.size;
    for (const [urn, why] of wrong) excluded.set(urn, why);
    // Each round leaves out at least one resource more.
    if ([...wrong.keys()].every((urn) => !expected.has(urn)) || excluded.size === before) {
      const found = [...wrong].map(([urn, why]) => `${nameOfUrn(urn)}: ${why}`).join("; ");
      throw new UsageError(`The edited program would do something else than announced, so it was put back: ${found}`, "work");
    }
  }
}

/** @param mayUpdate whether resources that refer to the announced ones may change with them */
function comparedWith(expected: StepPlan["expected"], changing: ReturnType<typeof changingSteps>, mayUpdate: boolean) {
  const wrong = new Map<string, string>();
  const also: PendingChange[] = [];
  const found = Map.groupBy(changing, ({ urn }) => urn);
  const opOf = (urn: string): string => {
    const ops = (found.get(urn) ?? []).map(({ op }) => (/replace/.test(op) ? "replace" : op));
    return [...new Set(ops)].join(", ");
  };
  for (const [urn, { op, mistake }] of expected) {
    const inputs = found.get(urn)?.find(({ newState }) => newState?.inputs)?.newState?.inputs;
    const why = inputs && mistake?.(inputs);
    if (opOf(urn) !== op) wrong.set(urn, `the edited program does not ${op} it, but ${opOf(urn) || "leaves it"}`);
    else if (why !== undefined) wrong.set(urn, `the edited program declares it otherwise: ${why}`);
  }
  for (const urn of found.keys()) {
    if (expected.has(urn)) continue;
    const op = opOf(urn);
    if (mayUpdate && ["update", "replace"].includes(op)) also.push({ op, name: nameOfUrn(urn), urn });
    else wrong.set(urn, `the edited program would ${op} it`);
  }
  return { wrong, also };
}

interface Found extends Partial<
  Pick<MigrationReport, "step" | "also" | "pending" | "left" | "shared" | "references" | "next">
> {
  plan?: StepPlan;
}

function reportOf(
  { stack, managed, others, labels }: Local,
  state: MigrationReport["state"],
  found: Found = {},
): MigrationReport {
  const { plan, ...rest } = found;
  const replaced = managed.filter(({ urn }) => plan?.expected.get(urn)?.op === "replace");
  return {
    stack: stack.name,
    state,
    files: plan?.edits.map(({ path }) => path) ?? [],
    tags: plan?.tags ?? [],
    tests: plan?.tests ?? [],
    labels: plan?.labels ?? [],
    replaced: replaced.map((test) => ({ ...referenceTo(test), replacementCost: test.kind.replacementCost })),
    otherStacks: [...new Set(others.map((one) => one.stack))].toSorted(),
    remaining: { labels: labels.size, tests: testsIn(managed).length },
    references: [],
    also: [],
    pending: [],
    left: [],
    shared: [],
    next: [],
    ...rest,
  };
}

function nextOf(stack: string, step: LabelStep, isDry: boolean, createsFirst: boolean): string[] {
  const run = isDry
    ? "Run this without --dry-run to write it."
    : `Look at the change of the program, and run \`${commandLine(["up"], stack)}\`.`;
  if (step === "tags") return [run, "Run this command again for the next step: tests select by the tags."];
  if (step === "labels") return [run];
  const back = commandLine(["config", "rm", "endpoint-monitoring:replaceOrder"], stack);
  const order = createsFirst
    ? `Each new test is created before the old one is deleted (replaceOrder is create-first; \`${back}\` ends that).`
    : `Each old test is deleted before the new one is created. For no gap run \`${commandLine(createFirstArguments, stack)}\` before the update (--create-first does).`;
  return [order, run, "Run this command again for the last step: labels that nothing uses are taken out."];
}
