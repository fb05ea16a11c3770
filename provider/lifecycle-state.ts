import { writtenProperty } from "./read-lag";
import { compact } from "./values";
import { withArticle } from "./values";
import { OwnershipError } from "./failures";
import { isRehearsal } from "../api/rehearsal";
import { listOf } from "./compare";
import { DamagedStateError, OtherServiceError, UnprovenError } from "./failures";
import type { ReadResource } from "./handler";
import type { Kind } from "./kind";
import { type Damage, isEqual, sound } from "./shape";
import type { Session } from "./session";
import { type Properties, stringOf } from "./values";
import { forgetText } from "./wording";

/**
 * Name of the state property with the origin of the record's service. The engine does not show properties with two underscores
 * in front of the name.
 */
export const serviceProperty = "__service";

/** Returns the reason why a read within `readLag` of the last write proves nothing; undefined if it shows that write. */
export function tooRecentText(
  kind: Kind,
  readLag: Session["readLag"],
  state: Properties,
  damages: readonly Damage[],
  readResource: ReadResource | undefined,
): string | undefined {
  const age = readLag.describe(state);
  if (!readResource) return `the service does not show it, but ${age}, so it stays in state. Try again later`;
  // A damaged property has no value to keep.
  if (damages.length > 0) return undefined;
  const older = Object.keys(kind.properties).filter(
    (property) =>
      !kind.providerOptions.includes(property) && !isEqual(kind, property, state[property], readResource.state[property]),
  );
  if (older.length === 0) return undefined;
  return `the service shows other values (${older.join(", ")}), but ${age}, so the state keeps its values. Try again later`;
}

/**
 * Runs work. If the result cannot be proven, the error explains how a user who knows that the record was deleted removes the
 * resource from state.
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
 * Requires that a state belongs to the configured service. Its answers prove nothing about the records of another service,
 * where the same ids mean other records.
 *
 * @throws OtherServiceError
 */
export function requireService({ service, settings }: Session, state: Properties): void {
  const stateOrigin = originOf(stringOf(state[serviceProperty]));
  // A rehearsal works on a copy of the state, and sends nothing to the services in it.
  if (stateOrigin === undefined || stateOrigin === service || settings.movedFrom.includes(stateOrigin) || isRehearsal()) return;
  throw new OtherServiceError(stateOrigin, service);
}

/**
 * Returns the state if it is intact. @throws DamagedStateError if it is not: comparing a damaged property might replace a
 * record that needs no change
 */
export function intactState(kind: Kind, id: string, state: Properties): Properties {
  const { properties, damages } = sound(kind, state);
  if (damages.length === 0) return properties;
  throw new DamagedStateError(
    `The state of the ${kind.noun} ${id} is damaged: ${damages.map(({ path, reason }) => `${path} ${reason}`).join("; ")}. ` +
      "Run `pulumi refresh`, which reads it again from the service, then repeat this operation.",
  );
}

/**
 * Returns the state with damaged write-only properties as unknown. Their values are lost. This must not appear as a difference.
 */
export function withUnknown(kind: Kind, state: Properties, damages: readonly Damage[]): Properties {
  const lost = kind.writeOnly.filter((property) => damages.some((damage) => damage.property === property));
  return lost.length === 0 ? state : { ...state, unknownFields: [...listOf(state["unknownFields"]), ...lost] };
}

/** Returns the origin in a state. Text that is not an origin is damaged, and names no service. */
function originOf(text: string | undefined): string | undefined {
  return text !== undefined && URL.parse(text)?.origin === text ? text : undefined;
}

/**
 * Requires that no resource which may manage the record has failed or was skipped. After a failure, the engine skips the
 * dependents of the failed resource, and one of them may manage the record: an adoption leaves the record with two resources if
 * the engine is killed before its deletes. If the object exists by itself, a failed resource may also be the deleted resource
 * under its new name.
 *
 * @throws OwnershipError
 */
export function requireAllSeen(kind: Kind, ledger: Session["ledger"], id: string): void {
  if (!ledger.isFree(kind, id)) return;
  const referred = ledger.failedOf(Object.values(kind.refersTo).flatMap((name) => name ?? []));
  const failed = referred ?? (kind.origin === "found" && ledger.hasFailed(kind) ? kind.name : undefined);
  if (failed === undefined) return;
  throw new OwnershipError(
    `The ${kind.noun} ${id} was not deleted: ${withArticle(failed)} resource failed, so a resource that manages the same ${kind.noun} may ` +
      "be missing in this operation. Solve the problem that is reported above, then run the operation again.",
  );
}

/** Returns the state with the origin of the record's service and the time of the last write. */
export function marked(session: Session, state: Properties, written: unknown): Properties {
  return compact({ ...state, [serviceProperty]: session.service, [writtenProperty]: written });
}

/** Masks write-only values, such as passwords, in later messages. */
export function conceal(session: Session, kind: Kind, properties: Properties): void {
  for (const property of kind.writeOnly) {
    const value = properties[property];
    if (typeof value === "string") session.conceal(value);
  }
}

/**
 * Whether resources of a kind have records. If a kind cannot be listed, two of its resources may have the same id, and a delete
 * changes nothing.
 */
export function hasRecord(kind: Kind): boolean {
  return kind.origin !== undefined;
}

/**
 * Returns the time of a write that has just ended. Returns undefined for a kind that cannot be listed, because such a kind
 * needs no time.
 */
export function writtenNow(session: Session, kind: Kind): string | undefined {
  return hasRecord(kind) ? session.clock.latestText() : undefined;
}

/** Advice for a resource that exists and still has `adopt: true`. */
export const adoptedAlready =
  "adopt: true has no effect on an existing resource. Remove it: a second stack of this program would adopt the same record, and its " +
  "destroy would delete it";
