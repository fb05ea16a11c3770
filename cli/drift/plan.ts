import type { Kind } from "../../provider/kind";
import { registry } from "../../provider/registry";
import { type EngineResource, kindNameOf, nameOfUrn } from "../engine/state";
import type { ProgramOps } from "./program-preview";
import type { IgnoredDrift, StackDrift } from "./report";

/** The plan of an update that fixes drift. */
export interface FixPlan {
  /** Resources to update; those of one group only together: what is created anew, and all that refers to it. */
  groups: string[][];
  /** Those of them whose record is deleted and made anew. Of what no longer exists there is none to delete. */
  replaced: Set<string>;
  left: Map<string, string>;
}

/**
 * Plans an update that fixes just the drift. Other changes of the program must not come along: a drifted resource that the
 * program changes too is left, and so is one whose replacement would take along another that is.
 */
export function planOf(
  { changed, missing, ignored = [] }: StackDrift,
  resources: readonly EngineResource[],
  ops: ProgramOps,
): FixPlan {
  const state = new Map(resources.map((resource) => [resource.urn, resource]));
  const missingUrns = new Set(missing.map(({ urn }) => urn));
  const replaced = new Set(
    changed.filter(({ properties }) => properties.some(({ replaces }) => replaces)).map(({ urn }) => urn),
  );
  const drifted = [...changed.map(({ urn }) => urn), ...missingUrns];
  const dependants = dependantsOf(resources);
  const reasons = new Map(ignored.map((one) => [one.urn, ignoredReason(one)]));
  const obstacle = (urn: string, isReplaced: boolean): string | undefined => {
    if (reasons.has(urn)) return reasons.get(urn);
    if (urn.includes("*")) return "its name holds a *, which the engine takes for a pattern: run `pulumi up --refresh`";
    if (ops.get(urn) !== "same") return pendingReason(ops.get(urn));
    if (isReplaced && !missingUrns.has(urn) && state.get(urn)?.protect) {
      return `it is protected, and fixing it replaces it: \`pulumi state unprotect '${urn}'\` allows that`;
    }
    return undefined;
  };

  const groups = new Map<string, string[]>();
  const renewals = new Map<string, string[]>();
  const left = new Map<string, string>();
  for (const urn of drifted) {
    const renewed = missingUrns.has(urn) || replaced.has(urn);
    const own = obstacle(urn, renewed);
    const followers = renewed ? followersOf(urn, dependants, state) : new Map<string, boolean>();
    const hindered = [...followers].find(([follower, isReplaced]) => obstacle(follower, isReplaced) !== undefined);
    if (own !== undefined) left.set(urn, own);
    else if (hindered) left.set(urn, `${nameOfUrn(hindered[0])} has to follow it: ${obstacle(...hindered) ?? ""}`);
    else groups.set(urn, [urn, ...followers.keys()]);
    renewals.set(urn, [...(renewed ? [urn] : []), ...[...followers].flatMap(([one, isReplaced]) => (isReplaced ? [one] : []))]);
  }
  leaveDependants(groups, left, missingUrns, replaced, state);
  const renewedToo = [...groups.keys()].flatMap((urn) => renewals.get(urn) ?? []);
  return {
    groups: merged([...groups.values()]),
    replaced: new Set(renewedToo.filter((urn) => !missingUrns.has(urn))),
    left,
  };
}

/** Returns the reason why a resource with ignored drift is left. An update takes a resource whole. */
export function ignoredReason({ properties }: IgnoredDrift): string {
  if (properties.length === 0) return "drift.ignore names it";
  return `drift.ignore names its ${properties.map(({ property }) => property).join(", ")}, and it is brought in line as a whole or not at all`;
}

function pendingReason(op: string | undefined): string {
  if (op === "delete") return "the program no longer declares it: `pulumi up` deletes it";
  if (op === undefined) return "the program declares it under another name: `pulumi up --refresh` does both";
  return `the program changes it too (${op}): \`pulumi up --refresh\` does both`;
}

/** Leaves resources that refer to a missing resource which is left: the record does not exist, so they cannot be created. */
function leaveDependants(
  groups: Map<string, string[]>,
  left: Map<string, string>,
  missingUrns: ReadonlySet<string>,
  replaced: ReadonlySet<string>,
  state: ReadonlyMap<string, EngineResource>,
): void {
  for (let isSettled = false; !isSettled;) {
    isSettled = true;
    for (const [urn, group] of groups) {
      if (!missingUrns.has(urn) && !replaced.has(urn)) continue;
      const needed = group.flatMap((member) =>
        sourcesOf(state.get(member) ?? { urn: member, type: "" }).flatMap(([, from]) => from),
      );
      const absent = needed.find((one) => missingUrns.has(one) && left.has(one));
      if (absent === undefined) continue;
      left.set(urn, `it needs ${nameOfUrn(absent)}, which is left as it is`);
      groups.delete(urn);
      isSettled = false;
    }
  }
}

function merged(groups: readonly string[][]): string[][] {
  const found: Set<string>[] = [];
  const groupOf = new Map<string, Set<string>>();
  for (const group of groups) {
    const together = new Set(group.flatMap((urn) => [...(groupOf.get(urn) ?? [urn])]));
    for (const urn of together) groupOf.set(urn, together);
    found.push(together);
  }
  return found.filter((group) => [...group].every((urn) => groupOf.get(urn) === group)).map((group) => [...group]);
}

/** Which properties of which resources come from each resource. */
type Dependants = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

function dependantsOf(resources: readonly EngineResource[]): Dependants {
  const dependants = new Map<string, Map<string, string[]>>();
  for (const resource of resources) {
    for (const [property, from] of sourcesOf(resource)) {
      for (const urn of from) {
        const of = dependants.get(urn) ?? new Map<string, string[]>();
        dependants.set(urn, of.set(resource.urn, [...(of.get(resource.urn) ?? []), property]));
      }
    }
  }
  return dependants;
}

/** Returns the resources that each property comes from. For some providers the state has dependencies of the whole resource only. */
function sourcesOf({ propertyDependencies, dependencies = [] }: EngineResource): [property: string, from: string[]][] {
  if (!propertyDependencies) return [["", dependencies]];
  return Object.entries(propertyDependencies).map(([property, from]) => [property, from ?? []]);
}

/**
 * Finds the resources that have to follow one that gets another id: those that take a property from it and, if that property is set at
 * creation only, those that take one from these. @returns each with whether it is replaced
 */
function followersOf(urn: string, dependants: Dependants, state: ReadonlyMap<string, EngineResource>): Map<string, boolean> {
  const followers = new Map<string, boolean>();
  const renewed = [urn];
  for (let next = renewed.pop(); next !== undefined; next = renewed.pop()) {
    for (const [follower, properties] of dependants.get(next) ?? []) {
      if (followers.get(follower)) continue;
      const isReplaced = replacesWith(state.get(follower), properties);
      followers.set(follower, isReplaced);
      if (isReplaced) renewed.push(follower);
    }
  }
  return followers;
}

/** Whether a change of these properties replaces. Of a resource that is not ours that is not known: it may. */
function replacesWith(resource: EngineResource | undefined, properties: readonly string[]): boolean {
  const kindName = resource && kindNameOf(resource.type);
  if (kindName === undefined) return true;
  const kind: Kind = registry[kindName];
  return properties.some((property) => kind.createOnly.includes(property));
}
