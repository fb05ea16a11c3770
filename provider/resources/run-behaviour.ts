import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import type { Client } from "../../api";
import type { Behaviour, Created, Kind, Properties } from "../kind";
import type { Session } from "../session";
import { inKnownForm, inputsOf, unmanagedFields } from "../state";
import { compact, isObject, stringOf } from "../values";
import { ExpectationError, GoneError } from "../failures";
import { checkExpectations, measurements, type Measurement, type runInputs } from "./measurements";

/** A run that was started: what the service said of it. */
export interface Started {
  testId: string;
  /** Whether the test has HTTP results beside those of the network. */
  http: boolean;
  /** Properties and outputs that the answer tells. */
  said: Properties;
}

/** How one kind starts its run. */
export interface Runner {
  /** Known before the run, where the test exists already: rounds of before do not count. */
  testIdOf?(inputs: Properties): string;
  start(client: Client, inputs: Properties, aid: string | undefined): Promise<Started>;
}

/** What a resource does that runs a test: every creation is a run, and there is nothing to read, change or delete afterwards. */
export class RunBehaviour implements Behaviour {
  constructor(
    private readonly kind: Kind,
    private readonly session: Session,
    private readonly runner: Runner,
  ) {}

  /** @throws ExpectationError: nothing stays in state then, and the next update runs anew */
  async create(inputs: Properties): Promise<Created> {
    const aid = await this.session.groupOf(inputs);
    const wait = waitOf(inputs);
    const before =
      wait && this.runner.testIdOf ? await this.#roundsBefore(this.runner.testIdOf(inputs), aid) : new Map<string, number>();
    const started = await this.runner.start(this.session.client, inputs, aid);
    const unmanaged = unmanagedFields(this.kind, inputs);
    const state = compact({
      ...inputs,
      ...Object.fromEntries(
        Object.entries(started.said).map(([name, said]) => [name, inKnownForm(this.kind, name, said, inputs[name])]),
      ),
      testId: started.testId,
      accountGroupId: stringOf(started.said["accountGroupId"]) ?? aid,
      unmanagedFields: unmanaged.length > 0 ? unmanaged : undefined,
    });
    for (const control of this.kind.controls) Reflect.deleteProperty(state, control);
    if (!wait) return { id: started.testId, state };
    const results = await this.#wait(started, aid, wait, before);
    // The schema of the inputs has checked it.
    checkExpectations(results, inputs["expect"] as z.output<typeof runInputs.expect>);
    return { id: started.testId, state: compact({ ...state, results }) };
  }

  /** The service has no read of a run: state stays as it is. */
  read(id: string, former: Properties): Promise<Created & { inputs: Properties }> {
    if (former["testId"] === undefined) {
      return Promise.reject(new GoneError(`The ${this.kind.noun} ${id} cannot be read: the service keeps no record of runs.`));
    }
    return Promise.resolve({ id, state: former, inputs: inputsOf(this.kind, former) });
  }

  /** Only what is for later can change without another run. */
  update(_id: string, former: Properties, inputs: Properties): Promise<Properties> {
    const recorded = Object.fromEntries(this.kind.stateOnly.map((property) => [property, inputs[property]]));
    return Promise.resolve({ ...former, ...recorded });
  }

  /** There is no delete: the run is forgotten. */
  async remove(): Promise<void> {}

  async #roundsBefore(testId: string, aid: string | undefined): Promise<Map<string, number>> {
    const known = await measurements(this.session.client, testId, aid, false);
    return new Map([...known].map(([agentId, { roundId }]) => [agentId, roundId]));
  }

  async #wait(
    { testId, http }: Started,
    aid: string | undefined,
    { timeout, minAgents }: Wait,
    before: ReadonlyMap<string, number>,
  ): Promise<Measurement[]> {
    const end = Date.now() + timeout * 1_000;
    for (let pause = 500; ; pause = Math.min(pause * 1.5, 5_000)) {
      const all = await measurements(this.session.client, testId, aid, http);
      const fresh = [...all.values()].filter(({ agentId, roundId }) => roundId > (before.get(agentId) ?? -Infinity));
      // An HTTP test whose network rounds came first is not done.
      const done = fresh.filter((m) => !http || m.errorType !== undefined || m.responseCode !== undefined);
      if (done.length >= minAgents) return done.toSorted((a, b) => (a.agentId < b.agentId ? -1 : 1));
      const left = end - Date.now();
      if (left <= 0) {
        throw new ExpectationError(
          `Results of ${done.length} agents came within ${timeout} s, and ${minAgents} were waited for. The test ${testId} was started: ` +
            "look whether its agents are online, or give it longer with waitForResults.timeout.",
        );
      }
      await sleep(Math.min(pause, left));
    }
  }
}

interface Wait {
  timeout: number;
  minAgents: number;
}

/** What to wait for: as declared, or by default where something is expected. */
function waitOf({ waitForResults, expect }: Properties): Wait | undefined {
  const defaults = { timeout: 120, minAgents: 1 };
  if (isObject(waitForResults)) return { ...defaults, ...(waitForResults as Partial<Wait>) };
  return expect === undefined ? undefined : defaults;
}
