import { titleOf } from "../../provider/identity";
import { shellWord } from "../report/text";
import type { ManagedResource } from "../engine/state";
import { Refusal } from "../edit/value";
import { labelsOf } from "./agents";
import type { LabelDeclaration } from "./pairs";
import type { Hindrance, LeftOver, SharedRecord } from "./report";
import { declarationOf, labelsIn, type Situation, tagOfLabel, testsUsing } from "./situation";
import { testsIn } from "./step-tests";
import { emptyPlan, type Excluded, placeOf, type StepPlan } from "./step-plan";
import { labelEdits } from "./write-labels";

/** Plans to take labels out of the program that nothing refers to anymore. @param allowShared also those that may be a tag underneath */
export function planLabels(situation: Situation, allowShared: boolean, excluded: Excluded): StepPlan {
  const { instances, declarations } = situation;
  const shared = new Set(sharedRecords(situation).map(({ labelId }) => labelId));
  const hindered = new Map<ManagedResource, Hindrance>();
  for (const label of labelsIn(situation.managed)) {
    const mistake = excluded.get(label.urn);
    const advice = "take it out by hand, with all that refers to it";
    const why =
      mistake === undefined ? hindrance(situation, label, shared.has(label.id) && !allowShared) : { reason: mistake, advice };
    if (why) hindered.set(label, why);
  }
  const owners = new Map(labelsIn(situation.managed).map((label) => [label, declarationOf(situation, label)]));
  const declaredBy = (one: LabelDeclaration): ManagedResource[] =>
    [...owners].flatMap(([label, declaration]) => (declaration === one.declaration ? [label] : []));
  const kept = new Map<LabelDeclaration, Refusal>();
  for (const one of declarations) {
    const why = declaredBy(one).flatMap((label) => hindered.get(label) ?? [])[0];
    if (why) kept.set(one, new Refusal(why.reason, one.declaration.node));
  }
  const { edits, refused } = labelEdits(instances, declarations, kept);
  const leaving = declarations.filter((one) => !refused.has(one)).flatMap(declaredBy);
  const lost = [...owners].flatMap(([label, declaration]) => (declaration === undefined ? [label] : []));
  return {
    ...emptyPlan,
    step: "labels",
    edits,
    labels: leaving.map(({ name }) => name),
    expected: new Map(leaving.map(({ urn }) => [urn, { op: "delete" as const }])),
    left: [
      ...[...refused].flatMap(([one, why]) => declaredBy(one).map((label) => leftOver(label, hindered.get(label), why))),
      ...lost.map((label) => leftOver(label, hindered.get(label))),
    ],
  };
}

/** Labels of the stack whose id is the `legacyId` of a tag: they may be one thing underneath. */
export function sharedRecords({ managed, tags }: Pick<Situation, "managed" | "tags">): SharedRecord[] {
  const byLegacyId = new Map(tags.flatMap((tag) => (tag.legacyId === undefined ? [] : [[String(tag.legacyId), tag] as const])));
  return labelsIn(managed).flatMap((label): SharedRecord[] => {
    const tag = byLegacyId.get(label.id);
    if (!tag) return [];
    return [{ label: label.name, labelId: label.id, tagId: tag.id, key: tag.key ?? "", value: tag.value ?? "" }];
  });
}

function hindrance(situation: Situation, label: ManagedResource, isShared: boolean): Hindrance | undefined {
  const { others, stack } = situation;
  const users = testsUsing(situation, label.id);
  if (users.length > 0) {
    const names = users.map(({ kind, id, state }) => `${titleOf(kind, state)} (${id})`);
    const reason = `is used by ${users.length === 1 ? "test" : "tests"} ${names.join(", ")}`;
    return { reason, advice: "have these select by the tag, or delete them", usedBy: users.map(({ id }) => id) };
  }
  const profiles = situation.realUserTests.filter(({ monitoringSettings }) => monitoringSettings?.labelIds?.includes(label.id));
  if (profiles.length > 0) {
    const names = profiles.map(({ name, profileId }) => name ?? profileId).join(", ");
    return { reason: `is used by real user test ${names}`, advice: "change it in the product" };
  }
  const elsewhere = others.find(({ kind, id }) => kind === label.kind && id === label.id);
  if (elsewhere) {
    return { reason: `is managed by stack ${elsewhere.stack}, too`, advice: "take it out of one of the two states" };
  }
  const behind = stackBehind(situation, label);
  if (behind !== undefined) {
    const reason = `is what tests of stack ${behind} select by, which runs the same program`;
    return { reason, advice: `run \`pulumi up --stack ${behind}\`, then this again` };
  }
  if (!tagOfLabel(situation, label)) return { reason: "has no tag", advice: "take the step tags for it, or delete it by hand" };
  if (label.protect) {
    const command = `pulumi state unprotect --yes ${shellWord(label.urn)} --stack ${stack.name}`;
    return { reason: "is protected, and would be deleted", advice: `run \`${command}\`, then this again` };
  }
  if (!isShared) return undefined;
  return {
    reason: "may be the same thing as a tag underneath, since its id is the tag's legacyId: deleting it might delete the tag",
    advice: "delete one such label in the product first and look whether its tag is still there; --allow-shared goes on",
  };
}

/** A stack of the same program whose tests select by its own label of that name: its next update would take both steps at once. */
function stackBehind({ others }: Situation, label: ManagedResource): string | undefined {
  const same = others.filter(({ kind, name }) => kind === label.kind && name === label.name);
  return same.find(({ stack, id }) =>
    testsIn(others).some((test) => test.stack === stack && labelsOf(test.inputs).includes(id)),
  )?.stack;
}

function leftOver(label: ManagedResource, hindered: Hindrance | undefined, why?: Refusal): LeftOver {
  const base = { kind: label.kindName, name: label.name, id: label.id };
  const position = why ? placeOf(why) : label.position;
  const at = position && { position };
  if (hindered) return { ...base, ...at, ...hindered };
  const reason = why?.why ?? "is declared where the program does not show it";
  return { ...base, ...at, reason, advice: "take it out by hand, with all that refers to it" };
}
