import { type Step, stepsIn, wholeText } from "../changes";
import { nameOfUrn } from "../engine/state";
import type { Names } from "./names";
import { inText, joined, ours, phrase, type Phrase, type Quoted, word } from "./phrase";
import type { ReviewedChange } from "./verdict";

/** Longest value in a line of its own, in characters. */
const longestInLine = 120;
/** The same in a cell of a table. */
const longestInCell = 40;
/** Items of one list, and properties of one resource, that a cell names. */
const [itemsInCell, propertiesInCell] = [3, 6];

/** Texts of values in at most so many characters: a longer one is cut, and its length is told. */
function within(most: number): (value: unknown) => string {
  return (value) => {
    const text = wholeText(value);
    const characters = Array.from(text);
    return characters.length > most ? `${characters.slice(0, most - 1).join("")}… (${characters.length} characters)` : text;
  };
}

/** A line of what changes, with the sign of a diff; `!` for what is neither there nor gone, `~` for both sides in one. */
export interface DiffLine {
  sign: "+" | "-" | "!" | "~";
  text: string;
}

/**
 * The properties of a resource before and after, line by line. Ids are told with the names of what they are of.
 *
 * @param inOne a value and what takes its place share a line: for a screen, where colours need not tell them apart
 */
export function diffLines(changes: readonly ReviewedChange[], names: Names, inOne = false): DiffLine[] {
  return changes.flatMap((change) => {
    const { property, how, secret, unknown, from = [] } = change;
    const note = noteOf(change);
    if (secret) return [{ sign: "!" as const, text: `${property}: secret, ${how}${note}` }];
    // Of a list of which something is not known yet it is not known either what stays.
    if (unknown && Array.isArray(change.before)) {
      return [{ sign: "!" as const, text: inText(changeInLine(change, names, longestInLine)) }];
    }
    const steps = stepsIn(byItem(withNames(change, names)), within(longestInLine));
    const lines = steps.flatMap((step) => linesOf(property, step, note, inOne));
    const ids = from.map((urn) => `the new id of ${nameOfUrn(urn)}, `).join("");
    return unknown ? [...lines, { sign: "+" as const, text: `${property}: (${ids}known after the update)` }] : lines;
  });
}

function noteOf({ recordsOnly }: ReviewedChange): string {
  return recordsOnly ? " (recorded only)" : "";
}

function linesOf(property: string, { before, after }: Step, note: string, inOne: boolean): DiffLine[] {
  if (inOne && before !== undefined && after !== undefined) {
    return [{ sign: "~", text: `${property}: ${before} → ${after}${note}` }];
  }
  return [
    ...(before === undefined ? [] : [{ sign: "-" as const, text: `${property}: ${before}` }]),
    ...(after === undefined ? [] : [{ sign: "+" as const, text: `${property}: ${after}${note}` }]),
  ];
}

/** What changes of a resource, property by property in one line: what was and what will be, as short as a table needs. */
export function changesInLine(changes: readonly ReviewedChange[], names: Names): Phrase {
  const first = changes.slice(0, propertiesInCell).map((change) => changeInLine(change, names));
  const more = changes.length - first.length;
  return joined([...first, ...(more > 0 ? [ours(`${more} more`)] : [])], "; ");
}

function changeInLine(change: ReviewedChange, names: Names, most = longestInCell): Phrase {
  const { property, how, secret, unknown, from = [] } = change;
  const note = ours(noteOf(change));
  if (secret) return phrase`${word(property)}: secret, ${ours(how)}${note}`;
  const isList = Array.isArray(change.before);
  const steps = stepsIn(byItem(withNames(change, names)), within(most));
  const more = steps.length > itemsInCell ? [ours(`${steps.length - itemsInCell} more`)] : [];
  const told = joined([...steps.slice(0, itemsInCell).map((step) => stepInLine(step, unknown === true)), ...more], ", ");
  const ids = from.map((urn) => phrase`${ours(isList ? "with " : "")}the new id of ${nameOfUrn(urn)}, `);
  const later = unknown ? phrase`${ours(steps.length > 0 ? " → " : "")}(${joined(ids, "")}known after the update)` : [];
  return phrase`${word(property)}: ${told}${later}${note}`;
}

function stepInLine({ before, after }: Step, bare: boolean): Phrase {
  if (before !== undefined && after !== undefined) return phrase`${shown(before)} → ${shown(after)}`;
  if (before !== undefined) return bare ? phrase`${shown(before)}` : phrase`− ${shown(before)}`;
  return phrase`+ ${shown(after ?? "")}`;
}

/** A value that is empty can be seen, too. */
function shown(text: string): Quoted {
  return word(text === "" ? '""' : text);
}

/** A change of a list as one of its items, so that each has its line. */
function byItem(change: ReviewedChange): ReviewedChange {
  const { before, after, unknown: _, ...rest } = change;
  if (!Array.isArray(before ?? after)) return change;
  return { ...rest, before: before ?? [], after: after ?? [] };
}

function withNames(change: ReviewedChange, names: Names): ReviewedChange {
  const named = (item: unknown): unknown => {
    if (Array.isArray(item)) return item.map(named);
    const title = typeof item === "string" ? names.titleOf(item) : undefined;
    return title === undefined ? item : `${String(item)} (${title})`;
  };
  const sides = { before: named(change.before), after: named(change.after) };
  return { ...change, ...Object.fromEntries(Object.entries(sides).filter(([, side]) => side !== undefined)) };
}
