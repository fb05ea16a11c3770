import { check, type Checked } from "./check";
import { compare, listOf, type Change } from "./compare";
import { DamagedStateError } from "./failures";
import type { Behaviour, Created, Found, Kind } from "./kind";
import { reportedOnlyFailures } from "./reported-only";
import { type Damage, sound } from "./shape";
import type { Properties } from "./values";
import type { Session } from "./session";

/**
 * The life of one kind's resources, for any kind: what a declaration means as check, diff, create, read, update and delete.
 * It knows no kind by name, and nothing of how the engine speaks to a provider.
 */
export class Lifecycle {
  readonly #behaviour: Behaviour;

  constructor(
    readonly kind: Kind,
    private readonly session: Session,
  ) {
    this.#behaviour = kind.behaviour(session);
  }

  /**
   * Checks inputs and fills in defaults; everything wrong is told at once. Sends nothing.
   *
   * @param former inputs that the resource has; none of one that is to be created
   */
  check(news: Properties, former: Properties = {}): Checked {
    const { inputs, failures } = check(this.kind, news, { accountGroupId: this.session.settings.accountGroupId });
    return { inputs, failures: [...failures, ...reportedOnlyFailures(this.kind, inputs, former)] };
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

  /** @throws PartialFailure, TwinError and the client's errors */
  create(inputs: Properties): Promise<Created> {
    this.#conceal(inputs);
    return this.#behaviour.create(inputs);
  }

  /**
   * Reads anew, also what the state has damaged.
   *
   * @returns nothing where the record has gone
   */
  read(id: string, former: Properties): Promise<Found | undefined> {
    this.#conceal(former);
    const { properties, damages } = sound(this.kind, former);
    return this.#behaviour.read(id, withUnknown(this.kind, properties, damages));
  }

  /** @throws DamagedStateError, GoneError, PartialFailure and the client's errors */
  async update(id: string, former: Properties, inputs: Properties): Promise<Properties> {
    const intact = this.#intact(id, former);
    this.#conceal(former);
    this.#conceal(inputs);
    this.session.ledger.markUpdated(this.kind, id);
    return this.#behaviour.update(id, intact, inputs);
  }

  /** All there is in an account group; nothing where the service lists none of this kind. */
  async list(aid: string | undefined): Promise<Found[] | undefined> {
    return this.#behaviour.list?.(aid);
  }

  /** What the caller may do with this kind, tried without changing anything: see `Behaviour`. */
  get access(): Pick<Behaviour, "tryRead" | "tryWrite"> {
    const behaviour = this.#behaviour;
    return { tryRead: behaviour.tryRead?.bind(behaviour), tryWrite: behaviour.tryWrite?.bind(behaviour) };
  }

  /** What has gone already is deleted. */
  remove(id: string, former: Properties): Promise<void> {
    this.#conceal(former);
    return this.#behaviour.remove(id, sound(this.kind, former).properties);
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
