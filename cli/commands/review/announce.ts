import { shellWord } from "../../../common/text";
import type { Judgement } from "../../../plan/judge/model";
import type { Output } from "../../report/output";
import { withRenameEdits } from "./rename-edits";
import { reviewReport } from "./report";

/**
 * Shows the review of a change on standard error, before a command makes the change.
 *
 * @param folder project folder. The function needs the program's source to show exact edits for renames
 * @param command the command that shows all properties
 */
export async function announce(
  judgement: Judgement,
  folder: string,
  out: Output,
  command: "review" | "drift" = "review",
): Promise<void> {
  if (judgement.changes.length === 0) return;
  const { stack } = judgement.review;
  const hint = `For all properties run endpoint-monitoring ${command} --stack ${shellWord(stack)} --details.`;
  out.announce(reviewReport(await withRenameEdits(judgement, folder), { hint, isDecided: true }));
}
