import { z } from "zod";
import { NotFoundError } from "../../api";
import { defaultsOf } from "../check";
import { GoneError } from "../failures";
import { nowhere, type Kind } from "../kind";
import { listedOf } from "../record-behaviour";
import type { RecordKind } from "../record-kind";
import type { Session } from "../session";
import { type Properties, stringOf } from "../values";
import { agentToServerTest } from "./agent-to-server-test";
import { commonInputs } from "./common";
import { httpServerTest } from "./http-server-test";
import { runStateOnly, type RunOutputs } from "./instant-test";
import { runInputs } from "./measurements";
import { RunBehaviour, type Existing } from "./run-behaviour";

const { adopt: _adopt, ...group } = commonInputs;

const inputs = z.strictObject({
  /** Identifier of the scheduled test to run. Another one is run at once. */
  testId: z.string().min(1),
  ...runInputs,
  ...group,
});

/** A run of a test that exists, when the resource is created and whenever its triggers change. */
export const testRun: Kind<typeof inputs, RunOutputs> & { controls: readonly never[] } = {
  name: "TestRun",
  noun: "test run",
  schema: inputs,
  nameProperty: "testId",
  createOnly: ["testId", "triggers", "accountGroupId"],
  stateOnly: runStateOnly,
  writeOnly: [],
  leftToService: ["accountGroupId"],
  controls: [],
  // A test of whichever kind has scheduled tests.
  refersTo: {},
  replacementCost: "the test is run again",
  same: {},
  rules: () => [],
  behaviour: (session) =>
    new RunBehaviour(testRun, session, {
      tryRun: async (client, aid) => void (await client.instantTests.run({ path: { testId: nowhere }, query: { aid } })),
      find: (declared, aid) => findTest(session, testIdOf(declared), aid),
      async start(client, declared, aid, found) {
        const testId = testIdOf(declared);
        try {
          await client.instantTests.run({ path: { testId }, query: { aid } });
        } catch (error) {
          throw error instanceof NotFoundError ? gone(testId, error) : error;
        }
        return { testId, http: found?.http ?? false, network: found?.network ?? true, said: {} };
      },
    }),
};

/** The kinds of test that the service runs at will. */
const runnable: readonly RecordKind[] = [agentToServerTest, httpServerTest];

/**
 * A scheduled test, of whichever kind, as the lists of a session have it: many runs are a request a kind. One that is on no list
 * may be newer than the list, or an instant test.
 *
 * @throws GoneError where there is no such test
 */
async function findTest(session: Session, testId: string, aid: string | undefined): Promise<Existing> {
  for (const kind of runnable) {
    const record = (await session.snapshot(listedOf(kind, session.client), aid).records()).get(testId);
    if (record) return existing(kind, testId, record);
  }
  for (const kind of runnable) {
    try {
      return existing(kind, testId, await kind.operations(session.client).get(testId, aid));
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }
  throw gone(testId);
}

function existing(kind: RecordKind, testId: string, record: object): Existing {
  // Whether a disabled test is run is for the service to say.
  const { isEnabled: _isEnabled, interval = defaultsOf(kind)["interval"], ...state }: Properties = kind.toInputs(record);
  const measured = kind.onDemand?.(state);
  const measures = measured && "http" in measured ? measured : { http: false, network: true };
  return { testId, ...measures, interval: Number(interval) };
}

function gone(testId: string, cause?: unknown): GoneError {
  return new GoneError(`There is no scheduled test ${testId} in this account group. Correct testId, or accountGroupId.`, {
    cause,
  });
}

/** The engine has put in what was unknown before: an id is text by now. */
function testIdOf(declared: Properties): string {
  return stringOf(declared["testId"]) ?? "";
}
