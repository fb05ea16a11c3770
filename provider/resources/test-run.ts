import { z } from "zod";
import { NotFoundError, type Client } from "../../api";
import { GoneError } from "../failures";
import type { Kind } from "../kind";
import { stringOf } from "../values";
import { commonInputs } from "./common";
import { runStateOnly, type RunOutputs } from "./instant-test";
import { runInputs } from "./measurements";
import { RunBehaviour } from "./run-behaviour";

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
  replacementCost: "the test is run again",
  same: {},
  rules: () => [],
  behaviour: (session) =>
    new RunBehaviour(testRun, session, {
      // The engine has put in what was unknown before: an id is text by now.
      testIdOf: (declared) => stringOf(declared["testId"]) ?? "",
      async start(client, declared, aid) {
        const testId = stringOf(declared["testId"]) ?? "";
        const http = await hasHttpResults(client, testId, aid);
        await client.instantTests.run({ path: { testId }, query: { aid } });
        return { testId, http, said: {} };
      },
    }),
};

/** Whether a scheduled test is one of an HTTP server. @throws GoneError where there is no such test */
async function hasHttpResults(client: Client, testId: string, aid: string | undefined): Promise<boolean> {
  const request = { path: { testId }, query: { aid } };
  for (const [calls, http] of [
    [client.agentToServerTests, false],
    [client.httpServerTests, true],
  ] as const) {
    try {
      await calls.get(request);
      return http;
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }
  throw new GoneError(`There is no scheduled test ${testId} in this account group. Correct testId, or accountGroupId.`);
}
