// Written by `npm run generate` from the schemas; change it there.
import type { DynamicPathDetails, DynamicPathResultPage, PathDetails, PathResultPage } from "./path-visualization";

/** Operations of `client.pathVisualization`. */
export interface PathVisualizationCalls {
  /** `GET /v7/endpoint/test-results/scheduled-tests/{testId}/pathvis` */
  readonly list: (request: {
    path: { testId: string };
    query?: {
      /** Account group to ask. Default: the one that the token's owner logs in to. */
      aid?: string;
      /** Where the page begins: opaque text from `_links.next.href` of the page before. */
      cursor?: string;
      /** How far back from now: a number with a unit (`s`, `m`, `h`, `d`, `w`), such as `12h`. Not with dates. */
      window?: string;
      /** Beginning, such as `2022-07-17T22:00:54Z`. */
      startDate?: string;
      /** End, such as `2022-07-18T22:00:54Z`. Default: now. */
      endDate?: string;
    };
    signal?: AbortSignal;
  }) => Promise<PathResultPage>;
  /** `GET /v7/endpoint/test-results/scheduled-tests/{testId}/pathvis/agent/{agentId}/round/{roundId}` */
  readonly get: (request: {
    path: { testId: string; agentId: string; roundId: string };
    query?: {
      /** Account group to ask. Default: the one that the token's owner logs in to. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<PathDetails>;
  /** `GET /v7/endpoint/test-results/dynamic-tests/{testId}/pathvis` */
  readonly listDynamic: (request: {
    path: { testId: string };
    query?: {
      /** Account group to ask. Default: the one that the token's owner logs in to. */
      aid?: string;
      /** Where the page begins: opaque text from `_links.next.href` of the page before. */
      cursor?: string;
      /** How far back from now: a number with a unit (`s`, `m`, `h`, `d`, `w`), such as `12h`. Not with dates. */
      window?: string;
      /** Beginning, such as `2022-07-17T22:00:54Z`. */
      startDate?: string;
      /** End, such as `2022-07-18T22:00:54Z`. Default: now. */
      endDate?: string;
    };
    signal?: AbortSignal;
  }) => Promise<DynamicPathResultPage>;
  /** `GET /v7/endpoint/test-results/dynamic-tests/{testId}/pathvis/agent/{agentId}/round/{roundId}` */
  readonly getDynamic: (request: {
    path: { testId: string; agentId: string; roundId: string };
    query?: {
      /** Account group to ask. Default: the one that the token's owner logs in to. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<DynamicPathDetails>;
}
