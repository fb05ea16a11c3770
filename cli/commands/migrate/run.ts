import { isSame } from "../../../provider/shape";
import { type ExitCode, type Invocation } from "../../command";
import type { MigrateValues } from "./options";
import { putBack, writeEdits } from "../../../program/edit-files";
import { changingSteps } from "../../../engine/preview";
import type { EngineStep } from "../../../engine/preview-output";
import { nameOfUrn } from "../../../engine/state";
import { positionText } from "../../../common/position";
import { commandLine } from "../import/steps";
import type { Io } from "../../../engine/io";
import { runPreview } from "../../../plan/read";
import { type Block, heading, list, type Medium, type Report, section, text } from "../../report/document";
import type { Output } from "../../report/output";
import { errorText, ours, phrase, type Phrase, place, word, words, phraseText } from "../../../common/phrase";
import { checkFiles, present } from "../../report/present";
import { counted } from "../../../common/text";
import { reviewReport } from "../review/report";
import { judge } from "../../../plan/judge/judge";
import type { Review } from "../../../plan/judge/review";
import { registry } from "../../../provider/registry";
import { TagNaming } from "../../../program/tag-naming";
import { readMigrationInput, type MigrationInput, tagUrnOf } from "./migration-input";
import { type Excluded, type RefusedResource, planTags, planTests, type StepPlan } from "./steps";
import { planLabels } from "./label-steps";
import { UsageError } from "../../../common/errors";
import type { Judgement } from "../../../plan/judge/model";

type MigrationStep = "tags" | "tests" | "labels";

const afterwards: Partial<Record<MigrationStep, string>> = {
  tags: "Then run this command again for the next step: tests select agents by tags.",
  tests: "Then run this command again for the last step: unused labels are deleted.",
};

/** The member `data` in the output of `migrate labels --json`. */
export interface MigrationReport {
  readonly stack: string;
  /**
   * `waiting` means that the program contains changes that no update has applied yet. `blocked` means that the user must edit the program.
   * `done` means that the migration is complete.
   */
  readonly state: "written" | "planned" | "waiting" | "blocked" | "done";
  readonly step?: MigrationStep;
  readonly files: readonly string[];
  readonly left: readonly RefusedResource[];
  /** Labels that may be the same record in the service as a tag. */
  readonly shared: readonly { label: string; labelId: string; tagId: string }[];
  readonly otherStacks: readonly string[];
  readonly review?: Review;
  readonly next: readonly string[];
}

export async function run(values: MigrateValues, { out, io }: Invocation): Promise<ExitCode> {
  checkFiles(values);
  const { report, judgement } = await migrate(values, out, io);
  for (const warning of judgement?.warnings ?? []) out.warn(phraseText(warning));
  const unwritten = present(migrationReport(report, judgement, values.details), values, out, io);
  if (unwritten !== undefined) out.error(unwritten);
  return unwritten === undefined ? (report.left.length > 0 ? 2 : 0) : 1;
}

async function migrate(
  values: MigrateValues,
  out: Output,
  io: Io,
): Promise<{ report: MigrationReport; judgement?: Judgement }> {
  const naming = values.key === undefined ? undefined : new TagNaming(values.key, values.value);
  const { "dry-run": isDry = false, "allow-shared": allowShared = false } = values;
  const input = await readMigrationInput(values.stack, out, io);
  const { stack, labels, program } = input;
  const shared = labels.flatMap(({ resource, shared: tag }) =>
    tag ? [{ label: resource.name, labelId: resource.id, tagId: tag.id }] : [],
  );
  const otherStacks = (await stack.project.stackNames()).filter((name) => name !== stack.name);
  const known = { stack: stack.name, files: [], left: [], shared, otherStacks, next: [] };
  if (labels.length === 0 && program.labels.length === 0) return { report: { ...known, state: "done" } };
  const { changing, judgement } = await previewed(input, out, io);
  if (changing.length > 0) {
    const next = `Run \`${commandLine(["up"], stack.name)}\` first, so that each step has its own review. Then run this command again.`;
    return { judgement, report: { ...known, state: "waiting", next: [next], review: judgement.review } };
  }
  const plans: [MigrationStep, (excluded: Excluded) => StepPlan][] = [
    ["tags", (excluded) => planTags(input, naming, excluded)],
    ["tests", (excluded) => planTests(input, excluded)],
    ["labels", (excluded) => planLabels(input, allowShared, excluded)],
  ];
  const left: RefusedResource[] = [];
  for (const [step, planWithout] of plans) {
    const { plan, judged } = await tryStep(input, planWithout, isDry, out, io);
    for (const leftOver of plan.left) left.push(leftOver);
    if (!judged) continue;
    const files = plan.edits.map(({ path }) => path);
    const order = step === "tests" ? [await orderOf(input)] : [];
    const look = `Check the change of the program, and run \`${commandLine(["up"], stack.name)}\`.`;
    const next = [
      ...order,
      isDry ? "Run this command without --dry-run to write the files." : look,
      ...[afterwards[step] ?? []].flat(),
    ];
    const state = isDry ? "planned" : "written";
    return { judgement: judged, report: { ...known, state, step, files, left, review: judged.review, next } };
  }
  const next = left.length > 0 ? ["Follow the advice for each resource, then run this command again."] : [];
  return { report: { ...known, state: left.length > 0 ? "blocked" : "done", left, next } };
}

/**
 * Returns the steps of a preview that change records. The result excludes changes to resource options, because resource options do not
 * change records.
 */
async function previewed({ stack, heldState }: MigrationInput, out: Output, io: Io) {
  const source = await runPreview({ stack, reading: Promise.resolve(heldState) }, out, io);
  const changing = changingSteps(source.operation).filter(({ op }) => op !== "options");
  return { changing, judgement: await judge(source, out) };
}

/**
 * Writes a step into the program and previews the program. If resources have unplanned changes, the function excludes these resources and
 * repeats the step. If the program does not run, the function restores the files.
 *
 * @returns the plan, with a review unless the plan is empty
 * @throws UsageError
 */
async function tryStep(
  input: MigrationInput,
  planWithout: (excluded: Excluded) => StepPlan,
  isDry: boolean,
  out: Output,
  io: Io,
): Promise<{ plan: StepPlan; judged?: Judgement }> {
  const { folder } = input.stack.project;
  const excluded = new Map(input.unread);
  for (;;) {
    const plan = planWithout(excluded);
    if (plan.edits.length === 0) return { plan };
    writeEdits(folder, plan.edits);
    const { judged, wrong } = await previewed(input, out, io)
      .then(({ changing, judgement }) => ({ judged: judgement, wrong: unlike(plan, changing, judgement) }))
      .catch((error: unknown) => {
        putBack(folder, plan.edits);
        out.warn("The edited program could not be previewed, so the program's files were restored");
        throw error;
      });
    if (isDry || wrong.size > 0) putBack(folder, plan.edits);
    else out.doneSoFar = "The program is edited. Check the edits, and run `pulumi up`.";
    if (wrong.size === 0) return { plan, judged };
    // If no planned resource has an unplanned change, another pass would not help. Otherwise, the next pass excludes at least one more
    // resource, so the loop ends.
    if ([...wrong.keys()].every((urn) => !plan.expected.has(urn))) {
      const reasons = [...wrong].map(([urn, why]) => `${nameOfUrn(urn)}: ${why}`).join("; ");
      throw new UsageError(
        `The edited program would have unplanned effects, so \`migrate\` restored the program's files: ${reasons}`,
        "work",
      );
    }
    for (const [urn, why] of wrong) excluded.set(urn, why);
  }
}

/** Finds resources with unplanned changes, and labels that tests still use. Returns the reasons by URN. */
function unlike({ expected }: StepPlan, changing: readonly EngineStep[], judgement: Judgement): Map<string, string> {
  const wrong = new Map<string, string>();
  const byUrn = new Map(changing.map((engineStep) => [engineStep.urn, engineStep]));
  const judged = new Map(judgement.changes.map((change) => [change.urn, change]));
  const ops = new Set([...expected.values()].map(({ op }) => op));
  if (ops.has("delete") && (judgement.isBlind || !judgement.service))
    throw new UsageError(
      "The service did not return its records, so `migrate` cannot check whether tests still use the labels. Nothing was written. Run `endpoint-monitoring check` to find the cause",
      "work",
    );
  for (const [urn, { op, kind, inputs }] of expected) {
    const change = byUrn.get(urn);
    const now = change?.newState?.inputs ?? {};
    const differing = Object.keys(inputs).find((property) => !isSame(kind, property, now[property], inputs[property]));
    const users = op === "delete" ? (judged.get(urn)?.touches ?? []) : [];
    if (change?.op !== op) wrong.set(urn, `the edited program should ${op} it, but plans: ${change?.op ?? "no change"}`);
    else if (differing !== undefined) {
      wrong.set(urn, `the edited program declares another value: its ${differing} would be ${JSON.stringify(now[differing])}`);
    } else if (users.length > 0)
      wrong.set(urn, `is used by ${users.map(({ name, id = "" }) => `test ${name} (${id})`).join(", ")}`);
  }
  for (const { urn, op } of changing) {
    // If a test is replaced, resources that refer to the test may also change. An unplanned change to a label counts as a problem of the
    // label's new tag.
    const follows = ops.has("replace") && /^(update|replace)$/.test(op) && judged.get(urn)?.kind.reach === undefined;
    const tag = tagUrnOf(urn);
    if (!expected.has(urn) && !follows) wrong.set(expected.has(tag) ? tag : urn, `the edited program would ${op} it`);
  }
  return wrong;
}

/** Returns a sentence about the order of replacements, with the command that changes the order. @throws UsageError */
async function orderOf({ stack }: MigrationInput): Promise<string> {
  const setting = "endpoint-monitoring:replaceOrder";
  const isFirst = (await stack.configured())("replaceOrder") === "create-first";
  const command = commandLine(["config", ...(isFirst ? ["rm", setting] : ["set", setting, "create-first"])], stack.name);
  return isFirst
    ? `Each new test is created before the old one is deleted (replaceOrder is create-first; \`${command}\` resets it).`
    : `Each old test is deleted before the new one is created. To avoid a gap, run \`${command}\` before the update.`;
}

export function migrationReport(report: MigrationReport, judgement?: Judgement, details = false): Report {
  return { data: report, blocks: (medium) => blocksOf(report, judgement && reviewReport(judgement, { details }), medium) };
}

function blocksOf(report: MigrationReport, review: Report | undefined, medium: Medium): Block[] {
  const { state, files, left, shared, otherStacks, next } = report;
  const others = phrase`The following stacks run the same program, so also run ${word("pulumi up")} for these stacks after each step: ${words(otherStacks)}.`;
  const same =
    "A label and a tag may be one record: the tag's legacyId is the label's id. Managing both may cause conflicts, and deleting one may delete both";
  return [
    heading([summaryOf(report)], 2),
    ...section(
      [state === "planned" ? "Planned files" : "Written files"],
      list("file", files, (file) => [place(file)]),
    ),
    ...section(["Not changed"], list("resource", left, leftPhrase)),
    ...section(
      [same],
      list("label", shared, (pair) => phrase`label ${word(pair.label)} (${word(pair.labelId)}), tag ${word(pair.tagId)}`),
    ),
    ...(otherStacks.length > 0 && state !== "done" ? [text(others)] : []),
    ...(review?.blocks(medium) ?? []),
    ...(next.length > 0 ? [text(...next.map((line) => [medium === "markdown" ? `- ${line}` : line] as Phrase))] : []),
  ];
}

function summaryOf({ state, step, stack, left }: MigrationReport): string {
  const rest = left.length > 0 ? `; ${counted(left.length, "resource")} left` : "";
  if (state === "written") return `Written: step ${step}${rest}`;
  if (state === "planned") return `Planned: step ${step}${rest}`;
  if (state === "waiting") return `Stack ${stack}: changes to the program wait for an update`;
  return state === "blocked" ? `Nothing could be written${rest}` : `Stack ${stack}: the migration is complete`;
}

function leftPhrase({ kind, name, id, position, reason, advice }: RefusedResource): Phrase {
  const where = position ? phrase` at ${place(positionText(position))}` : [];
  return phrase`${ours(registry[kind].noun)} ${word(name)} (${word(id)})${where} ${errorText(reason)}: ${errorText(advice)}`;
}
