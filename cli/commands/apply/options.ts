import { harmlessRules } from "../../../plan/compare/rules";
import { defineCommand, type OptionSpecs, stackOption, type Values } from "../../command";
import { markdownOption } from "../../report/formats";

const options = {
  approved: {
    type: "string",
    multiple: true,
    value: "FILE|DIGEST",
    help:
      "The approval file, or its digest (sha256:…) from the review. With only the digest, apply allows no differences and does not list " +
      "them. Use --approved twice, with the file and the digest, to check that the file has that digest",
  },
  stack: stackOption("update"),
  "reach-tolerance": {
    type: "string",
    value: "PERCENT|N",
    help:
      "Number of agents per label, tag or test that may differ from the approval, such as 10, or 5% of the approved agents (at least " +
      "one agent). By default, any number of agents that the approved rule selects",
  },
  override: {
    type: "string",
    value: "REASON",
    help: "Apply although the change differs from the approval. The log and the report show the reason and every difference",
  },
  markdown: markdownOption,
} as const satisfies OptionSpecs;

export type ApplyValues = Values<typeof options>;

export const apply = defineCommand({
  name: "apply",
  summary: "Apply exactly the approved change",
  about:
    "Applies exactly the approved change. It runs a preview, compares it with the approval of `endpoint-monitoring review --approval " +
    "FILE`, and runs `pulumi up` with the plan of that preview. If anything differs, it changes nothing and reports the differences.",
  usage: "--approved FILE|DIGEST [OPTIONS]",
  examples: [
    "{} review --stack prod --markdown review.md --approval approval.json",
    "{} apply --stack prod --approved approval.json --reach-tolerance 5%",
    '{} apply --stack prod --approved approval.json --override "INC-1234: portal is down"',
  ],
  options,
  notes: `These differences need no new review:
${Object.values(harmlessRules)
  .map((rule) => `  - ${rule}`)
  .join("\n")}

The engine's output goes to standard error. docs/approval.md describes the content of an approval and the attacks that it prevents.`,
  exitCodes: { 2: "the change differs from the approval: unapproved changes were not applied" },
});
