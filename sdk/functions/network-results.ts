import type { operations } from "../../api";
import type { AccountGroupArgs, BodyOf, LimitArgs, QueryOf, TimeArgs } from "./arguments";
import { outputForm, paged, type FetchAll, type FetchOutput } from "./define";
import { ofTest, outputOfTest, type OfTestArgs } from "./of-test";
import type { DynamicNetworkResult, NetworkResult } from "./records";

type Areas = typeof operations.networkResults;
type Search = BodyOf<Areas["filter"]>;

interface NetworkArgs extends LimitArgs, TimeArgs {
  /** Parts that are left out unless asked for: `user-profile`. */
  expand?: QueryOf<Areas["filter"]>["expand"];
  /** Conditions on metrics: `{ filters: [{ name: "loss", operator: "gte", value: 5 }] }`. */
  thresholdFilter?: Search["thresholdFilter"];
  /** Order of the results: the first key counts most. */
  searchSort?: Search["searchSort"];
}

/** Arguments of {@link getNetworkResults}. */
export interface GetNetworkResultsArgs extends OfTestArgs, NetworkArgs {
  /** What results are searched by: for each attribute the values of which one will do. */
  searchFilters?: Search["searchFilters"];
}

/**
 * Gives the network results of a scheduled test, a row for each agent and round: loss, latency, jitter.
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
 * {@link getNetworkResults} as an output, of arguments that may be outputs; `test` may be a test resource.
 *
 * @example
 * ```ts
 * export const worst = getNetworkResultsOutput({ test: gateway, window: "1h", searchSort: [{ sort: "loss", order: "desc" }], limit: 1 });
 * ```
 */
export const getNetworkResultsOutput: FetchOutput<GetNetworkResultsArgs, NetworkResult[]> = outputOfTest(getNetworkResults);

/** Arguments of {@link getNetworkResultsOfTests}. */
export interface GetNetworkResultsOfTestsArgs extends AccountGroupArgs, NetworkArgs {
  /** What results are searched by: for each attribute the values of which one will do; `testId` narrows it to these tests. */
  searchFilters?: BodyOf<Areas["filterMulti"]>["searchFilters"];
  /** Results of every account group that the token's user may see. Default: false. */
  useAllPermittedAids?: boolean;
  /** Results a page, as a wish to the service. */
  max?: number;
}

/**
 * Gives the network results of many scheduled tests at once.
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
 * {@link getNetworkResultsOfTests} as an output, of arguments that may be outputs.
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
  /** What results are searched by: for each attribute the values of which one will do. */
  searchFilters?: BodyOf<Areas["filterDynamic"]>["searchFilters"];
}

/**
 * Gives the network results of a dynamic test, a row for each session and round.
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
 * {@link getDynamicNetworkResults} as an output, of arguments that may be outputs; `test` may be a test resource.
 *
 * @example
 * ```ts
 * export const sessions = getDynamicNetworkResultsOutput({ test: meetings, window: "1h" }).apply((rows) => rows.length);
 * ```
 */
export const getDynamicNetworkResultsOutput: FetchOutput<GetDynamicNetworkResultsArgs, DynamicNetworkResult[]> =
  outputOfTest(getDynamicNetworkResults);
