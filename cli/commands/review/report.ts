import type { Finding } from "../../../common/finding";
import { changeLines } from "../../report/changes";
import {
  type Block,
  type ChangeEntry,
  heading,
  type ListItem,
  list,
  type Report,
  section,
  table,
  text,
} from "../../report/document";
import { joined, ours, phrase, type Phrase, strong, word, words } from "../../../common/phrase";
import { capitalized, count, counted } from "../../../common/text";
import { groupFindings } from "./groups";
import { type OpenReach, outcomeWords, type Review } from "../../../plan/judge/review";
import { groupLine, resourceBlocks, titleFacts } from "./group-blocks";
import { summarySentences } from "./sentences";
import { loadNotes, loadRows, notes, outcomeMarks, reachText, titlesIn } from "./wording";
import { groupsOf } from "../../../plan/groups";
import type { Judgement } from "../../../plan/judge/model";

/** Resources that are shown property by property on a terminal, and unfolded in Markdown. */
const maxInFull = 5;
/** Lines of a review of more resources than that on a terminal, and those of them that are for findings. */
const [maxLines, maxFindingLines] = [25, 10];

/** A review as it is shown. @param details everything on the terminal, too, however long */
export function reviewReport(judgement: Judgement, details = false): Report {
  return {
    data: judgement.review,
    findings: reviewFindings(judgement),
    blocks: (medium) => blocksOf(judgement, medium === "markdown", details),
  };
}

function reviewFindings({ review, findings }: Judgement): Finding[] {
  const subject = { noun: "stack", name: review.stack };
  const whole: Finding = { rule: "review", level: "passed", subject, text: [headline(review)] };
  return [whole, ...findings.map((finding) => ({ ...finding, rule: `review/${finding.rule}` }))];
}

/** The blocks of a page or a terminal. A page has the whole, and folds what is long; a terminal is short unless `details`. */
function blocksOf(judgement: Judgement, isPage: boolean, details: boolean): Block[] {
  const { review, changes, findings, warnings, names } = judgement;
  const { approval, load, stack } = review;
  const nothing = `no findings${warnings.length > 0 ? ", as far as is known" : ""}`;
  const facts = [
    ...(isPage && stack !== "" ? [phrase`stack ${word(stack)}`] : []),
    ...addressFacts(review),
    ...agentsFacts(review),
    ...(isPage ? [findings.length === 0 ? ours(nothing) : strong(counted(findings.length, "finding"))] : []),
    ...(approval ? [phrase`approval ${word(approval.digest)}`] : []),
  ];
  const entries = entriesOf(judgement, isPage);
  const groups = groupsOf(changes, findings);
  const sentences = changes.length > maxInFull ? [joined(summarySentences(judgement, groups), " ")] : [];
  const loaded = load ? loadBlocks(load) : [];
  if (isPage) {
    const summary = [`Property by property (${counted(changes.length, "resource")})`];
    return [
      heading([`Endpoint monitoring: ${headline(review)}`]),
      ...(sentences.length > 0 ? [text(...sentences)] : []),
      text(joined(facts, " · ")),
      ...(warnings.length > 0 ? [{ ...list("warning", warnings), style: "warnings" as const }] : []),
      ...findingBlocks(judgement),
      ...(groups.length > 0 ? [heading(["Resources"], 4), ...resourceBlocks(groups, names)] : []),
      ...loaded,
      ...(changes.length > maxInFull
        ? [{ kind: "folded" as const, summary, blocks: [entries] }]
        : section(["Property by property"], entries, 4)),
    ];
  }
  const items = (details ? findings : groupFindings(findings, maxFindingLines)).map((finding): ListItem => ({
    label: finding.rule,
    text: withFix(finding),
  }));
  const title = phrase`${stack === "" ? [] : phrase`Stack ${word(stack)}: `}${ours(headline(review))}`;
  const head: Block[] = [
    heading(title, facts.length === 0 ? 2 : 3),
    ...sentences.map((sentence) => text(sentence)),
    ...facts.map((fact) => text(fact)),
    ...(findings.length === 0 ? [text([`${nothing}.`])] : []),
    ...section([`Findings (${findings.length})`], { kind: "list", noun: "finding", style: "checklist", items }),
  ];
  if (details || changes.length <= maxInFull) return [...head, ...(changes.length > 0 ? [entries] : []), ...loaded];
  const figures = load && loadRows(load).map(([what, was, is]) => `${what} ${was === is ? is : `${was} → ${is}`}`);
  const last = [
    ...(figures ? [ours(`Load: ${figures.join("; ")}`)] : []),
    ["Property by property: --details, --markdown FILE or --json"],
  ];
  // The title, the heading of the findings, and the three empty lines between these, the resources and the last lines.
  const room = Math.max(1, maxLines - 5 - sentences.length - facts.length - items.length - last.length);
  const shown = groups.length > room ? groups.slice(0, room - 1) : groups;
  const left = groups.slice(shown.length).reduce((sum, { members }) => sum + members.length, 0);
  const lines = [
    ...shown.map((group) => groupLine(group, names)),
    ...(left > 0 ? [{ text: [`… and ${counted(left, "more resource")}`] }] : []),
  ];
  return [...head, { kind: "list", noun: "resource", items: lines }, text(...last)];
}

/** `… loses its result history. Add aliases: [{ name: "old" }] to the resource options at index.ts:12` */
function withFix({ text: sentence, fix }: Finding): Phrase {
  const [first, ...others] = fix ?? [];
  return typeof first === "string" ? phrase`${sentence}. ${[capitalized(first), ...others]}` : sentence;
}

/** Reports many findings of a word in one line. All of them follow one by one, folded. */
function findingBlocks({ findings }: Judgement): Block[] {
  if (findings.length === 0) return [];
  const groups = groupFindings(findings);
  const summary = [`One by one (${counted(findings.length, "finding")})`];
  return [
    heading(["Findings"], 4),
    { ...list("finding", groups, withFix), style: "checklist" },
    ...(groups.length < findings.length
      ? [{ kind: "folded" as const, summary, blocks: [list("finding", findings, withFix)] }]
      : []),
  ];
}

function loadBlocks(load: NonNullable<Review["load"]>): Block[] {
  const remarks = loadNotes(load);
  return [
    heading(phrase`Load (account group ${words(load.accountGroups)})`, 4),
    table(
      "number",
      ["", "now", "afterwards"],
      loadRows(load).map((row) => row.map(ours)),
    ),
    ...(remarks.length > 0 ? [list("note", remarks)] : []),
  ];
}

function entriesOf({ changes, names }: Judgement, isPage: boolean): Block {
  const nameOf = titlesIn(names);
  const entries = changes.map((change): ChangeEntry => {
    const [mark, done] = [outcomeMarks[change.outcome], outcomeWords[change.outcome]];
    // A page has these numbers in its table.
    const reach = isPage ? "" : reachText(change);
    return {
      mark,
      title: phrase`${strong(done)} ${ours(change.kind.noun)} ${word(change.name)}`,
      facts: [...titleFacts(change), ...(reach === "" ? [] : [ours(`agents ${reach}`)])],
      changes: changeLines(change.changes, nameOf),
      notes: notes(change),
    };
  });
  return { kind: "entries", noun: "resource", entries };
}

/** `2 created, 1 replaced`, and how many of other providers. */
function headline({ summary, notPreviewed }: Review): string {
  if (notPreviewed) return "not previewed, as that would send the token";
  const [own, others] = [numbersText(summary), numbersText({ ...summary.others, adopted: 0 })];
  const what = own === "" ? "nothing changes" : own;
  return others === "" ? what : `${what} (and of other providers ${others})`;
}

function numbersText(numbers: Review["summary"]["others"] & { adopted: number }): string {
  const parts = (["created", "adopted", "updated", "replaced", "deleted", "forgotten"] as const).flatMap((what) =>
    numbers[what] > 0 ? [`${count(numbers[what])} ${what}`] : [],
  );
  return parts.join(", ");
}

/** `agents reached: 12 (cannot tell 3) → 25` */
function agentsFacts({ summary: { agents } }: Review): Phrase[] {
  if (!agents) return [];
  const side = (number: number, { unclear, unknown }: OpenReach = {}): string => {
    const open = [
      ...(unclear === undefined ? [] : [`cannot tell ${count(unclear)}`]),
      ...(unknown === undefined ? [] : [`without ${counted(unknown, "resource")} whose agents are not known`]),
    ];
    return open.length === 0 ? count(number) : `${count(number)} (${open.join("; ")})`;
  };
  const [before, after] = [side(agents.before, agents.open?.before), side(agents.after, agents.open?.after)];
  return [ours(`agents ${agents.chosen ? "selected" : "reached"}: ${before} → ${after}`)];
}

/** `service api.example.com (environment), account group 1001 (configuration), token (environment)` */
function addressFacts({ address }: Review): Phrase[] {
  if (!address || address.settings.length === 0) return [];
  const nouns: Partial<Record<string, string>> = { baseUrl: "service", accountGroupId: "account group" };
  const facts = address.settings.map(({ name, from, value }) => {
    const shown = name === "baseUrl" ? address.host : value;
    return phrase`${ours(nouns[name] ?? name)}${shown === undefined ? [] : phrase` ${word(shown)}`} (${ours(from)})`;
  });
  return [joined(facts, ", ")];
}
