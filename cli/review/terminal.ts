import type { Output } from "../output";
import { positionText } from "../engine/state";
import { cut, visible } from "../words";
import type { Analysis } from "./analyse";
import { groupStops } from "./groups";
import { inText, type Phrase } from "./phrase";
import { type DiffLine, diffLines } from "./property-text";
import { type Outcome, outcomeOf, type Review, type ReviewedResource } from "./report";
import { inShort } from "./short";
import type { Analysed } from "./stop";
import { agentsLine, done, headline, loadNotes, loadRows, notes, nothingFound, reachText } from "./wording";

const colours: Record<Outcome, "red" | "magenta" | "yellow" | "green"> = {
  delete: "red",
  forget: "yellow",
  replace: "magenta",
  update: "yellow",
  adopt: "green",
  create: "green",
};
const signs: Record<Outcome, string> = { delete: "-", forget: "-", replace: "+-", update: "~", adopt: "=", create: "+" };
const diffColours: Record<DiffLine["sign"], "green" | "red" | "yellow"> = {
  "+": "green",
  "-": "red",
  "!": "yellow",
  "~": "yellow",
};

/** Resources that are told property by property unless more are asked for. */
const mostInFull = 5;
/** Lines of a review of more resources than that. */
const mostLines = 25;

/**
 * A review for the terminal.
 *
 * @param full everything, however long; else many resources are told in few lines
 */
export function toTerminal(analysis: Analysis, out: Output, full = false): string {
  const { review, changes } = analysis;
  const inFull = full || changes.length <= mostInFull;
  const head = [...headOf(review, out), "", ...stopLines(analysis, full, out), ""];
  const rest = inFull
    ? [...changes.flatMap((change) => resourceLines(change, analysis, out)), ...loadLines(review, out)]
    : shortLines(analysis, mostLines - head.length, out);
  return `${[...head, ...rest].join("\n").trimEnd()}\n`;
}

function headOf(review: Review, out: Output): string[] {
  const agents = agentsLine(review);
  return [
    out.paint("bold", `${review.stack === "" ? "" : `Stack ${visible(review.stack)}: `}${headline(review)}`),
    ...(agents === undefined ? [] : [capital(agents)]),
  ];
}

function stopLines(analysis: Analysis, full: boolean, out: Output): string[] {
  const { stops } = analysis;
  if (stops.length === 0) return [`${capital(nothingFound(analysis))}.`];
  const told = full ? stops : groupStops(stops);
  const lines = told.map(({ word, text }) => `  [ ] ${out.paint("yellow", word)}: ${inText(text)}`);
  return [out.paint("bold", `Worth stopping for (${stops.length})`), ...lines];
}

function resourceLines({ planned, resource }: Analysed, { names }: Analysis, out: Output): string[] {
  const properties = diffLines(resource.changes, names, true);
  return [
    resourceLine(resource, planned.kind.noun, out),
    ...properties.map(({ sign, text }) => `      ${out.paint(diffColours[sign], `${sign} ${visible(text)}`)}`),
    ...notes(resource).map((note) => `      ${inText(note)}`),
  ];
}

function resourceLine(resource: ReviewedResource, noun: string, out: Output): string {
  const { name, title, position } = resource;
  const [outcome, reach] = [outcomeOf(resource), reachText(resource)];
  return [
    headOfLine(outcome, `${noun} ${shown(name)}`, out),
    ...(title === undefined || title === name ? [] : [`(${shown(title)})`]),
    ...(position ? [out.paint("dim", shown(positionText(position)))] : []),
    ...(reach === "" ? [] : [`agents ${reach}`]),
  ].join("  ");
}

/** `  ~  updated HTTP-server test portal` */
function headOfLine(outcome: Outcome, what: string, out: Output): string {
  return `  ${out.paint(colours[outcome], `${signs[outcome].padEnd(2)} ${done[outcome]} ${what}`)}`;
}

/** Many resources in few lines: what is done alike to resources of a kind, and where the whole is. */
function shortLines(analysis: Analysis, room: number, out: Output): string[] {
  const { load } = analysis.review;
  const after = [...(load ? [loadInLine(load)] : []), "Property by property: --full, --markdown FILE or --json"];
  const resources = inShort(analysis, room - after.length).map(({ outcome, text }) => headOfLine(outcome, inText(text), out));
  return [...resources, ...after];
}

function loadInLine(load: NonNullable<Review["load"]>): string {
  const rows = loadRows(load).map(([what, before, after]) => `${what} ${before === after ? after : `${before} → ${after}`}`);
  return `Load: ${rows.join("; ")}`;
}

function loadLines({ load }: Review, out: Output): string[] {
  if (!load) return [];
  const rows = loadRows(load).map(([what, before, after]) => `  ${what}: ${before === after ? after : `${before} → ${after}`}`);
  const title = `Load (account group ${load.accountGroups.map(shown).join(", ")})`;
  return ["", out.paint("bold", title), ...rows, ...loadNotes(load).map((note: Phrase) => `  ${capital(inText(note))}`)];
}

function shown(text: string): string {
  return visible(cut(text, 80));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** How many stops of which words there are, for the line that says why a command ends with 2. */
export function tally(words: readonly string[]): string {
  const counts = Map.groupBy(words, (word) => word);
  return [...counts].map(([word, all]) => `${word} (${all.length})`).join(", ");
}
