import type ts from "typescript";
import { check } from "../../../provider/check";
import type { Kind } from "../../../provider/kind";
import type { KindName } from "../../../provider/registry";
import { endpointAgentTag } from "../../../provider/resources/endpoint-agent-tag";
import { compact, isObject, type Properties, stable, stringOf } from "../../../provider/values";
import type { RefusedEdit, SourceEdit } from "../../../program/source-edit";
import { positionOf } from "../../../program/declarations";
import { literal } from "../../../program/literal";
import { attempt, Refusal } from "../../../program/value";
import type { ManagedResource } from "../../../engine/state";
import type { Position } from "../../../common/position";
import { shellWord } from "../../../common/text";
import { TagNaming } from "../../../program/tag-naming";
import { LabelEdits } from "../../../program/label-edits";
import { type LabelDeclaration, tagClass } from "../../../program/label-program";
import { labelsOf, otherUseOf, type MigrationInput, type StackLabel } from "./migration-input";
import { UsageError } from "../../../common/errors";

export interface StepPlan {
  readonly edits: readonly SourceEdit[];
  readonly expected: ReadonlyMap<string, ExpectedChange>;
  readonly left: readonly RefusedResource[];
}

export interface ExpectedChange {
  readonly op: "create" | "replace" | "delete";
  readonly kind: Kind;
  readonly inputs: Properties;
}

export interface RefusedResource extends RefusedEdit {
  readonly kind: KindName;
  readonly name: string;
  readonly id: string;
}

/** Reasons why a step must not change a resource, by URN. */
export type Excluded = ReadonlyMap<string, string>;

export const unseen = "has no visible declaration in the program";

const testByHand = 'set agentSelectorType: "agent-tags" and tagIds with the ids of the tags yourself';

export const labelByHand = "delete it yourself, with all references to it";

/** @param byHand advice for the user, unless the refusal has its own advice */
export function leftOver(
  resource: ManagedResource,
  { why, node, remedy }: Refusal,
  byHand: string,
  declared?: Position,
): RefusedResource {
  const { kindName: kind, name, id } = resource;
  const position = node ? positionOf(node) : (declared ?? resource.position);
  const { advice } = { advice: byHand, ...(typeof remedy === "object" && remedy) };
  return { kind, name, id, ...(position && { position }), reason: why, advice };
}

/**
 * Plans a tag for each label that has no tag.
 * @throws UsageError if the tag key is missing, or if two tags would have the same key and value
 */
export function planTags(input: MigrationInput, tagNaming: TagNaming | undefined, excluded: Excluded): StepPlan {
  const { program, labels } = input;
  const naming = tagNaming ?? new TagNaming("label");
  const edits = new LabelEdits(program);
  const left: RefusedResource[] = [];
  const leave = ({ resource }: StackLabel, why: Refusal): unknown =>
    left.push(leftOver(resource, why, tagByHand(resource, naming)));
  const refused = new Set<LabelDeclaration | undefined>();
  const bare = program.labels.filter(({ tag }) => !tag);
  for (const labelDeclaration of bare) {
    const affected = labels.filter(({ declared }) => declared === labelDeclaration);
    const [reason] = affected.flatMap(({ resource, tagUrn }) => excluded.get(tagUrn) ?? problemOf(resource, naming) ?? []);
    const { node } = labelDeclaration.declaration;
    const why = reason === undefined ? attempt(() => edits.addTag(labelDeclaration, naming)) : new Refusal(reason, node);
    if (!(why instanceof Refusal)) continue;
    refused.add(labelDeclaration);
    for (const label of affected) leave(label, why);
  }
  const isEmpty = bare.length === refused.size;
  if (!isEmpty && !tagNaming) {
    throw new UsageError(
      "The first step of a migration requires --key, which sets the key of the new tags. For example, `migrate labels --key team` " +
        'creates tags with the key "team" and each label\'s name as the value. For other values, add an option such as --value "site-{name}"',
    );
  }
  const expected = new Map<string, ExpectedChange>();
  for (const label of labels.filter(({ tag, declared }) => !tag && !refused.has(declared))) {
    // If the program computes a label's name, only the preview shows the name.
    const reason = isEmpty ? unseen : excluded.get(label.tagUrn);
    const inputs = tagOf(label.resource, naming);
    if (reason === undefined) expected.set(label.tagUrn, { op: "create", kind: endpointAgentTag, inputs });
    else leave(label, new Refusal(reason));
  }
  const done = labels.flatMap(({ resource, tagUrn }) => (expected.has(tagUrn) ? [resource] : []));
  refuseCollisions(input, done, naming);
  return { edits: edits.files(), expected, left };
}

/** Returns a tag's properties without the default color of labels, because tags have a different default color. */
function tagOf({ inputs }: ManagedResource, naming: TagNaming): Properties {
  const { name, matchType, filters, color, accountGroupId } = inputs;
  const scoped = Array.isArray(filters)
    ? filters.map((filter) => (isObject(filter) ? { scope: "default", ...filter } : filter))
    : filters;
  const tagColor = color === "#d9d9d9" ? undefined : color;
  return compact({ ...naming.of(stringOf(name) ?? ""), matchType, filters: scoped, color: tagColor, accountGroupId });
}

function problemOf(label: ManagedResource, naming: TagNaming): string | undefined {
  const [failure] = check(endpointAgentTag, tagOf(label, naming)).failures;
  return failure && `cannot be a tag: ${failure.path} ${failure.reason}`;
}

function tagByHand(label: ManagedResource, naming: TagNaming): string {
  const { accountGroupId: _accountGroupId, ...tag } = tagOf(label, naming);
  const text = literal({ ...tag, filters: label.inputs["filters"] });
  return `write new ${tagClass}(${literal(label.name)}, ${text.length > 200 ? "{ … }" : text}) by hand`;
}

/** @throws UsageError if two new tags would have the same key and value, or if the service already has such a tag */
function refuseCollisions({ tags }: MigrationInput, labels: readonly ManagedResource[], naming: TagNaming): void {
  const pairOf = (key: unknown, value: unknown, group: unknown): string => stable([group ?? "", key, value]);
  const existing = new Map(tags.map((tag) => [pairOf(tag.key, tag.value, tag.aid), tag]));
  const planned = Map.groupBy(labels, (label) => {
    const { key, value } = tagOf(label, naming);
    return pairOf(key, value, label.outputs["accountGroupId"]);
  });
  const conflicts = [...planned].flatMap(([pair, sameTag]): string[] => {
    const tag = existing.get(pair);
    const names = sameTag.map(({ name }) => name).join(" and ");
    const [, key, value] = JSON.parse(pair) as string[];
    const text = `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
    if (tag) return [`${names} would get ${text}, which tag ${tag.id} for objects of type ${tag.objectType} already has`];
    return sameTag.length > 1 ? [`${names} would all get ${text}`] : [];
  });
  if (conflicts.length === 0) return;
  throw new UsageError(
    `Nothing was written, because two tags cannot have the same key and value: ${conflicts.join("; ")}. Set another --key or --value, or ` +
      "rename or delete the conflicting tag",
    "work",
  );
}

type MovingTest = ReturnType<typeof movingTest>;

/** Plans the edits that let tests select agents by tags instead of labels. */
export function planTests(input: MigrationInput, excluded: Excluded): StepPlan {
  const { program, labels } = input;
  /** Syntax nodes that the step must not change, with the reasons. */
  const fixed = new Map<ts.Node, Refusal>();
  for (const { resource, declared } of labels) {
    const use = otherUseOf(input, resource);
    const why = declared && (use === undefined ? program.fixedBy(declared) : new Refusal(use, declared.declaration.node));
    if (why) fixed.set(declared.declaration.node, why);
  }
  const tests = input.tests.map((test) => movingTest(input, test, excluded.get(test.urn)));
  // If the step cannot change a syntax node, it excludes the tests that use this node. All other nodes that an excluded test uses also stay
  // unchanged.
  for (let before = -1; before < fixed.size;) {
    before = fixed.size;
    for (const item of tests) {
      for (const [node, part] of item.parts) {
        const why = fixed.get(node);
        if (why) item.why ??= new Refusal(`selects by ${part}, which ${why.why}`, why.node);
      }
      const why = new Refusal(`is also used by test ${item.test.name}, which does not change`);
      if (item.why) for (const node of item.parts.keys()) fixed.set(node, fixed.get(node) ?? why);
    }
  }
  const done = tests.filter(({ why }) => !why);
  const edits = new LabelEdits(program);
  const moved = program.labels.filter((label) => done.some(({ parts }) => parts.has(label.declaration.node)));
  for (const labelDeclaration of moved) edits.exchange(labelDeclaration);
  const refused = attempt(() => moved.length > 0 && edits.retype(moved));
  if (refused instanceof Refusal)
    throw new UsageError(
      `Nothing was written, because a TypeScript type that refers to a label cannot be edited. The type ${refused.why}`,
      "work",
    );
  for (const selection of done.flatMap(({ selections }) => selections)) edits.select(selection);
  const replaced = ({ test: { urn, kind, inputs } }: MovingTest): [string, ExpectedChange] => {
    const tagIds = labelsOf(inputs).flatMap((id) => labels.find(({ resource }) => resource.id === id)?.tag?.id ?? []);
    return [urn, { op: "replace", kind, inputs: { endpointAgentLabels: undefined, tagIds } }];
  };
  return {
    edits: edits.files(),
    expected: new Map(done.map(replaced)),
    left: tests.flatMap(({ test, why, declared }) => (why ? [leftOver(test, why, testByHand, declared)] : [])),
  };
}

/** Returns a test that selects agents by labels, with the syntax nodes that the step edits. */
function movingTest({ program, labels, stack }: MigrationInput, test: ManagedResource, mistake: string | undefined) {
  const instances = program.instancesOf(test);
  const selected = attempt(() => instances.map((instance) => program.selectionOf(instance)));
  const selections = selected instanceof Refusal ? [] : selected;
  const parts = new Map<ts.Node, string>();
  for (const { property, selector } of selections) parts.set(property, "a shared value").set(selector, "a shared value");
  const testLabels = labelsOf(test.inputs).map((id) => ({ id, ...labels.find(({ resource }) => resource.id === id) }));
  for (const { declared, resource } of testLabels)
    if (declared) parts.set(declared.declaration.node, `label ${resource?.name}`);
  const idsOf = (entries: readonly { id: string }[]): string => entries.map(({ id }) => id).join(", ");
  const foreign = idsOf(testLabels.filter(({ resource }) => !resource));
  const bare = idsOf(testLabels.filter(({ tag }) => !tag));
  const hidden = idsOf(testLabels.filter(({ declared }) => !declared));
  const whyNot = (): Refusal | undefined => {
    if (mistake !== undefined) return new Refusal(mistake);
    if (foreign) return new Refusal(`selects by label ${foreign}, which this stack does not manage`);
    const first = { advice: "first complete the step `tags` for this label" };
    if (bare) return new Refusal(`selects by label ${bare}, which has no tag yet`, undefined, first);
    if (test.protect) return isProtected(test, stack.name, "replaced");
    if (instances.length === 0) return new Refusal(unseen);
    if (selected instanceof Refusal) return selected;
    if (selected.some(({ isText }) => isText)) return new Refusal("selects by label ids that are text in the program");
    return hidden ? new Refusal(`selects by label ${hidden}, which ${unseen}`) : undefined;
  };
  return { test, declared: instances[0]?.declaration.position, selections, parts, why: whyNot() };
}

export function isProtected({ urn }: ManagedResource, stack: string, outcome: "replaced" | "deleted"): Refusal {
  const advice = `run \`pulumi state unprotect --yes ${shellWord(urn)} --stack ${stack}\`, then run this command again`;
  return new Refusal(`is protected, but would be ${outcome}`, undefined, { advice });
}
