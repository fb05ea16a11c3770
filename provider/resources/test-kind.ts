import type { z } from "zod";
import type { Client } from "../../api";
import type { Failure, OnDemand } from "../kind";
import type { Properties } from "../values";
import type { Operations, RecordKind } from "../record-kind";
import { recordKind } from "./record";
import { scheduleOf } from "./test-reach";
import {
  selectionRules,
  testCreateOnly,
  testInputs,
  testRefersTo,
  testReportedOnly,
  testSame,
  testToInputs,
  testToOutputs,
  type TestOutputs,
  type TestRecord,
} from "./test-fields";

/** The calls of the client on one kind of test. Lists of tests are not paged, so a list is one request. */
interface TestCalls<R> {
  list(request: { query: { aid?: string } }): Promise<{ tests: R[] }>;
  get(request: { path: { testId: string }; query: { aid?: string } }): Promise<R>;
  create(request: { body: never; query: { aid?: string } }): Promise<R>;
  update(request: { path: { testId: string }; body: Properties; query: { aid?: string } }): Promise<R>;
  delete(request: { path: { testId: string }; query: { aid?: string } }): Promise<void>;
}

type TestSchema = z.ZodObject<typeof testInputs>;
type Named<S extends z.ZodObject> = keyof z.output<S> & string;

/** What one kind of test has beyond what all of them have. */
interface Own<S extends TestSchema, R extends TestRecord> extends Pick<
  RecordKind<S, R, TestOutputs>,
  "name" | "noun" | "schema" | "updateOnly"
> {
  createOnly: readonly Named<S>[];
  writeOnly: readonly Named<S>[];
  leftToService: readonly Named<S>[];
  same: RecordKind<S>["same"];
  plain?: RecordKind<S>["plain"];
  rules(inputs: Partial<z.output<S>>, named: (property: Named<S>) => boolean): Failure[];
  /** The members that are its own, in the shape of the inputs. */
  toInputs(record: R): Partial<Record<Named<S>, unknown>>;
  calls: (client: Client) => TestCalls<R>;
  /** What comes of running one at once that is enabled, from its state. */
  onDemand: (state: Properties) => OnDemand;
}

/** Declares a kind of test: its own part, and what all kinds of test have in common. */
export function testKind<S extends TestSchema, R extends TestRecord>(own: Own<S, R>): RecordKind<S, R, TestOutputs> {
  const { calls, onDemand, ...rest } = own;
  return recordKind<S, R, TestOutputs>({
    ...rest,
    nameProperty: "testName",
    createOnly: [...testCreateOnly, ...own.createOnly],
    leftToService: ["ipVersion", "accountGroupId", ...own.leftToService],
    reportedOnly: testReportedOnly,
    refersTo: testRefersTo,
    reach: { means: "test", scheduled: true, schedule: scheduleOf },
    replacementCost: "the test gets a new id and the result history of the old one ends",
    same: { ...testSame, ...own.same },
    rules: (given, named) => [...selectionRules(given, named), ...own.rules(given, named)],
    idOf: (record) => record.testId,
    // S has at least the properties of testInputs, which is what the first part answers; the compiler does not see it.
    toInputs: (record) => ({ ...testToInputs(record), ...own.toInputs(record) }) as ReturnType<RecordKind<S, R>["toInputs"]>,
    toOutputs: (record) => testToOutputs(record),
    modifiedAt: (record) => record.modifiedDate,
    isWhole: () => true,
    onDemand: (state) => (state["isEnabled"] === false ? { refused: "it is disabled (isEnabled is false)" } : onDemand(state)),
    operations: (client) => testOperations(calls(client)),
  });
}

function testOperations<R>(calls: TestCalls<R>): Operations<R> {
  return {
    list: async (aid) => (await calls.list({ query: { aid } })).tests,
    get: (testId, aid) => calls.get({ path: { testId }, query: { aid } }),
    // The client checks the body member by member before it sends anything.
    create: (body, aid) => calls.create({ body: body as never, query: { aid } }),
    update: (testId, body, aid) => calls.update({ path: { testId }, body, query: { aid } }),
    remove: (testId, aid) => calls.delete({ path: { testId }, query: { aid } }),
  };
}
