import { joined, ours, phrase, type Phrase, phraseText, strong, word } from "../../../common/phrase";
import { counted } from "../../../common/text";
import { valuesInLine } from "../../report/changes";
import { sharedChange } from "../../../plan/groups";
import { whyReplaced } from "../../../plan/judge/findings";
import type { ChangeGroup, JudgedStep, Judgement } from "../../../plan/judge/model";
import { failsAtCreate, newParent, renameVerb } from "../../../plan/judge/rename-findings";
import { outcomeWords, type ResourceOutcome } from "../../../plan/judge/review";
import { namePattern, rangeOf } from "./names";
import { groupFindings, nounsOf } from "./groups";
import { titlesIn } from "./wording";

/** Maximum number of sentences about updates. */
const maxUpdates = 2;
/** Maximum number of different edits in the last sentence. */
const maxEdits = 2;

/**
 * Summarizes a change in few sentences, the most serious first. For example: `Renames 39 HTTP server tests without an alias. Deletes 1 tag
 * and 10 HTTP server tests. 49 tests lose their existing result history. Changes interval of 39 HTTP server tests: 60 → 300.`
 */
export function summarySentences(judgement: Judgement): Phrase[] {
  const { changes } = judgement;
  const of = (wanted: ResourceOutcome): JudgedStep[] =>
    changes.filter(({ outcome, renamedFrom, renamedTo }) => outcome === wanted && !renamedFrom && !renamedTo);
  const [replaced, deleted, created] = [of("replace"), of("delete"), of("create")];
  return [
    ...renameSentences(changes.filter(({ renamedFrom }) => renamedFrom)),
    ...(replaced.length > 0
      ? [phrase`${strong("Replaces")} ${nouns(replaced)}${names(replaced)}${sharedReason(replaced)}.`]
      : []),
    ...(deleted.length > 0 ? [phrase`${strong("Deletes")} ${nouns(deleted)}${names(deleted)}.`] : []),
    ...costSentence(judgement),
    ...updateSentences(judgement, of("update")),
    ...(created.length > 0 ? [phrase`Creates ${nouns(created)}${names(created)}.`] : []),
    ...otherSentences(changes),
  ];
}

/** Returns `Moves 40 HTTP server tests (crm-site-*) into my:app:Application without an alias: the update will fail.` */
function renameSentences(renames: readonly JudgedStep[]): Phrase[] {
  const described = renames.map((step) => {
    const isMove = renameVerb(step) === "moved";
    return { step, verb: isMove ? "Moves" : "Renames", parent: isMove ? newParent(step) : [], fails: failsAtCreate(step) };
  });
  const alike = Map.groupBy(described, ({ verb, parent, fails }) => JSON.stringify([verb, parent, fails]));
  return [...alike.values()]
    .toSorted((a, b) => Number(b[0]?.fails) - Number(a[0]?.fails))
    .map((items) => {
      const [steps, { verb = "", parent = [], fails = false } = {}] = [items.map(({ step }) => step), items[0]];
      const former = namePattern(steps.flatMap(({ renamedFrom }) => renamedFrom?.name ?? []));
      const shown =
        verb === "Moves" || former === undefined
          ? names(steps)
          : phrase` (${word(former)} → ${word(namePattern(steps.map(({ name }) => name)) ?? "…")})`;
      const result = fails ? phrase`: ${strong("the update will fail")}` : [];
      return phrase`${strong(verb)} ${nouns(steps)}${shown}${parent} ${strong("without an alias")}${result}.`;
    });
}

/** Returns the reason for a replacement if all steps share it. */
function sharedReason(steps: readonly JudgedStep[]): Phrase {
  const reasons = new Map(steps.map((step) => [phraseText(whyReplaced(step)), whyReplaced(step)]));
  return reasons.size === 1 ? ([...reasons.values()][0] ?? []) : [];
}

/** Returns `49 tests lose their existing result history.` Renames that make the update fail do not count. */
function costSentence({ changes, review: { costs } }: Judgement): Phrase[] {
  const lost = costs.histories.count - changes.filter((step) => step.renamedFrom && failsAtCreate(step) && isTest(step)).length;
  if (lost <= 0) return [];
  return [phrase`${strong(lost === 1 ? "1 test loses its" : `${counted(lost, "test")} lose their`)} existing result history.`];
}

function updateSentences({ groups, names: titles }: Judgement, updates: readonly JudgedStep[]): Phrase[] {
  if (updates.length === 0) return [];
  const updating = groups.filter(({ members: [first] }) => first.outcome === "update");
  const propertiesOf = (step: JudgedStep): string => step.changes.map(({ property }) => property).join(" ");
  const isNamed = updating.every(({ members: [first] }) => first.changes.length > 0);
  if (isNamed && updating.length <= maxUpdates) {
    return updating.map((group) => {
      const [first] = group.members;
      const [change, ...more] = first.changes;
      const shared = change && more.length === 0 ? sharedChange(group, change.property) : undefined;
      const values = shared && !shared.secret ? valuesInLine(shared, titlesIn(titles)) : [];
      const what = joined(
        first.changes.map(({ property }) => [word(property)]),
        ", ",
      );
      const shown = phraseText(values).length > 40 || values.length === 0 ? [] : phrase`: ${values}`;
      return phrase`Changes ${what} of ${nouns(group.members)}${groupNames(group)}${shown}.${dependents(group.members)}`;
    });
  }
  const byProperty = Map.groupBy(updates, propertiesOf);
  if (!isNamed || byProperty.size > maxUpdates)
    return [phrase`Updates ${nouns(updates)}${names(updates)}.${dependents(updates)}`];
  return [...byProperty.values()].map((steps) => {
    const what = joined(steps[0]?.changes.map(({ property }) => [word(property)]) ?? [], ", ");
    return phrase`Changes ${what} of ${nouns(steps)}${names(steps)}.${dependents(steps)}`;
  });
}

/** Returns ` 10 tests select agents by it (*-site-07).` */
function dependents(steps: readonly JudgedStep[]): Phrase {
  const tests = [...new Set(steps.flatMap(({ selectedBy }) => selectedBy))];
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
    const options = new Set(steps.flatMap((step) => step.changes.map(({ property }) => property)));
    if (outcome === "options") {
      const shown = joined(
        [...options].map((option) => [word(option)]),
        ", ",
      );
      return [phrase`Changes ${shown} of ${nouns(steps)}${names(steps)}. The records stay as they are.`];
    }
    return [phrase`${nouns(steps)} ${ours(`${steps.length === 1 ? "is" : "are"} ${outcomeWords[outcome]}`)}.`];
  });
}

/** Returns the sentence with the tasks before merging. */
export function todoSentence({ findings, changes, warnings, worlds, review: { costs } }: Judgement): Phrase {
  if (findings.length === 0) {
    const isOffline = !worlds && changes.some(({ kind, outcome }) => kind.reach && outcome !== "options");
    if (warnings.length > 0) return ours("No findings, but the review is incomplete.");
    return ours(isOffline ? "No findings, but agents and load are not known." : "No findings: nothing to do before merging.");
  }
  const steps = new Map(changes.map((step) => [step.urn, step]));
  const edits = groupFindings(
    findings.filter(({ rule }) => rule === "renamed"),
    steps,
    1,
  ).flatMap(({ fix }) => (fix ? [fix] : []));
  const renames = changes.filter((step) => step.renamedFrom && isTest(step)).length;
  const lost = costs.histories.count - renames;
  const others = findings.filter(({ rule }) => rule !== "renamed" && rule !== "deletes" && rule !== "replacements").length;
  const histories = counted(lost, "result history", "result histories");
  const decide =
    lost > 0 ? `decide whether ${histories} may be lost` : `decide about the ${edits.length > 0 ? "other " : ""}findings`;
  const parts = [...edits.slice(0, maxEdits), ...(lost > 0 || others > 0 || edits.length === 0 ? [ours(decide)] : [])];
  return phrase`${strong("Before merging:")} ${joined(parts, "; ")}.`;
}

function nouns(steps: readonly JudgedStep[]): Phrase {
  return ours(nounsOf(steps.map(({ kind }) => kind.noun)));
}

/** Returns ` (*-site-40)`: the name of a single resource, or the pattern of all names. */
function names(steps: readonly JudgedStep[]): Phrase {
  const pattern = namePattern(steps.map(({ name }) => name));
  return pattern === undefined ? [] : phrase` (${word(pattern)})`;
}

function groupNames(group: ChangeGroup): Phrase {
  return group.exceptions.length === 0 ? names(group.members) : phrase` (${rangeOf(group)})`;
}

function isTest({ kind }: JudgedStep): boolean {
  return kind.reach?.means === "test";
}
