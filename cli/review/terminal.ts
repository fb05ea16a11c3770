import type { Output } from "../output";
import { positionText } from "../held";
import { cut, visible } from "../words";
import type { Analysis } from "./analyse";
import { inText, type Phrase } from "./phrase";
import { type Op } from "./planned";
import type { ReviewedResource } from "./report";
import {
  agentsLine,
  diffLines,
  done,
  headline,
  loadNotes,
  loadRows,
  notes,
  nothingFound,
  reachText,
  type DiffLine,
} from "./wording";

const colours = { delete: "red", replace: "magenta", update: "yellow", create: "green" } as const;
const signs: Record<Exclude<Op, "same">, string> = { delete: "-", replace: "+-", update: "~", create: "+" };
const diffColours: Record<DiffLine["sign"], "green" | "red" | "yellow"> = { "+": "green", "-": "red", "!": "yellow" };

/** A review for the terminal. */
export function toTerminal(analysis: Analysis, out: Output): string {
  const { review, stops } = analysis;
  const lines = [
    out.paint("bold", `${review.stack === "" ? "" : `Stack ${visible(review.stack)}: `}${headline(review)}`),
    ...[agentsLine(review)].flatMap((line) => (line === undefined ? [] : [capital(line)])),
    "",
  ];
  if (stops.length > 0) {
    lines.push(out.paint("bold", `Worth stopping for (${stops.length})`));
    lines.push(...stops.map(({ word, text }) => `  [ ] ${out.paint("yellow", word)}: ${inText(text)}`), "");
  } else lines.push(`${capital(nothingFound(analysis))}.`, "");
  for (const { planned, resource } of analysis.changes) {
    lines.push(resourceLine(resource, planned.kind.noun, out));
    for (const { sign, text } of diffLines(resource.changes, analysis.names)) {
      lines.push(`      ${out.paint(diffColours[sign], `${sign} ${visible(text)}`)}`);
    }
    lines.push(...notes(resource).map((note) => `      ${inText(note)}`));
  }
  return `${[...lines, ...loadLines(analysis, out)].join("\n").trimEnd()}\n`;
}

function resourceLine(resource: ReviewedResource, noun: string, out: Output): string {
  const { op, name, title, position } = resource;
  const reach = reachText(resource);
  const what = `${signs[op].padEnd(2)} ${done[op]} ${noun} ${shown(name)}`;
  return [
    `  ${out.paint(colours[op], what)}`,
    ...(title === undefined || title === name ? [] : [`(${shown(title)})`]),
    ...(position ? [out.paint("dim", shown(positionText(position)))] : []),
    ...(reach === "" ? [] : [`agents ${reach}`]),
  ].join("  ");
}

function loadLines({ review: { load } }: Analysis, out: Output): string[] {
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
