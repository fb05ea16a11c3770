import type { AccountGroupArgs, LimitArgs, TimeArgs } from "./arguments";
import { single, outputForm, paged } from "./define";
import type { Fetch, FetchAll, FetchOutput } from "./fetch";
import type {
  RealUserDetail,
  RealUserNetwork,
  RealUserResult,
  RealUserResultFilters,
  VisitedPageDetail,
  VisitedPageResult,
} from "./records";

/** Arguments of {@link getRealUserTests}, {@link getRealUserTestNetworks} and {@link getRealUserTestPages}. */
export interface GetRealUserTestsArgs extends AccountGroupArgs, LimitArgs, TimeArgs {
  /**
   * Conditions on attributes, such as `{ domain: ["example.com"] }`. A visit meets a condition if its attribute has one of the
   * listed values.
   */
  searchFilters?: RealUserResultFilters;
}

/**
 * Returns the results of real user tests, one row per visit to a site, with a user experience score.
 *
 * @example
 * ```ts
 * const visits = await getRealUserTests({ searchFilters: { domain: ["example.com"] }, window: "1d" });
 * const bad = visits.filter((visit) => (visit.experienceScore ?? 1) < 0.5);
 * ```
 */
export const getRealUserTests: FetchAll<GetRealUserTestsArgs, RealUserResult> = paged({
  operation: ({ realUserResults }) => realUserResults.filter,
  rows: (page) => page.results,
});

/**
 * Returns the result of {@link getRealUserTests} as an output. The arguments may be outputs of resources.
 *
 * @example
 * ```ts
 * export const visits = getRealUserTestsOutput({ searchFilters: { agentId: [kiosk.agentId] }, window: "1h" });
 * ```
 */
export const getRealUserTestsOutput: FetchOutput<GetRealUserTestsArgs, RealUserResult[]> = outputForm(getRealUserTests);

/**
 * Returns the network metrics of real user tests, one row per visit. A row contains the metrics of the paths to the site, the
 * VPN and the proxy.
 *
 * @example
 * ```ts
 * const networks = await getRealUserTestNetworks({ searchFilters: { connection: ["wireless"] }, window: "1h" });
 * ```
 */
export const getRealUserTestNetworks: FetchAll<GetRealUserTestsArgs, RealUserNetwork> = paged({
  operation: ({ realUserResults }) => realUserResults.filterNetworks,
  rows: (page) => page.results,
});

/**
 * Returns the result of {@link getRealUserTestNetworks} as an output. The arguments may be outputs of resources.
 *
 * @example
 * ```ts
 * export const networks = getRealUserTestNetworksOutput({ searchFilters: { agentId: [kiosk.agentId] }, window: "1h" });
 * ```
 */
export const getRealUserTestNetworksOutput: FetchOutput<GetRealUserTestsArgs, RealUserNetwork[]> =
  outputForm(getRealUserTestNetworks);

/**
 * Returns the visited pages of real user tests, one row per page.
 *
 * @example
 * ```ts
 * const pages = await getRealUserTestPages({ searchFilters: { visitedSite: ["www.example.com"] }, window: "1h" });
 * ```
 */
export const getRealUserTestPages: FetchAll<GetRealUserTestsArgs, VisitedPageResult> = paged({
  operation: ({ realUserResults }) => realUserResults.filterPages,
  // The search for visited pages expects the filters directly in the request body, but all other searches expect the filters in
  // `searchFilters`.
  wire: ({ searchFilters, ...rest }) => ({ ...searchFilters, ...rest }),
  rows: (page) => page.results,
});

/**
 * Returns the result of {@link getRealUserTestPages} as an output. The arguments may be outputs of resources.
 *
 * @example
 * ```ts
 * export const pages = getRealUserTestPagesOutput({ searchFilters: { agentId: [kiosk.agentId] }, window: "1h" });
 * ```
 */
export const getRealUserTestPagesOutput: FetchOutput<GetRealUserTestsArgs, VisitedPageResult[]> =
  outputForm(getRealUserTestPages);

/** Arguments of {@link getRealUserTest}. */
export interface GetRealUserTestArgs extends AccountGroupArgs {
  /** Identifier of a visit that `getRealUserTests` returned. */
  id: string;
}

/**
 * Returns one visit to a site from the real user tests, with the visited pages and the network metrics.
 *
 * @throws NotFoundError if no visit has the requested id
 *
 * @example
 * ```ts
 * const { network, pages } = await getRealUserTest({ id: visits[0].id });
 * ```
 */
export const getRealUserTest: Fetch<GetRealUserTestArgs, RealUserDetail> = single({
  operation: ({ realUserResults }) => realUserResults.get,
  answer: ({ results }, { id }) => results.find((visit) => visit.id === id) ?? results[0],
});

/**
 * Returns the result of {@link getRealUserTest} as an output. The arguments may be outputs of resources.
 *
 * @example
 * ```ts
 * export const visit = getRealUserTestOutput({ id: visits[0].id });
 * ```
 */
export const getRealUserTestOutput: FetchOutput<GetRealUserTestArgs, RealUserDetail> = outputForm(getRealUserTest);

/** Arguments of {@link getRealUserTestPage}. */
export interface GetRealUserTestPageArgs extends GetRealUserTestArgs {
  /** Identifier of a page that `getRealUserTestPages` returned. */
  pageId: string;
}

/**
 * Returns the HTTP requests that loaded one page of a visit, in HAR format.
 *
 * @throws NotFoundError if the visit or the page does not exist
 *
 * @example
 * ```ts
 * const [visited] = await getRealUserTestPages({ window: "1h", limit: 1 });
 * const { har } = await getRealUserTestPage({ id: visited.id, pageId: visited.pageId });
 * ```
 */
export const getRealUserTestPage: Fetch<GetRealUserTestPageArgs, VisitedPageDetail> = single({
  operation: ({ realUserResults }) => realUserResults.getPage,
  answer: (response) => response,
});

/**
 * Returns the result of {@link getRealUserTestPage} as an output. The arguments may be outputs of resources.
 *
 * @example
 * ```ts
 * const visited = getRealUserTestPagesOutput({ window: "1h", limit: 1 });
 * export const page = getRealUserTestPageOutput({ id: visited[0].id, pageId: visited[0].pageId });
 * ```
 */
export const getRealUserTestPageOutput: FetchOutput<GetRealUserTestPageArgs, VisitedPageDetail> =
  outputForm(getRealUserTestPage);
