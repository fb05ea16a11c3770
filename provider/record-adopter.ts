import { compare } from "./compare";
import { DuplicateError } from "./failures";
import { recordFacts, recordsOf, titleOf } from "./identity";
import type { RecordKind } from "./record-kind";
import type { Session } from "./session";
import { RecordFinder } from "./record-finder";
import type { ReadonlyRecords } from "./snapshot";
import { createdState } from "./state";
import type { AdoptMode, Duplicates } from "./duplicates";
import { type Properties } from "./values";

// `duplicates.ts` is loaded on demand, because previews and refreshes create no records.
const duplicateRules = (): typeof import("./duplicates") => require("./duplicates") as typeof import("./duplicates");

/** Adopts an existing record instead of creating a record, if the option `adopt` allows the adoption. */
export class RecordAdopter {
  constructor(
    private readonly kind: RecordKind,
    private readonly session: Session,
    private readonly finder: RecordFinder,
  ) {}

  /** @throws DuplicateError, OwnershipError */
  async adopt(before: ReadonlyRecords, inputs: Properties, accountGroupId: string | undefined): Promise<object | undefined> {
    const { kind, session } = this;
    const mode = inputs["adopt"] === true ? "named" : (session.settings.adopt ?? "never");
    const { findDuplicates, refuseToReplace } = duplicateRules();
    const namesakes = await this.finder.existing(before.titled(titleOf(kind, inputs)), accountGroupId);
    for (;;) {
      const duplicates = findDuplicates(kind, session, namesakes, inputs);
      const record = this.#decide(duplicates, mode);
      if (!record) return undefined;
      const id = kind.idOf(record);
      refuseToReplace(kind, id, compare(kind, createdState(kind, record, { inputs, accountGroupId, adopted: true }), inputs));
      // If another process adopts the record first, the next attempt ignores the record.
      if (session.ledger.adopt(kind, id, recordFacts(kind, accountGroupId, inputs))) return record;
    }
  }

  /**
   * Adopts the existing record that made the service refuse a create request. A list may not show a new record yet, so the method repeats
   * the list request until `readLag` has passed.
   *
   * @throws DuplicateError, OwnershipError
   */
  async adoptHidden(inputs: Properties, accountGroupId: string | undefined): Promise<object | undefined> {
    const { kind, session } = this;
    const { readLag } = session;
    if (readLag.seconds === 0) return undefined;
    const end = performance.now() + readLag.seconds * 1_000;
    const records = await readLag.repeat(
      async () => {
        const listed = await recordsOf(this.session, this.kind, accountGroupId).relist();
        return listed.titled(titleOf(kind, inputs)).length > 0 ? listed : undefined;
      },
      () => end - performance.now(),
      {
        operation: "create",
        reason: `the service refuses a second ${kind.noun} with this name, but does not list the first one`,
      },
    );
    return records && this.adopt(records, inputs, accountGroupId);
  }

  #decide(duplicates: Duplicates, mode: AdoptMode): object | undefined {
    try {
      return duplicateRules().decideAdoption(this.kind, duplicates, mode);
    } catch (error) {
      // After the error, the engine may continue and delete a renamed resource under its previous name. `markContested` prevents the
      // deletion of the renamed resource's record.
      if (error instanceof DuplicateError) this.session.ledger.markContested(this.kind, error.ids);
      throw error;
    }
  }
}
