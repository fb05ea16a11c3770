import { ours, phrase, type Phrase, phraseText, strong, word, words } from "../../../common/phrase";
import { count, counted } from "../../../common/text";
import { valuesInLine } from "../../report/changes";
import { sharedChange } from "../../../plan/groups";
import { whyReplaced } from "../../../plan/judge/findings";
import type { ChangeGroup, JudgedStep, Judgement } from "../../../plan/judge/model";
import type { Step } from "../../../plan/model";
import { changesType, createdByName, failsAtCreate, newParent, renameVerb } from "../../../plan/judge/rename-findings";
import { outcomeWords, type ResourceOutcome } from "../../../plan/judge/review";
import { patternOf, rangeOf, sharedName } from "./names";
import { andList, nounsOf } from "./groups";
import { titlesIn } from "./wording";

const maxUpdates = 2;
/** Maximum total length of the values in a sentence, in characters. */
const maxValues = 80;

/** Summarizes a change in a few sentences, such as `Deletes 1 tag (site-40).` Sentences about serious consequences come first. */
export function summarySentences(judgement: Judgement): Phrase[] {
  const { changes } = judgement;
  const of = (wanted: ResourceOutcome): JudgedStep[] =>
    changes.filter(({ outcome, renamedFrom, renamedTo }) => outcome === wanted && !renamedFrom && !renamedTo);
  const [replaced, deleted, created] = [of("replace"), of("delete"), of("create")];
  const byName = createdByName(changes);
  const retyped = deleted.filter((step) => changesType(step, byName));
  const successors = new Set(retyped.map(({ name }) => byName.get(name)));
  const [gone, fresh] = [deleted.filter((step) => !retyped.includes(step)), created.filter((step) => !successors.has(step))];
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
    ...updateSentences(judgement, of("update")),
    ...(fresh.length > 0 ? [phrase`Creates ${named(fresh)}.`] : []),
    ...otherSentences(changes),
  ];
}

/** Returns sentences such as `Moves 40 HTTP server tests (crm-site-*) into my:app:Application without an alias.` */
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
      const former = sharedNames(
        steps.flatMap(({ renamedFrom }) => renamedFrom ?? []),
        changes,
      );
      const isNamed = verb === "Renames" && former.length > 0;
      const shown = isNamed ? phrase` (${former} → ${sharedNames(steps, changes)})` : names(steps, changes);
      const result = fails
        ? phrase`: ${strong("the update will fail")}, because the service already has these records, and the update does not delete them first`
        : [];
      return phrase`${strong(verb)} ${nouns(steps)}${shown}${parent} ${strong("without an alias")}${result}.`;
    });
}

/** Returns a sentence such as `Changes the type of 40 HTTP server tests (chat-site-*).` */
function typeSentence(retyped: readonly JudgedStep[], changes: readonly JudgedStep[]): Phrase[] {
  if (retyped.length === 0) return [];
  const result = retyped.length === 1 ? "the old one is deleted" : "the old ones are deleted";
  return [phrase`${strong("Changes the type")} of ${nouns(retyped)}${names(retyped, changes)}: ${ours(result)}.`];
}

/** Returns the common reason for replacements, with the values if all steps share the values. */
function sharedReason(steps: readonly JudgedStep[], { groups, names: titles }: Judgement): Phrase {
  const [reason, ...different] = new Map(steps.map((step) => [phraseText(whyReplaced(step)), whyReplaced(step)])).values();
  if (!reason || different.length > 0) return [];
  const [group, ...others] = groups.filter(({ members: [first] }) => first.outcome === "replace");
  const [change, ...more] = group?.members[0].changes.filter(({ replaces }) => replaces) ?? [];
  const isOne = others.length === 0 && more.length === 0;
  const shared = isOne && group && change ? sharedChange(group, change.property) : undefined;
  return phrase`${reason}${shared ? valuesOf(shared, titles, " ") : []}`;
}

/**
 * Returns a phrase such as `: 60 → 300`, or an empty phrase if the values are secret or long.
 * @param start string before the values, such as `: `
 */
function valuesOf(change: JudgedStep["changes"][number], titles: Judgement["names"], start: string): Phrase {
  if (change.secret) return [];
  const values = valuesInLine(change, titlesIn(titles));
  return phraseText(values).length > maxValues ? [] : phrase`${ours(start)}${values}`;
}

/**
 * Counts tests that lose their result history (`lost`), and result histories that an alias would keep (`kept`). If the create request for a
 * renamed test will fail, the test does not lose its result history.
 */
export function lostHistories({ changes, review: { costs } }: Judgement): { lost: number; kept: number } {
  const renamed = changes.filter(({ renamedFrom, kind }) => renamedFrom && kind.reach?.means === "test");
  const failing = renamed.filter(failsAtCreate).length;
  return { lost: costs.histories.count - failing, kept: renamed.length - failing };
}

/** Returns a sentence such as `49 tests lose their result history; the alias keeps 39 of them.` */
function costSentence(judgement: Judgement): Phrase[] {
  const { lost, kept } = lostHistories(judgement);
  if (lost <= 0) return [];
  const which = kept === 0 ? "" : kept === lost ? "; the alias keeps it" : `; the alias keeps ${count(kept)} of them`;
  const tests = lost === 1 ? "1 test loses its result history" : `${counted(lost, "test")} lose their result history`;
  return [phrase`${strong(tests)}${ours(which)}.`];
}

function updateSentences({ groups, changes, names: titles }: Judgement, updates: readonly JudgedStep[]): Phrase[] {
  if (updates.length === 0) return [];
  const updating = groups.filter(({ members: [first] }) => first.outcome === "update");
  const propertiesOf = (step: JudgedStep): string => step.changes.map(({ property }) => property).join(" ");
  const isNamed = updating.every(({ members: [first] }) => first.changes.length > 0);
  if (isNamed && updating.length <= maxUpdates) {
    return updating.map((group) => {
      const [first] = group.members;
      const [change, ...more] = first.changes;
      const shared = change && more.length === 0 ? sharedChange(group, change.property) : undefined;
      const what = words(first.changes.map(({ property }) => property));
      const shown = shared ? valuesOf(shared, titles, ": ") : [];
      return phrase`Changes ${what} of ${nouns(group.members)}${groupNames(group, changes)}${shown}.${dependents(group.members)}`;
    });
  }
  const byProperty = Map.groupBy(updates, propertiesOf);
  if (!isNamed || byProperty.size > maxUpdates) return [phrase`Updates ${namedNouns(updates, changes)}.${dependents(updates)}`];
  return [...byProperty.values()].map((steps) => {
    const what = words(steps[0]?.changes.map(({ property }) => property) ?? []);
    return phrase`Changes ${what} of ${namedNouns(steps, changes)}.${dependents(steps)}`;
  });
}

/** Returns a sentence such as ` 10 tests select agents by it (*-site-07).` */
function dependents(steps: readonly JudgedStep[]): Phrase {
  const gone = new Set(steps.map(({ name }) => name));
  const tests = [...new Set(steps.flatMap(({ selectedBy }) => selectedBy))].filter((name) => !gone.has(name));
  if (tests.length === 0) return [];
  const verb = tests.length === 1 ? "selects" : "select";
  const pattern = patternOf(tests);
  const shown = pattern ? phrase` (${word(pattern.text)})` : [];
  return phrase` ${ours(counted(tests.length, "test"))} ${ours(verb)} agents by ${ours(steps.length === 1 ? "it" : "them")}${shown}.`;
}

function otherSentences(changes: readonly JudgedStep[]): Phrase[] {
  return (["adopt", "forget", "options"] as const).flatMap((outcome) => {
    const steps = changes.filter((step) => step.outcome === outcome);
    if (steps.length === 0) return [];
    if (outcome === "options") {
      const options = new Set(steps.flatMap((step) => step.changes.map(({ property }) => property.replace(/^option /, ""))));
      const noun = options.size === 1 ? "the resource option" : "the resource options";
      return [
        phrase`Changes ${ours(noun)} ${words([...options])} of ${namedNouns(steps, changes)}. The records in the service do not change.`,
      ];
    }
    return [phrase`${nouns(steps)} ${ours(`${steps.length === 1 ? "is" : "are"} ${outcomeWords[outcome]}`)}.`];
  });
}

function nouns(steps: readonly JudgedStep[]): Phrase {
  return ours(nounsOf(steps.map(({ kind }) => kind.noun)));
}

/** Returns a phrase such as `1 tag (site-40) and 10 HTTP server tests (*-site-40)`. */
function namedNouns(steps: readonly JudgedStep[], changes: readonly JudgedStep[]): Phrase {
  const byKind = [...Map.groupBy(steps, ({ kindName }) => kindName).values()];
  if (byKind.length > maxUpdates + 1) return nouns(steps);
  return andList(byKind.map((ofKind) => phrase`${nouns(ofKind)}${names(ofKind, changes)}`));
}

/** Returns the names of resources in parentheses, such as ` (*-site-40)`. */
function names(steps: readonly Step[], changes: readonly JudgedStep[]): Phrase {
  const shown = sharedNames(steps, changes);
  return shown.length === 0 ? [] : phrase` (${shown})`;
}

/** Returns a pattern or a range that matches all names of the resources, but no other changed resource of the same type. */
function sharedNames(steps: readonly Step[], changes: readonly JudgedStep[]): Phrase {
  const urns = new Set(steps.map(({ urn }) => urn));
  const others = changes.filter(
    ({ urn, kindName, renamedTo }) => !urns.has(urn) && kindName === steps[0]?.kindName && !renamedTo,
  );
  return sharedName(
    steps.map(({ name }) => name),
    others.map(({ name }) => name),
  );
}

function groupNames({ members, exceptions }: ChangeGroup, changes: readonly JudgedStep[]): Phrase {
  if (exceptions.length === 0) return names(members, changes);
  return phrase` (${rangeOf(
    members.map(({ name }) => name),
    exceptions,
  )})`;
}
