import { sendApproved } from "./approved";
import { check, type CheckResult } from "./check";
import { compare, listOf, type Change } from "./compare";
import { DamagedStateError } from "./failures";
import type { CreatedResource, ReadResource, KindHandler } from "./handler";
import type { Kind } from "./kind";
import { reportedOnlyFailures } from "./reported-only";
import { type Damage, sound } from "./shape";
import type { Properties } from "./values";
import type { Session } from "./session";

/**
 * Implements check, diff, create, read, update and delete for any kind from its declaration. It knows no kind by name, and nothing of
 * the protocol between engine and provider.
 */
export class Lifecycle {
  readonly #handler: KindHandler;

  constructor(
    readonly kind: Kind,
    private readonly session: Session,
  ) {
    this.#handler = kind.handler(session);
  }

  /**
   * Checks inputs, fills in defaults, and reports all failures together. Sends nothing.
   *
   * @param held inputs of the existing resource; empty for a new one
   */
  check(declared: Properties, held: Properties = {}): CheckResult {
    const { inputs, failures } = check(this.kind, declared, { accountGroupId: this.session.settings.accountGroupId });
    return { inputs, failures: [...failures, ...reportedOnlyFailures(this.kind, inputs, held)] };
  }

  /**
   * Compares a state with inputs and returns the changes, each with whether it replaces. Sends nothing. A refresh takes the inputs from
   * the state without a check, so damaged inputs count as not declared.
   *
   * @throws DamagedStateError
   */
  diff(id: string, state: Properties, inputs: Properties): Change[] {
    const changes = compare(this.kind, this.#intact(id, state), sound(this.kind, inputs).properties);
    if (changes.some((change) => change.replaces)) this.session.ledger.markReleased(this.kind, id);
    return changes;
  }

  /** @throws PartialFailure, DuplicateError and the client's errors */
  async create(inputs: Properties): Promise<CreatedResource> {
    this.#conceal(inputs);
    return await sendApproved(
      this.kind,
      inputs,
      ({ id }) => id,
      () => this.#handler.create(inputs),
    );
  }

  /**
   * Reads a record from the service, including properties that are damaged in the state.
   *
   * @returns undefined if the record no longer exists
   */
  read(id: string, state: Properties): Promise<ReadResource | undefined> {
    this.#conceal(state);
    const { properties, damages } = sound(this.kind, state);
    return this.#handler.read(id, withUnknown(this.kind, properties, damages));
  }

  /** @throws DamagedStateError, GoneError, PartialFailure and the client's errors */
  async update(id: string, state: Properties, inputs: Properties): Promise<Properties> {
    const intact = this.#intact(id, state);
    this.#conceal(state);
    this.#conceal(inputs);
    this.session.ledger.markUpdated(this.kind, id);
    return sendApproved(
      this.kind,
      inputs,
      () => id,
      () => this.#handler.update(id, intact, inputs),
    );
  }

  /** Lists the records of an account group; undefined if the service cannot list this kind. */
  async list(accountGroupId: string | undefined): Promise<ReadResource[] | undefined> {
    return this.#handler.list?.(accountGroupId);
  }

  /** Checks of what the caller may do with this kind, which change nothing. See `KindHandler`. */
  get access(): Pick<KindHandler, "tryRead" | "tryWrite"> {
    const handler = this.#handler;
    return { tryRead: handler.tryRead?.bind(handler), tryWrite: handler.tryWrite?.bind(handler) };
  }

  /** Deleting what no longer exists succeeds. */
  delete(id: string, state: Properties): Promise<void> {
    this.#conceal(state);
    return this.#handler.delete(id, sound(this.kind, state).properties);
  }

  /** Keeps write-only values, such as passwords, out of messages. */
  #conceal(properties: Properties): void {
    for (const property of this.kind.writeOnly) {
      const value = properties[property];
      if (typeof value === "string") this.session.conceal(value);
    }
  }

  /** @throws DamagedStateError, since a comparison with a damaged property might replace a record that needs no change */
  #intact(id: string, state: Properties): Properties {
    const { properties, damages } = sound(this.kind, state);
    if (damages.length === 0) return properties;
    throw new DamagedStateError(
      `The state of the ${this.kind.noun} ${id} is damaged: ${damages.map(({ path, reason }) => `${path} ${reason}`).join("; ")}. ` +
        "Run `pulumi refresh`, which reads it again from the service, then repeat this operation.",
    );
  }
}

/** Lists damaged write-only properties as unknown: their value is lost, which must not show as a difference. */
function withUnknown(kind: Kind, state: Properties, damages: readonly Damage[]): Properties {
  const lost = kind.writeOnly.filter((property) => damages.some((damage) => damage.property === property));
  return lost.length === 0 ? state : { ...state, unknownFields: [...listOf(state["unknownFields"]), ...lost] };
}
