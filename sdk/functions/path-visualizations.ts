import type { LimitArgs, TimeArgs } from "./arguments";
import { single, paged } from "./define";
import type { Fetch, FetchAll, FetchOutput } from "./fetch";
import { ofTest, outputOfTest, type OfTestArgs } from "./of-test";
import type { DynamicPathDetail, DynamicPathResult, PathDetail, PathResult } from "./records";

/** Arguments of {@link getPathVisualizations} and {@link getDynamicPathVisualizations}. */
export interface GetPathVisualizationsArgs extends OfTestArgs, LimitArgs, TimeArgs {}

/** Arguments of {@link getPathVisualization} and {@link getDynamicPathVisualization}. */
export interface GetPathVisualizationArgs extends OfTestArgs {
  /** Identifier of the agent. */
  agentId: string;
  /** Identifier of the test round, as in the rows of `getPathVisualizations`. */
  roundId: string | number;
}

/**
 * Returns the paths of a scheduled test, one row per agent and test round, without hops.
 *
 * @example
 * ```ts
 * const test = await getTest({ testName: "VPN gateway" });
 * const [latest] = await getPathVisualizations({ test, window: "1h", limit: 1 });
 * ```
 */
export const getPathVisualizations: FetchAll<GetPathVisualizationsArgs, PathResult> = paged({
  ...ofTest,
  operation: ({ pathVisualization }) => pathVisualization.list,
  rows: (page) => page.results,
});

/**
 * Returns the result of {@link getPathVisualizations} as an output. The arguments may be outputs of resources. The argument
 * `test` may be a test resource.
 *
 * @example
 * ```ts
 * export const paths = getPathVisualizationsOutput({ test: gateway, window: "1h" });
 * ```
 */
export const getPathVisualizationsOutput: FetchOutput<GetPathVisualizationsArgs, PathResult[]> =
  outputOfTest(getPathVisualizations);

/**
 * Returns the paths that one agent measured in one test round of a scheduled test, with their hops.
 *
 * @example
 * ```ts
 * const [path] = await getPathVisualization({ test, agentId: latest.agentId, roundId: latest.roundId });
 * console.log(path.pathTraces?.[0]?.hops);
 * ```
 */
export const getPathVisualization: Fetch<GetPathVisualizationArgs, PathDetail[]> = single({
  ...ofTest,
  operation: ({ pathVisualization }) => pathVisualization.get,
  answer: (response) => response.results,
});

/**
 * Returns the result of {@link getPathVisualization} as an output. The arguments may be outputs of resources. The argument
 * `test` may be a test resource.
 *
 * @example
 * ```ts
 * export const path = getPathVisualizationOutput({ test: gateway, agentId: kiosk.agentId, roundId: 1_658_181_600 });
 * ```
 */
export const getPathVisualizationOutput: FetchOutput<GetPathVisualizationArgs, PathDetail[]> =
  outputOfTest(getPathVisualization);

/**
 * Returns the paths of a dynamic test, one row per agent and test round, without hops.
 *
 * @example
 * ```ts
 * const paths = await getDynamicPathVisualizations({ test: meetings, startDate: "2022-07-17T22:00:54Z" });
 * ```
 */
export const getDynamicPathVisualizations: FetchAll<GetPathVisualizationsArgs, DynamicPathResult> = paged({
  ...ofTest,
  operation: ({ pathVisualization }) => pathVisualization.listDynamic,
  rows: (page) => page.results,
});

/**
 * Returns the result of {@link getDynamicPathVisualizations} as an output. The arguments may be outputs of resources. The
 * argument `test` may be a test resource.
 *
 * @example
 * ```ts
 * export const paths = getDynamicPathVisualizationsOutput({ test: meetings, window: "1h" });
 * ```
 */
export const getDynamicPathVisualizationsOutput: FetchOutput<GetPathVisualizationsArgs, DynamicPathResult[]> =
  outputOfTest(getDynamicPathVisualizations);

/**
 * Returns the paths that one agent measured in one test round of a dynamic test, with their hops.
 *
 * @example
 * ```ts
 * const [path] = await getDynamicPathVisualization({ test: meetings, agentId: row.agentId, roundId: row.roundId });
 * ```
 */
export const getDynamicPathVisualization: Fetch<GetPathVisualizationArgs, DynamicPathDetail[]> = single({
  ...ofTest,
  operation: ({ pathVisualization }) => pathVisualization.getDynamic,
  answer: (response) => response.results,
});

/**
 * Returns the result of {@link getDynamicPathVisualization} as an output. The arguments may be outputs of resources. The
 * argument `test` may be a test resource.
 *
 * @example
 * ```ts
 * export const path = getDynamicPathVisualizationOutput({ test: meetings, agentId: kiosk.agentId, roundId: 1_658_181_600 });
 * ```
 */
export const getDynamicPathVisualizationOutput: FetchOutput<GetPathVisualizationArgs, DynamicPathDetail[]> =
  outputOfTest(getDynamicPathVisualization);
