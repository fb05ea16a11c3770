import type { AccountGroupArgs, OneOf } from "./arguments";
import { fetching, outputForm } from "./define";
import type { Fetch, FetchOutput } from "./fetch";
import { checkOneOf, exactlyOne } from "./exactly-one";
import type { TestRecord } from "./records";
import type { Operations, FunctionSession } from "./session";

export type TestKind = TestRecord["kind"];

/** The operations of each kind, in the order in which an id is looked for. */
const areas = {
  "agent-to-server": "agentToServerTests",
  "http-server": "httpServerTests",
  dynamic: "dynamicTests",
} as const satisfies Record<TestKind, keyof Operations>;

/** Arguments of {@link getTests}. */
export interface GetTestsArgs extends AccountGroupArgs {
  /** The kind of test: `agent-to-server`, `http-server` or `dynamic`. Default: all kinds, at a request each. */
  kind?: TestKind;
}

/**
 * Gives the tests of an account group, of all kinds or of one.
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
 * {@link getTests} as an output, of arguments that may be outputs.
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
  /** Exact name of the test; it must be that of one test only, of all kinds unless `kind` is given. */
  testName: string;
}

/** Arguments of {@link getTest}: exactly one of `testId` and `testName`. */
export type GetTestArgs = GetTestsArgs & OneOf<TestLookup>;

/**
 * Gives one test by its id or by its exact name, of whatever kind it is. Functions about results take it as their `test`.
 *
 * @throws LookupError for an id or a name that no test has, or a name that several have, which it lists
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
      // An id belongs to a single test of all kinds.
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
 * {@link getTest} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const modified = getTestOutput({ testId: gateway.testId }).apply((test) => test.modifiedDate);
 * ```
 */
export const getTestOutput: FetchOutput<GetTestArgs, TestRecord> = outputForm(getTest);

/** @throws RequestError for a kind that is none */
function kindsOf({ api }: FunctionSession, kind: TestKind | undefined): TestKind[] {
  // The keys of a literal.
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

/** The test of a kind, or nothing. */
async function matchingTests(session: FunctionSession, kind: TestKind, args: object): Promise<TestRecord[]> {
  try {
    return [{ ...(await session.call(session.api.operations[areas[kind]].get, args)), kind }];
  } catch (error) {
    if (error instanceof session.api.NotFoundError) return [];
    throw error;
  }
}
