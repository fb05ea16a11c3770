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
 * The first and the longest pause between consecutive list requests, as fractions of `createOutcomeTimeout`. With a timeout of 60 s, the
 * pauses are 0.5 s and 5 s.
 */
const [firstPauseShare, maxPauseShare] = [1 / 120, 1 / 12];
const pauseGrowth = 1.5;

export interface PendingCreate {
  readonly kind: RecordKind;
  readonly session: Session;
  readonly inputs: Properties;
  readonly accountGroupId: string | undefined;
  /** Ids of the records that existed before the create request. */
  readonly before: Ids;
}

/**
 * Sends a create request once. If the response does not show whether the record exists, the function searches for the record until
 * `createOutcomeTimeout` has passed. A second request could create a duplicate, because the service has no idempotency key
 * (docs/service/requests.md, Create and delete requests).
 *
 * @returns the created record, from the response or from a list
 * @throws UnknownOutcomeError if no list shows the record, DuplicateError if several records match, or a request error
 */
export async function createOnce(creation: PendingCreate): Promise<object> {
  const { kind, session, inputs, accountGroupId } = creation;
  const { ledger } = session;
  const sentAt = session.clock.earliest();
  const answered = ledger.recordSending(kind, keyOf(creation));
  let failure: EndpointMonitoringError;
  try {
    const record = await kind.requests.create(session.client, createBody(kind, inputs), accountGroupId);
    // `markAcquired` reserves the new record, so that no other create request with an unknown outcome adopts the record.
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

/** A create request with an unknown outcome. `sentAt` is the time of the request according to the service's clock. */
interface LostCreate extends PendingCreate {
  readonly sentAt: number | undefined;
}

interface NewRecords {
  readonly equal: readonly object[];
  readonly different: readonly object[];
}

/**
 * Lists the records repeatedly, because the service may still be processing the create request. If records have no creation time, the
 * function accepts a record only after `readLag`, when lists certainly show all older records.
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
    // A pending create request for the same name may have created the record.
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

/** Returns the number of seconds to wait for a new record to appear, because the service may need time to store and show it. */
function lookSeconds({ settings }: Session): number {
  return Math.max(settings.createOutcomeTimeout, settings.readLag);
}

/** Yields increasingly long pauses, in milliseconds. The last pause ends at the time limit. */
export function* pausesMs(seconds: number): Generator<number> {
  const timeoutMs = seconds * 1_000;
  const end = performance.now() + timeoutMs;
  for (let pause = timeoutMs * firstPauseShare; ; pause = Math.min(pause * pauseGrowth, timeoutMs * maxPauseShare)) {
    yield Math.min(pause, Math.max(0, end - performance.now()));
    if (performance.now() >= end) return;
  }
}

/** Returns the record that the Location header of the service's response names, if a get request finds the record. */
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

/** Returns the records with the declared name that may be new, or the error if the list request fails. */
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
    // A failed list request does not show whether the record exists.
    if (error instanceof EndpointMonitoringError) return error;
    throw error;
  }
}

function several({ kind }: PendingCreate, records: readonly object[], failure: EndpointMonitoringError): DuplicateError {
  const ids = records.map((record) => kind.idOf(record));
  return new DuplicateError(
    `${failure.message} Several new records match the declaration: ${kind.noun} ${ids.join(", ")}. ` +
      "Delete all but one of the matching records in the service, or import the record that the resource should manage.",
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
      ? `After ${timeout}, the service still could not list its records (${seen.message})`
      : `For ${timeout}, the service's lists did not show ${different.length > 0 ? "an equal" : "the"} record`;
  const remedy =
    different.length > 0
      ? `The new ${kind.noun} ${different.join(", ")} has this name but other values, so it may be the created record with changes by the ` +
        "service. In that case, set adopt: true on this resource. Otherwise, run `pulumi up` again."
      : "Run `pulumi config set endpoint-monitoring:adopt identical`, then `pulumi up`. The update adopts the record if it " +
        "exists, and otherwise creates the record.";
  return new UnknownOutcomeError(
    `${failure.message} The service may have created the ${kind.noun} "${nameOf(creation)}"${group}. ${looked}, so the create ` +
      `request was not repeated. ${remedy}`,
    { cause: failure },
  );
}

/** Returns a key that is equal for all create requests with the same name and account group. */
export function keyOf(creation: PendingCreate): string {
  return JSON.stringify([creation.accountGroupId, nameOf(creation)]);
}

function nameOf({ kind, inputs }: PendingCreate): string {
  return titleOf(kind, inputs) ?? "";
}
