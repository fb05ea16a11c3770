import type { DifferenceKind } from "../../../plan/compare/comparison";
import type { HarmlessRule } from "../../../plan/compare/rules";
import { type Block, heading, list, type Report, section, text } from "../../report/document";
import { errorText, ours, phrase, type Phrase, strong, word, phraseText } from "../../../common/phrase";
import type { SharedRecord } from "../../../plan/shared-records";
import { counted } from "../../../common/text";

/** The report that `apply --json` prints under `data`. Later versions may add members to the report, but never rename or delete members. */
export interface ApplyReport<Text = Phrase> {
  stack: string;
  /** The digest of the approval (`approved`) and the digest of the current change (`now`). */
  approved: string;
  now: string;
  /**
   * The outcome `refused` means that the command changed nothing. The outcome `left the plan` means that the engine stopped at an operation
   * that was not previewed.
   */
  outcome: "applied" | "refused" | "failed" | "left the plan";
  differences: { what: DifferenceKind; urn?: string; text: Text }[];
  /** Harmless differences, each with the name of the rule that allows the difference. */
  passed: { rule: HarmlessRule; urn?: string; text: Text }[];
  /** The user's reason for applying the change despite differences from the approval. */
  override?: string;
  changes: number;
  failures?: string[];
  /** Records that exist more than once after the update, if there are any. */
  doubled?: SharedRecord[];
}

const kindWords: Record<DifferenceKind, string> = {
  new: "New",
  gone: "No longer planned",
  differs: "Different",
  record: "Changed in the service",
  reach: "Other agents",
  finding: "Finding that is not in the approval",
  setting: "Settings",
  version: "Version",
  digest: "Digest",
};

export function applyReport(report: ApplyReport): Report {
  const { differences, passed } = report;
  const data: ApplyReport<string> = {
    ...report,
    differences: differences.map((difference) => ({ ...difference, text: phraseText(difference.text) })),
    passed: passed.map((difference) => ({ ...difference, text: phraseText(difference.text) })),
  };
  return { data, blocks: () => blocksOf(report) };
}

export function differenceText({ what, text: sentence }: ApplyReport["differences"][number]): string {
  return phraseText(phrase`${ours(kindWords[what])}: ${sentence}`);
}

function blocksOf(report: ApplyReport): Block[] {
  const { stack, approved, override, differences, passed, failures = [] } = report;
  const byKind = Map.groupBy(differences, ({ what }) => what);
  const kinds = (Object.keys(kindWords) as DifferenceKind[]).filter((what) => byKind.has(what));
  return [
    heading(phrase`Stack ${word(stack)}: ${ours(headline(report))}`),
    text(phrase`approval ${word(approved)}`, ...(override === undefined ? [] : [phrase`${strong("Overridden")}: ${override}`])),
    ...kinds.flatMap((what) =>
      section(
        [kindWords[what]],
        list("difference", byKind.get(what) ?? [], (difference) => difference.text),
      ),
    ),
    ...section(
      ["Harmless differences"],
      list("difference", passed, (difference) => difference.text),
    ),
    ...section(
      ["Failed"],
      list("reason", failures, (reason) => [errorText(reason)]),
    ),
  ];
}

function headline({ outcome, differences, changes, override }: ApplyReport): string {
  const applied = changes === 0 ? "nothing to apply, as approved" : `${counted(changes, "change")} applied, as approved`;
  if (outcome === "applied") {
    return override === undefined || differences.length === 0
      ? applied
      : `${counted(changes, "change")} applied, not as approved`;
  }
  if (outcome === "refused")
    return `the change differs from the approval (${counted(differences.length, "difference")}): nothing was changed`;
  return outcome === "failed" ? "the update failed" : "the engine stopped, because the update differed from the preview";
}
