import { z } from "zod";
import { NotFoundError } from "../../api";
import { defaultsOf } from "../check";
import { GoneError } from "../failures";
import { nowhere } from "../handler";
import { defineKind, type Kind } from "../kind";
import { createOnly, property } from "../property";
import type { RecordKind } from "../record-kind";
import type { Session } from "../session";
import { inputsOfRecord } from "../state";
import { type Properties, stringOf } from "../values";
import { agentToServerTest } from "./agent-to-server-test";
import { commonProperties } from "./common";
import { httpServerTest } from "./http-server-test";
import { runOutputs, runProperties } from "./measurements";
import { RunHandler, type Existing } from "./run-handler";

const properties = {
  // A test of whichever kind has scheduled tests, so it refers to none of them.
  ...createOnly({ testId: property(z.string().min(1)) }),
  ...runProperties,
  accountGroupId: commonProperties.accountGroupId,
};

/** A run of a test that exists, when the resource is created and whenever its triggers change. */
export const testRun: Kind<typeof properties, typeof runOutputs> = defineKind({
  name: "TestRun",
  noun: "test run",
  properties,
  outputs: runOutputs,
  nameProperty: "testId",
  replacementCost: "the test is run again",
  handler: (session) =>
    new RunHandler(testRun, session, {
      tryRun: async (client, aid) => void (await client.instantTests.run({ path: { testId: nowhere }, query: { aid } })),
      find: (declared, aid) => findTest(session, testIdOf(declared), aid),
      async start(client, declared, aid, found) {
        const testId = testIdOf(declared);
        try {
          await client.instantTests.run({ path: { testId }, query: { aid } });
        } catch (error) {
          throw error instanceof NotFoundError ? gone(testId, error) : error;
        }
        return { testId, http: found?.http ?? false, network: found?.network ?? true, answered: {} };
      },
    }),
});

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
    const record = (await session.snapshot(kind, aid).records()).get(testId);
    if (record) return existing(kind, testId, record);
  }
  for (const kind of runnable) {
    try {
      return existing(kind, testId, await kind.requests.get(session.client, testId, aid));
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }
  throw gone(testId);
}

function existing(kind: RecordKind, testId: string, record: object): Existing {
  // Whether a disabled test is run is for the service to say.
  const { isEnabled: _isEnabled, interval = defaultsOf(kind)["interval"], ...state }: Properties = inputsOfRecord(kind, record);
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
