import { type ExitCode, options, UsageError, wordsOf } from "./command";
import { writeReport } from "./files";
import type { Io } from "./io";
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

const known = {
  stack: { type: "string" },
  preview: { type: "string" },
  markdown: { type: "string" },
  "fail-on": { type: "string", multiple: true },
  "no-reach": { type: "boolean" },
} as const;

/** Runs the command. */
export async function runReview(args: readonly string[], out: Output, io: Io): Promise<ExitCode> {
  const given = options(args, known);
  const { json, markdown, "no-reach": noReach = false } = given;
  if (json && markdown === "-") {
    throw new UsageError("--json and --markdown - both write to standard output: give --markdown a file");
  }
  const failOn = failOnOf(given["fail-on"] ?? [], noReach);
  const source =
    given.preview === undefined
      ? await runPreview(given.stack, out, io)
      : await givenPreview(given.preview, given.stack, out, io);
  if (!source) return 130;
  const { analysis, blind } = await review(source, noReach, out);
  const unwritten = show(analysis, markdown, out, io);
  const code = verdict(analysis, failOn, blind, out);
  if (unwritten === undefined) return code;
  out.error(unwritten);
  return 1;
}

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

/** @returns why the file of Markdown could not be written: then the review is printed */
function show(analysis: Analysis, markdown: string | undefined, out: Output, io: Io): string | undefined {
  for (const warning of analysis.warnings) out.warn(inText(warning));
  const toFile = markdown !== undefined && markdown !== "-";
  const failure = toFile ? writeReport(io, markdown, toMarkdown(analysis)) : undefined;
  if (markdown === "-") out.result({}, () => toMarkdown(analysis));
  else if (out.json || !toFile || failure !== undefined) out.result(analysis.review, () => toTerminal(analysis, out));
  else out.note(`The review is in ${markdown}`);
  return failure;
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
