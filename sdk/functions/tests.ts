import type { AccountGroupArgs, OneOf } from "./arguments";
import { fetching, outputForm } from "./define";
import type { Fetch, FetchOutput } from "./fetch";
import { checkOneOf, exactlyOne } from "./exactly-one";
import type { TestRecord } from "./records";
import type { Operations, FunctionSession } from "./session";

export type TestKind = TestRecord["kind"];

/** API client areas, keyed by kind of test. A search by test id queries the areas in the order of this object. */
const areas = {
  "agent-to-server": "agentToServerTests",
  "http-server": "httpServerTests",
  dynamic: "dynamicTests",
} as const satisfies Record<TestKind, keyof Operations>;

/** Arguments of {@link getTests}. */
export interface GetTestsArgs extends AccountGroupArgs {
  /** The kind of test: `agent-to-server`, `http-server` or `dynamic`. Default: all kinds, with one request for each kind. */
  kind?: TestKind;
}

/**
 * Returns the tests of an account group. Without `kind`, the result contains tests of all kinds.
 *
 * @example
 * ```ts
 * const tests = await getTests();
 * const idle = tests.filter((test) => test.isEnabled === false);
 * const urls = (await getTests({ kind: "http-server" })).map((test) => test.kind === "http-server" && test.url);
 * ```
 */
export const getTests: Fetch<GetTestsArgs, TestRecord[]> = fetching(async (session, { kind, ...rest }) => {
  const lists = await Promise.all(kindsOf(session, kind).map((each) => listOf(session, each, rest)));
  return lists.flat();
});

/**
 * Returns the result of {@link getTests} as an output. The arguments may be outputs of resources.
 *
 * @example
 * ```ts
 * export const count = getTestsOutput({ accountGroupId: branch.aid }).apply((tests) => tests.length);
 * ```
 */
export const getTestsOutput: FetchOutput<GetTestsArgs, TestRecord[]> = outputForm(getTests);

interface TestLookup {
  /** Identifier of the test, a string of digits. */
  testId: string;
  /** Exact name of the test, which must be unique. If `kind` is set, tests of other kinds may have the same name. */
  testName: string;
}

/** Arguments of {@link getTest}, with exactly one of `testId` and `testName`. */
export type GetTestArgs = GetTestsArgs & OneOf<TestLookup>;

/**
 * Looks up a test of any kind by its id or exact name. You can pass the returned test to functions that return results, as the
 * argument `test`.
 *
 * @throws LookupError unless exactly one test has the requested id or name. The error message lists all tests with the
 * requested name
 *
 * @example
 * ```ts
 * const test = await getTest({ testName: "VPN gateway" });
 * const results = await getNetworkResults({ test, window: "1h" });
 * ```
 */
export const getTest: Fetch<GetTestArgs, TestRecord> = fetching(async (session, args) => {
  const { testId, testName, kind, ...rest } = args;
  const by = { testId, testName };
  checkOneOf(session, "scheduledTests", by);
  const kinds = kindsOf(session, kind);
  const hits: TestRecord[] = [];
  for (const each of kinds) {
    if (testId === undefined) {
      for (const test of await listOf(session, each, rest)) if (test.testName === testName) hits.push(test);
    } else if (hits.length === 0) {
      // Test ids are unique across all kinds of tests, so the search ends at the first hit.
      for (const test of await matchingTests(session, each, { testId, ...rest })) hits.push(test);
    }
  }
  const what = kind === undefined ? "test" : `${kind} test`;
  return exactlyOne(session, hits, {
    call: "getTest",
    what,
    by,
    id: "testId",
    show: (test) => `${test.testId} (${test.testName ?? "unnamed"}, ${test.kind})`,
  });
});

/**
 * Returns the result of {@link getTest} as an output. The arguments may be outputs of resources.
 *
 * @example
 * ```ts
 * export const modified = getTestOutput({ testId: gateway.testId }).apply((test) => test.modifiedDate);
 * ```
 */
export const getTestOutput: FetchOutput<GetTestArgs, TestRecord> = outputForm(getTest);

/** @throws RequestError if the kind does not exist */
function kindsOf({ api }: FunctionSession, kind: TestKind | undefined): TestKind[] {
  // `Object.keys` returns the type string[], but all keys of `areas` are kinds of tests.
  const kinds = Object.keys(areas) as TestKind[];
  if (kind === undefined || kind === null) return kinds;
  if (!kinds.includes(kind))
    throw new api.RequestError(api.operations.scheduledTests.list, [`kind: must be ${kinds.join(", ")}`]);
  return [kind];
}

async function listOf(session: FunctionSession, kind: TestKind, args: object): Promise<TestRecord[]> {
  const { tests } = await session.call(session.api.operations[areas[kind]].list, args);
  return tests.map((test) => ({ ...test, kind }));
}

async function matchingTests(session: FunctionSession, kind: TestKind, args: object): Promise<TestRecord[]> {
  try {
    return [{ ...(await session.call(session.api.operations[areas[kind]].get, args)), kind }];
  } catch (error) {
    if (error instanceof session.api.NotFoundError) return [];
    throw error;
  }
}
