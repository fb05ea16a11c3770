import type { OptionSpecs } from "../command";
import { allStopWords, defaultLimits, stopWords } from "./stop-words";

export const reviewOptions = {
  stack: { type: "string" },
  preview: { type: "string", names: "file" },
  markdown: { type: "string", names: "file" },
  approval: { type: "string", names: "file" },
  base: { type: "string" },
  "fail-on": { type: "string", multiple: true, words: [...allStopWords, "any", "none"] },
  "max-moved": { type: "string" },
  "min-interval": { type: "string", multiple: true },
  "allow-unknown": { type: "string", multiple: true },
  "no-reach": { type: "boolean" },
  full: { type: "boolean" },
} as const satisfies OptionSpecs;

export const help = `Reports what a change does: properties before and after, replacements and what they cost, whom labels and tests reach, what
agents have to do, and what is worth stopping for. It runs a preview, or takes one that is given, and changes nothing.

Usage: endpoint-monitoring review [OPTIONS]

Options:
  --stack NAME     Stack to preview (default: the selected one, or the only one)
  --preview FILE   Review this output of "pulumi preview --json --show-sames --show-replacement-steps" instead of running a
                   preview; - is standard input. Outside its project the settings come from the environment
                   (ENDPOINT_MONITORING_BASE_URL, …)
  --markdown FILE  Write the review as Markdown of at most 60,000 characters, for a comment; - is standard output
  --approval FILE  Write what is reviewed as an approval, for "endpoint-monitoring apply": every change with its properties,
                   secrets as keyed digests, the records it touches and the agents it moves. Its digest is in the review
  --base COMMIT    Commit of the branch that the change goes to, such as origin/main: what the change does to the configuration of
                   address and credentials, to .npmrc, lock files, plugins and policy packs is then worth stopping for
  --fail-on LIST   End with 2 when one of these is found, comma-separated; any is all of them, none is none. address always is one
                   of them: then nothing is previewed, as a preview sends the token there
${allStopWords.map((word) => `                     ${word.padEnd(14)} ${stopWords[word]}`).join("\n")}
  --max-moved PERCENT
                   Share of the agents that run a test now which reach-moved lets go to other agents, or to none (default ${defaultLimits.maxMoved})
  --min-interval LICENSE=SECONDS
                   Least seconds between rounds of a test on agents of a license, for too-often; comma-separated
  --allow-unknown RESOURCE.PROPERTY
                   Let this value be known only during the update, and be approved whatever it becomes; comma-separated
  --full           On the terminal each resource property by property, and each thing to stop for in a line of its own. Without it
                   a review of more than 5 resources has at most 25 lines; Markdown and JSON always have the whole
  --no-reach       Ask the service nothing: no reach, no load, and none of what takes them among the things to stop for
  --json           Print the review as JSON
  --help           This text

Examples:
  endpoint-monitoring review --stack dev
  endpoint-monitoring review --markdown review.md --fail-on protected,deletes,selects-all,over-license
  pulumi preview --json --show-sames --show-replacement-steps | endpoint-monitoring review --preview - --json

Agents that are disabled run nothing, and nobody runs a test that is disabled: neither counts as reached. "Forgotten" is what
leaves the stack while the service keeps it (retainOnDelete, deletedWith, agents that stay), or never had anything of it.

"Adopted" is what adopts a record that exists, by adopt: true or the stack setting adopt: identical: nothing is created or
deleted, also where a resource is renamed or moved, and its id stays. For a create with adopt: true that adopts nothing, and for
one that the update will refuse because a record like it exists, the review gives the reason.

Secrets are named, never shown. A preview that this command runs shows which of them change. One that is given, or that the
engine refuses because of what is protected, hides that of those that an update can change: then they count as changed.

Of the service it reads the labels, tests and agents of the account groups concerned, one list each; a role that only reads will
do. Where that fails, the rest of the review is still there, with a warning.

Exit codes: 0 done, 1 failed, or something of --fail-on is not known without the service, 2 done and something of --fail-on
was found, 130 interrupted.
`;
