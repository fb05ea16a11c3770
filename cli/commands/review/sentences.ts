import { joined, ours, phrase, type Phrase, phraseText, strong, word } from "../../../common/phrase";
import { compareNames, count, counted } from "../../../common/text";
import { valuesInLine } from "../../report/changes";
import { sharedChange } from "../../../plan/groups";
import { whyReplaced } from "../../../plan/judge/findings";
import type { ChangeGroup, JudgedStep, Judgement } from "../../../plan/judge/model";
import { failsAtCreate, newParent, renameVerb } from "../../../plan/judge/rename-findings";
import { outcomeWords, type ResourceOutcome } from "../../../plan/judge/review";
import { namePattern, nameRange, rangeOf } from "./names";
import { andList, nounsOf } from "./groups";
import { titlesIn } from "./wording";

/** Most sentences about updates. */
const maxUpdates = 2;
/** Most characters of values in a sentence. */
const maxValues = 80;

/**
 * Summarizes a change in few sentences, the most serious first: `Renames 39 HTTP server tests without an alias. Deletes 1 tag (site-40)
 * and 10 HTTP server tests (*-site-40). 49 tests lose their result history. Changes interval of 39 HTTP server tests: 60 → 300.`
 */
export function summarySentences(judgement: Judgement): Phrase[] {
  const { changes, names: titles } = judgement;
  const of = (wanted: ResourceOutcome): JudgedStep[] =>
    changes.filter(({ outcome, renamedFrom, renamedTo }) => outcome === wanted && !renamedFrom && !renamedTo);
  const [replaced, deleted, created] = [of("replace"), of("delete"), of("create")];
  const [newTypes, oldTypes] = [created, deleted].map((steps) => new Map(steps.map((step) => [step.name, step.kindName])));
  const isRetyped = ({ name }: JudgedStep): boolean => (newTypes?.has(name) ?? false) && (oldTypes?.has(name) ?? false);
  const retyped = deleted.filter(isRetyped);
  const [gone, fresh] = [deleted, created].map((steps) => steps.filter((step) => !isRetyped(step))) as [
    JudgedStep[],
    JudgedStep[],
  ];
  const named = (steps: readonly JudgedStep[]): Phrase => namedNouns(steps, changes);
  return [
    ...renameSentences(
      changes.filter(({ renamedFrom }) => renamedFrom),
      changes,
    ),
    ...(replaced.length > 0 ? [phrase`${strong("Replaces")} ${named(replaced)}${sharedReason(replaced, judgement)}.`] : []),
    ...typeSentence(retyped, changes),
    ...(gone.length > 0 ? [phrase`${strong("Deletes")} ${named(gone)}.${dependents(gone)}`] : []),
    ...costSentence(judgement),
    ...updateSentences(judgement, of("update"), titles),
    ...(fresh.length > 0 ? [phrase`Creates ${named(fresh)}.`] : []),
    ...otherSentences(changes),
  ];
}

/** `Moves 40 HTTP server tests (crm-site-*) into my:app:Application without an alias: the update will fail.` */
function renameSentences(renames: readonly JudgedStep[], changes: readonly JudgedStep[]): Phrase[] {
  const described = renames.map((step) => {
    const isMove = renameVerb(step) === "moved";
    return { step, verb: isMove ? "Moves" : "Renames", parent: isMove ? newParent(step) : [], fails: failsAtCreate(step) };
  });
  const alike = Map.groupBy(described, ({ verb, parent, fails }) => JSON.stringify([verb, parent, fails]));
  return [...alike.values()]
    .toSorted((a, b) => Number(b[0]?.fails) - Number(a[0]?.fails))
    .map((items) => {
      const [steps, { verb = "", parent = [], fails = false } = {}] = [items.map(({ step }) => step), items[0]];
      const former = steps.flatMap(({ renamedFrom }) => renamedFrom ?? []);
      const shown =
        verb === "Moves"
          ? names(steps, changes)
          : phrase` (${nameRange(former.map(({ name }) => name))} → ${nameRange(steps.map(({ name }) => name))})`;
      const result = fails
        ? phrase`: ${strong("the update will fail")}, because the service already has these records. It deletes nothing`
        : [];
      return phrase`${strong(verb)} ${nouns(steps)}${shown}${parent} ${strong("without an alias")}${result}.`;
    });
}

/** `Changes the type of 40 HTTP server tests (chat-site-*): the old tests are deleted.` */
function typeSentence(retyped: readonly JudgedStep[], changes: readonly JudgedStep[]): Phrase[] {
  if (retyped.length === 0) return [];
  const result = retyped.length === 1 ? "the old one is deleted" : "the old ones are deleted";
  return [phrase`${strong("Changes the type")} of ${nouns(retyped)}${names(retyped, changes)}: ${ours(result)}.`];
}

/** Returns the reason for a replacement, with the values if all steps share them. */
function sharedReason(steps: readonly JudgedStep[], { groups, names: titles }: Judgement): Phrase {
  const reasons = new Map(steps.map((step) => [phraseText(whyReplaced(step)), whyReplaced(step)]));
  if (reasons.size !== 1) return [];
  const replacing = groups.filter(({ members: [first] }) => first.outcome === "replace");
  const forcing = replacing[0]?.members[0].changes.filter(({ replaces }) => replaces) ?? [];
  const [change, ...more] = forcing;
  const [group] = replacing;
  const shared =
    replacing.length === 1 && group && change && more.length === 0 ? sharedChange(group, change.property) : undefined;
  return phrase`${[...reasons.values()][0] ?? []}${shared ? valuesOf(shared, titles, " ") : []}`;
}

/** `: 60 → 300`, if the values are known and short. @param start stands before the values */
function valuesOf(change: JudgedStep["changes"][number], titles: Judgement["names"], start: string): Phrase {
  if (change.secret) return [];
  const values = valuesInLine(change, titlesIn(titles));
  return phraseText(values).length > maxValues ? [] : phrase`${ours(start)}${values}`;
}

/** `49 tests lose their result history; the alias keeps 39 of them.` A rename that makes the update fail loses nothing. */
function costSentence({ changes, review: { costs } }: Judgement): Phrase[] {
  const renamed = changes.filter((step) => step.renamedFrom && isTest(step));
  const lost = costs.histories.count - renamed.filter(failsAtCreate).length;
  if (lost <= 0) return [];
  const avoidable = renamed.length - renamed.filter(failsAtCreate).length;
  const which =
    avoidable === 0 ? "" : avoidable === lost ? "; the alias keeps it" : `; the alias keeps ${count(avoidable)} of them`;
  return [
    phrase`${strong(lost === 1 ? "1 test loses its result history" : `${counted(lost, "test")} lose their result history`)}${ours(which)}.`,
  ];
}

function updateSentences({ groups, changes }: Judgement, updates: readonly JudgedStep[], titles: Judgement["names"]): Phrase[] {
  if (updates.length === 0) return [];
  const updating = groups.filter(({ members: [first] }) => first.outcome === "update");
  const propertiesOf = (step: JudgedStep): string => step.changes.map(({ property }) => property).join(" ");
  const isNamed = updating.every(({ members: [first] }) => first.changes.length > 0);
  if (isNamed && updating.length <= maxUpdates) {
    return updating.map((group) => {
      const [first] = group.members;
      const [change, ...more] = first.changes;
      const shared = change && more.length === 0 ? sharedChange(group, change.property) : undefined;
      const what = joined(
        first.changes.map(({ property }) => [word(property)]),
        ", ",
      );
      const shown = shared ? valuesOf(shared, titles, ": ") : [];
      return phrase`Changes ${what} of ${nouns(group.members)}${groupNames(group, changes)}${shown}.${dependents(group.members)}`;
    });
  }
  const byProperty = Map.groupBy(updates, propertiesOf);
  if (!isNamed || byProperty.size > maxUpdates) return [phrase`Updates ${namedNouns(updates, changes)}.${dependents(updates)}`];
  return [...byProperty.values()].map((steps) => {
    const what = joined(steps[0]?.changes.map(({ property }) => [word(property)]) ?? [], ", ");
    return phrase`Changes ${what} of ${namedNouns(steps, changes)}.${dependents(steps)}`;
  });
}

/** ` 10 tests select agents by it (*-site-07).` */
function dependents(steps: readonly JudgedStep[]): Phrase {
  const gone = new Set(steps.map(({ name }) => name));
  const tests = [...new Set(steps.flatMap(({ selectedBy }) => selectedBy))].filter((name) => !gone.has(name));
  if (tests.length === 0) return [];
  const verb = tests.length === 1 ? "selects" : "select";
  const pattern = namePattern(tests);
  const shown = pattern === undefined ? [] : phrase` (${word(pattern)})`;
  return phrase` ${ours(counted(tests.length, "test"))} ${ours(verb)} agents by ${ours(steps.length === 1 ? "it" : "them")}${shown}.`;
}

function otherSentences(changes: readonly JudgedStep[]): Phrase[] {
  return (["adopt", "forget", "options"] as const).flatMap((outcome) => {
    const steps = changes.filter((step) => step.outcome === outcome);
    if (steps.length === 0) return [];
    if (outcome === "options") {
      const options = new Set(steps.flatMap((step) => step.changes.map(({ property }) => property.replace(/^option /, ""))));
      const shown = joined(
        [...options].map((option) => [word(option)]),
        ", ",
      );
      const noun = options.size === 1 ? "the resource option" : "the resource options";
      return [phrase`Changes ${ours(noun)} ${shown} of ${namedNouns(steps, changes)}. The records stay as they are.`];
    }
    return [phrase`${nouns(steps)} ${ours(`${steps.length === 1 ? "is" : "are"} ${outcomeWords[outcome]}`)}.`];
  });
}

function nouns(steps: readonly JudgedStep[]): Phrase {
  return ours(nounsOf(steps.map(({ kind }) => kind.noun)));
}

/** `1 tag (site-40) and 10 HTTP server tests (*-site-40)` */
function namedNouns(steps: readonly JudgedStep[], changes: readonly JudgedStep[]): Phrase {
  const byKind = [...Map.groupBy(steps, ({ kindName }) => kindName).values()];
  if (byKind.length > maxUpdates + 1) return nouns(steps);
  return andList(byKind.map((ofKind) => phrase`${nouns(ofKind)}${names(ofKind, changes)}`));
}

/** ` (*-site-40)`: the name of the only resource, or the pattern or range of all names */
function names(steps: readonly JudgedStep[], changes: readonly JudgedStep[]): Phrase {
  const pattern = namePattern(steps.map(({ name }) => name));
  if (pattern === undefined) return [];
  const own = new Set(steps.map(({ urn }) => urn));
  const others = changes.filter(
    ({ urn, kindName, renamedTo }) => !own.has(urn) && kindName === steps[0]?.kindName && !renamedTo,
  );
  const [head = "", tail] = pattern.split("*");
  const isOfPattern = ({ name }: JudgedStep): boolean => tail !== undefined && name.startsWith(head) && name.endsWith(tail);
  if (!others.some(isOfPattern)) return phrase` (${word(pattern)})`;
  // The pattern would include another resource of the change. A range may not.
  const sorted = steps.map(({ name }) => name).toSorted(compareNames);
  const isBetween = ({ name }: JudgedStep): boolean =>
    compareNames(sorted[0] ?? "", name) < 0 && compareNames(name, sorted.at(-1) ?? "") < 0;
  return others.some(isBetween) ? [] : phrase` (${nameRange(sorted)})`;
}

function groupNames(group: ChangeGroup, changes: readonly JudgedStep[]): Phrase {
  return group.exceptions.length === 0 ? names(group.members, changes) : phrase` (${rangeOf(group)})`;
}

function isTest({ kind }: JudgedStep): boolean {
  return kind.reach?.means === "test";
}
