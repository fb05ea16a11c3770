import { defineCommand, type OptionSpecs, stackOption, type Values } from "../../command";
import { reportOptions } from "../../report/formats";
import { checkNames } from "../../../plan/judge/checks";

const options = {
  stack: stackOption("preview"),
  preview: {
    type: "string",
    value: "FILE",
    help: "Review the output of `pulumi preview --json --show-sames --show-replacement-steps` in FILE; - reads standard input",
  },
  ...reportOptions,
  approval: {
    type: "string",
    value: "FILE",
    help: "Write an approval for `endpoint-monitoring apply`. The review shows its digest",
  },
  base: {
    type: "string",
    value: "COMMIT",
    help:
      "Commit of the target branch, such as origin/main. Changes since then to base URL, credentials, packages, plugins and policy packs " +
      "become findings",
  },
  "fail-on": {
    type: "string",
    multiple: true,
    value: "LIST",
    words: [...checkNames, "any", "none"],
    help: "Exit with code 2 if one of these checks has a finding; comma-separated. `endpoint-monitoring help checks` lists them",
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
    help: "Exit with code 2 if all tests together request more than NUMBER rounds an hour",
  },
  "allow-unknown": {
    type: "string",
    multiple: true,
    value: "RESOURCE.PROPERTY",
    help: "Allow any value of a property that is unknown until the update; comma-separated",
  },
  details: {
    type: "boolean",
    help: "Print every property and every finding on the terminal (default for up to 5 resources)",
  },
  offline: {
    type: "boolean",
    help: "Do not contact the service. The review then omits agents, load, and the findings about them",
  },
} as const satisfies OptionSpecs;

export type ReviewValues = Values<typeof options>;

export const review = defineCommand({
  name: "review",
  summary: "Show what a change does, and which agents it affects",
  about:
    "Reports what a change does: properties before and after, replacements and their cost, affected agents and their load, and " +
    "findings. It runs a preview, or reads one with --preview, and changes nothing.",
  examples: ["{} review --stack dev", "{} review --markdown review.md --fail-on protected,deletes,selects-all,over-license"],
  options,
  notes: `"Removed from state" means that the record stays in the service, as with retainOnDelete, deletedWith and agents. "Adopted" means that the resource manages an existing record from now on (adopt: true, or the stack setting adopt: identical). The record keeps its id and its result history.

The review names secrets and never shows their values. With --preview, or if the engine refuses the preview because of protected resources, every secret that the update can change counts as changed.

A read-only role is enough. If a request fails, the review omits the affected parts and prints a warning.`,
  exitCodes: {
    1: "failed, or a check of --fail-on could not run",
    2: "done, and a check of --fail-on has a finding",
  },
});
