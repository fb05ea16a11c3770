import { joined, ours, phrase, type Phrase, strong } from "../../../common/phrase";
import { counted } from "../../../common/text";
import type { CheckName } from "../../../plan/judge/checks";
import type { Judgement } from "../../../plan/judge/model";
import { groupFindings } from "./groups";

/** Most different edits that the sentence repeats. */
const maxEdits = 2;

/** Checks with a fix that a reader carries out before merging. */
const fixable: readonly CheckName[] = ["renamed", "options"];
/** Checks about lost records, which one decision covers. */
const losing: ReadonlySet<CheckName> = new Set(["deletes", "replacements", "secrets"]);

/** Returns the sentence about what a reader has to do before merging. */
export function todoSentence(judgement: Judgement): Phrase {
  const { findings, changes, warnings, worlds, review } = judgement;
  if (findings.length === 0) {
    if (warnings.length > 0) return ours("No findings, but the review is incomplete.");
    const isOffline = !worlds && changes.some(({ kind, outcome }) => kind.reach && outcome !== "options");
    return ours(
      isOffline
        ? "No findings: no result history is lost. This review did not contact the service, so it does not know the agents."
        : "No findings: nothing to do before merging.",
    );
  }
  const steps = new Map(changes.map((step) => [step.urn, step]));
  const edits = fixable.flatMap((check) =>
    groupFindings(
      findings.filter(({ rule, fix }) => rule === check && fix),
      steps,
      1,
    ).flatMap(({ fix }) => (fix ? [fix] : [])),
  );
  const lost =
    review.costs.histories.count -
    changes.filter(({ renamedFrom, kind }) => renamedFrom && kind.reach?.means === "test").length;
  const histories = counted(lost, "result history", "result histories");
  const isFixed = (rule: CheckName): boolean => fixable.includes(rule) && edits.length > 0;
  const others = findings.filter(({ rule }) => !isFixed(rule) && (lost <= 0 || !losing.has(rule)) && rule !== "deletes");
  const deletes = findings.filter(
    ({ rule, subject }) => rule === "deletes" && !changes.some(({ renamedFrom }) => renamedFrom?.urn === subject?.urn),
  );
  const parts = [
    ...edits.slice(0, maxEdits),
    ...(lost > 0 ? [ours(`ask the owners whether ${histories} may be lost, and do not merge otherwise`)] : []),
    ...(others.length > 0 || (lost <= 0 && deletes.length > 0)
      ? [ours(`decide about the ${edits.length > 0 || lost > 0 ? "other " : ""}findings`)]
      : []),
  ];
  return phrase`${strong("Before merging:")} ${joined(parts, "; ")}.`;
}
