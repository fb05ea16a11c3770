import type { z } from "zod";
import type { Client } from "../../api";
import type { Advice, CheckFailure, InRounds, OnDemand } from "../kind";
import type { PropertyMap, SchemaOf } from "../property";
import { recordKind } from "../record-handler";
import type { RecordKind, RecordRequests } from "../record-kind";
import { recordList } from "../snapshot";
import type { Properties } from "../values";
import { scheduleOf } from "./test-reach";
import {
  migratedSelection,
  selectionRules,
  testOutputs,
  testOutputsOf,
  testProperties,
  type AnyTestRecord,
} from "./test-properties";

/** API requests for a type of test. The service lists all tests in one response, without pages. */
interface TestCalls<R> {
  list(request: { query: { aid?: string } }): Promise<{ tests: R[] }>;
  get(request: { path: { testId: string }; query: { aid?: string } }): Promise<R>;
  create(request: { body: never; query: { aid?: string } }): Promise<R>;
  update(request: { path: { testId: string }; body: Properties; query: { aid?: string } }): Promise<R>;
  delete(request: { path: { testId: string }; query: { aid?: string } }): Promise<void>;
}

interface TestDeclaration<M extends PropertyMap, R extends AnyTestRecord> {
  name: string;
  noun: string;
  /** Properties that override the shared properties of tests. */
  properties: M;
  rules?(inputs: Partial<z.output<SchemaOf<M>>>, isGiven: (property: keyof M & string) => boolean): CheckFailure[];
  advice?(inputs: Partial<z.output<SchemaOf<M>>>): CheckFailure[];
  newRecordAdvice?: (inputs: Properties) => Advice[];
  calls: (client: Client) => TestCalls<R>;
  onDemand: (state: Properties) => OnDemand;
  /** Name of the resource type that runs the same test once, without a schedule. */
  instant?: string;
  /**
   * Measurements of scheduled rounds.
   *
   * @defaultValue the result of `onDemand`
   */
  inRounds?: InRounds;
}

export function testKind<const M extends PropertyMap, R extends AnyTestRecord>(
  declaration: TestDeclaration<M, R>,
): RecordKind<typeof testProperties & M, R, typeof testOutputs> {
  return recordKind<typeof testProperties & M, R, typeof testOutputs>({
    name: declaration.name,
    noun: declaration.noun,
    properties: { ...testProperties, ...declaration.properties },
    outputs: testOutputs,
    nameProperty: "testName",
    sampleId: "281474976710706",
    reach: { means: "test", scheduled: true, schedule: scheduleOf },
    referredAs: "test",
    replacementCost: "the test gets a new id and its result history is lost",
    rules: (inputs, isGiven) => [...selectionRules(inputs, isGiven), ...(declaration.rules?.(inputs, isGiven) ?? [])],
    ...(declaration.advice && { advice: (inputs) => declaration.advice?.(inputs) ?? [] }),
    newRecordAdvice: declaration.newRecordAdvice,
    ...(declaration.instant && { instant: declaration.instant }),
    onDemand: (state) => (isEnabled(state) ? declaration.onDemand(state) : disabled),
    inRounds: (state) => (isEnabled(state) ? (declaration.inRounds ?? declaration.onDemand(state)) : disabled),
    inOtherForm: migratedSelection,
    idOf: (record) => record.testId,
    outputsOf: testOutputsOf,
    modifiedAt: (record) => record.modifiedDate,
    createdAt: (record) => record.createdDate,
    requests: requestsOf(declaration.calls),
  });
}

const disabled = { refused: "it is disabled (isEnabled is false)" };

function isEnabled(state: Properties): boolean {
  return state["isEnabled"] !== false;
}

function requestsOf<R>(calls: (client: Client) => TestCalls<R>): RecordRequests<R> {
  return {
    async list(client, aid) {
      const list = await calls(client).list({ query: { aid } });
      return recordList(list.tests, list);
    },
    get: (client, testId, aid) => calls(client).get({ path: { testId }, query: { aid } }),
    // The type assertion is safe, because the API client validates every member of the body.
    create: (client, body, aid) => calls(client).create({ body: body as never, query: { aid } }),
    update: (client, testId, body, aid) => calls(client).update({ path: { testId }, body, query: { aid } }),
    delete: (client, testId, aid) => calls(client).delete({ path: { testId }, query: { aid } }),
  };
}
