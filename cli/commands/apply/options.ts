import { harmlessRules } from "../../../plan/compare/rules";
import { defineCommand, type OptionSpecs, stackOption, type Values } from "../../command";
import { markdownOption } from "../../report/formats";

const options = {
  approved: {
    type: "string",
    multiple: true,
    value: "FILE|DIGEST",
    help:
      "Approval file, or the approval's digest (sha256:…) from the review. If you pass only the digest, `apply` refuses every " +
      "change that differs from the approval, but cannot list the differences. To check the file against a digest, use --approved twice: once with " +
      "the file and once with the digest",
  },
  stack: stackOption("update"),
  "reach-tolerance": {
    type: "string",
    value: "PERCENT|N",
    help:
      "Maximum number of agents that may differ from the approval, for each label, tag or test. The value 5% means 5% of the " +
      "approved agents, but at least one agent. By default, the number is unlimited, but the rule that selects the agents must be the approved rule",
  },
  override: {
    type: "string",
    value: "REASON",
    help: "Apply the change even if it differs from the approval. The log and the report show the reason and every difference",
  },
  markdown: markdownOption,
} as const satisfies OptionSpecs;

export type ApplyValues = Values<typeof options>;

export const apply = defineCommand({
  name: "apply",
  summary: "Apply exactly the approved change",
  about:
    "Applies exactly the approved change. `apply` runs a preview, and compares the preview with the approval that `endpoint-monitoring " +
    "review --approval FILE` wrote. If the preview matches the approval, `apply` runs `pulumi up` with the preview's plan. Otherwise, " +
    "`apply` reports the differences and changes nothing.",
  usage: "--approved FILE|DIGEST [OPTIONS]",
  examples: [
    "{} review --stack prod --markdown review.md --approval approval.json",
    "{} apply --stack prod --approved approval.json --reach-tolerance 5%",
    '{} apply --stack prod --approved approval.json --override "INC-1234: portal is down"',
  ],
  options,
  notes: `\`apply\` accepts the following differences without a new review:
${Object.values(harmlessRules)
  .map((rule) => `  - ${rule}`)
  .join("\n")}

The engine's output goes to standard error. See docs/approval.md for the contents of an approval and for the attacks that approvals prevent.`,
  exitCodes: { 2: "the change differs from the approval: unapproved changes were not applied" },
});
