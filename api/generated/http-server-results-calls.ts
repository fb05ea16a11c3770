// Written by `npm run generate` from the schemas; change it there.
import type { HttpServerResultPage, HttpServerResultPageOfTest, HttpServerResultSearch } from "./http-server-results";

/** Operations of `client.httpServerResults`. */
export interface HttpServerResultsCalls {
  /** `GET /v7/endpoint/test-results/scheduled-tests/{testId}/http-server` */
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
      /** Parts to include that are left out otherwise. */
      expand?: ("header" | "user-profile")[];
    };
    signal?: AbortSignal;
  }) => Promise<HttpServerResultPageOfTest>;
  /** `POST /v7/endpoint/test-results/scheduled-tests/{testId}/http-server/filter` */
  readonly filter: (request: {
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
      /** Parts to include that are left out otherwise. */
      expand?: ("header" | "user-profile")[];
    };
    body?: HttpServerResultSearch;
    signal?: AbortSignal;
  }) => Promise<HttpServerResultPage>;
  /** `POST /v7/endpoint/test-results/scheduled-tests/http-server/filter` */
  readonly filterMulti: (request?: {
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
      /** Parts to include that are left out otherwise. */
      expand?: ("header" | "user-profile")[];
      /** Whether results of every account group that the token's user may see are included. Default: false. */
      useAllPermittedAids?: boolean;
    };
    body?: HttpServerResultSearch;
    signal?: AbortSignal;
  }) => Promise<HttpServerResultPage>;
}
