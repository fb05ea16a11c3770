import type { Finding } from "../../../common/finding";
import { changeLines } from "../../report/changes";
import {
  type Block,
  type ChangeEntry,
  heading,
  type ListItem,
  list,
  type Report,
  restText,
  section,
  text,
} from "../../report/document";
import { linesOf } from "../../report/width";
import { joined, ours, phrase, type Phrase, phraseText, strong, word } from "../../../common/phrase";
import { capitalized, counted } from "../../../common/text";
import { type FindingLine, groupFindings, shownFindings, stepsOf } from "./groups";
import { outcomeWords } from "../../../plan/judge/review";
import { factsOf, headline } from "./facts";
import { groupLine, resourceBlocks, titleFacts } from "./group-blocks";
import { summarySentences } from "./sentences";
import { todoSentence } from "./todo";
import { loadBlocks, loadFigures, pageLoad } from "./load";
import { notes, outcomeMarks, reachText, titlesIn } from "./wording";
import type { CheckName } from "../../../plan/judge/checks";
import type { Judgement } from "../../../plan/judge/model";

/** Maximum number of resources that a terminal shows with all properties, or that Markdown shows unfolded. */
const maxInFull = 5;
/** Limits of a shortened review on a terminal: total lines, lines for findings, and columns. */
const [maxLines, maxFindingLines, columns] = [25, 12, 80];
/** Minimum number of terminal lines for resources. The minimum leaves space for a sentence about omitted resources. */
const minResourceLines = 3;
const maxPageFindings = 12;
/** Maximum number of lines for findings on a terminal. Above the maximum, all findings of a check share a line. */
const maxChecks = 6;
/** Maximum number of warnings that Markdown shows unfolded. */
const maxWarnings = 5;

export interface ReviewOptions {
  readonly details?: boolean;
  /** Sentence that follows a shortened review on a terminal. */
  readonly hint?: string;
  /** Whether the command will apply the change itself, so that the review omits advice about merging. */
  readonly isDecided?: boolean;
}

export function reviewReport(judgement: Judgement, options: ReviewOptions = {}): Report {
  return {
    data: judgement.review,
    findings: reviewFindings(judgement),
    blocks: (medium) => (medium === "markdown" ? pageOf(judgement) : terminalOf(judgement, options)),
  };
}

function reviewFindings({ review, findings }: Judgement): Finding[] {
  const subject = { noun: "stack", name: review.stack };
  const whole: Finding = { rule: "review", level: "passed", subject, text: [headline(review)] };
  return [whole, ...findings.map((finding) => ({ ...finding, rule: `review/${finding.rule}` }))];
}

function pageOf(judgement: Judgement): Block[] {
  const { review, changes, groups, warnings, names } = judgement;
  const { load, stack } = review;
  const facts = factsOf(review);
  const entries = entriesOf(judgement, true);
  const summary = [`All properties (${counted(changes.length, "resource")})`];
  return [
    heading(phrase`Endpoint monitoring${stack === "" ? [] : phrase`, stack ${word(stack)}`}: ${ours(headline(review))}`),
    ...headOf(judgement, {}).map((line) => text(line)),
    ...(facts.length > 0 ? [text(joined(facts, " · "))] : []),
    ...warningBlocks(warnings),
    ...findingBlocks(judgement),
    ...(groups.length > 0 ? [heading(["Resources"], 4), ...resourceBlocks(groups, names)] : []),
    ...(load ? pageLoad(load, changes.length > maxInFull) : []),
    ...(changes.length > maxInFull
      ? [{ kind: "folded" as const, summary, blocks: [entries] }]
      : section(["All properties"], entries, 4)),
  ];
}

function headOf(judgement: Judgement, { isDecided = false }: ReviewOptions): Phrase[] {
  const { changes, review } = judgement;
  const sentences = changes.length > 0 ? [joined(summarySentences(judgement), " ")] : [];
  return [...sentences, ...(isDecided || review.notPreviewed ? [] : [todoSentence(judgement)])];
}

function warningBlocks(warnings: readonly Phrase[]): Block[] {
  const [shown, more] = [warnings.slice(0, maxWarnings), warnings.slice(maxWarnings)];
  if (shown.length === 0) return [];
  const summary = [`… and ${counted(more.length, "more warning")}`];
  return [
    { ...list("warning", shown), style: "warnings" },
    ...(more.length > 0 ? [{ kind: "folded" as const, summary, blocks: [list("warning", more)] }] : []),
  ];
}

/** Returns the review for a terminal, with at most 25 lines unless the user requests details. */
function terminalOf(judgement: Judgement, options: ReviewOptions): Block[] {
  const { review, changes, groups, names } = judgement;
  const { details = false, hint = "For all properties add --details, --markdown FILE or --json." } = options;
  const { load, stack } = review;
  const facts = factsOf(review);
  const findings = shownFindings(judgement);
  const title = phrase`${stack === "" ? [] : phrase`Stack ${word(stack)}: `}${ours(headline(review))}`;
  const summary = headOf(judgement, options);
  const figures = load ? [ours(`Load: ${loadFigures(load)}`)] : [];
  const last = [...figures, [hint]];
  // Empty lines precede the facts, the findings, the resources and the last lines.
  const availableLines = maxLines - heightOf([title, ...summary, ...facts, ...last]) - summary.length - facts.length - 4;
  const isShort = !details && changes.length > maxInFull;
  const items = isShort
    ? shortFindings(findings, judgement, Math.min(maxFindingLines, availableLines - minResourceLines))
    : findings.map(findingItem);
  const head: Block[] = [
    heading(title, facts.length === 0 && summary.length === 0 ? 2 : 3),
    ...summary.map((line) => text(line)),
    ...facts.map((fact) => text(fact)),
    ...section([`Findings (${findings.length})`], { kind: "list", noun: "finding", items }),
  ];
  if (!isShort) {
    return [...head, ...(changes.length > 0 ? [entriesOf(judgement, false)] : []), ...(load ? loadBlocks(load) : [])];
  }
  const shown = fitted(
    groups.map((group) => groupLine(group, names)),
    availableLines - heightOfItems(items),
    "resource",
  );
  return [...head, { kind: "list", noun: "resource", items: shown.map(({ label: _label, ...item }) => item) }, text(...last)];
}

/** Returns the findings in as few lines as necessary. If the terminal has too few lines, all findings of a check share a line. */
function shortFindings(findings: readonly Finding<CheckName>[], judgement: Judgement, availableLines: number): ListItem[] {
  const steps = stepsOf(judgement);
  const each = groupFindings(findings, steps, maxChecks).map(findingItem);
  if (heightOfItems(each) <= availableLines) return each;
  return fitted(groupFindings(findings, steps, 1).map(findingItem), availableLines, "finding");
}

function findingItem(finding: FindingLine): ListItem {
  return { label: finding.rule, count: finding.count ?? 1, text: withFix(finding) };
}

/** Capitalizes a finding, because in Markdown the name of the check does not precede the finding. */
function sentenceItem(finding: FindingLine): ListItem {
  const { text: sentence, ...item } = findingItem(finding);
  const [first, ...others] = sentence;
  return { ...item, text: typeof first === "string" ? [capitalized(first), ...others] : sentence };
}

/** Returns the items that fit on a terminal, and an item that counts the omitted items. */
function fitted(items: readonly ListItem[], availableLines: number, noun: string): ListItem[] {
  if (heightOfItems(items) <= availableLines) return [...items];
  // The text that counts omitted items is longest if it counts all items.
  let used = heightOfItem({ text: [restText(items, noun)] });
  const shown: ListItem[] = [];
  for (const item of items) {
    used += heightOfItem(item);
    if (used > availableLines) break;
    shown.push(item);
  }
  return [...shown, { text: [restText(items.slice(shown.length), noun)] }];
}

function heightOf(lines: readonly Phrase[]): number {
  return lines.reduce((sum, line) => sum + linesOf(phraseText(line), columns).length, 0);
}

function heightOfItems(items: readonly ListItem[]): number {
  return items.reduce((sum, item) => sum + heightOfItem(item), 0);
}

function heightOfItem({ text: sentence, label }: ListItem): number {
  return linesOf(`  ${label === undefined ? "" : `${label}: `}${phraseText(sentence)}`, columns, 4).length;
}

/** Returns a finding and its fix as two sentences. */
function withFix({ text: sentence, fix }: Finding): Phrase {
  const [first, ...others] = fix ?? [];
  return typeof first === "string" ? phrase`${sentence}. ${[capitalized(first), ...others]}` : sentence;
}

/**
 * Returns the findings for Markdown. If a check has many findings, these findings share a line. A folded part of the report lists all
 * findings.
 */
function findingBlocks(judgement: Judgement): Block[] {
  const findings = shownFindings(judgement);
  if (findings.length === 0) return [];
  const lines = groupFindings(findings, stepsOf(judgement), maxPageFindings).map(sentenceItem);
  const [shown, more] =
    lines.length > maxPageFindings ? [lines.slice(0, maxPageFindings - 1), lines.slice(maxPageFindings - 1)] : [lines, []];
  const rest: ListItem[] = more.length > 0 ? [{ text: [restText(more, "finding")] }] : [];
  const summary = [`Each finding (${findings.length})`];
  const each: Block = { kind: "list", noun: "finding", items: findings.map(sentenceItem) };
  return [
    heading([`Findings (${findings.length})`], 4),
    { kind: "list", noun: "finding", items: [...shown, ...rest] },
    ...(lines.length < findings.length || rest.length > 0 ? [{ kind: "folded" as const, summary, blocks: [each] }] : []),
  ];
}

function entriesOf({ changes, names }: Judgement, isPage: boolean): Block {
  const nameOf = titlesIn(names);
  const entries = changes.map((change): ChangeEntry => {
    const [mark, done] = [outcomeMarks[change.outcome], outcomeWords[change.outcome]];
    // In Markdown, a table already contains the numbers of agents.
    const reach = isPage ? "" : reachText(change);
    return {
      mark,
      label: done,
      title: phrase`${strong(done)} ${ours(change.kind.noun)} ${word(change.name)}`,
      facts: [...titleFacts(change), ...(reach === "" ? [] : [ours(`agents ${reach}`)])],
      changes: changeLines(change.changes, nameOf),
      notes: notes(change, nameOf),
    };
  });
  return { kind: "entries", noun: "resource", entries };
}
