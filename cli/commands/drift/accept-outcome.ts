import { type ManagedResource } from "../../../engine/state";
import { type Position } from "../../../common/position";
import type { Acceptance, RefusedProperty } from "../../../program/acceptance";
import type { RefusedEdit } from "../../../program/source-edit";
import { referenceTo } from "./stack-drift";
import { type DriftOutcome, inOrder, type PropertyDrift, type ResourceRef } from "./data";
import { UsageError } from "../../../common/errors";
import type { ComparedStack } from "./model";

/** The reason why drift of a resource cannot be accepted, with advice and a position in the program. */
export type Obstacle = Omit<RefusedEdit, "advice">;

/**
 * Returns the reason why --keep-state skips a resource that the next update would replace. The next update compares the program with the
 * old state, because --keep-state skips the refresh.
 */
export function notReplaced(changes: readonly PropertyDrift[]): string | undefined {
  const [property, ...more] = changes.filter(({ replaces }) => replaces).map((change) => change.property);
  if (property === undefined) return undefined;
  const set = more.length > 0 ? `${[property, ...more].join(", ")} are` : `${property} is`;
  return `${set} set only at creation, so the update after the merge would replace the resource. To avoid this, run \`drift --accept\` without --keep-state, which also refreshes the state`;
}

export function acceptedOf(compared: readonly ComparedStack[], accepted: AcceptAttempt["accepted"]): DriftOutcome["resources"] {
  const changed = new Map(
    compared.flatMap(({ drift }) =>
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

export function leftAs(obstacles: ReadonlyMap<ManagedResource, Obstacle>): DriftOutcome["left"] {
  return inStacks(
    [...obstacles].map(([resource, { reason, position = resource.position }]) => ({
      ...referenceTo({ ...resource, position }),
      reason,
    })),
  );
}

export function obstacleOf(refused: readonly RefusedProperty[] | undefined): Obstacle | undefined {
  if (!refused) return undefined;
  const position = refused.find((candidate) => candidate.position)?.position;
  const reason = refused.map(({ property, reason: why, advice }) => `${property} ${why}: ${advice}`).join("; ");
  return { reason, ...(position && { position }) };
}

export function entryOf<T>(resource: ManagedResource, value: T | undefined): [ManagedResource, T][] {
  return value === undefined ? [] : [[resource, value]];
}

function inStacks<T extends ResourceRef>(resources: readonly T[]): T[] {
  const stacks = Map.groupBy(resources, ({ stack }) => stack);
  return [...stacks.keys()].toSorted().flatMap((stack) => inOrder(stacks.get(stack) ?? []));
}

export function gone(compared: readonly ComparedStack[]): DriftOutcome["left"] {
  const reason = "the record no longer exists: delete its declaration, or recreate the record with --fix";
  return compared.flatMap(({ drift }) =>
    drift.missing.map(({ referredToBy: _referredToBy, ...resource }) => ({ ...resource, reason })),
  );
}

export interface AcceptAttempt extends Acceptance {
  accepted: ReadonlyMap<ManagedResource, Position>;
  /** Reasons why drift of some resources cannot be accepted, or an error that does not concern a particular resource. */
  problems: ReadonlyMap<ManagedResource, Obstacle> | UsageError;
}
