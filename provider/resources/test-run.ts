import { NotFoundError, testIdShape } from "../../api";
import { GoneError } from "../failures";
import { nonexistentId } from "../handler";
import { recordsOf } from "../identity";
import { defineKind, type Kind } from "../kind";
import { createOnly, property } from "../property";
import type { RecordKind } from "../record-kind";
import type { Session } from "../session";
import { inputsOfRecord } from "../state";
import { type Properties, stringOf } from "../values";
import { agentToServerTest } from "./agent-to-server-test";
import { commonProperties } from "../property";
import { httpServerTest } from "./http-server-test";
import { runOutputs, runProperties } from "./measurements";
import type { RunnableTest } from "./run-handler";
import { scheduleOf } from "./test-reach";

// `run-handler.ts` is loaded on demand, because previews and checks run no tests.
const handlers = (): typeof import("./run-handler") => require("./run-handler") as typeof import("./run-handler");

const properties = {
  // `testId` may refer to a scheduled test of any type, so the property does not declare `refersTo`.
  ...createOnly({ testId: property(testIdShape, { holdsIds: true }) }),
  ...runProperties,
  accountGroupId: commonProperties.accountGroupId,
};

/** A run of an existing test. The test runs when the resource is created, and when its triggers change. */
export const testRun: Kind<typeof properties, typeof runOutputs> = defineKind({
  name: "TestRun",
  noun: "test run",
  properties,
  outputs: runOutputs,
  nameProperty: "testId",
  replacementCost: "the test is run again",
  handler: (session) =>
    new (handlers().RunHandler)(testRun, session, {
      tryRun: async (client, accountGroupId) =>
        void (await client.instantTests.run({ path: { testId: nonexistentId }, query: { aid: accountGroupId } })),
      find: (declared, accountGroupId) => findTest(session, testIdOf(declared), accountGroupId),
      async start(client, declared, accountGroupId, runnableTest) {
        const testId = testIdOf(declared);
        try {
          await client.instantTests.run({ path: { testId }, query: { aid: accountGroupId } });
        } catch (error) {
          throw error instanceof NotFoundError ? gone(testId, error) : error;
        }
        return { testId, http: runnableTest?.http ?? false, network: runnableTest?.network ?? true, answered: {} };
      },
    }),
});

/** The types of tests that the service runs on demand. */
const runnable: readonly RecordKind[] = [agentToServerTest, httpServerTest];

/**
 * Finds a scheduled test in the lists of tests, so that many runs share a few requests. If the lists are older than the test, the function
 * sends a get request.
 *
 * @throws GoneError if the test does not exist
 */
async function findTest(session: Session, testId: string, accountGroupId: string | undefined): Promise<RunnableTest> {
  for (const kind of runnable) {
    const record = (await recordsOf(session, kind, accountGroupId).records()).get(testId);
    if (record) return existing(kind, testId, record);
  }
  for (const kind of runnable) {
    try {
      return existing(kind, testId, await kind.requests.get(session.client, testId, accountGroupId));
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }
  throw gone(testId);
}

function existing(kind: RecordKind, testId: string, record: object): RunnableTest {
  // The function ignores `isEnabled`, because the service decides whether a disabled test may run on demand.
  const { isEnabled: _isEnabled, ...state }: Properties = inputsOfRecord(kind, record);
  const measured = kind.onDemand?.(state);
  const measures = measured && "http" in measured ? measured : { http: false, network: true };
  return { testId, ...measures, selection: scheduleOf(state) };
}

function gone(testId: string, cause?: unknown): GoneError {
  return new GoneError(
    `There is no scheduled test ${testId} in the selected account group. Correct testId or accountGroupId.`,
    {
      cause,
    },
  );
}

/** Returns the id of the declared test. The id is known, because the engine resolves all values before it creates a resource. */
function testIdOf(declared: Properties): string {
  return stringOf(declared["testId"]) ?? "";
}
