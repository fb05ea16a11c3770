import { maxLineValue, type PropertyChange, valueText } from "../../plan/changes";
import { isObject, sameValue, stable } from "../../provider/values";
import { nameOfUrn } from "../../engine/state";
import type { ChangeLine } from "./document";
import { joined, ours, phrase, type Phrase, type Span, word } from "../../common/phrase";

/** Returns the name of the object that a value refers to, or undefined if the value does not refer to an object. */
export type NameOf = (property: string, value: unknown) => string | undefined;

/** Maximum length of a value in a table cell, in characters. */
const maxCellValue = 40;
/** Maximum numbers of list items and of properties in a table cell. */
const [maxCellItems, maxCellProperties] = [3, 6];

/** Beginning of a URN. Reports show the resource's name instead of a URN. */
const urnStart = "urn:pulumi:";

const recordedNote = " (only in the state)";

/** Returns a list item as a single line. For an object, the line contains `key: value` pairs. */
function itemText(item: unknown, maxCharacters: number): string {
  if (!isObject(item)) return valueText(item, maxCharacters);
  const part = (value: unknown): string => valueText(value, maxCharacters);
  const pairs = Object.entries(item).map(
    ([key, value]) => `${key}: ${Array.isArray(value) ? value.map(part).join(", ") : part(value)}`,
  );
  return part(pairs.join("; "));
}

/**
 * Returns the lines of a change. For a changed list, the result has a line for each added or deleted item. For a changed secret, the result
 * contains only a note.
 *
 * @param max maximum length of a value, in characters
 */
export function linesOf(change: PropertyChange, nameOf: NameOf = () => undefined, max = maxLineValue): ChangeLine[] {
  const { property, how, before, after, secret, unknown } = change;
  const text = (item: unknown): string => {
    const name = nameOf(property, item);
    if (name !== undefined) return valueText(`${String(item)} (${name})`, max);
    return itemText(typeof item === "string" && item.startsWith(urnStart) ? nameOfUrn(item) : item, max);
  };
  if (secret) return [{ property, note: `secret, ${how}` }];
  if (unknown) {
    const items = before === undefined ? [] : [before].flat();
    return [...items.map((item) => ({ property, before: text(item) })), { property, after: laterText(change) }];
  }
  if (!Array.isArray(before ?? after)) {
    return [{ property, ...(how !== "added" && { before: text(before) }), ...(how !== "removed" && { after: text(after) }) }];
  }
  const { lost, gained } = itemsOf(change);
  const pairs = lost.flatMap((item) => pairOf(item, gained, max) ?? []);
  const paired = new Set(pairs.flatMap(({ items }) => items));
  return [
    ...pairs.map(({ note }) => ({ property, note })),
    ...lost.filter((item) => !paired.has(item)).map((item) => ({ property, before: text(item) })),
    ...gained.filter((item) => !paired.has(item)).map((item) => ({ property, after: text(item) })),
  ];
}

/**
 * Finds an added item that differs from the deleted item `item` only in the items of one nested list. The result shows the differences,
 * such as `vpn-vendor: + palo-alto, − cisco`.
 */
function pairOf(item: unknown, gained: readonly unknown[], max: number): { items: unknown[]; note: string } | undefined {
  if (!isObject(item)) return undefined;
  for (const addedItem of gained.filter(isObject)) {
    const names = [...new Set([...Object.keys(item), ...Object.keys(addedItem)])];
    const [name = "", ...more] = names.filter((key) => !sameValue(item[key], addedItem[key]));
    const [had, has] = [item[name], addedItem[name]];
    const key = names.map((member) => item[member]).find((value) => typeof value === "string");
    if (more.length > 0 || key === undefined || !Array.isArray(had) || !Array.isArray(has)) continue;
    const { lost, gained: won } = itemsOf({ property: name, how: "changed", before: had, after: has });
    const signed = [...won.map((value) => `+ ${valueText(value, max)}`), ...lost.map((value) => `− ${valueText(value, max)}`)];
    const shown = [
      ...signed.slice(0, maxCellItems),
      ...(signed.length > maxCellItems ? [`${signed.length - maxCellItems} more`] : []),
    ];
    return { items: [item, addedItem], note: `${valueText(key, max)}: ${shown.join(", ")}` };
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

export function changeLines(changes: readonly PropertyChange[], nameOf: NameOf): ChangeLine[] {
  return changes.flatMap((change) => {
    const { property, before, unknown, recordsOnly } = change;
    const lines = linesOf(change, nameOf);
    // If parts of a list are unknown until the update, the list may keep or lose any item.
    if (unknown && Array.isArray(before)) {
      const items = lines.flatMap((line) => line.before ?? []);
      return [{ property, note: `${items.join(", ")} → ${laterText(change)}` }];
    }
    return recordsOnly ? lines.map((line) => ({ ...line, note: `${line.note ?? ""}${recordedNote}` })) : lines;
  });
}

/** Returns a string such as `(with the new id of a, known after the update)`. */
function laterText({ before, from = [], madeFrom = [] }: PropertyChange): string {
  const ids = from.map((urn) => `${Array.isArray(before) ? "with " : ""}the new id of ${nameOfUrn(urn)}, `).join("");
  const made = madeFrom.length === 0 ? "" : `made from ${madeFrom.map(nameOfUrn).join(", ")}, `;
  return `(${ids}${made}known after the update)`;
}

export function changesInLine(changes: readonly PropertyChange[], nameOf: NameOf): Phrase {
  const first = changes.slice(0, maxCellProperties).map((change) => changeInLine(change, nameOf));
  const remaining = changes.length - first.length;
  return joined([...first, ...(remaining > 0 ? [ours(`${remaining} more`)] : [])], "; ");
}

function changeInLine(change: PropertyChange, nameOf: NameOf): Phrase {
  return phrase`${word(change.property)}: ${valuesInLine(change, nameOf)}`;
}

/** Returns a phrase such as `60 → 300`, or `+ a, − b` for list items. */
export function valuesInLine(change: PropertyChange, nameOf: NameOf): Phrase {
  const { secret, unknown, recordsOnly } = change;
  const lines = linesOf(change, nameOf, maxCellValue).slice(0, unknown ? -1 : undefined);
  const remaining = lines.length - maxCellItems;
  const shown = lines.slice(0, maxCellItems).map(({ before, after, note = "" }): Phrase => {
    if (secret) return ours(note);
    if (before !== undefined && after !== undefined) return phrase`${shownValue(before)} → ${shownValue(after)}`;
    if (before !== undefined) return unknown ? [shownValue(before)] : phrase`− ${shownValue(before)}`;
    return after === undefined ? [shownValue(note)] : phrase`+ ${shownValue(after)}`;
  });
  const later = unknown ? ours(`${lines.length > 0 ? " → " : ""}${laterText(change)}`) : [];
  const values = joined([...shown, ...(remaining > 0 ? [ours(`${remaining} more`)] : [])], ", ");
  return phrase`${values}${later}${ours(recordsOnly ? recordedNote : "")}`;
}

function shownValue(text: string): Span {
  return word(text === "" ? '""' : text);
}
