import { managedAmong } from "../engine/state";
import { referenceTo } from "./look";
import { planOf } from "./plan";
import { inOrder, type Replacement, type StackDrift } from "./report";
import type { Look } from "./stacks";

/**
 * The drift of a stack with what fixing it would replace, as far as the state shows. What the program changes too is left as it is,
 * which only a preview knows: a fix makes one, and reports what it will replace before it begins.
 */
export function withReplacements(look: Look): StackDrift {
  const { drift, resources = [] } = look;
  const asDeclared = new Map(resources.map(({ urn }) => [urn, "same"]));
  const mendingReplaces = replacementsOf(look, planOf(drift, resources, asDeclared).replaced);
  return mendingReplaces.length > 0 ? { ...drift, mendingReplaces } : drift;
}

/** The resources of ours among some of a stack, as replaced ones. */
export function replacementsOf({ stack, resources = [] }: Look, urns: ReadonlySet<string>): Replacement[] {
  const replaced = managedAmong(stack.name, resources).filter(({ urn }) => urns.has(urn));
  return inOrder(replaced.map((resource) => ({ ...referenceTo(resource), replacementCost: resource.kind.replacementCost })));
}

/** Resources that were replaced between two looks at a stack: those with another record now, unless they had none before. */
export function replacedBetween(before: Look, after: Look): Replacement[] {
  const missing = new Set(before.drift.missing.map(({ urn }) => urn));
  const ids = new Map(managedAmong(before.stack.name, before.resources ?? []).map(({ urn, id }) => [urn, id]));
  const replaced = managedAmong(after.stack.name, after.resources ?? []).filter(
    ({ urn, id }) => ids.has(urn) && ids.get(urn) !== id && !missing.has(urn),
  );
  return replacementsOf(after, new Set(replaced.map(({ urn }) => urn)));
}
