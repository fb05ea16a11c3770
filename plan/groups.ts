import { stable } from "../provider/values";
import type { Finding } from "../common/finding";
import type { PropertyChange } from "./changes";
import type { JudgedStep } from "./judge/model";

/** Resources of one type with equal changes, outcomes and findings. */
export interface ChangeGroup {
  /** In the order of their names. A group of one is a resource without equals. */
  readonly members: readonly [JudgedStep, ...JudgedStep[]];
  /** Whether the members have the same values, so that those of the first one describe all. */
  readonly hasEqualValues: boolean;
  /** Checks that found something about each member, in the order of their importance. */
  readonly rules: readonly string[];
}

/** Fewest members of a group: two resources are as short as a group of two. */
const minMembers = 3;
/** Most changes that are not grouped: a reader sees them at a glance. */
const maxUngrouped = 5;
const byName = new Intl.Collator("en", { numeric: true });

/**
 * Groups changes so that equal ones are one entry, in the order of their first members. A delete that looks like a rename belongs to the
 * entry of its create, which has the findings of both. Members of a group have the same type, outcome
 * and changed properties, and the same findings. They agree in whatever else matters: protection, secrets, lost agents and references.
 * Updates with equal values are grouped first; the rest may differ in values. Creates and deletes have no values to compare.
 */
export function groupsOf(changes: readonly JudgedStep[], findings: readonly Finding[]): ChangeGroup[] {
  const rulesByUrn = Map.groupBy(findings, ({ subject }) => subject?.urn);
  const rulesOf = ({ urn, renamedFrom }: JudgedStep): string[] => {
    const ofBoth = [urn, renamedFrom?.urn].flatMap((key) => (key === undefined ? [] : (rulesByUrn.get(key) ?? [])));
    return [...new Set(ofBoth.map(({ rule }) => rule))];
  };
  const groups = new Map<JudgedStep, ChangeGroup>();
  const collect = (steps: readonly JudgedStep[], hasEqualValues: boolean): JudgedStep[] => {
    const alike = Map.groupBy(steps, (step) => stable([keyOf(step), rulesOf(step), changesKey(step, hasEqualValues)]));
    return [...alike.values()].flatMap((members) => {
      const [first, ...others] = members.toSorted((a, b) => byName.compare(a.name, b.name));
      if (!first || members.length < minMembers) return members;
      for (const member of members) groups.set(member, { members: [first, ...others], hasEqualValues, rules: rulesOf(first) });
      return [];
    });
  };
  const entries = changes.filter(({ renamedTo }) => renamedTo === undefined);
  const singles = changes.length > maxUngrouped ? collect(collect(entries, true), false) : entries;
  for (const step of singles) groups.set(step, { members: [step], hasEqualValues: true, rules: rulesOf(step) });
  const seen = new Set<JudgedStep>();
  return changes.flatMap((step) => {
    const group = groups.get(step);
    if (!group || seen.has(step)) return [];
    for (const member of group.members) seen.add(member);
    return [group];
  });
}

/** Returns the facts that members of a group share, in addition to their findings and changes. */
function keyOf(step: JudgedStep): unknown {
  const { kindName, outcome, op, state, declared, refused, pending, unfinished, asked, hidden, forgotten, cost } = step;
  const { reach, references = [], creation, renamedFrom, otherStack } = step;
  return [
    [kindName, outcome, op, refused, pending, unfinished, asked, hidden, forgotten, cost, otherStack, creation?.how],
    [(declared ?? state)?.protect === true, renamedFrom !== undefined],
    [reach === undefined, reach?.off, reach?.unknown, (reach?.lost?.count ?? 0) > 0, references.length > 0],
  ];
}

function changesKey({ op, changes }: JudgedStep, hasEqualValues: boolean): unknown {
  return changes.map(({ property, how, replaces, secret, unknown, recordsOnly, before, after }) => [
    [property, op === "create" ? undefined : how, replaces, secret, unknown, recordsOnly],
    hasEqualValues && op !== "create" ? [before, after] : [],
  ]);
}

/** Returns the values of a property that all members change in the same way; undefined if they differ. */
export function sharedChange({ members, hasEqualValues }: ChangeGroup, property: string): PropertyChange | undefined {
  const change = members[0].changes.find((candidate) => candidate.property === property);
  if (hasEqualValues) return change;
  const values = new Set(members.map(({ changes }) => stable(valuesOf(changes, property))));
  return values.size === 1 ? change : undefined;
}

function valuesOf(changes: readonly PropertyChange[], property: string): unknown {
  const change = changes.find((candidate) => candidate.property === property);
  return [change?.before, change?.after];
}
