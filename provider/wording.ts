import type { Wait } from "../api";
import { allowedWords } from "./check";
import { type Change, describeDerived, describeReshaped, shown } from "./compare";
import { titleOf } from "./identity";
import type { Advice, Kind } from "./kind";
import { reshapedIn } from "./reshaped";
import { type Properties, isUnknown, stringOf } from "./values";

/**
 * Describes a resource by its record's name, because the engine does not pass the resource's name.
 *
 * @param discreet whether messages must omit names and values, because some of them are secret
 */
export function descriptionOf(
  kind: Kind,
  properties: Properties,
  { id, discreet }: { id?: string; discreet: boolean },
): string {
  const name = discreet ? undefined : titleOf(kind, properties);
  const quotedName = name === undefined || isUnknown(name) ? "" : ` "${name}"`;
  return `${kind.noun}${quotedName}${id === undefined ? "" : ` (${id})`}`;
}

/** Describes the reason and the cost of a replacement, as the end of an output line. */
export function replacementText(kind: Kind, changes: readonly Change[], discreet: boolean): string {
  const reasons = changes.map((change) => `${change.property} ${describeChange(kind, change, discreet)}`);
  return `${reasons.join(", ")}; set only at creation, so ${kind.replacementCost}`;
}

/**
 * Returns a warning for each property with a value that the service always changes, unless the difference causes a
 * replacement.
 */
export function differenceNotes(
  kind: Kind,
  state: Properties,
  inputs: Properties,
  changes: readonly Change[],
  discreet: boolean,
): string[] {
  const warned = reshapedIn(kind, state, inputs).filter((property) => !kind.createOnly.includes(property));
  const derived = changes.filter((change) => change.derived && !change.replaces);
  if (discreet) {
    const all = [...warned, ...derived.map(({ property }) => property)];
    return all.map((property) => `warning: ${property}: the service returns another form of the declared value`);
  }
  return [
    ...warned.map((property) => describeReshaped(kind, property, state, inputs)),
    ...derived.map((change) => `warning: ${describeDerived(change)}, which no program can declare`),
  ];
}

export function noteText({ path, value, reason }: Advice, discreet: boolean): string {
  return [path, ...(value === undefined || discreet ? [] : [shown(value)]), reason].join(" ");
}

/** Informs the user about a wait, because an update that waits without a message would seem to have stopped. */
export function waitText({ operation, reason, ms }: Wait): string {
  return `${operation} waits ${Math.ceil(ms / 1_000)} s: ${reason}`;
}

/**
 * Describes a changed property. The description contains only numbers, booleans and known enumeration values, because other values may be
 * secret.
 */
function describeChange(kind: Kind, { property, how, before, after, unknown }: Change, discreet: boolean): string {
  if (unknown) return "is known only after the update";
  const words = allowedWords(kind, property);
  const isShown = (value: unknown): boolean =>
    typeof value === "number" || typeof value === "boolean" || (typeof value === "string" && words.length > 0);
  if (discreet || how !== "changed" || !isShown(before) || !isShown(after)) return how;
  const text = (value: unknown): string => (typeof value !== "string" || words.includes(value) ? String(value) : shown(value));
  return `${text(before)} -> ${text(after)}`;
}

/** Returns a note that a record stays in its account group, if the program no longer declares `accountGroupId`. */
export function stayText(
  { noun, origin }: Kind,
  properties: Properties,
  inputs: Properties,
  discreet: boolean,
): string | undefined {
  const group = stringOf(properties["accountGroupId"]);
  if (origin === undefined || group === undefined || inputs["accountGroupId"] !== undefined) return undefined;
  const where = discreet ? "in its account group" : `in account group ${group}`;
  return `accountGroupId is no longer set: the ${noun} stays ${where}, but new resources go to the token's default account group. Set accountGroupId to keep them together.`;
}

/**
 * Explains how a user removes a resource from the state if its record was deleted.
 *
 * @param resource URN of the resource, or its path in the program
 */
export function forgetText(kind: Kind, resource: string | undefined): string {
  const known = "If you know that it was deleted, run";
  if (resource?.startsWith("urn:")) return `${known} \`pulumi state delete '${resource}'\`.`;
  const name = resource?.split("$").at(-1) || "NAME";
  return `${known} \`pulumi state delete URN\` with the URN in \`pulumi stack --show-urns\` that ends in ${kind.name}::${name}.`;
}
