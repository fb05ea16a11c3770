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

export interface StartedRun extends MeasuredTest {
  answered: Properties;
}

/** A scheduled test that the resource runs on demand. */
export interface RunnableTest extends MeasuredTest {
  selection: Schedule;
}

export interface Runner {
  /**
   * Finds the scheduled test to run. Resource types for instant tests omit `find`, because an instant test does not exist before its run.
   *
   * @throws GoneError
   */
  find?(inputs: Properties, accountGroupId: string | undefined): Promise<RunnableTest>;
  /** See `KindHandler.tryWrite`. */
  tryRun?: (client: Client, accountGroupId: string | undefined) => Promise<void>;
  /** @param runnableTest result of `find`, if the resource waits for results */
  start(
    client: Client,
    inputs: Properties,
    accountGroupId: string | undefined,
    runnableTest: RunnableTest | undefined,
  ): Promise<StartedRun>;
}

/** Maximum age of an instant test's results, in seconds. */
const instantTestWindowSeconds = 86_400;
/** Tolerance for clock differences and request delays, in seconds. */
const clockToleranceSeconds = 60;

/** Runs a test when its resource is created. Only the create operation sends requests, because the service does not store runs. */
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

  /** @throws ExpectationError without a state, so that the next update runs the test again */
  async create(inputs: Properties): Promise<CreatedResource> {
    const accountGroupId = await this.session.accountGroupOf(inputs);
    const wait = waitOf(inputs);
    // The type assertion is safe, because the input schema has validated `expect`.
    const expected = inputs["expect"] as Expectations | undefined;
    const runnableTest = wait ? await this.runner.find?.(inputs, accountGroupId) : undefined;
    if (runnableTest) checkMeasurable(runnableTest, expected);
    const isJudged = wait !== undefined && !isRehearsal();
    const selection = new SelectionProof(this.session, accountGroupId, runnableTest?.selection ?? scheduleOf(inputs));
    const [begunAt] = isJudged
      ? await Promise.all([
          runnableTest && this.#begin(runnableTest, accountGroupId),
          this.#requireAgents(selection, runnableTest),
        ])
      : [];
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
    // A rehearsal does not wait for results, because no agents run the copied tests.
    if (!isJudged) return { id: started.testId, state };
    const { clock } = this.session;
    // An instant test has no earlier rounds, so its start time may be rounded down.
    const proof = new RunProof(
      clock,
      begunAt ?? Math.floor(((clock.earliest() ?? noDate(started)) - (performance.now() - sentAt)) / 1_000),
      selection,
    );
    const results = await this.#resultsOf(started, accountGroupId, wait, proof, runnableTest ? sentAt : undefined, expected);
    return { id: started.testId, state: compact({ ...state, results }) };
  }

  /** @throws ExpectationError instead of waiting for results that no agent can send */
  async #requireAgents(selection: SelectionProof, runnableTest: RunnableTest | undefined): Promise<void> {
    const reason = await selection.lackOfAgents();
    if (reason === undefined) return;
    throw ExpectationError.withoutAgents(runnableTest ? `Test ${runnableTest.testId}` : `The ${this.kind.noun}`, reason);
  }

  /** Returns the earliest start time of a round that may belong to the run, in seconds according to the service's clock. */
  async #begin(runnableTest: RunnableTest, accountGroupId: string | undefined): Promise<number> {
    // The date of the service's response shows the service's current time. Runs that begin at the same time share the read request.
    await Results.of(this.session, accountGroupId).read(runnableTest, clockToleranceSeconds);
    return (await nextSecond(this.session.clock)) ?? noDate(runnableTest);
  }

  /**
   * @param sentAt time when the run was requested, as a value of `performance.now()`, or undefined for an instant test
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

  /** Returns the unchanged state, because the service does not store runs. */
  read(id: string, properties: Properties): Promise<ReadResource> {
    if (isBare(properties)) {
      return Promise.reject(
        new GoneError(`The ${this.kind.noun} ${id} cannot be read, because the service does not store runs.`),
      );
    }
    const state = { ...properties, testId: id };
    return Promise.resolve({ id, state, inputs: inputsOf(this.kind, state) });
  }

  /** Stores changed properties that only affect the next run, without running the test. */
  update(_id: string, state: Properties, inputs: Properties): Promise<Properties> {
    const recorded = Object.fromEntries(this.kind.localOnly.map((property) => [property, inputs[property]]));
    const unmanaged = orAbsent(unmanagedFields(this.kind, inputs));
    return Promise.resolve(compact({ ...state, ...recorded, unmanagedFields: unmanaged }));
  }

  /** Does nothing, because the service does not store runs. */
  async delete(): Promise<void> {}
}

function noDate({ testId }: MeasuredTest): never {
  const broken = "the service's responses have no date";
  const message = `Test ${testId} is inconclusive: ${broken}, so new rounds cannot be distinguished from earlier rounds. Check whether a proxy removes the Date header.`;
  throw new ExpectationError(message, [], [broken], false);
}
