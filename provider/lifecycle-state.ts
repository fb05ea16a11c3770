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

/** Property of a state that holds the origin of the service that has the record. The engine shows no property with such a name. */
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
  if (!readResource) return `the service does not show it, but ${age}, so it stays in state. Refresh again later`;
  // A damaged property has no value that could be kept.
  if (damages.length > 0) return undefined;
  const older = Object.keys(kind.properties).filter(
    (property) =>
      !kind.providerOptions.includes(property) && !isEqual(kind, property, state[property], readResource.state[property]),
  );
  if (older.length === 0) return undefined;
  return `the service shows other values (${older.join(", ")}), but ${age}, so the state keeps its values. Refresh again later`;
}

/** Adds to an error without proof how a user who knows that the record was deleted removes the resource from state. */
export async function provably<T>(kind: Kind, resource: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UnprovenError && error.mayBeForgotten)) throw error;
    throw new UnprovenError(`${error.message} ${forgetText(kind, resource)}`, { cause: error.cause });
  }
}

/**
 * Records of another service have other ids: what this one answers about them proves nothing.
 *
 * @throws OtherServiceError
 */
export function requireService({ service, settings }: Session, state: Properties): void {
  const stateOrigin = originOf(stringOf(state[serviceProperty]));
  // A rehearsal works on a copy of the state, and sends nothing to the services that it names.
  if (stateOrigin === undefined || stateOrigin === service || settings.movedFrom.includes(stateOrigin) || isRehearsal()) return;
  throw new OtherServiceError(stateOrigin, service);
}

/** @throws DamagedStateError, since a comparison with a damaged property might replace a record that needs no change */
export function intactState(kind: Kind, id: string, state: Properties): Properties {
  const { properties, damages } = sound(kind, state);
  if (damages.length === 0) return properties;
  throw new DamagedStateError(
    `The state of the ${kind.noun} ${id} is damaged: ${damages.map(({ path, reason }) => `${path} ${reason}`).join("; ")}. ` +
      "Run `pulumi refresh`, which reads it again from the service, then repeat this operation.",
  );
}

/** Lists damaged write-only properties as unknown: their value is lost, which must not show as a difference. */
export function withUnknown(kind: Kind, state: Properties, damages: readonly Damage[]): Properties {
  const lost = kind.writeOnly.filter((property) => damages.some((damage) => damage.property === property));
  return lost.length === 0 ? state : { ...state, unknownFields: [...listOf(state["unknownFields"]), ...lost] };
}

/** Returns the origin that a state names. A text that is none is damage, and names no service. */
function originOf(text: string | undefined): string | undefined {
  return text !== undefined && URL.parse(text)?.origin === text ? text : undefined;
}

/**
 * An engine that goes on after a failure skips the resources that depend on the failed one. One of them may manage the record: an
 * adoption leaves it in the state of two resources if the engine is killed before its deletes. A failed resource of an object that exists
 * by itself may also be the new name of the one that is deleted.
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
      "be missing in this operation. Correct the failure that is reported above, then run the operation again.",
  );
}

/** Adds to a state the service that has the record, and the time of the last write. */
export function marked(session: Session, state: Properties, written: unknown): Properties {
  return compact({ ...state, [serviceProperty]: session.service, [writtenProperty]: written });
}

/** Keeps write-only values, such as passwords, out of messages. */
export function conceal(session: Session, kind: Kind, properties: Properties): void {
  for (const property of kind.writeOnly) {
    const value = properties[property];
    if (typeof value === "string") session.conceal(value);
  }
}

/** Whether resources of a kind have records: if it cannot be listed, two resources may share an id, and a delete changes nothing. */
export function hasRecord(kind: Kind): boolean {
  return kind.origin !== undefined;
}

/** Returns the time of a write that has just ended; undefined for a kind that cannot be listed. */
export function writtenNow(session: Session, kind: Kind): string | undefined {
  return hasRecord(kind) ? session.clock.latestText() : undefined;
}

/** Advice for a resource that exists and still has `adopt: true`. */
export const adoptedAlready =
  "adopt: true has no effect on a resource that exists. Remove it: a second stack of this program would adopt the same record, and its " +
  "destroy would delete it";
