import { type Command, type ExitCode, options, UsageError, wordsOf } from "./command";
import { writeWhole } from "./files";
import type { Output } from "./output";
import { analyse, type Analysis } from "./review/analyse";
import { type Answer, askService, checkLabels, isOfInterest } from "./review/ask";
import { toMarkdown } from "./review/markdown";
import { inText, phrase } from "./review/phrase";
import { plannedIn } from "./review/planned";
import { givenPreview, runPreview, type Source } from "./review/source";
import { reachWords, type StopWord, stopWords } from "./review/stop-words";
import { tally, toTerminal } from "./review/terminal";

const words = Object.keys(stopWords) as StopWord[];

const help = `Says what a change does: properties before and after, replacements and what they cost, whom labels and tests reach, what
agents have to do, and what is worth stopping for. It runs a preview, or takes one that is given, and changes nothing.

Usage: endpoint-monitoring review [OPTIONS]

Options:
  --stack NAME     Stack to preview (default: the one that is selected)
  --preview FILE   Review this output of "pulumi preview --json --show-sames" instead of running a preview; - is standard input.
                   Outside its project the settings come from the environment (ENDPOINT_MONITORING_BASE_URL, …)
  --markdown FILE  Write the review as Markdown of at most 60,000 characters, for a comment; - is standard output
  --fail-on LIST   End with 2 when one of these is there, comma-separated; any is all of them:
${words.map((word) => `                     ${word.padEnd(14)} ${stopWords[word]}`).join("\n")}
  --no-reach       Ask the service nothing: no reach, no load, and none of what takes them among the things to stop for
  --json           Print the review as JSON
  --help           This text

Examples:
  endpoint-monitoring review --stack dev
  endpoint-monitoring review --markdown review.md --fail-on protected,deletes,selects-all,over-licence
  pulumi preview --json --show-sames | endpoint-monitoring review --preview - --json

Secrets are named, never shown. Which of them change is told by a preview that this command runs. One that is given, or that the
engine refuses because of what is protected, hides that of those that an update can change: then they count as changed.

Of the service it reads the labels, tests and agents of the account groups concerned, one list each; a role that only reads will
do. Where that fails, the rest of the review is still there, with a warning.

Exit codes: 0 done, 1 failed, or something of --fail-on cannot be told without the service, 2 done and something of --fail-on is
there, 130 interrupted.
`;

const known = {
  stack: { type: "string" },
  preview: { type: "string" },
  markdown: { type: "string" },
  "fail-on": { type: "string", multiple: true },
  "no-reach": { type: "boolean" },
} as const;

export const reviewCommand: Command = {
  name: "review",
  summary: "Say what a change does: properties, replacements, agents reached, load",
  help,
  async run(args, out) {
    const given = options(args, known);
    const { json, markdown, "no-reach": noReach = false } = given;
    if (json && markdown === "-") {
      throw new UsageError("--json and --markdown - both write to standard output: give --markdown a file");
    }
    const failOn = failOnOf(given["fail-on"] ?? [], noReach);
    const source =
      given.preview === undefined ? await runPreview(given.stack, out) : givenPreview(given.preview, given.stack, out);
    if (!source) return 130;
    const { analysis, blind } = await review(source, noReach, out);
    show(analysis, markdown, out);
    return verdict(analysis, failOn, blind, out);
  },
};

/** The words that a run is to end with 2 for. @throws UsageError */
function failOnOf(values: readonly string[], noReach: boolean): ReadonlySet<StopWord> {
  const wanted = wordsOf("fail-on", values, [...words, "any"]);
  const chosen = words.filter((word) => wanted.includes("any") || wanted.includes(word));
  const blind = wanted.flatMap((word) => (word !== "any" && reachWords.has(word) ? [word] : []));
  if (noReach && blind.length > 0) {
    throw new UsageError(`--fail-on ${blind.join(",")} takes the service, which --no-reach leaves alone`);
  }
  return new Set(noReach ? chosen.filter((word) => !reachWords.has(word)) : chosen);
}

/** @returns the analysis, and whether something of it is missing because the service did not tell */
async function review({ preview, session }: Source, noReach: boolean, out: Output) {
  const steps = plannedIn(preview);
  if (noReach || !isOfInterest(steps.planned)) return { analysis: analyse(preview, steps), blind: false };
  const answer = await askService(session, steps.planned, out);
  try {
    const analysis = analyse(preview, steps, "told" in answer ? answer.told : undefined);
    analysis.warnings.push(...(await doubts(answer, analysis)));
    return { analysis, blind: !("told" in answer) || answer.told.holdings.missing.length > 0 };
  } finally {
    // Else the process would wait for its idle connections.
    if ("told" in answer) await answer.session.client.close();
  }
}

async function doubts(answer: Answer, analysis: Analysis) {
  if ("told" in answer) return checkLabels(answer.session, answer.told, analysis);
  return [phrase`Whom labels and tests reach could not be worked out: ${answer.why}`];
}

function show(analysis: Analysis, markdown: string | undefined, out: Output): void {
  for (const warning of analysis.warnings) out.warn(inText(warning));
  if (markdown !== undefined && markdown !== "-") writeWhole(markdown, toMarkdown(analysis));
  if (out.json || markdown === undefined) return out.result(analysis.review, () => toTerminal(analysis, out));
  if (markdown === "-") return out.result({}, () => toMarkdown(analysis));
  return out.note(`The review is in ${markdown}`);
}

function verdict({ stops }: Analysis, failOn: ReadonlySet<StopWord>, blind: boolean, out: Output): ExitCode {
  const found = stops.filter(({ word }) => failOn.has(word)).map(({ word }) => word);
  if (found.length > 0) {
    out.note(`Worth stopping for, as --fail-on says: ${tally(found)}`);
    return 2;
  }
  const untold = [...failOn].filter((word) => reachWords.has(word));
  if (!blind || untold.length === 0) return 0;
  out.note(`Whether there is something to stop for cannot be told: ${untold.join(", ")}`);
  return 1;
}
