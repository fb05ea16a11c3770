import { check, type Checked } from "./check";
import { compare, type Change } from "./compare";
import type { Behaviour, Created, Found, Kind } from "./kind";
import { reportedOnlyFailures } from "./reported-only";
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

  /** What changes between a state and inputs, and what of it replaces. Sends nothing. */
  diff(id: string, state: Properties, inputs: Properties): Change[] {
    const changes = compare(this.kind, state, inputs);
    if (changes.some((change) => change.replaces)) this.session.ledger.markLeft(this.kind, id);
    return changes;
  }

  /** @throws PartialFailure, TwinError and the client's errors */
  create(inputs: Properties): Promise<Created> {
    return this.#behaviour.create(inputs);
  }

  /** @returns nothing where the record has gone */
  read(id: string, former: Properties): Promise<Found | undefined> {
    return this.#behaviour.read(id, former);
  }

  /** @throws GoneError, PartialFailure and the client's errors */
  update(id: string, former: Properties, inputs: Properties): Promise<Properties> {
    this.session.ledger.markUpdated(this.kind, id);
    return this.#behaviour.update(id, former, inputs);
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
    return this.#behaviour.remove(id, former);
  }
}
