import { check } from "../../provider/check";
import { endpointAgentTag } from "../../provider/resources/endpoint-agent-tag";
import { isSame } from "../../provider/shape";
import { compact, type Properties, stable, stringOf } from "../../provider/values";
import { UsageError } from "../command";
import type { ManagedResource } from "../engine/state";
import { literal } from "../edit/literal";
import { Refusal } from "../edit/value";
import { withScope } from "./agents";
import { type LabelDeclaration, tagClass, tagUrnOf } from "./pairs";
import type { LeftOver } from "./report";
import { declarationOf, labelsIn, type Situation, tagOfLabel } from "./situation";
import { emptyPlan, type Excluded, type ExpectedChange, placeOf, type StepPlan } from "./step-plan";
import { type TagNaming, Template } from "./template";
import { tagEdits } from "./write-tags";

/** Stands for a key as long as none was given: nothing is written with it. */
const noKey: TagNaming = { key: new Template("key", "label"), value: new Template("value", "{name}") };

/**
 * Plans a tag for each label that has none: with the same rule, beside it.
 *
 * @throws UsageError where two tags would have the same key and value, or no key was given
 */
export function planTags(situation: Situation, naming: TagNaming | undefined, excluded: Excluded): StepPlan {
  const { instances, declarations } = situation;
  const named = naming ?? noKey;
  const owners = new Map(labelsIn(situation.managed).map((label) => [label, declarationOf(situation, label)]));
  const labelsOf = (one: LabelDeclaration): ManagedResource[] =>
    [...owners].flatMap(([label, declaration]) => (declaration === one.declaration ? [label] : []));
  const lost = [...owners].flatMap(([label, declaration]) =>
    declaration === undefined && !tagOfLabel(situation, label) ? [label] : [],
  );
  const invalid = new Map<LabelDeclaration, Refusal>();
  for (const one of declarations.filter(({ tag }) => tag === undefined)) {
    // What it declares is among those that are lost: which of them its tags would be is not known.
    const isLost = !one.isNamed && labelsOf(one).length === 0 && lost.length > 0;
    const reason = isLost
      ? "has a name that is worked out"
      : labelsOf(one).flatMap((label) => excluded.get(tagUrnOf(label)) ?? problemOf(label, named) ?? [])[0];
    if (reason !== undefined) invalid.set(one, new Refusal(reason, one.declaration.node));
  }
  const open = declarations.map((one) => {
    const why = invalid.get(one);
    return why ? { ...one, holding: why } : one;
  });
  const { edits, refused } = tagEdits(instances, open, named);
  const written = open.filter((one) => one.tag === undefined && !refused.has(one));
  if (written.length > 0 && naming === undefined) {
    throw new UsageError(
      `The tags need a key, which all of them may share: \`migrate labels --key team\` makes the tag team with the label's name as ` +
        `its value of each of ${written.length} labels. --value has another value, such as "site-{name}"`,
    );
  }
  const labels = written.flatMap((one) => labelsOf({ ...one, holding: one.holding }));
  refuseCollisions(situation, labels, named);
  return {
    ...emptyPlan,
    step: "tags",
    edits,
    tags: labels.map((label) => ({ name: label.name, ...keyAndValue(label, named) })),
    expected: new Map(labels.map((label) => [tagUrnOf(label), expectedOf(label, named)])),
    left: [
      ...[...refused].map(([one, why]) => leftOver(one, labelsOf(one), why, named)),
      ...lost.map((label) => lostLabel(label, named)),
    ],
  };
}

/** What the tag of a label is to be. */
export function tagOf({ inputs }: Pick<ManagedResource, "inputs">, naming: TagNaming): Properties {
  const { matchType, filters, color, accountGroupId } = inputs;
  const own = color === undefined || color === "#d9d9d9" ? undefined : color;
  return compact({ ...keyAndValue({ inputs }, naming), matchType, filters: withScope(filters), color: own, accountGroupId });
}

function keyAndValue({ inputs }: Pick<ManagedResource, "inputs">, { key, value }: TagNaming): { key: string; value: string } {
  const name = stringOf(inputs["name"]) ?? "";
  return { key: key.of(name), value: value.of(name) };
}

/** Why a label cannot become a tag, after "it". */
function problemOf(label: ManagedResource, naming: TagNaming): string | undefined {
  const { filters } = label.inputs;
  if (Array.isArray(filters) && filters.length === 0) return "has no filter, and a tag needs one";
  const { key, value } = keyAndValue(label, naming);
  for (const [what, text] of Object.entries({ key, value })) {
    if (text.trim() === "") return `has a name that makes an empty ${what}`;
    if (/\p{Cc}/u.test(text)) return `has a name with a control character, which would be in the ${what}`;
  }
  const [failure] = check(endpointAgentTag, tagOf(label, naming)).failures;
  return failure && `cannot be a tag: ${failure.path} ${failure.reason}`;
}

/** @throws UsageError where tags would have the same key and value, or there is one already */
function refuseCollisions({ tags }: Situation, labels: readonly ManagedResource[], naming: TagNaming): void {
  const groupOf = ({ outputs }: ManagedResource): string => stringOf(outputs["accountGroupId"]) ?? "";
  const planned = Map.groupBy(labels, (label) => stable([groupOf(label), keyAndValue(label, naming)]));
  const found: string[] = [];
  for (const alike of planned.values()) {
    const [first] = alike;
    if (!first) continue;
    const { key, value } = keyAndValue(first, naming);
    const pair = `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
    if (alike.length > 1) found.push(`${pair} would be the tag of ${alike.map(({ name }) => name).join(" and ")}`);
    const group = groupOf(first);
    const there = tags.find((tag) => tag.key === key && tag.value === value && (tag.aid === undefined || tag.aid === group));
    if (!there) continue;
    const isShared = alike.some(({ id }) => String(there.legacyId) === id);
    const what = isShared
      ? "and may be that label itself underneath: its legacyId is the label's id"
      : `for objects of type ${there.objectType}`;
    found.push(`${pair} of ${first.name} is there already: tag ${there.id}, ${what}`);
  }
  if (found.length === 0) return;
  throw new UsageError(
    `Nothing was written, because a key with a value belongs to one tag: ${found.join("; ")}. Take another --key or --value, or ` +
      "rename or delete what is there",
    "work",
  );
}

function expectedOf(label: ManagedResource, naming: TagNaming): ExpectedChange {
  const wanted = tagOf(label, naming);
  return {
    op: "create",
    mistake: (inputs) => {
      const wrong = ["key", "value", "matchType", "filters"].find(
        (property) => !isSame(endpointAgentTag, property, inputs[property], wanted[property]),
      );
      return wrong === undefined ? undefined : `its ${wrong} would be ${JSON.stringify(inputs[wrong])}`;
    },
  };
}

function leftOver(one: LabelDeclaration, labels: readonly ManagedResource[], why: Refusal, naming: TagNaming): LeftOver {
  const [label] = labels;
  return {
    kind: "label",
    ...(label && { name: label.name, id: label.id }),
    ...(!label && one.names[0] !== undefined && { name: one.names[0] }),
    position: placeOf(why),
    reason: why.why,
    advice: label ? byHand(label, naming) : `declare a ${tagClass} of the same name with the same filters by hand`,
  };
}

function lostLabel(label: ManagedResource, naming: TagNaming): LeftOver {
  return {
    kind: "label",
    name: label.name,
    id: label.id,
    ...(label.position && { position: label.position }),
    reason: "is declared where the program does not show it",
    advice: byHand(label, naming),
  };
}

/** Names tie labels and tags together: one that a person writes is found by its name. */
function byHand(label: ManagedResource, naming: TagNaming): string {
  const { accountGroupId: _accountGroupId, ...tag } = tagOf(label, naming);
  const { filters } = label.inputs;
  if (Array.isArray(filters) && filters.length === 0) return "give it a filter, or let its tests select all agents";
  const text = literal({ ...tag, filters });
  const args = text.length > 200 ? "{ … }" : text;
  return `write new ${tagClass}(${literal(label.name)}, ${args}) by hand`;
}
