import { setTimeout as sleep } from "node:timers/promises";
import { EndpointMonitoringError, UnconfirmedError } from "../api";
import { DuplicateError, UnknownOutcomeError } from "./failures";
import type { RecordKind } from "./record-kind";
import type { Session } from "./session";
import type { Ids } from "./snapshot";
import { createBody } from "./state";
import { identicalNew } from "./duplicates";
import { recordFacts, recordsOf, titleOf, titleOfRecord } from "./identity";
import { type Properties } from "./values";

/**
 * Pauses as shares of `createOutcomeTimeout`: before the first list, and at most between two lists. With 60 s they are 0.5 s
 * and 5 s.
 */
const [firstPauseShare, maxPauseShare] = [1 / 120, 1 / 12];
/** Ratio of each pause to the previous one. */
const pauseGrowth = 1.5;

/** A create that may end with an unknown outcome. */
export interface PendingCreate {
  readonly kind: RecordKind;
  readonly session: Session;
  readonly inputs: Properties;
  readonly accountGroupId: string | undefined;
  /** Ids of the records before the create. */
  readonly before: Ids;
}

/**
 * Sends a create once. If the service may have stored the record without confirming it, this looks for the record until
 * `createOutcomeTimeout` expires. It never sends the create again: the API has no idempotency key, and a list without the record
 * proves nothing (docs/service/requests.md, Creates and deletes).
 *
 * @returns the record, from the answer of the create or from a list
 * @throws UnknownOutcomeError if no list shows the record in time; DuplicateError if several records match; and the client's
 * errors if nothing was stored
 */
export async function createOnce(creation: PendingCreate): Promise<object> {
  const { kind, session, inputs, accountGroupId } = creation;
  const { ledger } = session;
  const sentAt = session.clock.earliest();
  const answered = ledger.recordSending(kind, keyOf(creation));
  let failure: EndpointMonitoringError;
  try {
    const record = await kind.requests.create(session.client, createBody(kind, inputs), accountGroupId);
    // The record is marked before its create counts as answered, so that no other create mistakes it for its own.
    ledger.markAcquired(kind, kind.idOf(record), recordFacts(kind, accountGroupId, inputs));
    return record;
  } catch (error) {
    if (!(error instanceof EndpointMonitoringError) || !error.outcomeUnknown) throw error;
    failure = error;
  } finally {
    answered();
  }
  return lookFor({ ...creation, sentAt }, failure);
}

/** A create without an answer, and the service's time when it was sent. */
interface LostCreate extends PendingCreate {
  readonly sentAt: number | undefined;
}

/** New records with the created name: those equal to the inputs, and others. */
interface NewRecords {
  readonly equal: readonly object[];
  readonly different: readonly object[];
}

/**
 * Lists repeatedly, because the service may still process the request, and its lists may lag behind. A record without a
 * creation time may be older than the create, even if the list before it did not show the record. So the lists must contain all
 * records that were created until now.
 */
async function lookFor(creation: LostCreate, failure: EndpointMonitoringError): Promise<object> {
  const { kind, session } = creation;
  const { readLag } = session.settings;
  const startedAt = performance.now();
  let seen: NewRecords | EndpointMonitoringError = { equal: [], different: [] };
  for (const pauseMs of pausesMs(lookSeconds(session))) {
    await sleep(pauseMs);
    const isShown = performance.now() - startedAt >= readLag * 1_000;
    const named = await namedBy(creation, failure);
    seen = named ? { equal: [named], different: [] } : await newRecords(creation);
    // The record of a create without an answer looks like an unmanaged record.
    const othersUnanswered = session.ledger.isSending(kind, keyOf(creation));
    const [record, ...others] = seen instanceof EndpointMonitoringError ? [] : seen.equal;
    if (record && (named || !othersUnanswered)) {
      if (others.length > 0) throw several(creation, [record, ...others], failure);
      if (!named && !isShown && kind.createdAt?.(record) === undefined) continue;
      const facts = recordFacts(kind, creation.accountGroupId, creation.inputs);
      if (session.ledger.adopt(kind, kind.idOf(record), facts)) return record;
    }
  }
  throw notFound(creation, failure, seen);
}

/** Returns the seconds to look for a record: the service may need time to store it, and reads may lag. */
function lookSeconds({ settings }: Session): number {
  return Math.max(settings.createOutcomeTimeout, settings.readLag);
}

/** Yields pauses in ms, each longer than the one before, up to a time in seconds; the last one ends with it. */
export function* pausesMs(seconds: number): Generator<number> {
  const timeoutMs = seconds * 1_000;
  const end = performance.now() + timeoutMs;
  for (let pause = timeoutMs * firstPauseShare; ; pause = Math.min(pause * pauseGrowth, timeoutMs * maxPauseShare)) {
    yield Math.min(pause, Math.max(0, end - performance.now()));
    if (performance.now() >= end) return;
  }
}

/** Returns the record in the Location header of the create's answer, if the service shows it. */
async function namedBy(
  { kind, session, inputs, accountGroupId, before }: PendingCreate,
  failure: EndpointMonitoringError,
): Promise<object | undefined> {
  if (!(failure instanceof UnconfirmedError) || failure.id === undefined || before.has(failure.id)) return undefined;
  try {
    const record = await kind.requests.get(session.client, failure.id, accountGroupId);
    return titleOfRecord(kind, record) === titleOf(kind, inputs) ? record : undefined;
  } catch (error) {
    if (error instanceof EndpointMonitoringError) return undefined;
    throw error;
  }
}

/** Returns the unmanaged records that have the created name and may be new, or the error of the failed list. */
async function newRecords(creation: LostCreate): Promise<NewRecords | EndpointMonitoringError> {
  const { kind, session, inputs, accountGroupId, before, sentAt } = creation;
  const { ledger, clock } = session;
  try {
    const now = await recordsOf(session, kind, accountGroupId).relist();
    const facts = recordFacts(kind, accountGroupId, inputs);
    const fresh = now.titled(titleOf(kind, inputs)).filter((record) => {
      const id = kind.idOf(record);
      if (before.has(id) || ledger.isNamed(kind, id, facts) || !ledger.isFree(kind, id)) return false;
      return !clock.isBefore(kind.createdAt?.(record), sentAt);
    });
    const equal = identicalNew(kind, session, fresh, inputs);
    return { equal, different: fresh.filter((record) => !equal.includes(record)) };
  } catch (error) {
    // A failed list does not prove anything about the record.
    if (error instanceof EndpointMonitoringError) return error;
    throw error;
  }
}

function several({ kind }: PendingCreate, records: readonly object[], failure: EndpointMonitoringError): DuplicateError {
  const ids = records.map((record) => kind.idOf(record));
  return new DuplicateError(
    `${failure.message} Several new records match the declaration: ${kind.noun} ${ids.join(", ")}. ` +
      "Delete all but one in the service, or import the right one.",
    ids,
    { cause: failure },
  );
}

function notFound(
  creation: LostCreate,
  failure: EndpointMonitoringError,
  seen: NewRecords | EndpointMonitoringError,
): UnknownOutcomeError {
  const { kind, session, accountGroupId } = creation;
  const group = accountGroupId === undefined ? "" : ` in account group ${accountGroupId}`;
  const timeout = `${lookSeconds(session)} s`;
  const different = seen instanceof EndpointMonitoringError ? [] : seen.different.map((record) => kind.idOf(record));
  const looked =
    seen instanceof EndpointMonitoringError
      ? `after ${timeout} the service still could not list its records (${seen.message})`
      : `no list showed ${different.length > 0 ? "an equal" : "the"} record for ${timeout}`;
  const remedy =
    different.length > 0
      ? `The new ${kind.noun} ${different.join(", ")} has this name but other values: it may be the created record, which the service ` +
        "changed. If it is, set adopt: true on this resource. If not, run `pulumi up` again."
      : "Run `pulumi config set endpoint-monitoring:adopt identical`, then `pulumi up`: it adopts the record if it exists, " +
        "and creates it otherwise.";
  return new UnknownOutcomeError(
    `${failure.message} The service may have created the ${kind.noun} "${nameOf(creation)}"${group}: ${looked}, so the create was ` +
      `not sent again. ${remedy}`,
    { cause: failure },
  );
}

/** Returns a key that is the same for all creates of a name in an account group. */
export function keyOf(creation: PendingCreate): string {
  return JSON.stringify([creation.accountGroupId, nameOf(creation)]);
}

function nameOf({ kind, inputs }: PendingCreate): string {
  return titleOf(kind, inputs) ?? "";
}
