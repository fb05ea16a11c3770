import type { Kind } from "../../../provider/kind";
import { registry } from "../../../provider/registry";
import { changesNothing, previewStack } from "../../../engine/preview";
import type { ProjectStack } from "../../../engine/stack";
import { type EngineResource, kindNameOf, managedAmong, nameOfUrn } from "../../../engine/state";
import { referenceTo } from "./stack-drift";
import { type IgnoredDrift, inOrder, type Replacement, type StackDrift } from "./data";
import { operationOf } from "../../../plan/steps";
import type { ComparedStack } from "./model";

/**
 * Operations that result from changes to the program, by URN. The map does not contain operations that only correct drift. The operation
 * `same` means that nothing changes.
 */
export type ProgramOps = ReadonlyMap<string, string>;

/**
 * @param args additional arguments for the preview, such as targets
 * @throws UsageError with the engine's reasons if the program cannot be previewed
 */
export async function previewProgram(stack: ProjectStack, args: readonly string[] = []): Promise<ProgramOps> {
  const what = `The program of stack ${stack.name} cannot be previewed`;
  const { steps } = operationOf(await previewStack(stack, what, ["--show-sames", ...args]));
  // A resource can have several steps, such as a refresh and an update. The step that changes the resource has priority.
  const rank = (op: string): number => (op === "same" ? 1 : changesNothing.has(op) ? 0 : 2);
  return new Map(steps.toSorted((a, b) => rank(a.op) - rank(b.op)).map(({ urn, op }) => [urn, op]));
}

export function pendingIn(ops: ProgramOps): { op: string; name: string; urn: string }[] {
  return [...ops].flatMap(([urn, op]) => (changesNothing.has(op) ? [] : [{ op, name: nameOfUrn(urn), urn }]));
}

export interface FixPlan {
  /**
   * Groups of URNs that one update must change together. A group contains resources that get new ids, and all resources that refer to them.
   */
  groups: string[][];
  /** URNs of resources that the fix replaces although their records still exist. */
  replaced: Set<string>;
  /** Reasons why `drift` does not fix some resources, by URN. */
  left: Map<string, string>;
}

/** URNs of resources that the same update must change. In the map, the value is true if the resource gets a new record. */
type DriftGroup = Map<string, boolean>;

/**
 * Plans an update that fixes only the drift. If the program also changes a resource, the plan skips all groups that contain the resource.
 */
export function planOf(
  { changed, missing, ignored = [], unread = [] }: StackDrift,
  resources: readonly EngineResource[],
  ops: ProgramOps,
): FixPlan {
  const state = new Map(resources.map((resource) => [resource.urn, resource]));
  const missingUrns = new Set(missing.map(({ urn }) => urn));
  const ignoredReasons = new Map(ignored.map((ignoredDrift) => [ignoredDrift.urn, ignoredReason(ignoredDrift)]));
  const unreadUrns = new Set(unread.flatMap((group) => group.resources.map(({ urn }) => urn)));
  const obstacle = (urn: string, isCreated: boolean): string | undefined => {
    if (unreadUrns.has(urn)) return "it could not be read";
    if (ignoredReasons.has(urn)) return ignoredReasons.get(urn);
    if (urn.includes("*")) return "its name contains *, which the engine treats as a pattern: run `pulumi up --refresh`";
    if (ops.get(urn) !== "same") return pendingReason(ops.get(urn));
    if (isCreated && !missingUrns.has(urn) && state.get(urn)?.protect) {
      return `it is protected, and a fix would replace it: \`pulumi state unprotect '${urn}'\` allows that`;
    }
    return undefined;
  };

  const uses = usesIn(resources);
  const drifted = new Map([
    ...changed.map(({ urn, properties }) => [urn, properties.some(({ replaces }) => replaces)] as const),
    ...missing.map(({ urn }) => [urn, true] as const),
  ]);
  const followers = new Map([...drifted].map(([urn, isCreated]) => [urn, isCreated ? followersOf(urn, uses) : new Map()]));
  const plan: FixPlan = { groups: [], replaced: new Set(), left: new Map() };
  for (const group of merged(
    [...drifted].map(([urn, isCreated]) => new Map([...(followers.get(urn) ?? []), [urn, isCreated]])),
  )) {
    const hindered = [...group].find(([urn, isCreated]) => obstacle(urn, isCreated) !== undefined);
    if (!hindered) plan.groups.push([...group.keys()]);
    for (const [urn, isCreated] of group) {
      if (!hindered && isCreated && !missingUrns.has(urn)) plan.replaced.add(urn);
      if (hindered && drifted.has(urn)) {
        const [obstacleName, reason] = [nameOfUrn(hindered[0]), obstacle(hindered[0], hindered[1]) ?? ""];
        const isFollower = followers.get(urn)?.has(hindered[0]);
        const because = isFollower
          ? `${obstacleName} refers to it`
          : `it can only be fixed together with ${obstacleName}, which is not fixed`;
        plan.left.set(urn, obstacle(urn, isCreated) ?? `${because}: ${reason}`);
      }
    }
  }
  return plan;
}

/** Returns the reason why `drift` does not fix a resource with ignored drift. An update cannot fix only some properties of a resource. */
export function ignoredReason({ properties }: IgnoredDrift): string {
  if (properties.length === 0) return "it is in drift.ignore";
  return `its ${properties.map(({ property }) => property).join(", ")} is in drift.ignore, and drift fixes or accepts only whole resources`;
}

function pendingReason(op: string | undefined): string {
  if (op === "delete") return "the program no longer declares it: `pulumi up` deletes it";
  if (op === undefined) return "the program declares it under another name: `pulumi up --refresh` does both";
  return `the program also changes it (${op}): \`pulumi up --refresh\` does both`;
}

function merged(groups: readonly DriftGroup[]): Set<DriftGroup> {
  const groupOf = new Map<string, DriftGroup>();
  for (const group of groups) {
    const together: DriftGroup = new Map();
    for (const part of [group, ...[...group.keys()].flatMap((urn) => groupOf.get(urn) ?? [])]) {
      for (const [urn, isCreated] of part) together.set(urn, isCreated || together.get(urn) === true);
    }
    for (const urn of together.keys()) groupOf.set(urn, together);
  }
  return new Set(groupOf.values());
}

interface ResourceUse {
  source: string;
  property: string;
  resource: EngineResource;
}

/**
 * Maps the URN of each resource to the resources and properties that use the resource. Some providers record dependencies only for whole
 * resources, not for single properties.
 */
function usesIn(resources: readonly EngineResource[]): ReadonlyMap<string, readonly ResourceUse[]> {
  const uses = resources.flatMap((resource) => {
    const { dependencies = [], propertyDependencies = { "": dependencies } } = resource;
    return Object.entries(propertyDependencies).flatMap(([property, from]) =>
      (from ?? []).map((source): ResourceUse => ({ source, property, resource })),
    );
  });
  return Map.groupBy(uses, ({ source }) => source);
}

/**
 * Finds the resources that change if a resource gets a new id. A replaced resource also gets a new id, so the search continues with the
 * resources that refer to the replaced resource.
 */
function followersOf(urn: string, uses: ReadonlyMap<string, readonly ResourceUse[]>): DriftGroup {
  const followers: DriftGroup = new Map();
  const created = [urn];
  for (let next = created.pop(); next !== undefined; next = created.pop()) {
    for (const use of uses.get(next) ?? []) {
      const follower = use.resource.urn;
      if (followers.get(follower)) continue;
      const isReplaced = replacesBy(use);
      followers.set(follower, isReplaced);
      if (isReplaced) created.push(follower);
    }
  }
  return followers;
}

/** Whether a new value of the property requires a replacement of the resource. Resources of other providers always count as replaced. */
function replacesBy({ resource, property }: ResourceUse): boolean {
  const kindName = kindNameOf(resource.type);
  if (kindName === undefined) return true;
  const kind: Kind = registry[kindName];
  return kind.createOnly.includes(property);
}

/** Adds the replacements that a fix would cause, according to the state. Only a preview of the fix shows the exact replacements. */
export function withReplacements(comparedStack: ComparedStack): StackDrift {
  const { drift, resources = [] } = comparedStack;
  const asDeclared = new Map(resources.map(({ urn }) => [urn, "same"]));
  const fixReplaces = replacementsOf(comparedStack, planOf(drift, resources, asDeclared).replaced);
  return fixReplaces.length > 0 ? { ...drift, fixReplaces } : drift;
}

export function replacementsOf({ stack, resources = [] }: ComparedStack, urns: ReadonlySet<string>): Replacement[] {
  const replaced = managedAmong(stack.name, resources).filter(({ urn }) => urns.has(urn));
  return inOrder(replaced.map((resource) => ({ ...referenceTo(resource), replacementCost: resource.kind.replacementCost })));
}
