import { harmlessRules } from "../approval/rules";
import type { OptionSpecs } from "../command";

export const applyOptions = {
  approved: { type: "string", multiple: true, names: "file" },
  stack: { type: "string" },
  "reach-tolerance": { type: "string" },
  override: { type: "string" },
  markdown: { type: "string", names: "file" },
} as const satisfies OptionSpecs;

/** Columns of a line of help. */
const maxColumns = 126;

export const help = `Applies exactly what was approved. It runs a preview again, compares it with the approval of "endpoint-monitoring review
--approval FILE", and runs "pulumi up" with the plan of that same preview. Where something differs, it changes nothing, and
reports what: new, gone, different, or changed in the service meanwhile.

Usage: endpoint-monitoring apply --approved FILE|DIGEST [OPTIONS]

Options:
  --approved FILE|DIGEST
                   The approval, or its digest (sha256:…) from the comment. With the digest alone nothing may differ at all, and
                   what differs is not reported. Give both, each with --approved, to check that the file is what the digest is of
  --stack NAME     Stack to update (default: the selected one, or the only one)
  --reach-tolerance PERCENT|N
                   Agents that the change may move beyond those approved, for each label, tag or test: 5% of those (at least
                   one), or 10 (default: any, as long as the rule by which they are selected is as approved)
  --override REASON
                   Apply in spite of what differs. The reason, and what differs, stand in the log and in the report
  --markdown FILE  Write the report as Markdown of at most 60,000 characters; - is standard output
  --json           Print the report as JSON
  --help           This text

Examples:
  endpoint-monitoring review --stack prod --markdown review.md --approval approval.json
  endpoint-monitoring apply --stack prod --approved approval.json --reach-tolerance 5%
  endpoint-monitoring apply --stack prod --approved approval.json --override "INC-1234: portal is down"

What may differ without a new review:
${Object.values(harmlessRules).map(listed).join("\n")}

The engine's output goes to standard error. docs/approval.md has what an approval holds, and what it protects from.

Exit codes: 0 applied, 1 failed, 2 not what was approved: nothing was changed, 130 interrupted.
`;

/** A sentence as an item of a list, in lines of the help's width. */
function listed(sentence: string): string {
  const lines: string[] = [];
  let line = "  -";
  for (const one of sentence.split(" ")) {
    if (line.length + 1 + one.length > maxColumns) {
      lines.push(line);
      line = "   ";
    }
    line += ` ${one}`;
  }
  return [...lines, line].join("\n");
}
