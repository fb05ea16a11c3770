import type { Client } from "../../api";
import { isRehearsal } from "../../api/rehearsal";
import { ExpectationError, GoneError } from "../failures";
import type { CreatedResource, ReadResource, KindHandler } from "../handler";
import type { Kind } from "../kind";
import type { Schedule } from "../reach";
import type { Session } from "../session";
import { inDeclaredForm, inputsOf, isBare, orAbsent, unmanagedFields } from "../state";
import { type Properties, compact, stringOf } from "../values";
import type { Measurement } from "../measurement";
import { checkExpectations, checkMeasurable } from "./expectations";
import type { Expectations } from "./measurements";
import { Results, type MeasuredTest } from "./results";
import { RunProof, nextSecond } from "./run-proof";
import { SelectionProof } from "./selection-proof";
import { scheduleOf } from "./test-reach";
import { type ResultsWait, waitForAgents, waitOf } from "./wait";

/** A run that was started, with the service's answer. */
export interface StartedRun extends MeasuredTest {
  /** Properties and outputs in the answer. */
  answered: Properties;
}

/** A test that exists before the run. */
export interface RunnableTest extends MeasuredTest {
  /** The agents that the test selects. */
  selection: Schedule;
}

/** Finds and starts the runs of one kind. */
export interface Runner {
  /**
   * Finds a test that exists before the run. Its earlier rounds do not count.
   *
   * @throws GoneError
   */
  find?(inputs: Properties, accountGroupId: string | undefined): Promise<RunnableTest>;
  /** See `KindHandler.tryWrite`. */
  tryRun?: (client: Client, accountGroupId: string | undefined) => Promise<void>;
  /** Starts the run. @param runnableTest result of `find`, if the resource waits for results */
  start(
    client: Client,
    inputs: Properties,
    accountGroupId: string | undefined,
    runnableTest: RunnableTest | undefined,
  ): Promise<StartedRun>;
}

/** Age of the oldest results of an instant test that are read, in seconds. */
const instantTestWindowSeconds = 86_400;
/** Maximum clock difference and request delay together, in seconds. */
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

  /** Starts a run. @throws ExpectationError, which leaves nothing in state, so that the next update runs the test again */
  async create(inputs: Properties): Promise<CreatedResource> {
    const accountGroupId = await this.session.accountGroupOf(inputs);
    const wait = waitOf(inputs);
    // The input schema has validated this value.
    const expected = inputs["expect"] as Expectations | undefined;
    const runnableTest = wait ? await this.runner.find?.(inputs, accountGroupId) : undefined;
    if (runnableTest) checkMeasurable(runnableTest, expected);
    const isJudged = wait !== undefined && !isRehearsal();
    const begunAt = isJudged && runnableTest ? await this.#begin(runnableTest, accountGroupId) : undefined;
    const sentAt = performance.now();
    const started = await this.runner.start(this.session.client, inputs, accountGroupId, runnableTest);
    const unmanaged = unmanagedFields(this.kind, inputs);
    const state = compact({
      ...inputs,
      ...Object.fromEntries(
        Object.entries(started.answered).map(([name, value]) => [name, inDeclaredForm(this.kind, name, value, inputs[name])]),
      ),
      testId: started.testId,
      accountGroupId: stringOf(started.answered["accountGroupId"]) ?? accountGroupId,
      unmanagedFields: orAbsent(unmanaged),
    });
    for (const option of this.kind.providerOptions) Reflect.deleteProperty(state, option);
    // In a rehearsal, agents do not run the copied tests.
    if (!isJudged) return { id: started.testId, state };
    const { clock } = this.session;
    // A test that the run itself created has no earlier rounds, so rounding to seconds does not matter.
    const proof = new RunProof(
      clock,
      begunAt ?? Math.floor(((clock.earliest() ?? noDate(started)) - (performance.now() - sentAt)) / 1_000),
      new SelectionProof(this.session, accountGroupId, runnableTest?.selection ?? scheduleOf(state)),
    );
    const results = await this.#resultsOf(started, accountGroupId, wait, proof, runnableTest ? sentAt : undefined, expected);
    return { id: started.testId, state: compact({ ...state, results }) };
  }

  /** Waits for a whole second of the service's clock and returns it. Rounds that begin in this second or later, count. */
  async #begin(runnableTest: RunnableTest, accountGroupId: string | undefined): Promise<number> {
    // The answer has a date after the beginning of this run. All runs that begin at the same time share the read.
    await Results.of(this.session, accountGroupId).read(runnableTest, clockToleranceSeconds);
    return (await nextSecond(this.session.clock)) ?? noDate(runnableTest);
  }

  /**
   * Waits for the results of a run, and checks them.
   *
   * @param sentAt time of the run's request, by `performance.now()`; undefined if the run created the test
   * @throws ExpectationError
   */
  async #resultsOf(
    test: MeasuredTest,
    accountGroupId: string | undefined,
    wait: ResultsWait,
    proof: RunProof,
    sentAt: number | undefined,
    expected: Expectations | undefined,
  ): Promise<Measurement[]> {
    const reader =
      sentAt === undefined ? new Results(this.session.client, accountGroupId) : Results.of(this.session, accountGroupId);
    const look = async (): Promise<Measurement[]> => {
      const elapsed = sentAt === undefined ? instantTestWindowSeconds : (performance.now() - sentAt) / 1_000;
      return proof.accepted(await reader.read(test, elapsed + clockToleranceSeconds));
    };
    try {
      const { measured, silent } = await waitForAgents(test, wait, look, expected, proof.selection);
      checkExpectations(measured, expected, await Promise.all(silent.map((id) => proof.selection.nameOf(id))));
      return measured;
    } catch (error) {
      if (!(error instanceof ExpectationError) || error.hasVerdict) throw error;
      const refusals = proof.refusals();
      const advice = `${refusals === undefined ? "" : `${refusals} `}The test was started: check that its agents are online, or increase waitForResults.timeout.`;
      const broken = refusals === undefined ? error.broken : [...error.broken, refusals.replace(/\.$/, "")];
      throw new ExpectationError(`${error.message} ${advice}`, error.measured, broken, false);
    }
  }

  /** Returns the state unchanged, since the service cannot return a run. */
  read(id: string, properties: Properties): Promise<ReadResource> {
    if (isBare(properties)) {
      return Promise.reject(new GoneError(`The ${this.kind.noun} ${id} cannot be read: the service keeps no record of runs.`));
    }
    const state = { ...properties, testId: id };
    return Promise.resolve({ id, state, inputs: inputsOf(this.kind, state) });
  }

  /** Records the properties that can change without another run. */
  update(_id: string, state: Properties, inputs: Properties): Promise<Properties> {
    const recorded = Object.fromEntries(this.kind.localOnly.map((property) => [property, inputs[property]]));
    const unmanaged = orAbsent(unmanagedFields(this.kind, inputs));
    return Promise.resolve(compact({ ...state, ...recorded, unmanagedFields: unmanaged }));
  }

  /** Does nothing, since the service cannot delete a run. */
  async delete(): Promise<void> {}
}

function noDate({ testId }: MeasuredTest): never {
  const broken = "the answers of the service have no date";
  const message = `No verdict on test ${testId}: ${broken}, so its rounds cannot be distinguished from earlier rounds. Check whether a proxy removes the Date header.`;
  throw new ExpectationError(message, [], [broken], false);
}
