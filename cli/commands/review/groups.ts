import type { Finding } from "../../../common/finding";
import { lastWord } from "../../../provider/imported-kinds";
import { fewNames, ours, phrase, strong } from "../../../common/phrase";
import { compareText, counted } from "../../../common/text";
import { checkNames, type CheckName } from "../../../plan/judge/checks";

/** Most findings of a check that have a line each. */
const maxEach = 5;
const maxNames = 3;

/** The predicate for many findings of a check. Findings of other checks are few, and have a line each. */
const commonPredicates: Partial<Record<CheckName, string>> = {
  pending: "are left by earlier updates, to be deleted or after an interruption",
  protected: "are protected, so the engine refuses to delete or replace them until they are unprotected",
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
      const subjects = predicate === undefined ? [] : all.flatMap(({ subject }) => subject ?? []);
      if (subjects.length <= most) return all;
      const others = all.filter(({ subject }) => !subject);
      const names = fewNames(subjects.map(({ name }) => name).toSorted(compareText), maxNames);
      const text = phrase`${ours(nounsOf(subjects.map(({ noun }) => noun)))} ${strong(predicate ?? "")}: ${names}`;
      return [{ rule, level: "warning", text }, ...others];
    });
  const groups = grouped(maxEach);
  return groups.length > maxLines ? grouped(1) : groups;
}

/** `12 HTTP-server tests`, `12 tests`, `12 labels and tests` */
function nounsOf(all: readonly string[]): string {
  const nouns = [...new Set(all)];
  if (nouns.length === 1) return counted(all.length, nouns[0] ?? "");
  const kinds = [...new Set(nouns.map(lastWord))].toSorted(compareText).map((noun) => `${noun}s`);
  const [last = "", ...before] = kinds.toReversed();
  const plural = before.length === 0 ? last : `${before.toReversed().join(", ")} and ${last}`;
  return counted(all.length, plural, plural);
}
