// `npm run generate` writes this file from the schemas in api/schemas.
import type { DynamicPathDetails, DynamicPathResultPage, PathDetails, PathResultPage } from "./path-visualization";

/** Operations of `client.pathVisualization`. */
export interface PathVisualizationCalls {
  /** `GET /v7/endpoint/test-results/scheduled-tests/{testId}/pathvis` */
  readonly list: (request: {
    path: { testId: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
      /** Cursor of the requested page, from `_links.next.href` of the previous page. */
      cursor?: string;
      /**
       * Length of a time range that ends now: a number with a unit (`s`, `m`, `h`, `d`, `w`), such as `12h`. Do not combine
       * `window` with `startDate` or `endDate`.
       */
      window?: string;
      /** Start of the time range, such as `2022-07-17T22:00:54Z`. */
      startDate?: string;
      /** End of the time range, such as `2022-07-18T22:00:54Z`. Default: now. */
      endDate?: string;
    };
    signal?: AbortSignal;
  }) => Promise<PathResultPage>;
  /** `GET /v7/endpoint/test-results/scheduled-tests/{testId}/pathvis/agent/{agentId}/round/{roundId}` */
  readonly get: (request: {
    path: { testId: string; agentId: string; roundId: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<PathDetails>;
  /** `GET /v7/endpoint/test-results/dynamic-tests/{testId}/pathvis` */
  readonly listDynamic: (request: {
    path: { testId: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
      /** Cursor of the requested page, from `_links.next.href` of the previous page. */
      cursor?: string;
      /**
       * Length of a time range that ends now: a number with a unit (`s`, `m`, `h`, `d`, `w`), such as `12h`. Do not combine
       * `window` with `startDate` or `endDate`.
       */
      window?: string;
      /** Start of the time range, such as `2022-07-17T22:00:54Z`. */
      startDate?: string;
      /** End of the time range, such as `2022-07-18T22:00:54Z`. Default: now. */
      endDate?: string;
    };
    signal?: AbortSignal;
  }) => Promise<DynamicPathResultPage>;
  /** `GET /v7/endpoint/test-results/dynamic-tests/{testId}/pathvis/agent/{agentId}/round/{roundId}` */
  readonly getDynamic: (request: {
    path: { testId: string; agentId: string; roundId: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<DynamicPathDetails>;
}
