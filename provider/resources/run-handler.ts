import type { Client } from "../../api";
import { GoneError } from "../failures";
import type { Created, Found, Handler } from "../handler";
import type { Kind } from "../kind";
import type { Session } from "../session";
import { inKnownForm, inputsOf, isBare, unmanagedFields } from "../state";
import { type Properties, compact, stringOf } from "../values";
import type { Measurement } from "../measurement";
import { checkExpectations, checkMeasurable } from "./expectations";
import type { Expected } from "./measurements";
import { Results, type Tested } from "./results";
import { waited, waitOf } from "./wait";

/** A run that was started: what the service answered. */
export interface Started extends Tested {
  /** Properties and outputs that the answer holds. */
  answered: Properties;
}

/** A test that exists before it is run. */
export interface Existing extends Tested {
  /** Seconds between its rounds. */
  interval: number;
}

/** How one kind starts its run. */
export interface Runner {
  /** The test, where it exists already: rounds of before do not count. @throws GoneError */
  find?(inputs: Properties, aid: string | undefined): Promise<Existing>;
  /** See `Handler.tryWrite`. */
  tryRun?: (client: Client, aid: string | undefined) => Promise<void>;
  /** @param found what `find` brought, where results are waited for */
  start(client: Client, inputs: Properties, aid: string | undefined, found: Existing | undefined): Promise<Started>;
}

/** How far back the results of a test are looked for that has not been before, in seconds. */
const day = 86_400;
/** Seconds that clocks, and the way of a request, may add. */
const slack = 60;

/** What a resource does that runs a test: every creation is a run, and there is nothing to read, change or delete afterwards. */
export class RunHandler implements Handler {
  readonly tryWrite: Handler["tryWrite"];

  constructor(
    private readonly kind: Kind,
    private readonly session: Session,
    private readonly runner: Runner,
  ) {
    const { tryRun } = runner;
    if (tryRun) this.tryWrite = (aid) => tryRun(session.client, aid);
  }

  /** @throws ExpectationError: nothing stays in state then, and the next update runs anew */
  async create(inputs: Properties): Promise<Created> {
    const aid = await this.session.accountGroupOf(inputs);
    const wait = waitOf(inputs);
    // The schema of the inputs has checked it.
    const expected = inputs["expect"] as Expected | undefined;
    const found = wait ? await this.runner.find?.(inputs, aid) : undefined;
    if (found) checkMeasurable(found, expected);
    const rounds = found && (await Before.of(Results.of(this.session, aid), found));
    const started = await this.runner.start(this.session.client, inputs, aid, found);
    const unmanaged = unmanagedFields(this.kind, inputs);
    const state = compact({
      ...inputs,
      ...Object.fromEntries(
        Object.entries(started.answered).map(([name, value]) => [name, inKnownForm(this.kind, name, value, inputs[name])]),
      ),
      testId: started.testId,
      accountGroupId: stringOf(started.answered["accountGroupId"]) ?? aid,
      unmanagedFields: unmanaged.length > 0 ? unmanaged : undefined,
    });
    for (const option of this.kind.providerOptions) Reflect.deleteProperty(state, option);
    if (!wait) return { id: started.testId, state };
    const own = new Results(this.session.client, aid);
    const results = await waited(started, wait, rounds ? () => rounds.since() : () => own.read(started, day), expected);
    checkExpectations(results, expected);
    return { id: started.testId, state: compact({ ...state, results }) };
  }

  /** The service has no read of a run: state stays as it is. */
  read(id: string, held: Properties): Promise<Found> {
    if (isBare(held)) {
      return Promise.reject(new GoneError(`The ${this.kind.noun} ${id} cannot be read: the service keeps no record of runs.`));
    }
    const state = { ...held, testId: id };
    return Promise.resolve({ id, state, inputs: inputsOf(this.kind, state) });
  }

  /** Only what is for later can change without another run. */
  update(_id: string, state: Properties, inputs: Properties): Promise<Properties> {
    const recorded = Object.fromEntries(this.kind.localOnly.map((property) => [property, inputs[property]]));
    return Promise.resolve({ ...state, ...recorded });
  }

  /** There is no delete: the run is forgotten. */
  async delete(): Promise<void> {}
}

/** The rounds that a test had before it was run, and those it has had since. */
class Before {
  readonly #began = performance.now();

  private constructor(
    private readonly results: Results,
    private readonly test: Existing,
    private readonly known: Map<string, number>,
  ) {}

  static async of(results: Results, test: Existing): Promise<Before> {
    const known = new Map<string, number>();
    const before = new Before(results, test, known);
    for (const [agentId, { roundId }] of await results.read(test, test.interval + 2 * slack)) known.set(agentId, roundId);
    return before;
  }

  /**
   * Measurements of the rounds that are new. A round may count from the beginning of an interval, so it is looked for that far
   * back: not a day, since a test of many agents has pages and pages of that.
   */
  async since(): Promise<Map<string, Measurement>> {
    const elapsed = (performance.now() - this.#began) / 1_000;
    const all = await this.results.read(this.test, elapsed + this.test.interval + slack);
    return new Map([...all].filter(([agentId, { roundId }]) => roundId > (this.known.get(agentId) ?? -Infinity)));
  }
}
