import type { ExitCode } from "../command";
import { labelSteps, type MigrateValues } from "../commands/migrate";
import { referenceTo } from "../drift/look";
import { pendingIn, previewProgram } from "../drift/program-preview";
import { engineError } from "../engine/run";
import { commandLine } from "../import/steps";
import type { Io } from "../io";
import { lossPhrases } from "../operation/references";
import type { Output } from "../report/output";
import type { Phrase } from "../report/phrase";
import { stringOf } from "../../provider/values";
import { present } from "../report/present";
import { migrationDocument } from "./document";
import { type LabelStep, type MigrateLabelsOptions, readOptions } from "./options";
import type { LeftOver, MigrationReport, MigrationState, PendingChange } from "./report";
import { labelsIn, type Local, lookAtService, lookLocally, type Situation, tagOfLabel } from "./situation";
import { planLabels, sharedRecords } from "./step-labels";
import { emptyPlan, type Excluded, type StepPlan } from "./step-plan";
import { planTags, tagOf } from "./step-tags";
import { agentsOfTests, planTests, testsIn } from "./step-tests";
import { writeStep } from "./write-step";

/** `endpoint-monitoring migrate labels` */
export async function migrateLabels(given: MigrateValues, out: Output, io: Io): Promise<ExitCode> {
  const asked = readOptions(given);
  const report = await migrate(asked, out, io);
  const unwritten = present(migrationDocument(report), given, out, io);
  if (unwritten !== undefined) {
    out.error(unwritten);
    return 1;
  }
  return report.left.length > 0 ? 2 : 0;
}

async function migrate(asked: MigrateLabelsOptions, out: Output, io: Io): Promise<MigrationReport> {
  const local = await lookLocally(asked.stack, out, io);
  if (labelsIn(local.managed).length === 0 && local.declarations.length === 0) return reportOf(local, "done", {});
  out.progress(`Previewing stack ${local.stack.name}`);
  // Options change no record, and no step depends on them.
  const pending = pendingIn(await previewProgram(local.stack)).filter(({ op }) => op !== "options");
  if (pending.length > 0) return reportOf(local, "waiting", { pending });
  const situation = await lookAtService(local, out);
  const shared = sharedRecords(situation);
  const plans = plansOf(situation, asked);
  const steps = asked.step === undefined ? labelSteps : [asked.step];
  const left: LeftOver[] = [];
  for (const step of steps) {
    const planned = plans[step](new Map());
    if (planned.edits.length === 0) {
      left.push(...planned.left);
      continue;
    }
    const { plan, also } = asked.dryRun ? { plan: planned, also: [] } : await writeStep(situation, plans[step], out);
    left.push(...plan.left);
    if (plan.edits.length === 0) continue;
    if (step === "tests" && asked.createFirst && !asked.dryRun) await createFirst(situation, out);
    const state = asked.dryRun ? "planned" : "written";
    const references = await referencesLost(situation, plan);
    return reportOf(situation, state, {
      plan,
      also,
      left: once(left),
      shared,
      asked,
      references,
      ...(await orderOf(situation)),
    });
  }
  const none = asked.step && { ...emptyPlan, step: asked.step };
  return reportOf(situation, left.length > 0 ? "blocked" : "done", { ...(none && { plan: none }), left: once(left), shared });
}

/** Who names what a step replaces or deletes. */
async function referencesLost({ managed, references }: Situation, { expected }: StepPlan): Promise<Phrase[]> {
  const goes = managed.filter(({ urn }) => ["replace", "delete"].includes(expected.get(urn)?.op ?? ""));
  const lost = goes.map(async ({ kind, name, id, outputs }) => {
    return { kind, name, referrers: await references.to(kind, id, stringOf(outputs["accountGroupId"])) };
  });
  return lossPhrases(await Promise.all(lost));
}

type Plans = Record<LabelStep, (excluded: Excluded) => StepPlan>;

function plansOf(situation: Situation, { naming, allowShared }: MigrateLabelsOptions): Plans {
  return {
    tags: (excluded) => {
      const plan = planTags(situation, naming, excluded);
      if (plan.edits.length === 0) return plan;
      const planned = (label: Parameters<typeof tagOf>[0]) => naming && tagOf(label, naming);
      const tests = agentsOfTests(
        situation,
        testsIn(situation.managed),
        (label) => tagOfLabel(situation, label)?.inputs ?? planned(label),
      );
      return { ...plan, tests };
    },
    tests: (excluded) => planTests(situation, excluded),
    labels: (excluded) => planLabels(situation, allowShared, excluded),
  };
}

/** What several steps leave is reported once, with what the first of them found; of a test that stays, its labels are not. */
function once(left: readonly LeftOver[]): LeftOver[] {
  const ids = new Set(left.map(({ id }) => id));
  const own = left.filter(({ usedBy }) => usedBy === undefined || !usedBy.every((id) => ids.has(id)));
  return [...new Map(own.toReversed().map((one) => [`${one.kind} ${one.name} ${one.id}`, one])).values()].toReversed();
}

/** Whether replacements create the new record first, as the stack has it. */
async function orderOf({ stack }: Local): Promise<{ createsFirst: boolean }> {
  const configured = await stack.configured();
  return { createsFirst: configured("replaceOrder") === "create-first" };
}

const createFirstArguments = ["config", "set", "endpoint-monitoring:replaceOrder", "create-first"];

/** Has replacements create the new test before they delete the old one. @throws UsageError */
async function createFirst({ stack }: Local, out: Output): Promise<void> {
  const configured = await stack.configured();
  if (configured("replaceOrder") === "create-first") return;
  out.progress(`Setting replaceOrder in the configuration of stack ${stack.name}`);
  const run = await stack.run(createFirstArguments);
  if (run.code !== 0) throw engineError(`The program is edited, but replaceOrder of stack ${stack.name} could not be set`, run);
}

interface Found {
  plan?: StepPlan;
  also?: readonly PendingChange[];
  pending?: readonly PendingChange[];
  left?: readonly LeftOver[];
  shared?: MigrationReport["shared"];
  asked?: MigrateLabelsOptions;
  createsFirst?: boolean;
  references?: readonly Phrase[];
}

function reportOf(local: Local, state: MigrationState, found: Found): MigrationReport {
  const { stack, managed, others } = local;
  const { plan = { ...emptyPlan, step: undefined }, also = [], pending = [], left = [], shared = [], references = [] } = found;
  const byUrn = new Map(managed.map((one) => [one.urn, one]));
  const replaced = [...plan.expected].flatMap(([urn, { op }]) => (op === "replace" ? (byUrn.get(urn) ?? []) : []));
  return {
    stack: stack.name,
    state,
    ...(plan.step && { step: plan.step }),
    files: plan.edits.map(({ path }) => path),
    tags: plan.tags,
    tests: plan.tests,
    labels: plan.labels,
    replaced: replaced.map((test) => ({ ...referenceTo(test), replacementCost: test.kind.replacementCost })),
    references,
    also,
    pending,
    left,
    shared,
    otherStacks: [...new Set(others.map((one) => one.stack))].toSorted(),
    remaining: { labels: labelsIn(managed).length, tests: testsIn(managed).length },
    next: nextOf(local, state, plan.step, found),
  };
}

function nextOf({ stack }: Local, state: MigrationState, step: LabelStep | undefined, found: Found): string[] {
  const up = `\`${commandLine(["up"], stack.name)}\``;
  if (state === "done") return [];
  if (state === "waiting") return [`Run ${up}, so that each step can be reviewed by itself; then run this command again.`];
  if (state === "blocked") return ["Do what is said of each of these, then run this command again."];
  const run =
    state === "planned" ? "Run this without --dry-run to write it." : `Look at the change of the program, and run ${up}.`;
  if (step === "tags") return [run, "Run this command again for the next step: tests select by the tags."];
  if (step === "labels") return [run];
  const isFirst = found.createsFirst === true || found.asked?.createFirst === true;
  const order = commandLine(createFirstArguments, stack.name);
  const back = commandLine(["config", "rm", "endpoint-monitoring:replaceOrder"], stack.name);
  return [
    isFirst
      ? `Each new test is created before the old one is deleted (replaceOrder is create-first; \`${back}\` ends that).`
      : `Each old test is deleted before the new one is created. For no gap run \`${order}\` before the update (--create-first does).`,
    run,
    "Run this command again for the last step: labels that nothing uses are taken out.",
  ];
}
