import type { z } from "zod";
import type { Client } from "../../api";
import type { Failure, OnDemand } from "../kind";
import type { PropertyMap, SchemaOf } from "../property";
import { recordKind, type RecordKind, type RecordRequests } from "../record-kind";
import type { Properties } from "../values";
import { scheduleOf } from "./test-reach";
import { selectionRules, testOutputs, testOutputsOf, testProperties, type TestRecord } from "./test-properties";

/** The calls of the client on one kind of test. Lists of tests are not paged, so a list is one request. */
interface TestCalls<R> {
  list(request: { query: { aid?: string } }): Promise<{ tests: R[] }>;
  get(request: { path: { testId: string }; query: { aid?: string } }): Promise<R>;
  create(request: { body: never; query: { aid?: string } }): Promise<R>;
  update(request: { path: { testId: string }; body: Properties; query: { aid?: string } }): Promise<R>;
  delete(request: { path: { testId: string }; query: { aid?: string } }): Promise<void>;
}

/** What one kind of test has beyond what all of them have. */
interface Own<M extends PropertyMap, R extends TestRecord> {
  name: string;
  noun: string;
  /** Properties that are its own; one that all tests have is declared anew where this kind's differs. */
  properties: M;
  rules?(inputs: Partial<z.output<SchemaOf<M>>>, isGiven: (property: keyof M & string) => boolean): Failure[];
  calls: (client: Client) => TestCalls<R>;
  /** What running one at once does that is enabled, by its state. */
  onDemand: (state: Properties) => OnDemand;
}

/** Declares a kind of test: its own part, and what all kinds of test have in common. */
export function testKind<const M extends PropertyMap, R extends TestRecord>(
  own: Own<M, R>,
): RecordKind<typeof testProperties & M, R, typeof testOutputs> {
  return recordKind<typeof testProperties & M, R, typeof testOutputs>({
    name: own.name,
    noun: own.noun,
    properties: { ...testProperties, ...own.properties },
    outputs: testOutputs,
    nameProperty: "testName",
    reach: { means: "test", scheduled: true, schedule: scheduleOf },
    replacementCost: "the test gets a new id and the result history of the old one ends",
    rules: (given, isGiven) => [...selectionRules(given, isGiven), ...(own.rules?.(given, isGiven) ?? [])],
    onDemand: (state) =>
      state["isEnabled"] === false ? { refused: "it is disabled (isEnabled is false)" } : own.onDemand(state),
    idOf: (record) => record.testId,
    outputsOf: testOutputsOf,
    modifiedAt: (record) => record.modifiedDate,
    requests: requestsOf(own.calls),
  });
}

function requestsOf<R>(calls: (client: Client) => TestCalls<R>): RecordRequests<R> {
  return {
    list: async (client, aid) => (await calls(client).list({ query: { aid } })).tests,
    get: (client, testId, aid) => calls(client).get({ path: { testId }, query: { aid } }),
    // The client checks the body member by member before it sends anything.
    create: (client, body, aid) => calls(client).create({ body: body as never, query: { aid } }),
    update: (client, testId, body, aid) => calls(client).update({ path: { testId }, body, query: { aid } }),
    delete: (client, testId, aid) => calls(client).delete({ path: { testId }, query: { aid } }),
  };
}
