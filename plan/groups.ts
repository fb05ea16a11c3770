import { stable } from "../provider/values";
import { compareNames } from "../common/text";
import type { Finding } from "../common/finding";
import type { PropertyChange } from "./changes";
import type { CheckName } from "./judge/checks";
import type { ChangeGroup, JudgedStep } from "./judge/model";
import type { GroupData, RenameData } from "./judge/review";
import { aliasOf } from "./judge/alias";
import { failsAtCreate } from "./judge/rename-findings";
import type { Step } from "./model";
import { typesOfUrn } from "../sdk/token";

/** Minimum number of members of a group, because a smaller group saves no lines. */
const minMembers = 3;
/** Maximum number of changes that are not grouped, because a reader sees five changes at a glance. */
const maxUngrouped = 5;

/**
 * Combines equal changes into groups. Each group has the position of its first member.
 *
 * The result lists a rename only once, at the position of the delete step. The entry has the findings of the delete step and of the create
 * step.
 *
 * All members of a group have the same type, outcome, changed properties and findings. The members also have equal protection, secrets,
 * lost agents and references. The function groups updates with equal values first, and then updates with different values.
 *
 * @param steps all steps, including unchanged resources. If a report shows a group as a range of names, the report lists the resources in
 * the range that are not members
 */
export function groupsOf(
  changes: readonly JudgedStep[],
  findings: readonly Finding<CheckName>[],
  steps: readonly Step[] = changes,
): ChangeGroup[] {
  const rulesByUrn = Map.groupBy(findings, ({ subject }) => subject?.urn);
  const rulesOf = ({ urn, renamedFrom }: JudgedStep): CheckName[] => {
    const ofBoth = [urn, renamedFrom?.urn].flatMap((key) => (key === undefined ? [] : (rulesByUrn.get(key) ?? [])));
    return [...new Set(ofBoth.map(({ rule }) => rule))];
  };
  const namesOfKind = new Map(
    [...Map.groupBy(steps, ({ kindName }) => kindName)].map(([kindName, ofKind]) => {
      return [kindName, [...new Set(ofKind.map(({ name }) => name))].toSorted(compareNames)];
    }),
  );
  const groups = new Map<JudgedStep, ChangeGroup>();
  const add = (members: ChangeGroup["members"], hasEqualValues: boolean): void => {
    const names = namesOfKind.get(members[0].kindName) ?? [];
    const [exceptions, formerExceptions] = [
      namesBetween(
        members.map(({ name }) => name),
        names,
      ),
      namesBetween(formerNames(members), names),
    ];
    const group = { members, hasEqualValues, rules: rulesOf(members[0]), exceptions, formerExceptions };
    for (const member of members) groups.set(member, group);
  };
  const collect = (candidates: readonly JudgedStep[], hasEqualValues: boolean): JudgedStep[] => {
    const alike = Map.groupBy(candidates, (step) => stable([keyOf(step), rulesOf(step), changesKey(step, hasEqualValues)]));
    return [...alike.values()].flatMap((members) => {
      const [first, ...others] = members.toSorted((a, b) => compareNames(a.name, b.name));
      if (!first || members.length < minMembers) return members;
      add([first, ...others], hasEqualValues);
      return [];
    });
  };
  const entries = changes.filter(({ renamedTo }) => renamedTo === undefined);
  const singles = changes.length > maxUngrouped ? collect(collect(entries, true), false) : entries;
  for (const step of singles) add([step], true);
  const renamed = new Map(entries.filter(({ renamedFrom }) => renamedFrom).map((step) => [step.urn, step]));
  const entryOf = (step: JudgedStep): JudgedStep => renamed.get(step.renamedTo?.urn ?? "") ?? step;
  return [...new Set(changes.flatMap((step) => groups.get(entryOf(step)) ?? []))];
}

export function formerNames(steps: readonly JudgedStep[]): string[] {
  return steps.flatMap(({ renamedFrom }) => renamedFrom?.name ?? []);
}

function namesBetween(own: readonly string[], names: readonly string[]): string[] {
  if (own.length <= 1) return [];
  const positions = own.map((name) => names.indexOf(name));
  const start = positions.reduce((least, at) => Math.min(least, at), Infinity);
  const end = positions.reduce((most, at) => Math.max(most, at), 0);
  const members = new Set(own);
  return names.slice(start, end).filter((name) => !members.has(name));
}

export function groupData(group: ChangeGroup): GroupData {
  const { members, rules } = group;
  const [first] = members;
  return {
    kind: first.kindName,
    outcome: first.renamedFrom ? "rename" : first.outcome,
    members: members.map(({ urn }) => urn),
    changes: first.changes.flatMap(({ property }) => sharedChange(group, property) ?? []),
    checks: [...rules],
  };
}

export function renameData(changes: readonly JudgedStep[]): RenameData[] {
  return changes.flatMap((step): RenameData[] => {
    const { urn, name, renamedFrom: from, position } = step;
    if (!from) return [];
    return [
      {
        from: { urn: from.urn, name: from.name, id: from.state?.id ?? "" },
        to: { urn, name },
        alias: aliasOf(from, step),
        ...(position && { file: position.file, line: position.line }),
        ...(failsAtCreate(step) && { fails: true }),
      },
    ];
  });
}

function keyOf(step: JudgedStep): unknown {
  const { kindName, outcome, op, state, declared, refused, pending, unfinished, asked, hidden, forgotten, cost } = step;
  const { reach, references = [], creation, renamedFrom, otherStack } = step;
  return [
    [kindName, outcome, op, refused, pending, unfinished, asked, hidden, forgotten, cost, otherStack, creation?.how],
    [
      (declared ?? state)?.protect === true,
      renamedFrom?.name === step.name,
      renamedFrom && [renamedFrom.urn, step.urn].map(typesOfUrn),
    ],
    step.resets,
    [reach === undefined, reach?.off, reach?.unknown, (reach?.lost?.count ?? 0) > 0, references.length > 0],
  ];
}

function changesKey({ op, changes }: JudgedStep, hasEqualValues: boolean): unknown {
  return changes.map(({ property, how, replaces, secret, unknown, recordsOnly, before, after }) => [
    [property, op === "create" ? undefined : how, replaces, secret, unknown, recordsOnly],
    hasEqualValues && op !== "create" ? [before, after] : [],
  ]);
}

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
