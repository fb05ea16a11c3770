import { setTimeout as sleep } from "node:timers/promises";
import { EndpointMonitoringError } from "../api";
import { identicalNew } from "./duplicates";
import { recordsOf, titleOf, titleOfRecord } from "./identity";
import type { RecordKind } from "./record-kind";
import type { Snapshot } from "./snapshot";
import { keyOf, type PendingCreate } from "./unknown-outcome";
import type { Properties } from "./values";

/**
 * Milliseconds that the provider waits after the last create request before it lists the records. For the emulator, the provider does not
 * wait.
 */
const quietMs = 1_000;
/** Maximum time in milliseconds that the provider waits for pending create requests before it lists the records. */
const maxWaitMs = 10_000;

type Titled = ReadonlyMap<string | undefined, readonly object[]>;

/** A group of concurrent create requests. To find duplicates, the provider sends only one list request for the group. */
class Burst {
  #inFlight = 0;
  #lastEnd = 0;
  #list: Promise<Titled> | undefined;

  /** @returns a function to call when the create request has ended */
  begin(): () => void {
    this.#inFlight += 1;
    return () => {
      this.#inFlight -= 1;
      this.#lastEnd = performance.now();
    };
  }

  /** Lists the records after all create requests have ended. Concurrent callers share one list request. */
  listAgain(list: () => Promise<Titled>, pauseMs: number): Promise<Titled> {
    return (this.#list ??= this.#listWhenQuiet(list, pauseMs));
  }

  async #listWhenQuiet(list: () => Promise<Titled>, pauseMs: number): Promise<Titled> {
    const end = performance.now() + maxWaitMs;
    let leftMs = pauseMs;
    do {
      await sleep(Math.max(leftMs, 1));
      leftMs = this.#inFlight > 0 ? pauseMs : pauseMs - (performance.now() - this.#lastEnd);
    } while ((this.#inFlight > 0 || leftMs > 0) && performance.now() < end);
    // Later callers need a new list, because the service may create further records after this list request.
    this.#list = undefined;
    return list();
  }
}

const bursts = new WeakMap<Snapshot, Burst>();

function burstOf({ kind, session, accountGroupId }: PendingCreate): Burst {
  const snapshot = recordsOf(session, kind, accountGroupId);
  const burst = bursts.get(snapshot) ?? new Burst();
  bursts.set(snapshot, burst);
  return burst;
}

/**
 * Postpones the shared list request until a create request has ended.
 *
 * @returns a function to call when the create request has ended
 */
export function beginCreate(creation: PendingCreate): () => void {
  return burstOf(creation).begin();
}

/**
 * Looks for an equal record that another stack or a user created at the same time. A failed list request causes only a warning, because
 * this operation has already created its record.
 *
 * @returns a line for each duplicate
 */
export async function doublesOf(creation: PendingCreate, id: string, returned: Properties): Promise<string[]> {
  const { kind, session, inputs, accountGroupId, before } = creation;
  try {
    const list = async (): Promise<Titled> =>
      Map.groupBy(await kind.requests.list(session.client, accountGroupId), (record) => titleOfRecord(kind, record));
    const records = await burstOf(creation).listAgain(list, session.readLag.seconds > 0 ? quietMs : 0);
    // An equal record may come from a pending create request for another resource of this operation.
    if (session.ledger.isSending(kind, keyOf(creation))) return [];
    const namesakes = (records.get(titleOf(kind, inputs)) ?? []).filter((record) => kind.idOf(record) !== id);
    const fresh = namesakes.filter((record) => !before.has(kind.idOf(record)));
    // The service may return a declared value in a different form, so records are compared with both the inputs and the returned
    // properties.
    const equal = [...identicalNew(kind, session, fresh, inputs), ...identicalNew(kind, session, namesakes, returned)];
    return [...new Set(equal.map((record) => kind.idOf(record)))].map((double) => doubleText(kind, id, double));
  } catch (error) {
    if (!(error instanceof EndpointMonitoringError)) throw error;
    return [`created, but not compared with records of other stacks: ${error.message}`];
  }
}

function doubleText({ noun }: RecordKind, id: string, double: string): string {
  return (
    `the ${noun} ${double} has the same name and content as ${id}, which this resource created. Another stack or a user created ` +
    `${double}. If another stack manages ${double}, declare the ${noun} in only one of the stacks. Otherwise delete ` +
    `${double} in the service. \`endpoint-monitoring drift\` shows the stacks.`
  );
}
