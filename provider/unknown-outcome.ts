import { setTimeout as sleep } from "node:timers/promises";
import { EndpointMonitoringError } from "../api";
import { DuplicateError, UnknownOutcomeError } from "./failures";
import type { RecordKind } from "./record-kind";
import type { Session } from "./session";
import { createBody } from "./state";
import { findDuplicates } from "./duplicates";
import { type Properties, stringOf } from "./values";

/** Share of the bound that passes before the first look, and the largest share between two looks: 0.5 s and 5 s of 60 s. */
const [firstPause, longestPause] = [1 / 120, 1 / 12];
/** By how much each pause is longer than the one before. */
const pauseGrowth = 1.5;

/** What is created, and where. */
export interface Creation {
  readonly kind: RecordKind;
  readonly session: Session;
  readonly inputs: Properties;
  readonly aid: string | undefined;
  /** Ids of the records that were there before. */
  readonly before: ReadonlySet<string>;
}

/**
 * Sends a create once. Where the service may have stored the record although no answer says so, looks for the record until the
 * bound of the settings is over, and never sends the create again: there is no idempotency key, and a list that does not show
 * the record proves nothing (shared/api/README.md, Shared behaviour).
 *
 * @returns the record, as the create answered it or as a list shows it
 * @throws UnknownOutcomeError when the bound is over and no list showed the record, DuplicateError when several records could be it,
 * and the client's errors where nothing was stored
 */
export async function createOnce(creation: Creation): Promise<object> {
  const { kind, session, inputs, aid } = creation;
  const { unansweredCreates: unanswered } = session;
  const key = keyOf(creation);
  unanswered.set(key, (unanswered.get(key) ?? 0) + 1);
  let failure: EndpointMonitoringError;
  try {
    return await kind.requests.create(session.client, createBody(kind, inputs), aid);
  } catch (error) {
    if (!(error instanceof EndpointMonitoringError) || !error.outcomeUnknown) throw error;
    failure = error;
  } finally {
    unanswered.set(key, (unanswered.get(key) ?? 1) - 1);
  }
  return lookFor(creation, failure);
}

/** Looks again and again: the service may still be at work on what broke off, and its lists may lag behind. */
async function lookFor(creation: Creation, failure: EndpointMonitoringError): Promise<object> {
  const { kind, session } = creation;
  const bound = session.settings.createOutcomeTimeout * 1_000;
  const end = performance.now() + bound;
  for (let pause = bound * firstPause; ; pause = Math.min(pause * pauseGrowth, bound * longestPause)) {
    await sleep(Math.min(pause, Math.max(0, end - performance.now())));
    const last = performance.now() >= end;
    const candidates = await candidatesOf(creation);
    // A record whose own create is still without an answer looks as if it belonged to nobody.
    const othersUnanswered = (session.unansweredCreates.get(keyOf(creation)) ?? 0) > 0;
    const [found, ...others] = candidates instanceof EndpointMonitoringError ? [] : candidates;
    if (found && !othersUnanswered) {
      if (others.length > 0) throw several(creation, [found, ...others], failure);
      // Marked at once, so that no other create takes it in the meantime.
      session.ledger.markTaken(kind, kind.idOf(found));
      return found;
    }
    if (last) throw notFound(creation, failure, candidates);
  }
}

/** New records that are what was to be created and belong to nobody, or why they could not be listed. */
async function candidatesOf({ kind, session, inputs, aid, before }: Creation): Promise<object[] | EndpointMonitoringError> {
  try {
    const now = await session.snapshot(kind, aid).relist();
    const fresh = [...now].filter(([id]) => !before.has(id)).map(([, record]) => record);
    return findDuplicates(kind, session, fresh, inputs).identical;
  } catch (error) {
    // A look that fails shows nothing, neither that the record is there nor that it is not.
    if (error instanceof EndpointMonitoringError) return error;
    throw error;
  }
}

function several({ kind }: Creation, records: readonly object[], failure: EndpointMonitoringError): DuplicateError {
  const ids = records.map((record) => kind.idOf(record));
  return new DuplicateError(
    `${failure.message} Since then several new records are what was to be created: ${kind.noun} ${ids.join(", ")}. ` +
      "Delete all but one in the service, or import the right one.",
    ids,
    { cause: failure },
  );
}

function notFound(
  creation: Creation,
  failure: EndpointMonitoringError,
  seen: object[] | EndpointMonitoringError,
): UnknownOutcomeError {
  const { kind, session, aid } = creation;
  const group = aid === undefined ? "" : ` in account group ${aid}`;
  const bound = `${session.settings.createOutcomeTimeout} s`;
  const looked =
    seen instanceof EndpointMonitoringError
      ? `after ${bound} of looking the service still could not list what it holds (${seen.message})`
      : `no list showed the record for ${bound}`;
  return new UnknownOutcomeError(
    `${failure.message} The service may have created the ${kind.noun} "${nameOf(creation)}"${group}: ${looked}, so the create was ` +
      "not sent again. Run `pulumi config set endpoint-monitoring:adopt identical`, then `pulumi up`: it adopts the record if it exists, " +
      "and creates it otherwise.",
    { cause: failure },
  );
}

/** What creates of one name in one account group have in common. */
function keyOf(creation: Creation): string {
  return JSON.stringify([creation.kind.name, creation.aid, nameOf(creation)]);
}

function nameOf({ kind, inputs }: Creation): string {
  return stringOf(inputs[kind.nameProperty]) ?? "";
}
