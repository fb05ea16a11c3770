import { Refusal } from "../../../program/value";
import { LabelEdits } from "../../../program/label-edits";
import { labelsOf, otherUseOf, type MigrationInput, type StackLabel } from "./migration-input";
import {
  type StepPlan,
  type ExpectedChange,
  type RefusedResource,
  type Excluded,
  unseen,
  labelByHand,
  leftOver,
  isProtected,
} from "./steps";

/**
 * Plans the deletion of unused labels.
 * @param allowShared whether to include labels that may be the same record as a tag
 */
export function planLabels(input: MigrationInput, allowShared: boolean, excluded: Excluded): StepPlan {
  const { program, tests, labels } = input;
  const edits = new LabelEdits(program);
  const inUse = new Set(tests.flatMap(({ inputs }) => labelsOf(inputs)));
  const left: RefusedResource[] = [];
  const expected = new Map<string, ExpectedChange>();
  for (const [declaration, stackLabels] of Map.groupBy(labels, ({ declared }) => declared)) {
    // Earlier steps have already reported labels without a tag, and tests that still use a label.
    if (stackLabels.some(({ resource, tag }) => inUse.has(resource.id) || !tag)) continue;
    const [refused = declaration && program.fixedBy(declaration)] = stackLabels.flatMap((label) => {
      const reason = declaration ? excluded.get(label.resource.urn) : unseen;
      return reason === undefined ? (refusalOf(input, label, allowShared) ?? []) : [new Refusal(reason)];
    });
    const isDone = !refused && declaration && edits.delete(declaration);
    const why = refused ?? new Refusal("is part of another statement");
    for (const { resource } of stackLabels) {
      if (isDone) expected.set(resource.urn, { op: "delete", kind: resource.kind, inputs: {} });
      else left.push(leftOver(resource, why, labelByHand, declaration?.declaration.position));
    }
  }
  return { edits: edits.files(), expected, left };
}

function refusalOf(input: MigrationInput, label: StackLabel, allowShared: boolean): Refusal | undefined {
  const { stack, realUserTests } = input;
  const { resource, shared } = label;
  const profiles = realUserTests.filter(({ monitoringSettings }) => monitoringSettings?.labelIds?.includes(resource.id));
  const names = profiles.map(({ name, profileId }) => name ?? profileId).join(", ");
  const change = { advice: "change it in the UI" };
  if (profiles.length > 0) return new Refusal(`is used by real user test ${names}`, undefined, change);
  const use = otherUseOf(input, resource);
  if (use !== undefined) return new Refusal(use);
  if (resource.protect) return isProtected(resource, stack.name, "deleted");
  if (allowShared || !shared) return undefined;
  const why = "may be the same record as a tag, because its id is the tag's legacyId: deleting the label may delete the tag";
  const advice = "delete one such label in the UI first, and check that its tag still exists. Then use --allow-shared";
  return new Refusal(why, undefined, { advice });
}
