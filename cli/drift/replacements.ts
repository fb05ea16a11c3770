import { managedAmong } from "../engine/state";
import { referenceTo } from "./look";
import { inOrder } from "./order";
import { planOf } from "./plan";
import type { Replacement, StackDrift } from "./report";
import type { Look } from "./stacks";

/**
 * The drift of a stack with what mending would replace, as far as the state tells. What the program changes too is left as it is, which only a preview knows:
 * mending makes one, and reports what it will replace before it begins.
 */
export function withReplacements(look: Look): StackDrift {
  const { drift, resources = [] } = look;
  const asDeclared = { same: new Set(resources.map(({ urn }) => urn)), pending: [] };
  const mendingReplaces = replacementsOf(look, planOf(drift, resources, asDeclared).replaced);
  return mendingReplaces.length > 0 ? { ...drift, mendingReplaces } : drift;
}

/** The resources of ours among some of a stack, as replaced ones. */
export function replacementsOf({ stack, resources = [] }: Look, urns: ReadonlySet<string>): Replacement[] {
  const replaced = managedAmong(stack.name, resources).filter(({ urn }) => urns.has(urn));
  return inOrder(replaced.map((held) => ({ ...referenceTo(held), replacementCost: held.kind.replacementCost })));
}

/** What was replaced between two looks at a stack: all that has another record now, but what had lost its own before. */
export function replacedBetween(before: Look, after: Look): Replacement[] {
  const missing = new Set(before.drift.missing.map(({ urn }) => urn));
  const ids = new Map(managedAmong(before.stack.name, before.resources ?? []).map(({ urn, id }) => [urn, id]));
  const replaced = managedAmong(after.stack.name, after.resources ?? []).filter(({ urn, id }) => {
    const former = ids.get(urn);
    return former !== undefined && former !== id && !missing.has(urn);
  });
  return replacementsOf(after, new Set(replaced.map(({ urn }) => urn)));
}
