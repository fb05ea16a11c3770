import { setTimeout as sleep } from "node:timers/promises";
import { EndpointMonitoringError } from "../api";
import { identicalNew } from "./duplicates";
import { recordsOf, titleOf, titleOfRecord } from "./identity";
import type { RecordKind } from "./record-kind";
import type { Snapshot } from "./snapshot";
import { keyOf, type PendingCreate } from "./unknown-outcome";
import type { Properties } from "./values";

/**
 * Milliseconds after the last pending create before the records are listed again. Not used if reads do not lag, as on the
 * emulator.
 */
const quietMs = 1_000;
/** Milliseconds before the records are listed although a create is pending, such as one with an unknown outcome. */
const maxWaitMs = 10_000;

/** Records by title. */
type Titled = ReadonlyMap<string | undefined, readonly object[]>;

/** The creates of one kind in one account group. After their requests, they share one list. */
class Burst {
  #inFlight = 0;
  #lastEnd = 0;
  #list: Promise<Titled> | undefined;
  #lastListMs = 0;

  /** Counts a create. @returns a function that records its end */
  begin(): () => void {
    this.#inFlight += 1;
    return () => {
      this.#inFlight -= 1;
      this.#lastEnd = performance.now();
    };
  }

  /** Returns the records from a list after all creates. Callers share one list, which begins after their call. */
  listAgain(list: () => Promise<Titled>, pauseMs: number): Promise<Titled> {
    return (this.#list ??= this.#listWhenQuiet(list, pauseMs));
  }

  async #listWhenQuiet(list: () => Promise<Titled>, pauseMs: number): Promise<Titled> {
    const end = performance.now() + maxWaitMs;
    // The list of a large account takes long, so more creates should share it.
    const quiet = Math.max(pauseMs, this.#lastListMs);
    let leftMs = quiet;
    do {
      await sleep(Math.max(leftMs, 1));
      leftMs = this.#inFlight > 0 ? quiet : quiet - (performance.now() - this.#lastEnd);
    } while ((this.#inFlight > 0 || leftMs > 0) && performance.now() < end);
    // Later creates need a list that begins after them.
    this.#list = undefined;
    const listedAt = performance.now();
    const titled = await list();
    this.#lastListMs = performance.now() - listedAt;
    return titled;
  }
}

const bursts = new WeakMap<Snapshot, Burst>();

function burstOf({ kind, session, accountGroupId }: PendingCreate): Burst {
  const snapshot = recordsOf(session, kind, accountGroupId);
  const burst = bursts.get(snapshot) ?? new Burst();
  bursts.set(snapshot, burst);
  return burst;
}

/** Records a pending create, which postpones the list after the creates. @returns a function that records its end */
export function beginCreate(creation: PendingCreate): () => void {
  return burstOf(creation).begin();
}

/**
 * Looks for a record that another stack or a user created at the same time as this operation created an equal record. The
 * record already exists, so a failed list is not an error.
 *
 * @param id the record that was created
 * @param returned its properties as the service returned them, perhaps in another form than the inputs
 * @returns a line for each double
 */
export async function doublesOf(creation: PendingCreate, id: string, returned: Properties): Promise<string[]> {
  const { kind, session, inputs, accountGroupId, before } = creation;
  try {
    const list = async (): Promise<Titled> =>
      Map.groupBy(await kind.requests.list(session.client, accountGroupId), (record) => titleOfRecord(kind, record));
    const records = await burstOf(creation).listAgain(list, session.readLag.seconds > 0 ? quietMs : 0);
    // Another process of this operation creates the equal record, so it is not a double.
    if (session.ledger.isSending(kind, keyOf(creation))) return [];
    const namesakes = (records.get(titleOf(kind, inputs)) ?? []).filter((record) => kind.idOf(record) !== id);
    const fresh = namesakes.filter((record) => !before.has(kind.idOf(record)));
    // The comparison before the create misses records with values that the service returns in another form.
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
