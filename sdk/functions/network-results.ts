import type { NetworkResultsCalls } from "../../api/generated";
import type { AccountGroupArgs, LimitArgs, QueryOf, TimeArgs } from "./arguments";
import { outputForm, paged } from "./define";
import type { FetchAll, FetchOutput } from "./fetch";
import { ofTest, outputOfTest, type OfTestArgs } from "./of-test";
import type {
  DynamicNetworkResult,
  DynamicNetworkResultFilters,
  NetworkResult,
  NetworkResultFilters,
  NetworkResultMultiFilters,
  NetworkSort,
  NetworkThresholds,
} from "./records";

interface NetworkArgs extends LimitArgs, TimeArgs {
  /** Optional details to include in each result: `user-profile`. */
  expand?: QueryOf<NetworkResultsCalls["filter"]>["expand"];
  /** Conditions on metrics, such as `{ filters: [{ name: "loss", operator: "gte", value: 5 }] }`. */
  thresholdFilter?: NetworkThresholds;
  /** Sort keys for the results, the most important key first. */
  searchSort?: NetworkSort[];
}

/** Arguments of {@link getNetworkResults}. */
export interface GetNetworkResultsArgs extends OfTestArgs, NetworkArgs {
  /** Conditions on attributes. A result meets a condition if its attribute has one of the listed values. */
  searchFilters?: NetworkResultFilters;
}

/**
 * Returns loss, latency and jitter of a scheduled test, one row per agent and test round.
 *
 * @example
 * ```ts
 * const test = await getTest({ testName: "VPN gateway" });
 * const lossy = await getNetworkResults({
 *   test,
 *   window: "12h",
 *   thresholdFilter: { filters: [{ name: "loss", operator: "gte", value: 5 }] },
 * });
 * ```
 */
export const getNetworkResults: FetchAll<GetNetworkResultsArgs, NetworkResult> = paged({
  ...ofTest,
  operation: ({ networkResults }) => networkResults.filter,
  rows: (page) => page.results,
});

/**
 * Returns the result of {@link getNetworkResults} as an output. The arguments may be outputs of resources. The argument `test`
 * may be a test resource.
 *
 * @example
 * ```ts
 * export const worst = getNetworkResultsOutput({ test: gateway, window: "1h", searchSort: [{ sort: "loss", order: "desc" }], limit: 1 });
 * ```
 */
export const getNetworkResultsOutput: FetchOutput<GetNetworkResultsArgs, NetworkResult[]> = outputOfTest(getNetworkResults);

/** Arguments of {@link getNetworkResultsOfTests}. */
export interface GetNetworkResultsOfTestsArgs extends AccountGroupArgs, NetworkArgs {
  /**
   * Conditions on attributes. A result meets a condition if its attribute has one of the listed values. `testId` restricts the
   * results to the listed tests.
   */
  searchFilters?: NetworkResultMultiFilters;
  /** Whether to include results of all account groups that the token's user may see. Default: false. */
  useAllPermittedAids?: boolean;
  /**
   * Number of results per page, at least 1. The service does not document limits of the page size, and may choose another page
   * size.
   */
  max?: number;
}

/**
 * Returns the network results of many scheduled tests at once.
 *
 * @example
 * ```ts
 * const results = await getNetworkResultsOfTests({ searchFilters: { testId: ["281474976710706"] }, window: "30m" });
 * ```
 */
export const getNetworkResultsOfTests: FetchAll<GetNetworkResultsOfTestsArgs, NetworkResult> = paged({
  operation: ({ networkResults }) => networkResults.filterMulti,
  rows: (page) => page.results,
});

/**
 * Returns the result of {@link getNetworkResultsOfTests} as an output. The arguments may be outputs of resources.
 *
 * @example
 * ```ts
 * export const rows = getNetworkResultsOfTestsOutput({ searchFilters: { testId: [gateway.testId] }, window: "30m" });
 * ```
 */
export const getNetworkResultsOfTestsOutput: FetchOutput<GetNetworkResultsOfTestsArgs, NetworkResult[]> =
  outputForm(getNetworkResultsOfTests);

/** Arguments of {@link getDynamicNetworkResults}. */
export interface GetDynamicNetworkResultsArgs extends OfTestArgs, NetworkArgs {
  /** Conditions on attributes. A result meets a condition if its attribute has one of the listed values. */
  searchFilters?: DynamicNetworkResultFilters;
}

/**
 * Returns the network results of a dynamic test, one row per session and test round.
 *
 * @example
 * ```ts
 * const meetings = await getTest({ testName: "Meetings", kind: "dynamic" });
 * const results = await getDynamicNetworkResults({ test: meetings, window: "1d", expand: ["user-profile"] });
 * ```
 */
export const getDynamicNetworkResults: FetchAll<GetDynamicNetworkResultsArgs, DynamicNetworkResult> = paged({
  ...ofTest,
  operation: ({ networkResults }) => networkResults.filterDynamic,
  rows: (page) => page.results,
});

/**
 * Returns the result of {@link getDynamicNetworkResults} as an output. The arguments may be outputs of resources. The argument
 * `test` may be a test resource.
 *
 * @example
 * ```ts
 * export const sessions = getDynamicNetworkResultsOutput({ test: meetings, window: "1h" }).apply((rows) => rows.length);
 * ```
 */
export const getDynamicNetworkResultsOutput: FetchOutput<GetDynamicNetworkResultsArgs, DynamicNetworkResult[]> =
  outputOfTest(getDynamicNetworkResults);
