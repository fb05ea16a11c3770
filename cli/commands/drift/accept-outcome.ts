import { type ManagedResource } from "../../../engine/state";
import { type Position } from "../../../common/position";
import type { Acceptance, Unplaced } from "../../../program/acceptance";
import { referenceTo } from "./look";
import { type DriftOutcome, inOrder, type PropertyDrift, type ResourceRef } from "./data";
import { UsageError } from "../../../common/errors";
import type { StackLook } from "./model";

/** The reason why a resource is not accepted, with the place of the obstacle. */
export interface Hindrance {
  reason: string;
  position?: Position | undefined;
}

/**
 * Returns the reason why a resource cannot be accepted with --keep-state. Without a refresh, an update compares the program with the old
 * state.
 */
export function notReplaced(changes: readonly PropertyDrift[]): string | undefined {
  const [property, ...more] = changes.filter(({ replaces }) => replaces).map((change) => change.property);
  if (property === undefined) return undefined;
  const set = more.length > 0 ? `${[property, ...more].join(", ")} are` : `${property} is`;
  return `${set} set at creation only, so the update after the merge would replace it: \`drift --accept\` without --keep-state also refreshes the state`;
}

export function acceptedOf(looks: readonly StackLook[], accepted: AcceptAttempt["accepted"]): DriftOutcome["resources"] {
  const changed = new Map(
    looks.flatMap(({ drift }) =>
      drift.changed.map((changedResource) => [changedResource.urn, changedResource.properties] as const),
    ),
  );
  return inStacks(
    [...accepted].map(([resource, position]) => ({
      ...referenceTo({ ...resource, position }),
      how: "accepted" as const,
      properties: (changed.get(resource.urn) ?? []).map(({ property }) => property),
    })),
  );
}

export function leftAs(hindrances: ReadonlyMap<ManagedResource, Hindrance>): DriftOutcome["left"] {
  return inStacks(
    [...hindrances].map(([resource, { reason, position = resource.position }]) => ({
      ...referenceTo({ ...resource, position }),
      reason,
    })),
  );
}

export function hindranceOf(unplaced: readonly Unplaced[] | undefined): Hindrance | undefined {
  if (!unplaced) return undefined;
  const position = unplaced.find((candidate) => candidate.position)?.position;
  const reason = unplaced.map(({ property, reason: why, advice }) => `${property} ${why}: ${advice}`).join("; ");
  return { reason, ...(position && { position }) };
}

export function entryOf<T>(resource: ManagedResource, value: T | undefined): [ManagedResource, T][] {
  return value === undefined ? [] : [[resource, value]];
}

/** Sorts resources by the names of their stacks, then in the order of all reports. */
function inStacks<T extends ResourceRef>(resources: readonly T[]): T[] {
  const stacks = Map.groupBy(resources, ({ stack }) => stack);
  return [...stacks.keys()].toSorted().flatMap((stack) => inOrder(stacks.get(stack) ?? []));
}

export function gone(looks: readonly StackLook[]): DriftOutcome["left"] {
  const reason = "it no longer exists: delete its declaration, or recreate it with --fix";
  return looks.flatMap(({ drift }) =>
    drift.missing.map(({ referredToBy: _referredToBy, ...resource }) => ({ ...resource, reason })),
  );
}

export interface AcceptAttempt extends Acceptance {
  /** Resources with values of the service in the edited program, with the places of their declarations. */
  accepted: ReadonlyMap<ManagedResource, Position>;
  /** Reasons why resources cannot be accepted. An error if no particular resource causes the failure. */
  problems: ReadonlyMap<ManagedResource, Hindrance> | UsageError;
}
