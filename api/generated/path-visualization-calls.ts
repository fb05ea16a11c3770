// Written by `npm run generate` from the schemas; change it there.
import type { DynamicPathDetails, DynamicPathResultPage, PathDetails, PathResultPage } from "./path-visualization";

/** Operations of `client.pathVisualization`. */
export interface PathVisualizationCalls {
  /** `GET /v7/endpoint/test-results/scheduled-tests/{testId}/pathvis` */
  readonly list: (request: {
    path: { testId: string };
    query?: {
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
      /** Beginning of the page: opaque text from `_links.next.href` of the previous page. */
      cursor?: string;
      /**
       * Length of the time range until now: a number with a unit (`s`, `m`, `h`, `d`, `w`), such as `12h`. Not together with
       * dates.
       */
      window?: string;
      /** Beginning of the time range, such as `2022-07-17T22:00:54Z`. */
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
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<PathDetails>;
  /** `GET /v7/endpoint/test-results/dynamic-tests/{testId}/pathvis` */
  readonly listDynamic: (request: {
    path: { testId: string };
    query?: {
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
      /** Beginning of the page: opaque text from `_links.next.href` of the previous page. */
      cursor?: string;
      /**
       * Length of the time range until now: a number with a unit (`s`, `m`, `h`, `d`, `w`), such as `12h`. Not together with
       * dates.
       */
      window?: string;
      /** Beginning of the time range, such as `2022-07-17T22:00:54Z`. */
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
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<DynamicPathDetails>;
}
