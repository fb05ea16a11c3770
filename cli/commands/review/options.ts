import { defineCommand, type OptionSpecs, stackOption, type Values } from "../../command";
import { reportOptions } from "../../report/formats";
import { checkNames } from "../../../plan/judge/checks";

const options = {
  stack: stackOption("preview"),
  preview: {
    type: "string",
    value: "FILE",
    help: "Review FILE, which contains the output of `pulumi preview --json --show-sames --show-replacement-steps`. Use - to read standard input",
  },
  ...reportOptions,
  approval: {
    type: "string",
    value: "FILE",
    help: "Write an approval for `endpoint-monitoring apply`. The review shows the approval's digest",
  },
  base: {
    type: "string",
    value: "COMMIT",
    help:
      "Commit of the target branch, such as origin/main. The review reports a finding if the base URL, credentials, packages, " +
      "plugins or policy packs changed since this commit",
  },
  "fail-on": {
    type: "string",
    multiple: true,
    value: "LIST",
    words: [...checkNames, "any", "none"],
    help: "Exit with code 2 if a check in this comma-separated list has a finding. `endpoint-monitoring help checks` lists all checks",
  },
  "max-histories-lost": {
    type: "string",
    value: "NUMBER",
    help: "Exit with code 2 if more than NUMBER tests lose their result history",
  },
  "max-replacements": { type: "string", value: "NUMBER", help: "Exit with code 2 if more than NUMBER resources are replaced" },
  "max-load": {
    type: "string",
    value: "NUMBER",
    help: "Exit with code 2 if all tests together require more than NUMBER measurement rounds per hour",
  },
  "allow-unknown": {
    type: "string",
    multiple: true,
    value: "RESOURCE.PROPERTY",
    help: "Allow any value for these properties, which are unknown until the update (comma-separated)",
  },
  details: {
    type: "boolean",
    help: "Print every property and every finding on the terminal (default for up to 5 resources)",
  },
  offline: {
    type: "boolean",
    help: "Do not contact the service. The review then omits agents, load and the related findings",
  },
} as const satisfies OptionSpecs;

export type ReviewValues = Values<typeof options>;

export const review = defineCommand({
  name: "review",
  summary: "Show the effects of a change and the affected agents",
  about:
    "Reports the effects of a change: old and new properties, replacements and their cost, affected agents and their load, and " +
    "findings. `review` runs a preview, or reads a preview from a file (--preview). `review` changes nothing.",
  examples: ["{} review --stack dev", "{} review --markdown review.md --fail-on protected,deletes,selects-all,over-license"],
  options,
  notes: `"Removed from state" means that the record stays in the service. Agents (by default) and resources with retainOnDelete or deletedWith are removed from state instead of deleted. "Adopted" means that the resource manages an existing record from now on (adopt: true, or the stack setting adopt: identical). An adopted record keeps its id and its result history.

The review shows the names of secrets, but never their values. With --preview, every secret that the update can change counts as changed. If the engine refuses the preview because of protected resources, every secret also counts as changed.

\`review\` needs only a token with a read-only role. If a request fails, the review omits the affected parts and prints a warning.`,
  exitCodes: {
    1: "failed, or a check of --fail-on could not run",
    2: "done, and a check of --fail-on has a finding",
  },
});
