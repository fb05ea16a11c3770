import type { Change } from "../../provider/compare";
import { isObject, isUnknown, sameValue, stable } from "../../provider/values";
import { nameOfUrn } from "../engine/state";
import type { ChangeLine } from "./document";
import { joined, ours, phrase, type Phrase, type Span, word } from "./phrase";
import { cut } from "./text";

/** A property that changes, as a person or a program may see it: values of secrets are left out. */
export interface PropertyChange {
  property: string;
  how: "added" | "changed" | "removed";
  /** Absent where there was none, and of a secret. */
  before?: unknown;
  /** Absent where there is none, where it is not known before the update, and of a secret. */
  after?: unknown;
  secret?: true;
  /** The new value is known after the update only. */
  unknown?: true;
  /** It can be set at creation only. */
  replaces?: true;
  /** Of a value that is not known yet: the resources whose new ids it holds, by URN. */
  from?: string[];
  /** Of one that holds anything else: the resources from which it is made. */
  madeFrom?: string[];
  /** Nothing is sent: the value is for later, or the first one declared of what an import could not know. */
  recordsOnly?: true;
  /** Of a list: the items that it gains and loses. What the service folds is one item, however it is spelled. */
  gained?: readonly unknown[];
  lost?: readonly unknown[];
}

/** The name of what a value of a property refers to; nothing where it refers to nothing. */
export type NameOf = (property: string, value: unknown) => string | undefined;

/** A value, and the one that takes its place; or an item that a list gains or loses. */
export interface ValueStep {
  before?: string;
  after?: string;
  /** Of an item of which only the members of a list change: which ones. */
  within?: string;
}

/** Characters of a value in a line of its own. */
const maxLineValue = 120;
/** Characters of a value in a cell of a table. */
const maxCellValue = 40;
/** Items of one list, and properties of one resource, that a cell names. */
const [maxCellItems, maxCellProperties] = [3, 6];

/** Changes of a comparison without the values of secrets. */
export function shownChanges(changes: readonly Change[], secrets: ReadonlySet<string>): PropertyChange[] {
  return changes.map(({ property, how, before, after, unknown, replaces, recordsOnly }) => ({
    property,
    how,
    ...(secrets.has(property)
      ? { secret: true as const }
      : { ...(before === undefined ? {} : { before }), ...(after === undefined || unknown ? {} : { after }) }),
    ...(unknown ? { unknown: true as const } : {}),
    ...(replaces ? { replaces: true as const } : {}),
    ...(recordsOnly ? { recordsOnly: true as const } : {}),
  }));
}

/** A value in one line: text as it is, anything else as JSON. Of one that is cut the length is added. */
export function valueText(value: unknown, maxCharacters = maxLineValue): string {
  if (isUnknown(value)) return "(known after the update)";
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const { length } = Array.from(text);
  return length > maxCharacters ? `${cut(text, maxCharacters)} (${length} characters)` : text;
}

/** An item of a list in one line; an object of plain values as `key: value` pairs. */
function itemText(item: unknown, maxCharacters: number): string {
  if (!isObject(item)) return valueText(item, maxCharacters);
  const part = (value: unknown): string => valueText(value, maxCharacters);
  const pairs = Object.entries(item).map(
    ([key, value]) => `${key}: ${Array.isArray(value) ? value.map(part).join(", ") : part(value)}`,
  );
  return part(pairs.join("; "));
}

/**
 * Splits a change into steps: a list into the items it gains and loses, as their order does not count. A secret and a value that
 * is not known have no steps.
 */
export function stepsOf(change: PropertyChange, nameOf: NameOf = () => undefined, max = maxLineValue): ValueStep[] {
  const { property, how, before, after, secret, unknown } = change;
  const text = (item: unknown): string => {
    const name = nameOf(property, item);
    return name === undefined ? itemText(item, max) : valueText(`${String(item)} (${name})`, max);
  };
  if (secret) return [];
  if (unknown) return before === undefined ? [] : [before].flat().map((item) => ({ before: text(item) }));
  if (Array.isArray(before ?? after)) {
    const { lost, gained } = itemsOf(change);
    const pairs = lost.flatMap((item) => pairOf(item, gained, max) ?? []);
    const paired = new Set(pairs.flatMap(({ items }) => items));
    return [
      ...pairs.map(({ within }) => ({ within })),
      ...lost.filter((item) => !paired.has(item)).map((item) => ({ before: text(item) })),
      ...gained.filter((item) => !paired.has(item)).map((item) => ({ after: text(item) })),
    ];
  }
  return [{ ...(how !== "added" && { before: text(before) }), ...(how !== "removed" && { after: text(after) }) }];
}

/**
 * The item that takes the place of another and differs in the members of one list alone, such as the values of a filter, and these
 * members: `vpn-vendor: + palo-alto, − cisco`.
 */
function pairOf(item: unknown, gained: readonly unknown[], max: number): { items: unknown[]; within: string } | undefined {
  if (!isObject(item)) return undefined;
  for (const other of gained.filter(isObject)) {
    const names = [...new Set([...Object.keys(item), ...Object.keys(other)])];
    const [name = "", ...more] = names.filter((one) => !sameValue(item[one], other[one]));
    const [had, has] = [item[name], other[name]];
    const key = names.map((one) => item[one]).find((value) => typeof value === "string");
    if (more.length > 0 || key === undefined || !Array.isArray(had) || !Array.isArray(has)) continue;
    const { lost, gained: won } = itemsOf({ property: name, how: "changed", before: had, after: has });
    if (lost.length === had.length) continue;
    const signed = [...won.map((value) => `+ ${valueText(value, max)}`), ...lost.map((value) => `− ${valueText(value, max)}`)];
    const shown = [
      ...signed.slice(0, maxCellItems),
      ...(signed.length > maxCellItems ? [`${signed.length - maxCellItems} more`] : []),
    ];
    return { items: [item, other], within: `${valueText(key, max)}: ${shown.join(", ")}` };
  }
  return undefined;
}

function itemsOf({ before, after, lost, gained }: PropertyChange) {
  const [had, has] = [listOf(before), listOf(after)];
  const [hadKeys, hasKeys] = [new Set(had.map(stable)), new Set(has.map(stable))];
  return {
    lost: lost ?? had.filter((item) => !hasKeys.has(stable(item))),
    gained: gained ?? has.filter((item) => !hadKeys.has(stable(item))),
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Describes the changes of a resource, a property in lines of its own. */
export function changeLines(changes: readonly PropertyChange[], nameOf: NameOf): ChangeLine[] {
  return changes.flatMap((change): ChangeLine[] => {
    const { property, how, before, secret, unknown } = change;
    const note = change.recordsOnly ? " (recorded only)" : "";
    if (secret) return [{ property, note: `secret, ${how}${note}` }];
    const steps = stepsOf(change, nameOf);
    const later = `(${originOf(change)}known after the update)`;
    // Of a list of which something is not known yet it is not known either what stays.
    if (unknown && Array.isArray(before)) {
      return [{ property, note: `${steps.map((step) => step.before ?? "").join(", ")} → ${later}` }];
    }
    const lines = steps.map(({ within, ...step }) =>
      within === undefined ? { property, ...step, ...(note !== "" && { note }) } : { property, note: `${within}${note}` },
    );
    return [...lines, ...(unknown ? [{ property, after: later }] : [])];
  });
}

/** `with the new id of a, `, or `made from a, b, ` */
function originOf({ before, from = [], madeFrom = [] }: PropertyChange): string {
  const ids = from.map((urn) => `${Array.isArray(before) ? "with " : ""}the new id of ${nameOfUrn(urn)}, `).join("");
  return madeFrom.length === 0 ? ids : `${ids}made from ${madeFrom.map(nameOfUrn).join(", ")}, `;
}

/** Describes the changes of a resource in one line, as short as a table needs. */
export function changesInLine(changes: readonly PropertyChange[], nameOf: NameOf): Phrase {
  const first = changes.slice(0, maxCellProperties).map((change) => changeInLine(change, nameOf));
  const left = changes.length - first.length;
  return joined([...first, ...(left > 0 ? [ours(`${left} more`)] : [])], "; ");
}

function changeInLine(change: PropertyChange, nameOf: NameOf): Phrase {
  const { property, how, secret, unknown } = change;
  const note = ours(change.recordsOnly ? " (recorded only)" : "");
  if (secret) return phrase`${word(property)}: secret, ${ours(how)}${note}`;
  const steps = stepsOf(change, nameOf, maxCellValue);
  const left = steps.length - maxCellItems;
  const shown = steps.slice(0, maxCellItems).map((step) => stepInLine(step, unknown === true));
  const later = unknown ? phrase`${ours(steps.length > 0 ? " → " : "")}(${ours(originOf(change))}known after the update)` : [];
  return phrase`${word(property)}: ${joined([...shown, ...(left > 0 ? [ours(`${left} more`)] : [])], ", ")}${later}${note}`;
}

function stepInLine({ before, after, within }: ValueStep, isBare: boolean): Phrase {
  if (within !== undefined) return [shownValue(within)];
  if (before !== undefined && after !== undefined) return phrase`${shownValue(before)} → ${shownValue(after)}`;
  if (before !== undefined) return isBare ? [shownValue(before)] : phrase`− ${shownValue(before)}`;
  return phrase`+ ${shownValue(after ?? "")}`;
}

/** A value that is empty can be seen, too. */
function shownValue(text: string): Span {
  return word(text === "" ? '""' : text);
}
