import { type ExitCode, options, positiveNumber, UsageError, wordsOf } from "./command";
import { writeReport } from "./files";
import type { Io } from "./io";
import type { Output } from "./output";
import { analyse, type Analysis } from "./review/analyse";
import { type Answer, askService, checkLabels, isOfInterest } from "./review/ask";
import { defaultLimits, type Limits } from "./review/limits";
import { toMarkdown } from "./review/markdown";
import { inText, phrase } from "./review/phrase";
import { plannedIn } from "./review/planned";
import { givenPreview, runPreview, type Source } from "./review/source";
import { reachWords, type StopWord, stopWords } from "./review/stop-words";
import { tally, toTerminal } from "./review/terminal";
import { counted } from "./words";

const words = Object.keys(stopWords) as StopWord[];

/** Warnings that a person is given to read unless more are asked for. */
const mostWarnings = 5;

const known = {
  stack: { type: "string" },
  preview: { type: "string" },
  markdown: { type: "string" },
  "fail-on": { type: "string", multiple: true },
  "max-moved": { type: "string" },
  "no-reach": { type: "boolean" },
  full: { type: "boolean" },
} as const;

/** Runs the command. */
export async function runReview(args: readonly string[], out: Output, io: Io): Promise<ExitCode> {
  const given = options(args, known);
  const { json, markdown, full = false, "no-reach": noReach = false } = given;
  if (json && markdown === "-") {
    throw new UsageError("--json and --markdown - both write to standard output: give --markdown a file");
  }
  const failOn = failOnOf(given["fail-on"] ?? [], noReach);
  const limits = limitsOf(given["max-moved"], noReach);
  const source =
    given.preview === undefined
      ? await runPreview(given.stack, out, io)
      : await givenPreview(given.preview, given.stack, out, io);
  const { analysis, blind } = await review(source, noReach, limits, out);
  const unwritten = show(analysis, { markdown, full }, out, io);
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

/** From where on something is worth stopping for. @throws UsageError */
function limitsOf(maxMoved: string | undefined, noReach: boolean): Limits {
  const given = positiveNumber("max-moved", maxMoved) ?? defaultLimits.maxMoved;
  if (given > 100) throw new UsageError("--max-moved takes a percentage, at most 100");
  if (maxMoved !== undefined && noReach) throw new UsageError("--max-moved takes the service, which --no-reach leaves alone");
  return { maxMoved: given };
}

/** @returns the analysis, and whether something of it is missing because the service did not tell */
async function review({ preview, session }: Source, noReach: boolean, limits: Limits, out: Output) {
  const steps = plannedIn(preview);
  if (noReach || !isOfInterest(steps.planned)) return { analysis: analyse(preview, steps), blind: false };
  const answer = await askService(session, steps.planned, out);
  try {
    const analysis = analyse(preview, steps, "told" in answer ? answer.told : undefined, limits);
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

/** How a review is shown. */
interface Shown {
  markdown: string | undefined;
  full: boolean;
}

/** @returns why the file of Markdown could not be written: then the review is printed */
function show(analysis: Analysis, { markdown, full }: Shown, out: Output, io: Io): string | undefined {
  const told = out.json || full ? analysis.warnings : analysis.warnings.slice(0, mostWarnings);
  for (const warning of told) out.warn(inText(warning));
  const more = analysis.warnings.length - told.length;
  if (more > 0) out.warn(`… and ${counted(more, "warning")} more: --full or --json has them`);
  const toFile = markdown !== undefined && markdown !== "-";
  const failure = toFile ? writeReport(io, markdown, toMarkdown(analysis)) : undefined;
  if (markdown === "-") out.result({}, () => toMarkdown(analysis));
  else if (out.json || !toFile || failure !== undefined) out.result(analysis.review, () => toTerminal(analysis, out, full));
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
