import { defineCommand, type OptionSpecs, stackOption, type Values } from "../../command";
import { reportOptions } from "../../report/formats";
import { checkNames, defaultLimits } from "../../../plan/judge/checks";

const options = {
  stack: stackOption("preview"),
  preview: {
    type: "string",
    value: "FILE",
    help:
      "Review this output of `pulumi preview --json --show-sames --show-replacement-steps` instead of running a preview; - reads standard " +
      "input",
  },
  ...reportOptions,
  approval: {
    type: "string",
    value: "FILE",
    help:
      "Write an approval for `endpoint-monitoring apply`: every change, with the affected records and agents, and secrets as keyed " +
      "digests. The review shows its digest",
  },
  base: {
    type: "string",
    value: "COMMIT",
    help:
      "Commit of the target branch, such as origin/main. Changes since then to base URL, credentials, .npmrc, lock files, plugins and " +
      "policy packs become findings",
  },
  "fail-on": {
    type: "string",
    multiple: true,
    value: "LIST",
    words: [...checkNames, "any", "none"],
    help: "Exit with code 2 if one of these checks finds something, comma-separated. `endpoint-monitoring help checks` lists them",
  },
  "max-moved": {
    type: "string",
    value: "PERCENT",
    help:
      "Largest share of its current agents that a test may lose before reach-moved reports it " +
      `(default ${defaultLimits.maxMoved})`,
  },
  "min-interval": {
    type: "string",
    multiple: true,
    value: "LICENSE=SECONDS",
    help: "Shortest interval of tests on agents with a license; too-often reports shorter ones; comma-separated",
  },
  "max-histories-lost": {
    type: "string",
    value: "NUMBER",
    help: "Exit with code 2 if more tests lose their result history, because they are deleted or replaced",
  },
  "max-replacements": { type: "string", value: "NUMBER", help: "Exit with code 2 if more resources are replaced" },
  "max-load": {
    type: "string",
    value: "NUMBER",
    help: "Exit with code 2 if all tests together ask for more rounds an hour afterwards",
  },
  "allow-unknown": {
    type: "string",
    multiple: true,
    value: "RESOURCE.PROPERTY",
    help: "Approve any value for this property, which is unknown until the update; comma-separated",
  },
  details: {
    type: "boolean",
    help:
      "Print every property and every finding on the terminal. Without it, a review of more than 5 resources has at most 25 lines; " +
      "Markdown and JSON are always complete",
  },
  offline: {
    type: "boolean",
    help: "Do not contact the service. The review then has no affected agents, no load, and no findings that need them",
  },
} as const satisfies OptionSpecs;

export type ReviewValues = Values<typeof options>;

export const review = defineCommand({
  name: "review",
  summary: "Show what a change does, and which agents it affects",
  about:
    "Reports what a change does: properties before and after, replacements and their cost, affected agents and their load, and " +
    "findings. It runs a preview, or reads one with --preview, and changes nothing.",
  examples: [
    "{} review --stack dev",
    "{} review --markdown review.md --fail-on protected,deletes,selects-all,over-license",
    "pulumi preview --json --show-sames --show-replacement-steps | {} review --preview - --json",
  ],
  options,
  notes: `Disabled agents and disabled tests do not count as affected. "Forgotten" resources leave the stack, and their record stays in the service, if it has one (retainOnDelete, deletedWith, agents). "Adopted" resources take over an existing record (adopt: true, or the stack setting adopt: identical): its id and result history stay. If a create with adopt: true adopts nothing, the review gives the reason.

The review names secrets and never shows their values. Its own preview shows which secrets change. With --preview, or if the engine refuses the preview because of protected resources, every secret that the update can change counts as changed.

It reads the labels, tags, tests and agents of the affected account groups, one list each; a read-only role is enough. If a request fails, the review omits the affected parts and prints a warning.`,
  exitCodes: {
    1: "failed, or a check of --fail-on needs the service",
    2: "done, and a check of --fail-on found something",
  },
});
