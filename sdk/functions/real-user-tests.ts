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
  /** Conditions on attributes: each list holds values of which one must fit, such as `{ domain: ["example.com"] }`. */
  searchFilters?: RealUserResultFilters;
}

/**
 * Gives the real user tests, a row for each visit of a site: how the user fared there.
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
 * {@link getRealUserTests} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const visits = getRealUserTestsOutput({ searchFilters: { agentId: [kiosk.agentId] }, window: "1h" });
 * ```
 */
export const getRealUserTestsOutput: FetchOutput<GetRealUserTestsArgs, RealUserResult[]> = outputForm(getRealUserTests);

/**
 * Gives the network metrics of real user tests, a row for each visit: of the site, and of VPN and proxy on the way there.
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
 * {@link getRealUserTestNetworks} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const networks = getRealUserTestNetworksOutput({ searchFilters: { agentId: [kiosk.agentId] }, window: "1h" });
 * ```
 */
export const getRealUserTestNetworksOutput: FetchOutput<GetRealUserTestsArgs, RealUserNetwork[]> =
  outputForm(getRealUserTestNetworks);

/**
 * Gives the pages of real user tests, a row for each page that was visited.
 *
 * @example
 * ```ts
 * const pages = await getRealUserTestPages({ searchFilters: { visitedSite: ["www.example.com"] }, window: "1h" });
 * ```
 */
export const getRealUserTestPages: FetchAll<GetRealUserTestsArgs, VisitedPageResult> = paged({
  operation: ({ realUserResults }) => realUserResults.filterPages,
  // This search alone has its filters as the body itself.
  wire: ({ searchFilters, ...rest }) => ({ ...searchFilters, ...rest }),
  rows: (page) => page.results,
});

/**
 * {@link getRealUserTestPages} as an output, of arguments that may be outputs.
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
  /** Identifier of the visit, as in the rows of `getRealUserTests`. */
  id: string;
}

/**
 * Gives one real user test, which is one visit of one site, with its pages and its network.
 *
 * @throws NotFoundError for an id that is not there
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
 * {@link getRealUserTest} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * export const visit = getRealUserTestOutput({ id: visits[0].id });
 * ```
 */
export const getRealUserTestOutput: FetchOutput<GetRealUserTestArgs, RealUserDetail> = outputForm(getRealUserTest);

/** Arguments of {@link getRealUserTestPage}. */
export interface GetRealUserTestPageArgs extends GetRealUserTestArgs {
  /** Identifier of the page, as in the rows of `getRealUserTestPages`. */
  pageId: string;
}

/**
 * Gives how one page of a real user test loaded.
 *
 * @throws NotFoundError for an id that is not there
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
 * {@link getRealUserTestPage} as an output, of arguments that may be outputs.
 *
 * @example
 * ```ts
 * const visited = getRealUserTestPagesOutput({ window: "1h", limit: 1 });
 * export const page = getRealUserTestPageOutput({ id: visited[0].id, pageId: visited[0].pageId });
 * ```
 */
export const getRealUserTestPageOutput: FetchOutput<GetRealUserTestPageArgs, VisitedPageDetail> =
  outputForm(getRealUserTestPage);
