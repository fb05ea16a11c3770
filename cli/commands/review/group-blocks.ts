import { positionText } from "../../../common/position";
import { changesInLine } from "../../report/changes";
import { type Block, type ListItem, table } from "../../report/document";
import { joined, ours, phrase, type Phrase, place, strong, word, words } from "../../../common/phrase";
import { counted } from "../../../common/text";
import { type ChangeGroup, sharedChange } from "../../../plan/groups";
import type { JudgedStep } from "../../../plan/judge/model";
import type { Names } from "../../../plan/judge/names";
import { renameVerb } from "../../../plan/judge/rename-findings";
import { outcomeWords } from "../../../plan/judge/review";
import { gist, outcomeMarks, reachText, titlesIn } from "./wording";

/** Most rows and groups that a page shows unfolded. */
const [maxRows, maxGroups] = [15, 15];

/** `~ updated 39 HTTP-server tests (site-01 … site-39): interval: 60 → 300 [selects-all]` */
export function groupLine(group: ChangeGroup, names: Names): ListItem {
  const [first] = group.members;
  return { mark: outcomeMarks[first.renamedFrom ? "replace" : first.outcome], text: groupPhrase(group, names) };
}

function groupPhrase(group: ChangeGroup, names: Names): Phrase {
  const { members, rules } = group;
  const [first] = members;
  const isOne = members.length === 1;
  const why = isOne ? gist(first, names) : groupGist(group, names);
  const checks = isOne || rules.length === 0 ? [] : phrase` [${words(rules)}]`;
  const subject = isOne
    ? phrase`${ours(first.kind.noun)} ${first.name}`
    : phrase`${ours(counted(members.length, first.kind.noun))} (${range(members.map(({ name }) => name))})`;
  return phrase`${outcomePhrase(first)} ${subject}${formerNames(group)}${why.length > 0 ? phrase`: ${why}` : []}${checks}`;
}

function outcomePhrase(step: JudgedStep): Phrase {
  if (step.renamedFrom) return strong(renameVerb(step));
  const done = outcomeWords[step.outcome];
  return step.outcome === "delete" || step.outcome === "replace" ? strong(done) : ours(done);
}

/** ` from hr-site-01 … hr-site-40, without an alias` */
function formerNames({ members }: ChangeGroup): Phrase {
  const former = members.flatMap(({ name, renamedFrom }) =>
    renamedFrom && renamedFrom.name !== name ? [renamedFrom.name] : [],
  );
  const from = former.length === 0 ? [] : phrase` from ${range(former)}`;
  return members[0].renamedFrom ? phrase`${from}, without an alias` : [];
}

/** `site-01 … site-39` */
function range(names: readonly string[]): Phrase {
  const ends = names.length === 1 ? names.slice(0, 1) : [names[0] ?? "", names.at(-1) ?? ""];
  return joined(
    ends.map((name) => [word(name)]),
    " … ",
  );
}

/** Returns the changes that all members of a group share. A property with different values has its name only. */
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

/** The changed resources on a page: a table of those without equals, and each group as a line that opens to its members. */
export function resourceBlocks(groups: readonly ChangeGroup[], names: Names): Block[] {
  const singles = groups.flatMap(({ members: [first, ...others] }) => (others.length === 0 ? [first] : []));
  const several = groups.filter(({ members }) => members.length > 1);
  const folded = several.map((group): Block => {
    return { kind: "folded", summary: groupPhrase(group, names), blocks: [resourceTable(group.members, names)] };
  });
  const [rows, moreRows] = [singles.slice(0, maxRows), singles.slice(maxRows)];
  const [lines, moreLines] = [folded.slice(0, maxGroups), folded.slice(maxGroups)];
  const rest = [...moreLines, ...(moreRows.length > 0 ? [resourceTable(moreRows, names)] : [])];
  const left = several.slice(maxGroups).reduce((sum, { members }) => sum + members.length, moreRows.length);
  return [
    ...lines,
    ...(rows.length > 0 ? [resourceTable(rows, names)] : []),
    ...(rest.length > 0 ? [{ kind: "folded" as const, summary: [counted(left, "more resource")], blocks: rest }] : []),
  ];
}

function resourceTable(changes: readonly JudgedStep[], names: Names): Block {
  const hasReach = changes.some(({ reach }) => reach);
  const rows = changes.map((change): Phrase[] => {
    return [
      outcomePhrase(change),
      joined([phrase`${ours(change.kind.noun)} ${word(change.name)}`, ...titleFacts(change)], " "),
      ...(hasReach ? [ours(reachText(change))] : []),
      joined(
        [renameNote(change), gist(change, names)].filter((part) => part.length > 0),
        "; ",
      ),
    ];
  });
  return table("resource", ["Change", "Resource", ...(hasReach ? ["Agents"] : []), "What, or why"], rows);
}

/** `from hr-site-01 (id 12)` */
function renameNote({ renamedFrom: from }: JudgedStep): Phrase {
  return from ? phrase`from ${word(from.name)} (id ${word(from.state?.id ?? "")})` : [];
}

/** `(Company portal)  index.ts:12` */
export function titleFacts({ name, title, position }: JudgedStep): Phrase[] {
  return [
    ...(title === undefined || title === name ? [] : [phrase`(${word(title)})`]),
    ...(position ? [[place(positionText(position))]] : []),
  ];
}
