import { check, type Checked } from "./check";
import { compare, listOf, type Change } from "./compare";
import { DamagedStateError } from "./failures";
import type { Created, Found, Handler } from "./handler";
import type { Kind } from "./kind";
import { reportedOnlyFailures } from "./reported-only";
import { type Damage, sound } from "./shape";
import type { Properties } from "./values";
import type { Session } from "./session";

/**
 * The life of one kind's resources, for any kind: what a declaration means as check, diff, create, read, update and delete.
 * It knows no kind by name, and nothing of how the engine speaks to a provider.
 */
export class Lifecycle {
  readonly #handler: Handler;

  constructor(
    readonly kind: Kind,
    private readonly session: Session,
  ) {
    this.#handler = kind.handler(session);
  }

  /**
   * Checks inputs and fills in defaults; reports everything that is wrong at once. Sends nothing.
   *
   * @param held inputs that the resource has; none of one that is to be created
   */
  check(declared: Properties, held: Properties = {}): Checked {
    const { inputs, failures } = check(this.kind, declared, { accountGroupId: this.session.settings.accountGroupId });
    return { inputs, failures: [...failures, ...reportedOnlyFailures(this.kind, inputs, held)] };
  }

  /**
   * What changes between a state and inputs, and what of it replaces. Sends nothing. Inputs that no check has seen are those that a
   * refresh takes from the state: what is damaged of them counts as not declared.
   *
   * @throws DamagedStateError
   */
  diff(id: string, state: Properties, inputs: Properties): Change[] {
    const changes = compare(this.kind, this.#intact(id, state), sound(this.kind, inputs).properties);
    if (changes.some((change) => change.replaces)) this.session.ledger.markLeft(this.kind, id);
    return changes;
  }

  /** @throws PartialFailure, DuplicateError and the client's errors */
  async create(inputs: Properties): Promise<Created> {
    this.#conceal(inputs);
    return await this.#handler.create(inputs);
  }

  /**
   * Reads anew, also what the state has damaged.
   *
   * @returns nothing where the record no longer exists
   */
  read(id: string, state: Properties): Promise<Found | undefined> {
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
    return this.#handler.update(id, intact, inputs);
  }

  /** All there is in an account group; nothing where the service lists none of this kind. */
  async list(accountGroupId: string | undefined): Promise<Found[] | undefined> {
    return this.#handler.list?.(accountGroupId);
  }

  /** What the caller may do with this kind, tried without changing anything: see `Handler`. */
  get access(): Pick<Handler, "tryRead" | "tryWrite"> {
    const handler = this.#handler;
    return { tryRead: handler.tryRead?.bind(handler), tryWrite: handler.tryWrite?.bind(handler) };
  }

  /** Deleting what no longer exists succeeds. */
  delete(id: string, state: Properties): Promise<void> {
    this.#conceal(state);
    return this.#handler.delete(id, sound(this.kind, state).properties);
  }

  /** What the service never returns is kept out of messages: its passwords. */
  #conceal(properties: Properties): void {
    for (const property of this.kind.writeOnly) {
      const value = properties[property];
      if (typeof value === "string") this.session.conceal(value);
    }
  }

  /** @throws DamagedStateError: a comparison with what is damaged might replace a record that needs no change */
  #intact(id: string, state: Properties): Properties {
    const { properties, damages } = sound(this.kind, state);
    if (damages.length === 0) return properties;
    throw new DamagedStateError(
      `The state of the ${this.kind.noun} ${id} is damaged: ${damages.map(({ path, reason }) => `${path} ${reason}`).join("; ")}. ` +
        "Run `pulumi refresh`, which reads it anew, then run this again.",
    );
  }
}

/** The value of a property that the service never returns is lost with it: no difference may come of that. */
function withUnknown(kind: Kind, state: Properties, damages: readonly Damage[]): Properties {
  const lost = kind.writeOnly.filter((property) => damages.some((damage) => damage.property === property));
  return lost.length === 0 ? state : { ...state, unknownFields: [...listOf(state["unknownFields"]), ...lost] };
}
