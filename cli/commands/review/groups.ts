import type { Finding } from "../../../common/finding";
import { fewNames, joined, ours, phrase, type Phrase, phraseText, strong, words } from "../../../common/phrase";
import { compareNames, counted } from "../../../common/text";
import { checkNames, type CheckName, manyFindings } from "../../../plan/judge/checks";
import { whyReplaced } from "../../../plan/judge/findings";
import type { JudgedStep, Judgement } from "../../../plan/judge/model";
import { failsAtCreate, newParent, renameVerb } from "../../../plan/judge/rename-findings";
import { lastWord } from "../../../provider/imported-kinds";

/** Maximum number of findings per check that appear on separate lines. */
const maxEach = 5;
const maxNames = 3;

/** Maximum number of lines for a check with findings that have different reasons or fixes. */
const maxParts = 3;

/** Advice that replaces many different fixes for the findings of one check. */
const severalFixes: Partial<Record<CheckName, Phrase>> = {
  renamed: ours("add each former name or URN to aliases in the resource options: --details lists the former names and URNs"),
};

/** A finding, or a line that summarizes many findings of one check. */
export interface FindingLine extends Finding<CheckName> {
  count?: number;
}

/**
 * Groups findings, so that findings of the same check share a line. If the result still has too many lines, all findings of a check share
 * one line.
 *
 * @param steps the reviewed steps by URN. The steps contain the reasons for the findings
 */
export function groupFindings(
  findings: readonly Finding<CheckName>[],
  steps: ReadonlyMap<string, JudgedStep> = new Map(),
  maxLines = checkNames.length,
): FindingLine[] {
  const grouped = (most: number): FindingLine[] =>
    [...Map.groupBy(findings, ({ rule }) => rule)].flatMap(([rule, ofRule]): FindingLine[] => {
      const common = manyFindings[rule];
      const alike = common === undefined ? [] : ofRule.filter(({ subject }) => subject);
      if (common === undefined || alike.length <= most) return ofRule;
      const byReason = [...Map.groupBy(alike, (finding) => reasonOf(finding, steps))];
      const lines =
        byReason.length <= maxParts
          ? byReason.map(([, part]) => lineOf(rule, predicateOf(part[0], common, steps), part, part[0]?.fix))
          : [lineOf(rule, strong(common), alike, severalFixes[rule])];
      return [...lines, ...ofRule.filter(({ subject }) => !subject)];
    });
  const groups = grouped(maxEach);
  return groups.length > maxLines ? grouped(1) : groups;
}

export function stepsOf({ changes }: Judgement): ReadonlyMap<string, JudgedStep> {
  return new Map(changes.map((step) => [step.urn, step]));
}

/** Returns the findings that a report shows. A rename consists of two steps, but a report shows its findings only once. */
export function shownFindings({ findings, changes }: Judgement): Finding<CheckName>[] {
  const former = new Set(changes.flatMap(({ renamedFrom }) => renamedFrom?.urn ?? []));
  return findings.filter(({ rule, subject }) => rule !== "deletes" || !former.has(subject?.urn ?? ""));
}

/** Returns a key that is equal for findings with the same reason and fix. */
function reasonOf(finding: Finding<CheckName>, steps: ReadonlyMap<string, JudgedStep>): string {
  return [predicateOf(finding, "", steps), finding.fix ?? []].map((part) => phraseText(part)).join("\n");
}

function predicateOf(finding: Finding<CheckName> | undefined, common: string, steps: ReadonlyMap<string, JudgedStep>): Phrase {
  const step = steps.get(finding?.subject?.urn ?? "");
  if (finding?.rule === "renamed" && step?.renamedFrom) {
    const verb = renameVerb(step);
    const result = failsAtCreate(step) ? "so the update will fail" : lostText(step);
    return phrase`are ${strong(verb)}${verb === "moved" ? newParent(step) : []} ${strong("without an alias")}, ${strong(result)}`;
  }
  if (finding?.rule === "options" && step) {
    const options = step.changes.filter(({ property }) => property.startsWith("option "));
    return phrase`get ${strong("other options")} (${words(options.map(({ property }) => property))})`;
  }
  if (finding?.rule === "replacements" && step) return phrase`are ${strong("replaced")}${whyReplaced(step)}`;
  if (finding?.rule === "secrets" && phraseText(finding.text).includes("may change"))
    return strong("have secrets that may change");
  return strong(common);
}

function lostText({ kind }: JudgedStep): string {
  return kind.reach?.means === "test" ? "so their result histories are lost" : "so their ids are lost";
}

function lineOf(
  rule: CheckName,
  predicate: Phrase,
  findings: readonly Finding<CheckName>[],
  fix: Phrase | undefined,
): FindingLine {
  const subjects = findings.flatMap(({ subject }) => subject ?? []);
  // The names appear in the order of the nouns: for `1 tag and 10 tests`, the tag's name is first.
  const byNoun = [...Map.groupBy(subjects, ({ noun }) => noun).values()];
  const sorted = byNoun.flatMap((ofNoun) => ofNoun.map(({ name }) => name).toSorted(compareNames));
  const names = fewNames(sorted, maxNames);
  const text = phrase`${ours(nounsOf(subjects.map(({ noun }) => noun)))} ${predicate}: ${names}`;
  return { rule, level: "warning", text, count: findings.length, ...(fix && { fix }) };
}

/** Returns a string such as `1 tag and 10 HTTP server tests`, or `30 labels, tags and tests`. */
export function nounsOf(nouns: readonly string[]): string {
  const byNoun = [...Map.groupBy(nouns, (noun) => noun)].map(([noun, items]) => counted(items.length, noun));
  if (byNoun.length <= maxNames) return phraseText(andList(byNoun.map(ours)));
  const kinds = [...new Set(nouns.map(lastWord))].toSorted(compareNames);
  const plural = phraseText(andList(kinds.map((noun) => ours(`${noun}s`))));
  return counted(nouns.length, plural, plural);
}

/** Returns `a`, `a and b`, or `a, b and c`. */
export function andList(parts: readonly Phrase[]): Phrase {
  const [before, last] = [parts.slice(0, -1), parts.slice(-1)];
  return joined([...(before.length > 0 ? [joined(before, ", ")] : []), ...last], " and ");
}
