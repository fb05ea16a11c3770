import { check } from "../../provider/check";
import { titleOf } from "../../provider/identity";
import { endpointAgentTag } from "../../provider/resources/endpoint-agent-tag";
import { isSame } from "../../provider/shape";
import { compact, type Properties, sameSet, stable, stringOf } from "../../provider/values";
import { UsageError } from "../command";
import type { FileEdit } from "../edit/accepted";
import { positionOf } from "../edit/declarations";
import type { Instance } from "../edit/instances";
import { literal } from "../edit/literal";
import { Refusal } from "../edit/value";
import type { ManagedResource } from "../engine/state";
import { shellWord } from "../report/text";
import { compareAgents, labelsOf, type TagOfLabel, withScope } from "./agents";
import { type LabelDeclaration, ProgramEdits, tagClass } from "./program";
import type { LabelStep, LeftOver, MigratedTest, MigrationReport } from "./report";
import { type Situation, tagOfLabel, tagUrnOf, testsIn } from "./situation";
import { TagNaming } from "./template";

/** The edits of a step, and the changes that the next update may then make. */
export interface StepPlan extends Pick<MigrationReport, "left" | "tags" | "tests" | "labels"> {
  readonly step: LabelStep;
  readonly edits: readonly FileEdit[];
  /** By URN. */
  readonly expected: ReadonlyMap<string, ExpectedChange>;
}

interface ExpectedChange {
  readonly op: "create" | "replace" | "delete";
  /** The reason why the edited program declares something else than announced. */
  readonly mistake?: (inputs: Properties) => string | undefined;
}

/** Resources that a preview of the edited program showed otherwise than announced, by URN, each with the reason. */
export type Excluded = ReadonlyMap<string, string>;

/** The reason why a step leaves something as it is. */
type Hindrance = Pick<LeftOver, "reason" | "advice" | "usedBy" | "position">;

const nothing = { edits: [], left: [], tags: [], tests: [], labels: [], expected: new Map<string, ExpectedChange>() };
const testByHand = 'write agentSelectorType: "agent-tags" and tagIds, with the ids of the tags, by hand';
const labelByHand = "take it out by hand, with all that refers to it";
const unseen = "is declared where the program does not show it";

function ownersOf({ labels }: Situation, of: LabelDeclaration): ManagedResource[] {
  return [...labels].flatMap(([label, declaration]) => (declaration === of ? [label] : []));
}

function hindered(why: Refusal, advice: string): Hindrance {
  const file = why.node.getSourceFile();
  return { reason: why.why, advice, position: positionOf(file.fileName, file, why.node) };
}

/** @param declared the position of the declaration. The place of an obstacle goes before it */
function leftOver({ kindName, name, id, position }: ManagedResource, hindrance: Hindrance, declared = position): LeftOver {
  return { kind: kindName, name, id, ...(declared && { position: declared }), ...hindrance };
}

function attempt<T>(work: () => T): T | Refusal {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** Plans a tag beside each label that has none. @throws UsageError if two tags would have one key and value, or no key is given */
export function planTags(situation: Situation, given: TagNaming | undefined, excluded: Excluded): StepPlan {
  const { program, labels } = situation;
  const naming = given ?? new TagNaming("label");
  const edits = new ProgramEdits(program.instances.source);
  const done: ManagedResource[] = [];
  const unknown = [...labels].flatMap(([label, of]) => (!of && !tagOfLabel(situation, label) ? [label] : []));
  const left: LeftOver[] = [];
  let count = 0;
  for (const one of program.labels.filter(({ tag }) => !tag)) {
    const own = ownersOf(situation, one);
    const { node } = one.declaration;
    // Its labels are among those that no declaration is known of.
    const isUnknown = one.names.includes(undefined) && own.length === 0 && unknown.length > 0;
    const problems = own.flatMap((label) => excluded.get(tagUrnOf(label)) ?? problemOf(label, naming) ?? []);
    const [reason] = isUnknown ? ["has a name that the program computes"] : problems;
    const why = reason === undefined ? attempt(() => program.addTag(edits, one, naming)) : new Refusal(reason, node);
    if (!(why instanceof Refusal)) {
      done.push(...own);
      count += 1;
      continue;
    }
    const [label] = own;
    const [name] = one.names;
    const advice = label ? tagByHand(label, naming) : `declare a ${tagClass} of the same name with the same filters by hand`;
    const base = label ? leftOver(label, hindered(why, advice)) : { kind: "label" as const, ...hindered(why, advice) };
    left.push({ ...base, ...(!label && name !== undefined && { name }) });
  }
  if (count > 0 && !given) {
    throw new UsageError(
      `The tags need a key, which all of them may share: \`migrate labels --key team\` makes the tag team with the label's name as ` +
        `its value of each of ${count} labels. --value has another value, such as "site-{name}"`,
    );
  }
  refuseCollisions(situation, done, naming);
  const planned = (label: ManagedResource) => tagOfLabel(situation, label)?.inputs ?? tagOf(label, naming);
  return {
    ...nothing,
    step: "tags",
    edits: edits.files(),
    tags: done.map((label) => ({ name: label.name, ...naming.of(nameOf(label)) })),
    tests: count > 0 ? agentsOf(situation, testsIn(situation.managed), planned) : [],
    expected: new Map(done.map((label) => [tagUrnOf(label), expectedTag(tagOf(label, naming))])),
    left: [...left, ...unknown.map((label) => leftOver(label, { reason: unseen, advice: tagByHand(label, naming) }))],
  };
}

function nameOf({ inputs }: ManagedResource): string {
  return stringOf(inputs["name"]) ?? "";
}

/** The inputs of the tag of a label. A default color stays one: those of labels and tags differ. */
function tagOf(label: ManagedResource, naming: TagNaming): Properties {
  const { matchType, filters, color, accountGroupId } = label.inputs;
  const own = color === "#d9d9d9" ? undefined : color;
  return compact({ ...naming.of(nameOf(label)), matchType, filters: withScope(filters), color: own, accountGroupId });
}

/** The reason why a label cannot become a tag. */
function problemOf(label: ManagedResource, naming: TagNaming): string | undefined {
  const { filters } = label.inputs;
  if (Array.isArray(filters) && filters.length === 0) return "has no filter, and a tag needs one";
  for (const [what, text] of Object.entries(naming.of(nameOf(label)))) {
    if (text.trim() === "") return `has a name that makes an empty ${what}`;
    if (/\p{Cc}/u.test(text)) return `has a name with a control character, which would be in the ${what}`;
  }
  const [failure] = check(endpointAgentTag, tagOf(label, naming)).failures;
  return failure && `cannot be a tag: ${failure.path} ${failure.reason}`;
}

/** @throws UsageError if tags would have the same key and value, or there is one already */
function refuseCollisions({ tags }: Situation, labels: readonly ManagedResource[], naming: TagNaming): void {
  const groupOf = ({ outputs }: ManagedResource): string => stringOf(outputs["accountGroupId"]) ?? "";
  const planned = Map.groupBy(labels, (label) => stable([groupOf(label), naming.of(nameOf(label))]));
  const found = [...planned.values()].flatMap(([first, ...others]): string[] => {
    if (!first) return [];
    const { key, value } = naming.of(nameOf(first));
    const pair = `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
    const all = [first, ...others];
    const alike = others.length > 0 ? [`${pair} would be the tag of ${all.map(({ name }) => name).join(" and ")}`] : [];
    const there = tags.find((tag) => tag.key === key && tag.value === value && (tag.aid ?? groupOf(first)) === groupOf(first));
    if (!there) return alike;
    const what = all.some(({ id }) => String(there.legacyId) === id)
      ? "and may be that label itself: its legacyId is the label's id"
      : `for objects of type ${there.objectType}`;
    return [...alike, `${pair} of ${first.name} exists already: tag ${there.id}, ${what}`];
  });
  if (found.length === 0) return;
  throw new UsageError(
    `Nothing was written, because a key with a value belongs to one tag: ${found.join("; ")}. Take another --key or --value, or ` +
      "rename or delete the other tag",
    "work",
  );
}

function expectedTag(tag: Properties): ExpectedChange {
  const mistake = (inputs: Properties): string | undefined => {
    const wrong = ["key", "value", "matchType", "filters"].find(
      (property) => !isSame(endpointAgentTag, property, inputs[property], tag[property]),
    );
    return wrong && `its ${wrong} would be ${JSON.stringify(inputs[wrong])}`;
  };
  return { op: "create", mistake };
}

function tagByHand(label: ManagedResource, naming: TagNaming): string {
  const { accountGroupId: _accountGroupId, ...tag } = tagOf(label, naming);
  const { filters } = label.inputs;
  if (Array.isArray(filters) && filters.length === 0) return "give it a filter, or let its tests select all agents";
  const text = literal({ ...tag, filters });
  return `write new ${tagClass}(${literal(label.name)}, ${text.length > 200 ? "{ … }" : text}) by hand`;
}

/** Plans that tests select by the tags of their labels: each label and its tag change places, and no name changes. */
export function planTests(situation: Situation, excluded: Excluded): StepPlan {
  const { program, labels, managed } = situation;
  const tests = testsIn(managed);
  const byId = new Map([...labels.keys()].map((label) => [label.id, label]));
  const tagIds = new Map([...byId].map(([id, label]) => [id, tagOfLabel(situation, label)?.id]));
  const declared = new Map(tests.map((test) => [test, program.instancesOf(test)]));
  const stays = new Map<ManagedResource, Hindrance>();
  const fixed = new Map<LabelDeclaration, Hindrance>();
  const places = new Map<Instance, ReturnType<typeof program.selectorOf>>();
  for (const one of program.labels) {
    const why = program.fixedBy(one);
    if (why) fixed.set(one, hindered(why, testByHand));
  }
  for (const test of tests) {
    const why = hindranceOfTest(situation, test, tagIds, excluded.get(test.urn)) ?? placesOf(test);
    if (why) stays.set(test, why);
  }
  // A label that stays keeps its tests, and a test that stays keeps its labels.
  for (let before = -1; before < stays.size + fixed.size;) {
    before = stays.size + fixed.size;
    for (const test of tests) {
      const why = stays.has(test) ? undefined : sharedBy(test);
      if (why) stays.set(test, why);
    }
    for (const one of program.labels) {
      const ids = new Set(ownersOf(situation, one).map(({ id }) => id));
      const user = tests.find((test) => {
        const isOwn = labelsOf(test.inputs).some((id) => ids.has(id)) || declared.get(test)?.some((of) => isUser(one, of));
        return isOwn && stays.has(test);
      });
      if (user && !fixed.has(one))
        fixed.set(one, { reason: `test ${user.name} selects by too, and stays`, advice: testByHand });
    }
  }
  const done = tests.filter((test) => !stays.has(test));
  const edits = new ProgramEdits(program.instances.source);
  const moved = done.flatMap((test) => declared.get(test) ?? []);
  for (const one of program.labels) if (!fixed.has(one) && moved.some((of) => isUser(one, of))) program.exchange(edits, one);
  for (const instance of moved) {
    const own = places.get(instance);
    if (own) program.select(edits, own);
  }
  return {
    ...nothing,
    step: "tests",
    edits: edits.files(),
    tests: agentsOf(situation, done, (label) => tagOfLabel(situation, label)?.inputs),
    expected: new Map(done.map((test) => [test.urn, expectedTest(test, tagIds)])),
    left: [...stays].map(([test, why]) => leftOver(test, why, declared.get(test)?.[0]?.declaration.position)),
  };

  function isUser({ flow }: LabelDeclaration, { declaration }: Instance): boolean {
    return flow.users.has(declaration.node);
  }

  function placesOf(test: ManagedResource): Hindrance | undefined {
    const own = declared.get(test) ?? [];
    if (own.length === 0) return { reason: unseen, advice: testByHand };
    for (const instance of own) {
      const found = attempt(() => program.selectorOf(instance));
      if (found instanceof Refusal) return hindered(found, testByHand);
      places.set(instance, found);
    }
    return undefined;
  }

  /** The reason why a test stays: it shares a label, or a place of the program, with something that stays. */
  function sharedBy(test: ManagedResource): Hindrance | undefined {
    const own = declared.get(test) ?? [];
    for (const id of labelsOf(test.inputs)) {
      const label = byId.get(id);
      const of = label && labels.get(label);
      const why = of && fixed.get(of);
      if (why) return { ...why, reason: `selects by label ${label.name}, which ${why.reason}` };
      if (!of || !own.some((one) => isUser(of, one)))
        return { reason: "selects by labels in a way that cannot be followed", advice: testByHand };
    }
    const nodes = new Set(own.flatMap((one) => Object.values(places.get(one) ?? {})));
    const shared = [...stays.keys()]
      .flatMap((one) => declared.get(one) ?? [])
      .flatMap((one) => Object.values(places.get(one) ?? {}))
      .find((node) => nodes.has(node));
    return shared && hindered(new Refusal("shares its selection with a test that stays", shared), testByHand);
  }
}

function hindranceOfTest(
  { stack }: Situation,
  { inputs, protect, urn }: ManagedResource,
  tagIds: ReadonlyMap<string, string | undefined>,
  mistake: string | undefined,
): Hindrance | undefined {
  if (mistake !== undefined) return { reason: mistake, advice: testByHand };
  const [foreign, bare] = [
    labelsOf(inputs).filter((id) => !tagIds.has(id)),
    labelsOf(inputs).filter((id) => tagIds.get(id) === undefined),
  ];
  if (foreign.length > 0)
    return { reason: `selects by label ${foreign.join(", ")}, which this stack does not manage`, advice: testByHand };
  if (bare.length > 0)
    return { reason: `selects by label ${bare.join(", ")}, which has no tag yet`, advice: "take the step tags for it first" };
  return protect ? protectedHindrance(urn, stack.name, "replaced") : undefined;
}

function protectedHindrance(urn: string, stack: string, fate: string): Hindrance {
  const command = `pulumi state unprotect --yes ${shellWord(urn)} --stack ${stack}`;
  return { reason: `is protected, and would be ${fate}`, advice: `run \`${command}\`, then this again` };
}

function expectedTest({ inputs }: ManagedResource, tagIds: ReadonlyMap<string, string | undefined>): ExpectedChange {
  const wanted = labelsOf(inputs).flatMap((id) => tagIds.get(id) ?? []);
  const mistake = (now: Properties): string | undefined => {
    const ids = Array.isArray(now["tagIds"]) ? now["tagIds"].map(String) : [];
    if (sameSet(ids, wanted) && now["endpointAgentLabels"] === undefined) return undefined;
    return `it would select by ${stringOf(now["agentSelectorType"])} ${ids.join(", ")} instead of tag ${wanted.join(", ")}`;
  };
  return { op: "replace", mistake };
}

/** The agents that tests select by their labels, and by tags. @param tagOfOne inputs of the tag of a label */
function agentsOf(
  { labels, holdings }: Situation,
  tests: readonly ManagedResource[],
  tagOfOne: (label: ManagedResource) => Properties | undefined,
): MigratedTest[] {
  const tags = [...labels.keys()].flatMap((label): [string, TagOfLabel][] => {
    const tag = tagOfOne(label);
    return tag ? [[label.id, { label: label.inputs, tag }]] : [];
  });
  const ids = tests.map(({ id }) => id);
  const found = compareAgents(holdings, ids, new Map(tags));
  const why = "it is on no list of the service";
  return tests.map(({ kindName, name, id }) => {
    return { kind: kindName, name, id, ...(found.get(id) ?? { verdict: "unknown", gained: [], lost: [], unclear: 0, why }) };
  });
}

/** Plans to delete the labels that nothing uses. @param allowShared also those that may be one thing with a tag */
export function planLabels(situation: Situation, allowShared: boolean, excluded: Excluded): StepPlan {
  const { program, labels } = situation;
  const shared = new Set(allowShared ? [] : sharedRecords(situation).map(({ labelId }) => labelId));
  const edits = new ProgramEdits(program.instances.source);
  const done: ManagedResource[] = [];
  const left = [...labels].flatMap(([label, of]) => (of ? [] : [leftOver(label, { reason: unseen, advice: labelByHand })]));
  for (const one of program.labels) {
    const own = ownersOf(situation, one);
    const hindrances = own.map((label) => hindranceOfLabel(situation, label, shared, excluded.get(label.urn)));
    const refused = program.fixedBy(one);
    const why = hindrances.find(Boolean) ?? (refused && hindered(refused, labelByHand));
    if (!why && program.delete(edits, one)) done.push(...own);
    else {
      const other = why ?? { reason: "is part of another statement", advice: labelByHand };
      left.push(...own.map((label, i) => leftOver(label, hindrances[i] ?? other, one.declaration.position)));
    }
  }
  return {
    ...nothing,
    step: "labels",
    edits: edits.files(),
    labels: done.map(({ name }) => name),
    expected: new Map(done.map(({ urn }) => [urn, { op: "delete" }])),
    left,
  };
}

/** Labels of the stack whose id is the `legacyId` of a tag. */
export function sharedRecords({ labels, tags }: Situation): MigrationReport["shared"] {
  return [...labels.keys()].flatMap(({ name, id }) => {
    const tag = tags.find(({ legacyId }) => String(legacyId) === id);
    return tag ? [{ label: name, labelId: id, tagId: tag.id, key: tag.key ?? "", value: tag.value ?? "" }] : [];
  });
}

function hindranceOfLabel(
  situation: Situation,
  label: ManagedResource,
  shared: ReadonlySet<string>,
  mistake: string | undefined,
): Hindrance | undefined {
  if (mistake !== undefined) return { reason: mistake, advice: labelByHand };
  const { others, stack, holdings, realUserTests } = situation;
  const users = holdings.records.filter(({ state }) => labelsOf(state).includes(label.id));
  if (users.length > 0) {
    const names = users.map(({ kind, id, state }) => `${titleOf(kind, state)} (${id})`);
    const reason = `is used by ${users.length === 1 ? "test" : "tests"} ${names.join(", ")}`;
    return { reason, advice: "have these select by the tag, or delete them", usedBy: users.map(({ id }) => id) };
  }
  const profiles = realUserTests.filter(({ monitoringSettings }) => monitoringSettings?.labelIds?.includes(label.id));
  if (profiles.length > 0) {
    const names = profiles.map(({ name, profileId }) => name ?? profileId).join(", ");
    return { reason: `is used by real user test ${names}`, advice: "change it in the product" };
  }
  const elsewhere = others.find(({ kind, id }) => kind === label.kind && id === label.id)?.stack;
  if (elsewhere !== undefined)
    return { reason: `is managed by stack ${elsewhere}, too`, advice: "take it out of one of the two states" };
  // The next update of such a stack would take two steps at once.
  const same = others.filter(({ kind, name }) => kind === label.kind && name === label.name);
  const behind = same.find(({ stack: of, id }) =>
    testsIn(others).some((test) => test.stack === of && labelsOf(test.inputs).includes(id)),
  )?.stack;
  if (behind !== undefined) {
    const reason = `is what tests of stack ${behind} select by, which runs the same program`;
    return { reason, advice: `run \`pulumi up --stack ${behind}\`, then this again` };
  }
  if (!tagOfLabel(situation, label)) return { reason: "has no tag", advice: "take the step tags for it, or delete it by hand" };
  if (label.protect) return protectedHindrance(label.urn, stack.name, "deleted");
  if (!shared.has(label.id)) return undefined;
  return {
    reason: "may be the same thing as a tag underneath, since its id is the tag's legacyId: deleting it might delete the tag",
    advice: "delete one such label in the product first and look whether its tag is still there; --allow-shared goes on",
  };
}
