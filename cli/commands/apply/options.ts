import { harmlessRules } from "../../../plan/compare/rules";
import { defineCommand, type OptionSpecs, stackOption, type Values } from "../../command";
import { markdownOption } from "../../report/formats";

const options = {
  approved: {
    type: "string",
    multiple: true,
    value: "FILE|DIGEST",
    help:
      "The approval, or its digest (sha256:…) from the comment. With the digest alone nothing may differ at all, and what differs is " +
      "not reported. Give both, each with --approved, to check that the file is what the digest is of",
  },
  stack: stackOption("update"),
  "reach-tolerance": {
    type: "string",
    value: "PERCENT|N",
    help:
      "Agents that the change may move beyond those approved, for each label, tag or test: 5% of those (at least one), or 10 " +
      "(default: any, as long as the rule by which they are selected is as approved)",
  },
  override: {
    type: "string",
    value: "REASON",
    help: "Apply in spite of what differs. The reason, and what differs, stand in the log and in the report",
  },
  markdown: markdownOption,
} as const satisfies OptionSpecs;

export type ApplyValues = Values<typeof options>;

export const apply = defineCommand({
  name: "apply",
  summary: "Apply exactly what was approved, and nothing else",
  about:
    "Applies exactly what was approved. It runs a preview again, compares it with the approval of `endpoint-monitoring review " +
    "--approval FILE`, and runs `pulumi up` with the plan of that same preview. If something differs, it changes nothing, and reports " +
    "what: new, gone, different, or changed in the service meanwhile.",
  usage: "--approved FILE|DIGEST [OPTIONS]",
  examples: [
    "{} review --stack prod --markdown review.md --approval approval.json",
    "{} apply --stack prod --approved approval.json --reach-tolerance 5%",
    '{} apply --stack prod --approved approval.json --override "INC-1234: portal is down"',
  ],
  options,
  notes: `What may differ without a new review:
${Object.values(harmlessRules)
  .map((rule) => `  - ${rule}`)
  .join("\n")}

The engine's output goes to standard error. docs/approval.md describes what an approval holds, and what it protects from.`,
  exitCodes: { 2: "the change differs from the approval: at most approved changes were made" },
});
