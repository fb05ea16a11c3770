import { counted, few, visible } from "../words";
import { registry, type KindName } from "../../provider/registry";
import type { Kind } from "../../provider/kind";
import { isObject } from "../../provider/values";
import { itemText, valueText } from "../changes";
import type { DriftReport, PropertyDrift, Replacement, ResourceRef, UnseenProperty } from "./report";

/** What the terminal and the Markdown report say in the same words. */

export function nounOf(kind: KindName, count = 1): string {
  const { noun }: Kind = registry[kind];
  return count === 1 ? noun : `${noun}s`;
}

/** Found things by how they are, `2 changed, 1 missing`. */
export function summaryOf({ stacks, unmanaged = [] }: DriftReport): string {
  const sum = (of: "changed" | "missing"): number => stacks.reduce((all, stack) => all + stack[of].length, 0);
  const [changed, missing] = [sum("changed"), sum("missing")];
  const failed = stacks.filter(({ error }) => error).length;
  const looked = stacks.reduce((all, { resources, error }) => (error ? all : all + resources), 0);
  const found = [
    ...(changed > 0 ? [`${changed} changed`] : []),
    ...(missing > 0 ? [`${missing} missing`] : []),
    ...(unmanaged.length > 0 ? [`${unmanaged.length} unmanaged`] : []),
  ].join(", ");
  const where = `${counted(looked, "resource")} of ${counted(stacks.length - failed, "stack")}`;
  const told = found === "" ? `No drift: ${where} ${looked === 1 ? "is" : "are"} as declared` : `Drift: ${found}`;
  return failed > 0 ? `${told}; ${counted(failed, "stack")} could not be looked at` : told;
}

/** What can't be seen, one line for properties that as many resources of a kind have. */
export function unseenLines(unseen: readonly UnseenProperty[]): string[] {
  return [...Map.groupBy(unseen, ({ kind, resources }) => countedKind(kind, resources))].map(
    ([resources, of]) => `${of.map(({ property }) => property).join(", ")} of ${resources}`,
  );
}

function countedKind(kind: KindName, count: number): string {
  return counted(count, nounOf(kind), nounOf(kind, 2));
}

/** What is replaced and what that costs, one line a kind: `2 labels (a, b): the label gets a new id`. */
export function replacementLines(replacements: readonly Replacement[]): string[] {
  return [...Map.groupBy(replacements, ({ kind }) => kind)].map(([kind, of]) => {
    const names = few(of.map(({ name }) => visible(name)));
    const cost = of[0]?.replacementCost ?? "";
    return `${countedKind(kind, of.length)} (${names}): ${of.length === 1 ? "" : "each time, "}${cost}`;
  });
}

/** Items of a list that are told, and how many are not. */
const itemsTold = 10;

export interface Told {
  before: string;
  after: string;
  /** Of a list: its items instead. */
  lost: string[];
  gained: string[];
}

/**
 * A property's two sides in words.
 *
 * @param nameOf the name in the program of the record with an id, where there is one
 */
export function propertyTold(resource: ResourceRef, drift: PropertyDrift, nameOf: Names): Told {
  const { property, before, after, lost = [], gained = [], secret } = drift;
  if (secret) return { before: "(secret)", after: "(secret)", lost: [], gained: [] };
  const item = (one: unknown): string => {
    const name = nameOf(resource.kind, property, one);
    return `${visible(isObject(one) ? itemText(one) : valueText(one))}${name === undefined ? "" : ` (${visible(name)})`}`;
  };
  const side = (value: unknown): string => (value === undefined ? "(none)" : item(value));
  return { before: side(before), after: side(after), lost: lost.map(item), gained: gained.map(item) };
}

/** Items as many as are told. */
export function someOf(items: readonly string[]): string[] {
  if (items.length <= itemsTold) return [...items];
  return [...items.slice(0, itemsTold), `and ${items.length - itemsTold} more`];
}

/** The name in the program of what a value of a property refers to. */
export type Names = (kind: KindName, property: string, value: unknown) => string | undefined;

/** What is said where Ctrl+C ends the look after an update. */
export function notLookedAt(stack: string): string {
  return `Stack ${stack} was updated, and what it left was not looked at: run the command again.`;
}
