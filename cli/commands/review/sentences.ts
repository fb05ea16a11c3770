import { joined, ours, phrase, type Phrase, strong, word } from "../../../common/phrase";
import { count, counted } from "../../../common/text";
import { tokensOf } from "../../../common/token-change";
import type { ChangeGroup } from "../../../plan/groups";
import type { JudgedStep, Judgement } from "../../../plan/judge/model";
import { renameVerb } from "../../../plan/judge/rename-findings";
import { outcomeWords, type ResourceOutcome } from "../../../plan/judge/review";
import { nounsOf } from "./groups";

/** Most sentences about updates that name the property. */
const maxUpdates = 2;

/**
 * Summarizes a change in few sentences: `Changes the interval of 39 tests. Renames 39 tests without an alias: they lose 39 result
 * histories. Deletes 10 tests and 1 tag (site-40).`
 */
export function summarySentences({ changes, review: { costs } }: Judgement, groups: readonly ChangeGroup[]): Phrase[] {
  const of = (wanted: ResourceOutcome, more: (step: JudgedStep) => boolean = () => true): JudgedStep[] =>
    changes.filter((step) => step.outcome === wanted && more(step));
  const renames = changes.filter(({ renamedFrom }) => renamedFrom);
  const deletes = of("delete", ({ renamedTo }) => renamedTo === undefined);
  const creates = of("create", ({ renamedFrom }) => renamedFrom === undefined);
  const replaced = of("replace");
  const renamedTests = renames.filter(isTest).length;
  const rest = costs.histories.count - renamedTests;
  return [
    ...updateSentences(groups, of("update")),
    ...[...Map.groupBy(renames, renameVerb)].map(([verb, steps]) => {
      const tests = steps.filter(isTest).length;
      return phrase`${ours(verb === "moved" ? "Moves" : "Renames")} ${nouns(steps)} ${strong("without an alias")}${ours(lost(tests))}.`;
    }),
    ...(replaced.length > 0 ? [phrase`${strong("Replaces")} ${nouns(replaced)}${names(replaced)}.`] : []),
    ...(deletes.length > 0 ? [phrase`${strong("Deletes")} ${nouns(deletes)}${names(deletes)}.`] : []),
    ...(rest > 0 ? [ours(`${replaced.length > 0 || deletes.length > 0 ? "This ends" : "Ends"} ${histories(rest)}.`)] : []),
    ...(creates.length > 0 ? [phrase`Creates ${nouns(creates)}${names(creates)}.`] : []),
    ...otherSentences(changes),
  ];
}

function updateSentences(groups: readonly ChangeGroup[], updates: readonly JudgedStep[]): Phrase[] {
  if (updates.length === 0) return [];
  const updating = groups.filter(({ members: [first] }) => first.outcome === "update");
  const byProperty = Map.groupBy(updating, ({ members: [first] }) => first.changes.map(({ property }) => property).join(" "));
  if (byProperty.size > maxUpdates || byProperty.has("")) return [phrase`Updates ${nouns(updates)}${names(updates)}.`];
  return [...byProperty.values()].map((all) => {
    const members = all.flatMap((group) => group.members);
    const properties = all[0]?.members[0].changes.map(({ property }) => [word(property)]) ?? [];
    return phrase`Changes ${joined(properties, ", ")} of ${nouns(members)}${names(members)}.`;
  });
}

function otherSentences(changes: readonly JudgedStep[]): Phrase[] {
  return (["adopt", "forget", "options"] as const).flatMap((outcome) => {
    const steps = changes.filter((step) => step.outcome === outcome);
    if (steps.length === 0) return [];
    const verb = steps.length === 1 ? "is" : "are";
    return [phrase`${nouns(steps)} ${ours(`${verb} ${outcomeWords[outcome]}`)}.`];
  });
}

function nouns(steps: readonly JudgedStep[]): Phrase {
  return ours(nounsOf(steps.map(({ kind }) => kind.noun)));
}

/** ` ("site-40")`: the name of the only resource, or the words that all names share. */
function names(steps: readonly JudgedStep[]): Phrase {
  const [first = "", ...others] = steps.map(({ name }) => name);
  const shared = others.reduce((words, name) => longestShared(words, tokensOf(name)), tokensOf(first)).join("");
  return shared === "" ? [] : phrase` (${word(shared)})`;
}

/** Returns the longest run of words that is in both names, without separators at its ends. */
function longestShared(a: readonly string[], b: readonly string[]): string[] {
  const text = `\0${b.join("\0")}\0`;
  for (let length = a.length; length > 0; length -= 1) {
    for (let start = 0; start + length <= a.length; start += 1) {
      const run = a.slice(start, start + length);
      const isWhole = [run[0], run.at(-1)].every((end) => /[\p{L}\p{N}]/u.test(end ?? ""));
      if (isWhole && text.includes(`\0${run.join("\0")}\0`)) return run;
    }
  }
  return [];
}

function isTest({ kind }: JudgedStep): boolean {
  return kind.reach?.means === "test";
}

function lost(tests: number): string {
  if (tests === 0) return "";
  return tests === 1 ? ": it loses its result history" : `: they lose ${count(tests)} result histories`;
}

function histories(number: number): string {
  return counted(number, "result history", "result histories");
}
