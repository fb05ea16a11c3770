import { setTimeout as sleep } from "node:timers/promises";
import { EndpointMonitoringError, NotFoundError, UnconfirmedError } from "../api";
import { type Change, compare, describeKept, describeKeptDiscreetly, listOf } from "./compare";
import { GoneError, PartialFailure } from "./failures";
import { recordsOf } from "./identity";
import type { RecordKind } from "./record-kind";
import type { Session } from "./session";
import { RecordFinder } from "./record-finder";
import { reshapedProperty } from "./reshaped";
import { pickWriteOnly, stateOf, unmanagedFields, updateBody, withUpdatedPairs } from "./state";
import { type Properties } from "./values";

// `unknown-outcome.ts` is loaded only if the response to a write does not describe the record.
const outcomes = (): typeof import("./unknown-outcome") => require("./unknown-outcome") as typeof import("./unknown-outcome");

export class RecordUpdater {
  constructor(
    private readonly kind: RecordKind,
    private readonly session: Session,
    private readonly finder: RecordFinder,
  ) {}

  /** @throws GoneError, PartialFailure, or a request error */
  async update(
    id: string,
    properties: Properties,
    inputs: Properties,
    accountGroupId: string | undefined,
  ): Promise<Properties> {
    const body = updateBody(this.kind, inputs);
    const sought = { id, accountGroupId, state: properties };
    let record: object;
    try {
      const send = (): Promise<object> => this.kind.requests.update(this.session.client, id, body, accountGroupId);
      record = await this.finder.whenShown(sought, "update", send);
    } catch (error) {
      if (error instanceof UnconfirmedError) return this.#readUpdated(id, properties, inputs, accountGroupId, error);
      if (!(error instanceof NotFoundError)) throw error;
      await this.finder.proveGone(sought, error);
      recordsOf(this.session, this.kind, accountGroupId).drop(id);
      throw new GoneError(
        `The ${this.kind.noun} ${id} no longer exists: it was deleted, or it moved to another account group. ` +
          "Run `pulumi refresh`, then `pulumi up`, which creates the record again.",
        { cause: error },
      );
    }
    return this.#updated(id, record, properties, inputs, accountGroupId);
  }

  /** @throws PartialFailure if the record differs from the inputs */
  #updated(
    id: string,
    record: object,
    properties: Properties,
    inputs: Properties,
    accountGroupId: string | undefined,
  ): Properties {
    const { kind } = this;
    recordsOf(this.session, kind, accountGroupId).put(record);
    this.session.readLag.noteWrite(kind.name, id, this.session.clock.latestText());
    const returned = stateOf(kind, record, {
      fallback: { ...properties, ...updateBody(kind, inputs), ...pickWriteOnly(kind, inputs) },
      accountGroupId,
      unknownFields: listOf(properties["unknownFields"]).filter((property) => inputs[property] === undefined),
      unmanagedFields: unmanagedFields(kind, inputs),
    });
    const state = { ...returned, [reshapedProperty]: properties[reshapedProperty] };
    const changes = compare(kind, state, inputs);
    return this.verified(id, withUpdatedPairs(kind, returned, inputs, properties), inputs, changes);
  }

  /**
   * Reads a record if the response to the update does not describe the record. The method repeats the read request until the record matches
   * the declared inputs.
   *
   * @throws PartialFailure if the record still differs after the timeout, or the error of the update
   */
  async #readUpdated(
    id: string,
    properties: Properties,
    inputs: Properties,
    accountGroupId: string | undefined,
    failure: UnconfirmedError,
  ): Promise<Properties> {
    let last: unknown = failure;
    const { createOutcomeTimeout, readLag } = this.session.settings;
    for (const pauseMs of outcomes().pausesMs(Math.max(createOutcomeTimeout / 4, readLag))) {
      await sleep(pauseMs);
      try {
        const record = await this.kind.requests.get(this.session.client, id, accountGroupId);
        return this.#updated(id, record, properties, inputs, accountGroupId);
      } catch (error) {
        if (!(error instanceof EndpointMonitoringError)) throw error;
        last = error instanceof PartialFailure ? error : failure;
      }
    }
    throw last;
  }

  /**
   * Returns the state after a write, or throws an error if the service changed a declared value. If the service only converted a declared
   * value to a different form, the next update accepts the returned value.
   */
  verified(id: string, state: Properties, inputs: Properties, changes: readonly Change[]): Properties {
    if (changes.length === 0) return state;
    const left = new Set(compare(this.kind, state, inputs).map(({ property }) => property));
    const reasons = changes.map((change) => describeKept(this.kind, change, inputs, !left.has(change.property)));
    throw new PartialFailure(id, state, reasons, { withoutValues: changes.map(describeKeptDiscreetly) });
  }
}
