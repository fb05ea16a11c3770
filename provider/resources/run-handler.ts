import type { Client } from "../../api";
import { isRehearsal } from "../../api/rehearsal";
import { GoneError } from "../failures";
import type { CreatedResource, ReadResource, KindHandler } from "../handler";
import type { Kind } from "../kind";
import type { Session } from "../session";
import { inDeclaredForm, inputsOf, isBare, unmanagedFields } from "../state";
import { type Properties, compact, stringOf } from "../values";
import type { Measurement } from "../measurement";
import { checkExpectations, checkMeasurable } from "./expectations";
import type { Expectations } from "./measurements";
import { Results, type MeasuredTest } from "./results";
import { waitForAgents, waitOf } from "./wait";

/** A run that was started, and the answer of the service. */
export interface StartedRun extends MeasuredTest {
  /** Properties and outputs in the answer. */
  answered: Properties;
}

/** A test that exists before the run. */
export interface RunnableTest extends MeasuredTest {
  /** Seconds between two rounds. */
  interval: number;
}

/** Finds and starts the runs of one kind. */
export interface Runner {
  /**
   * Finds the test, if it exists before the run: its earlier rounds do not count.
   *
   * @throws GoneError
   */
  find?(inputs: Properties, accountGroupId: string | undefined): Promise<RunnableTest>;
  /** See `KindHandler.tryWrite`. */
  tryRun?: (client: Client, accountGroupId: string | undefined) => Promise<void>;
  /** @param found result of `find`, if the resource waits for results */
  start(
    client: Client,
    inputs: Properties,
    accountGroupId: string | undefined,
    found: RunnableTest | undefined,
  ): Promise<StartedRun>;
}

/** Age of the oldest results that are read of an instant test, in seconds. */
const instantTestWindowSeconds = 86_400;
/** Seconds by which clocks may differ and requests may be delayed. */
const clockToleranceSeconds = 60;

/** The handler of a resource that runs a test. Every create is a run, and nothing can be read, updated or deleted afterwards. */
export class RunHandler implements KindHandler {
  readonly tryWrite: KindHandler["tryWrite"];

  constructor(
    private readonly kind: Kind,
    private readonly session: Session,
    private readonly runner: Runner,
  ) {
    const { tryRun } = runner;
    if (tryRun) this.tryWrite = (accountGroupId) => tryRun(session.client, accountGroupId);
  }

  /** @throws ExpectationError, which leaves nothing in state, so that the next update runs the test again */
  async create(inputs: Properties): Promise<CreatedResource> {
    const accountGroupId = await this.session.accountGroupOf(inputs);
    const wait = waitOf(inputs);
    // The schema of the inputs has validated it.
    const expected = inputs["expect"] as Expectations | undefined;
    const found = wait ? await this.runner.find?.(inputs, accountGroupId) : undefined;
    if (found) checkMeasurable(found, expected);
    const rounds = found && (await RoundsBefore.of(Results.of(this.session, accountGroupId), found));
    const started = await this.runner.start(this.session.client, inputs, accountGroupId, found);
    const unmanaged = unmanagedFields(this.kind, inputs);
    const state = compact({
      ...inputs,
      ...Object.fromEntries(
        Object.entries(started.answered).map(([name, value]) => [name, inDeclaredForm(this.kind, name, value, inputs[name])]),
      ),
      testId: started.testId,
      accountGroupId: stringOf(started.answered["accountGroupId"]) ?? accountGroupId,
      unmanagedFields: unmanaged.length > 0 ? unmanaged : undefined,
    });
    for (const option of this.kind.providerOptions) Reflect.deleteProperty(state, option);
    // Agents do not run the tests of a copy.
    if (!wait || isRehearsal()) return { id: started.testId, state };
    const own = new Results(this.session.client, accountGroupId);
    const results = await waitForAgents(
      started,
      wait,
      rounds ? () => rounds.since() : () => own.read(started, instantTestWindowSeconds),
      expected,
    );
    checkExpectations(results, expected);
    return { id: started.testId, state: compact({ ...state, results }) };
  }

  /** Returns the state as it is, since the service cannot return a run. */
  read(id: string, held: Properties): Promise<ReadResource> {
    if (isBare(held)) {
      return Promise.reject(new GoneError(`The ${this.kind.noun} ${id} cannot be read: the service keeps no record of runs.`));
    }
    const state = { ...held, testId: id };
    return Promise.resolve({ id, state, inputs: inputsOf(this.kind, state) });
  }

  /** Records the properties that can change without another run. */
  update(_id: string, state: Properties, inputs: Properties): Promise<Properties> {
    const recorded = Object.fromEntries(this.kind.localOnly.map((property) => [property, inputs[property]]));
    return Promise.resolve({ ...state, ...recorded });
  }

  /** Only forgets the run, since the service cannot delete it. */
  async delete(): Promise<void> {}
}

/** Separates the rounds of a test before a run from those after it. */
class RoundsBefore {
  readonly #startedAt = performance.now();

  private constructor(
    private readonly results: Results,
    private readonly test: RunnableTest,
    private readonly known: Map<string, number>,
  ) {}

  static async of(results: Results, test: RunnableTest): Promise<RoundsBefore> {
    const known = new Map<string, number>();
    const before = new RoundsBefore(results, test, known);
    for (const [agentId, { roundId }] of await results.read(test, test.interval + 2 * clockToleranceSeconds))
      known.set(agentId, roundId);
    return before;
  }

  /**
   * Reads the measurements of new rounds. A round may count from the beginning of its interval, so this reads results of one interval
   * before the run. A longer window would return many pages for a test with many agents.
   */
  async since(): Promise<Map<string, Measurement>> {
    const elapsed = (performance.now() - this.#startedAt) / 1_000;
    const all = await this.results.read(this.test, elapsed + this.test.interval + clockToleranceSeconds);
    return new Map([...all].filter(([agentId, { roundId }]) => roundId > (this.known.get(agentId) ?? -Infinity)));
  }
}
