import { joined, ours, phrase, type Phrase, strong } from "../../../common/phrase";
import { counted } from "../../../common/text";
import type { CheckName } from "../../../plan/judge/checks";
import type { Judgement } from "../../../plan/judge/model";
import { groupFindings, shownFindings, stepsOf } from "./groups";
import { lostHistories } from "./sentences";

const maxEdits = 2;

/** Checks with findings that the reader of a review should fix before merging. */
const fixable: readonly CheckName[] = ["renamed", "options"];
/**
 * Checks with findings about lost records. If result histories are lost, the review asks once for the consent of their owners, instead of
 * once for each finding.
 */
const losing: ReadonlySet<CheckName> = new Set(["deletes", "replacements", "secrets"]);

export function todoSentence(judgement: Judgement): Phrase {
  const { changes, warnings, worlds } = judgement;
  const findings = shownFindings(judgement);
  if (findings.length === 0) {
    if (warnings.length > 0) return ours("No findings, but the review is incomplete.");
    const isOffline = !worlds && changes.some(({ kind, outcome }) => kind.reach && outcome !== "options");
    return ours(
      isOffline
        ? "No findings: no result history is lost. This review did not contact the service, so the affected agents are unknown."
        : "No findings: nothing to do before merging.",
    );
  }
  const edits = fixable.flatMap((check) => {
    const withFix = findings.filter(({ rule, fix }) => rule === check && fix);
    return groupFindings(withFix, stepsOf(judgement), 1).flatMap(({ fix }) => (fix ? [fix] : []));
  });
  const { lost, kept } = lostHistories(judgement);
  const decided = lost - kept;
  const isCovered = (rule: CheckName): boolean =>
    (fixable.includes(rule) && edits.length > 0) || (decided > 0 && losing.has(rule));
  const histories = counted(decided, "result history", "result histories");
  const parts = [
    ...edits.slice(0, maxEdits),
    ...(decided > 0 ? [ours(`ask the owners whether ${histories} may be lost, and merge only if they agree`)] : []),
    ...(findings.every(({ rule }) => isCovered(rule))
      ? []
      : [ours(`decide about the ${edits.length > 0 || decided > 0 ? "other " : ""}findings`)]),
  ];
  return phrase`${strong("Before merging:")} ${joined(parts, "; ")}.`;
}
