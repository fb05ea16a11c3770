import type { HttpServerResultsCalls } from "../../api/generated";
import type { AccountGroupArgs, LimitArgs, QueryOf, TimeArgs } from "./arguments";
import { outputForm, paged } from "./define";
import type { FetchAll, FetchOutput } from "./fetch";
import { ofTest, outputOfTest, type OfTestArgs } from "./of-test";
import type { HttpServerResult, HttpServerResultFilters, HttpServerSort, HttpServerThresholds } from "./records";

interface HttpServerArgs extends LimitArgs, TimeArgs {
  /** Optional details to include in each result: `header`, `user-profile`. */
  expand?: QueryOf<HttpServerResultsCalls["filter"]>["expand"];
  /** Conditions on attributes. A result meets a condition if its attribute has one of the listed values. */
  searchFilters?: HttpServerResultFilters;
  /** Conditions on metrics, such as `{ filters: [{ name: "response-time", operator: "gte", value: 2000 }] }`. */
  thresholdFilter?: HttpServerThresholds;
  /** Sort keys for the results, the most important key first. */
  searchSort?: HttpServerSort[];
}

/**
 * Arguments of {@link getHttpServerResults}. If the arguments contain filters or sort keys, the function calls a search
 * operation of the service.
 */
export interface GetHttpServerResultsArgs extends OfTestArgs, HttpServerArgs {}

/**
 * Returns the results of an HTTP server test, one row per agent and test round. A row contains the response code and the
 * duration of each request phase.
 *
 * @example
 * ```ts
 * const portal = await getTest({ testName: "Portal" });
 * for await (const page of getHttpServerResults.pages({ test: portal, window: "1d" })) {
 *   console.log(page.filter((result) => result.responseCode !== 200));
 * }
 * ```
 */
export const getHttpServerResults: FetchAll<GetHttpServerResultsArgs, HttpServerResult> = paged({
  ...ofTest,
  operation: ({ httpServerResults }, { searchFilters, thresholdFilter, searchSort }) =>
    (searchFilters ?? thresholdFilter ?? searchSort) ? httpServerResults.filter : httpServerResults.list,
  rows: (page) => page.results,
});

/**
 * Returns the result of {@link getHttpServerResults} as an output. The arguments may be outputs of resources. The argument
 * `test` may be a test resource.
 *
 * @example
 * ```ts
 * export const latest = getHttpServerResultsOutput({ test: portal, window: "10m", limit: 20 });
 * ```
 */
export const getHttpServerResultsOutput: FetchOutput<GetHttpServerResultsArgs, HttpServerResult[]> =
  outputOfTest(getHttpServerResults);

/** Arguments of {@link getHttpServerResultsOfTests}. `testId` in `searchFilters` restricts the results to the listed tests. */
export interface GetHttpServerResultsOfTestsArgs extends AccountGroupArgs, HttpServerArgs {
  /** Whether to include results of all account groups that the token's user may see. Default: false. */
  useAllPermittedAids?: boolean;
}

/**
 * Returns the results of many HTTP server tests at once.
 *
 * @example
 * ```ts
 * const slow = await getHttpServerResultsOfTests({
 *   window: "1h",
 *   thresholdFilter: { filters: [{ name: "response-time", operator: "gte", value: 2_000 }] },
 * });
 * ```
 */
export const getHttpServerResultsOfTests: FetchAll<GetHttpServerResultsOfTestsArgs, HttpServerResult> = paged({
  operation: ({ httpServerResults }) => httpServerResults.filterMulti,
  rows: (page) => page.results,
});

/**
 * Returns the result of {@link getHttpServerResultsOfTests} as an output. The arguments may be outputs of resources.
 *
 * @example
 * ```ts
 * export const rows = getHttpServerResultsOfTestsOutput({ searchFilters: { testId: [portal.testId] }, window: "30m" });
 * ```
 */
export const getHttpServerResultsOfTestsOutput: FetchOutput<GetHttpServerResultsOfTestsArgs, HttpServerResult[]> =
  outputForm(getHttpServerResultsOfTests);
