import type { Finding } from "../../../common/finding";
import { lastWord } from "../../../provider/imported-kinds";
import { fewNames, ours, phrase, type Phrase, phraseText, strong } from "../../../common/phrase";
import { compareText, counted } from "../../../common/text";
import { checkNames, type CheckName } from "../../../plan/judge/checks";

/** Most findings of a check that have a line each. */
const maxEach = 5;
const maxNames = 3;

/** Most different fixes of a check that have a line each. */
const maxFixes = 3;

/** The fix of findings of a check with many different ones. */
const severalFixes: Partial<Record<CheckName, Phrase>> = {
  renamed: ours("add the former name or URN of each to aliases in its resource options: --details lists them"),
};

/** The predicate for many findings of a check. Findings of other checks are few, and have a line each. */
const commonPredicates: Partial<Record<CheckName, string>> = {
  pending: "are left by earlier updates, to be deleted or after an interruption",
  protected: "are protected, so the engine refuses to delete or replace them until they are unprotected",
  renamed: "look renamed or moved without an alias, and lose their ids and histories",
  deletes: "are deleted",
  "adopts-foreign": "are adopted although other stacks manage their records",
  doubled: "have equal records in the service, which other stacks or users created",
  replacements: "are replaced",
  "derived-replacement": "are replaced only because the service returns values that no program can declare",
  options: "get other options",
  "unknown-value": "have values that are known only during the update",
  "label-in-use": "are deleted or replaced, while tests that stay as they are select by them",
  "loses-references": "are named by alert rules or streams, which will lose them",
  "selects-none": "select no agent",
  "selects-all": "select every agent",
  "reach-moved": "move to other agents",
  "too-often": "run too often on agents of a license",
  secrets: "have secrets that change, or may",
  "unknown-reach": "select agents that are not known",
};

/** Puts findings into few lines: many of a check share a line, and if there are too many lines, all of a check. */
export function groupFindings(findings: readonly Finding<CheckName>[], maxLines = checkNames.length): Finding<CheckName>[] {
  const grouped = (most: number): Finding<CheckName>[] =>
    [...Map.groupBy(findings, ({ rule }) => rule)].flatMap(([rule, all]) => {
      const predicate = commonPredicates[rule];
      const alike = predicate === undefined ? [] : all.filter(({ subject }) => subject);
      if (alike.length <= most) return all;
      const byFix = [...Map.groupBy(alike, ({ fix }) => fix && phraseText(fix))];
      const parts = byFix.length <= maxFixes ? byFix.map(([, part]) => part) : [alike];
      const shared = byFix.length <= maxFixes ? undefined : severalFixes[rule];
      return [
        ...parts.map((part) => togetherOf(rule, predicate ?? "", part, shared ?? part[0]?.fix)),
        ...all.filter(({ subject }) => !subject),
      ];
    });
  const groups = grouped(maxEach);
  return groups.length > maxLines ? grouped(1) : groups;
}

/** Returns the finding about many subjects: their number, the shared predicate, the first names, and the fix. */
function togetherOf(
  rule: CheckName,
  predicate: string,
  findings: readonly Finding<CheckName>[],
  fix: Phrase | undefined,
): Finding<CheckName> {
  const subjects = findings.flatMap(({ subject }) => subject ?? []);
  const names = fewNames(subjects.map(({ name }) => name).toSorted(compareText), maxNames);
  const text = phrase`${ours(nounsOf(subjects.map(({ noun }) => noun)))} ${strong(predicate)}: ${names}`;
  return { rule, level: "warning", text, ...(fix && { fix }) };
}

/** `12 HTTP-server tests`, `12 tests`, `12 labels and tests` */
export function nounsOf(all: readonly string[]): string {
  const nouns = [...new Set(all)];
  if (nouns.length === 1) return counted(all.length, nouns[0] ?? "");
  const kinds = [...new Set(nouns.map(lastWord))].toSorted(compareText).map((noun) => `${noun}s`);
  const [last = "", ...before] = kinds.toReversed();
  const plural = before.length === 0 ? last : `${before.toReversed().join(", ")} and ${last}`;
  return counted(all.length, plural, plural);
}
