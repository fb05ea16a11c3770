import { defineCommand, type OptionSpecs, stackOption, type Values } from "../../command";
import { reportOptions } from "../../report/formats";
import { allStopWords, defaultLimits } from "../../../plan/judge/rules";

const options = {
  stack: stackOption("preview"),
  preview: {
    type: "string",
    value: "FILE",
    help:
      "Review this output of `pulumi preview --json --show-sames --show-replacement-steps` instead of running a preview; - is standard " +
      "input",
  },
  ...reportOptions,
  approval: {
    type: "string",
    value: "FILE",
    help:
      "Write what is reviewed as an approval, for `endpoint-monitoring apply`: every change with its properties, secrets as keyed " +
      "digests, the records it touches and the agents it moves. Its digest is in the review",
  },
  base: {
    type: "string",
    value: "COMMIT",
    help:
      "Commit of the branch that the change goes to, such as origin/main: what the change does to the configuration of address and " +
      "credentials, to .npmrc, lock files, plugins and policy packs is then worth stopping for",
  },
  "fail-on": {
    type: "string",
    multiple: true,
    value: "LIST",
    words: [...allStopWords, "any", "none"],
    help: "Exit with code 2 if one of these checks finds something, comma-separated. `endpoint-monitoring help checks` lists them",
  },
  "max-moved": {
    type: "string",
    value: "PERCENT",
    help:
      "Share of the agents that run a test now which reach-moved lets go to other agents, or to none " +
      `(default ${defaultLimits.maxMoved})`,
  },
  "min-interval": {
    type: "string",
    multiple: true,
    value: "LICENSE=SECONDS",
    help: "Least seconds between rounds of a test on agents of a license, for too-often; comma-separated",
  },
  "allow-unknown": {
    type: "string",
    multiple: true,
    value: "RESOURCE.PROPERTY",
    help: "Let this value be known only during the update, and be approved whatever it becomes; comma-separated",
  },
  details: {
    type: "boolean",
    help:
      "On the terminal each resource property by property, and each thing to stop for in a line of its own. Without it a review of " +
      "more than 5 resources has at most 25 lines; Markdown and JSON always have the whole",
  },
  offline: {
    type: "boolean",
    help: "Ask the service nothing: no reach, no load, and none of what takes them among the things to stop for",
  },
} as const satisfies OptionSpecs;

export type ReviewValues = Values<typeof options>;

export const review = defineCommand({
  name: "review",
  summary: "Show what a change does, and which agents it affects",
  about:
    "Reports what a change does: properties before and after, replacements and what they cost, whom labels and tests reach, what " +
    "agents have to do, and what is worth stopping for. It runs a preview, or takes one that is given, and changes nothing.",
  examples: [
    "{} review --stack dev",
    "{} review --markdown review.md --fail-on protected,deletes,selects-all,over-license",
    "pulumi preview --json --show-sames --show-replacement-steps | {} review --preview - --json",
  ],
  options,
  notes: `Agents that are disabled run nothing, and nobody runs a test that is disabled: neither counts as reached. "Forgotten" is what leaves the stack while the service keeps it (retainOnDelete, deletedWith, agents that stay), or never had anything of it.

"Adopted" is what adopts a record that exists, by adopt: true or the stack setting adopt: identical: nothing is created or deleted, also where a resource is renamed or moved, and its id stays. For a create with adopt: true that adopts nothing, and for one that the update will refuse because a record like it exists, the review gives the reason.

Secrets are named, never shown. A preview that this command runs shows which of them change. One that is given, or that the engine refuses because of what is protected, hides that of those that an update can change: then they count as changed.

Of the service it reads the labels, tests and agents of the account groups concerned, one list each; a role that only reads will do. Where that fails, the rest of the review is still there, with a warning.`,
  exitCodes: {
    1: "failed, or a check of --fail-on needs the service",
    2: "done, and a check of --fail-on found something",
  },
});
