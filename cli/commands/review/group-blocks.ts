import { positionText } from "../../../common/position";
import { changesInLine } from "../../report/changes";
import { type Block, type Countable, type ListItem, restText, type Table } from "../../report/document";
import { joined, ours, phrase, type Phrase, place, strong, word, words } from "../../../common/phrase";
import { compareNames, counted } from "../../../common/text";
import { formerNames, sharedChange } from "../../../plan/groups";
import type { ChangeGroup, JudgedStep } from "../../../plan/judge/model";
import type { Names } from "../../../plan/judge/names";
import { newParent, renameVerb } from "../../../plan/judge/rename-findings";
import { outcomeWords } from "../../../plan/judge/review";
import { rangeOf } from "./names";
import { gist, outcomeMarks, reachText, titlesIn } from "./wording";

const [maxRows, maxGroups] = [8, 8];

/** Returns a list item such as `~ updated 39 HTTP server tests (site-01 … site-39): interval: 60 → 300 [selects-all]`. */
export function groupLine(group: ChangeGroup, names: Names): ListItem {
  const [first] = group.members;
  const mark = first.renamedFrom ? ({ sign: "→", tone: "magenta" } as const) : outcomeMarks[first.outcome];
  return { mark, text: groupPhrase(group, names), ...countableOf(group) };
}

/** Returns the label and the number of resources for a group that the report may omit and only count. */
function countableOf({ members: [first, ...others] }: ChangeGroup): Required<Countable> {
  return { label: first.renamedFrom ? renameVerb(first) : outcomeWords[first.outcome], count: others.length + 1 };
}

function groupPhrase(group: ChangeGroup, names: Names): Phrase {
  const { members, rules } = group;
  const [first] = members;
  const isOne = members.length === 1;
  const why = isOne ? gist(first, names) : groupGist(group, names);
  const checks = isOne || rules.length === 0 ? [] : phrase` [checks: ${words(rules)}]`;
  const subject = isOne
    ? phrase`${ours(first.kind.noun)} ${first.name}`
    : phrase`${ours(counted(members.length, first.kind.noun))} (${rangeOf(
        members.map(({ name }) => name),
        group.exceptions,
      )})`;
  return phrase`${outcomePhrase(first)} ${subject}${formerPlace(group)}${why.length > 0 ? phrase`: ${why}` : []}${checks}`;
}

function outcomePhrase(step: JudgedStep): Phrase {
  if (step.renamedFrom) return strong(renameVerb(step));
  const done = outcomeWords[step.outcome];
  return step.outcome === "delete" || step.outcome === "replace" ? strong(done) : ours(done);
}

/** Returns a phrase such as ` from hr-site-01 … hr-site-40, without an alias`. */
function formerPlace({ members, formerExceptions }: ChangeGroup): Phrase {
  const [first] = members;
  if (!first.renamedFrom) return [];
  const former = formerNames(members).toSorted(compareNames);
  const from = renameVerb(first) === "moved" ? newParent(first) : phrase` from ${rangeOf(former, formerExceptions)}`;
  return phrase`${from}, without an alias`;
}

/**
 * Returns the changes that all members of a group share. If the members have different values of a property, the result contains only the
 * property's name.
 */
function groupGist(group: ChangeGroup, names: Names): Phrase {
  const [first] = group.members;
  if (group.hasEqualValues && first.outcome !== "create" && first.op !== "adopt") return gist(first, names);
  if (first.outcome === "create" || first.outcome === "delete" || first.outcome === "forget") return [];
  const parts = first.changes.map((change) => {
    const shared = sharedChange(group, change.property);
    return shared ? changesInLine([shared], titlesIn(names)) : phrase`${word(change.property)} (different values)`;
  });
  return joined(parts, "; ");
}

/** Returns a table of the ungrouped resources, and a collapsed block for each group. */
export function resourceBlocks(groups: readonly ChangeGroup[], names: Names): Block[] {
  const singles = groups.filter(({ members }) => members.length === 1);
  const several = groups.filter(({ members }) => members.length > 1);
  const folded = several.map((group): Block => {
    return { kind: "folded", summary: groupPhrase(group, names), blocks: [resourceTable([...group.members], names)] };
  });
  const stepsOf = (parts: readonly ChangeGroup[]): JudgedStep[] => parts.map(({ members: [step] }) => step);
  const [shown, more] = [stepsOf(singles.slice(0, maxRows)), singles.slice(maxRows)];
  const moreGroups = folded.slice(maxGroups);
  const rest = [...moreGroups, ...(more.length > 0 ? [resourceTable(stepsOf(more), names)] : [])];
  const summary = restText([...several.slice(maxGroups), ...more].map(countableOf), "resource");
  return [
    ...folded.slice(0, maxGroups),
    ...(shown.length > 0 ? [resourceTable(shown, names)] : []),
    ...(rest.length > 0 ? [{ kind: "folded" as const, summary: [summary], blocks: rest }] : []),
  ];
}

function resourceTable(changes: readonly JudgedStep[], names: Names): Table {
  const hasReach = changes.some(({ reach }) => reach);
  const rows = changes.map((change) => {
    const cells = [
      outcomePhrase(change),
      joined([phrase`${ours(change.kind.noun)} ${word(change.name)}`, ...titleFacts(change)], " "),
      ...(hasReach ? [ours(reachText(change))] : []),
      joined(
        [renameNote(change), gist(change, names)].filter((part) => part.length > 0),
        "; ",
      ),
    ];
    return { cells, label: change.renamedFrom ? renameVerb(change) : outcomeWords[change.outcome] };
  });
  return { kind: "table", noun: "resource", head: ["Change", "Resource", ...(hasReach ? ["Agents"] : []), "Details"], rows };
}

/** Returns a phrase such as `from hr-site-01 (id 12)`. */
function renameNote(step: JudgedStep): Phrase {
  const { renamedFrom: from } = step;
  if (!from) return [];
  const id = phrase`id ${word(from.state?.id ?? "")}`;
  return renameVerb(step) === "moved" ? phrase`${newParent(step).slice(1)} (${id})` : phrase`from ${word(from.name)} (${id})`;
}

/** Returns phrases such as `(Company portal)` and `index.ts:12`. */
export function titleFacts({ name, title, position }: JudgedStep): Phrase[] {
  return [
    ...(title === undefined || title === name ? [] : [phrase`(${word(title)})`]),
    ...(position ? [[place(positionText(position))]] : []),
  ];
}
