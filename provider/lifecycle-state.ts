import { writtenProperty } from "./read-lag";
import { isRehearsal } from "../api/rehearsal";
import { listOf } from "./compare";
import { DamagedStateError, OtherServiceError, OwnershipError, UnprovenError } from "./failures";
import type { ReadResource } from "./handler";
import type { Kind } from "./kind";
import { type Damage, isEqual, sound } from "./shape";
import type { Session } from "./session";
import { compact, type Properties, stringOf, withArticle } from "./values";
import { forgetText } from "./wording";

/** State property with the origin of the record's service. The engine hides properties that begin with two underscores. */
export const serviceProperty = "__service";

/**
 * Returns the reason why the service's response may be older than the stack's last write. Returns undefined if the response
 * contains the last write.
 */
export function tooRecentText(
  kind: Kind,
  readLag: Session["readLag"],
  state: Properties,
  damages: readonly Damage[],
  readResource: ReadResource | undefined,
): string | undefined {
  const age = readLag.describe(state);
  if (!readResource)
    return `the service does not show the record, but ${age}, so the resource stays in the state. Try again later`;
  // Damaged properties in the state must be replaced with the service's values, even if the service's response may be outdated.
  if (damages.length > 0) return undefined;
  const older = Object.keys(kind.properties).filter(
    (property) =>
      !kind.providerOptions.includes(property) && !isEqual(kind, property, state[property], readResource.state[property]),
  );
  if (older.length === 0) return undefined;
  return `the service shows other values (${older.join(", ")}), but ${age}, so the state keeps its values. Try again later`;
}

/**
 * Runs an operation, and adds instructions to the error `UnprovenError`. The added instructions explain how a user removes
 * the resource from the state.
 */
export async function provably<T>(kind: Kind, resource: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UnprovenError && error.mayBeForgotten)) throw error;
    throw new UnprovenError(`${error.message} ${forgetText(kind, resource)}`, { cause: error.cause });
  }
}

/**
 * Throws an error unless a state belongs to the configured service. Another service may have different records with the same ids.
 *
 * @throws OtherServiceError
 */
export function requireService({ service, settings }: Session, state: Properties): void {
  const stateOrigin = originOf(stringOf(state[serviceProperty]));
  // A rehearsal sends all requests to a copy of the service, so the origin in the state does not have to match.
  if (stateOrigin === undefined || stateOrigin === service || settings.movedFrom.includes(stateOrigin) || isRehearsal()) return;
  throw new OtherServiceError(stateOrigin, service);
}

/**
 * Returns the properties of an intact state. A comparison with a damaged property could cause the replacement of a record
 * that needs no change.
 *
 * @throws DamagedStateError if a property is damaged
 */
export function intactState(kind: Kind, id: string, state: Properties): Properties {
  const { properties, damages } = sound(kind, state);
  if (damages.length === 0) return properties;
  throw new DamagedStateError(
    `The state of the ${kind.noun} ${id} is damaged: ${damages.map(({ path, reason }) => `${path} ${reason}`).join("; ")}. ` +
      "Run `pulumi refresh`, which reads the record again from the service. Then run the operation again.",
  );
}

/** Marks damaged write-only properties as unknown, so that their lost values do not count as changes. */
export function withUnknown(kind: Kind, state: Properties, damages: readonly Damage[]): Properties {
  const lost = kind.writeOnly.filter((property) => damages.some((damage) => damage.property === property));
  return lost.length === 0 ? state : { ...state, unknownFields: [...listOf(state["unknownFields"]), ...lost] };
}

function originOf(text: string | undefined): string | undefined {
  return text !== undefined && URL.parse(text)?.origin === text ? text : undefined;
}

/**
 * Refuses a deletion if a resource that may manage the record failed. The engine skips resources that depend on a failed resource. If an
 * adoption was interrupted earlier, a skipped resource may manage the record.
 *
 * @throws OwnershipError
 */
export function requireAllSeen(kind: Kind, ledger: Session["ledger"], id: string): void {
  if (!ledger.isFree(kind, id)) return;
  const referred = ledger.failedOf(Object.values(kind.refersTo).flatMap((name) => name ?? []));
  const failed = referred ?? (kind.origin === "found" && ledger.hasFailed(kind) ? kind.name : undefined);
  if (failed === undefined) return;
  throw new OwnershipError(
    `The ${kind.noun} ${id} was not deleted, because ${withArticle(failed)} resource failed. The engine may have skipped another resource ` +
      `that manages the same ${kind.noun}. Fix the problem reported above, then run the operation again.`,
  );
}

export function marked(session: Session, state: Properties, written: unknown): Properties {
  return compact({ ...state, [serviceProperty]: session.service, [writtenProperty]: written });
}

export function conceal(session: Session, kind: Kind, properties: Properties): void {
  for (const property of kind.writeOnly) {
    const value = properties[property];
    if (typeof value === "string") session.conceal(value);
  }
}

/**
 * Whether the service stores records for resources of a type. Resources without records, such as test runs, may share an id. The provider
 * sends no request to delete a resource without a record.
 */
export function hasRecord(kind: Kind): boolean {
  return kind.origin !== undefined;
}

/** Returns the latest possible time of the service's clock, or undefined if the service stores no records for the resource type. */
export function writtenNow(session: Session, kind: Kind): string | undefined {
  return hasRecord(kind) ? session.clock.latestText() : undefined;
}

export const adoptedAlready =
  "adopt: true has no effect on an existing resource. Remove adopt: true, because a second stack of this program would adopt " +
  "the same record, and a destroy of that stack would delete the record";
