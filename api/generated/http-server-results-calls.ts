// `npm run generate` writes this file from the schemas in api/schemas.
import type { HttpServerResultPage, HttpServerResultPageOfTest, HttpServerResultSearch } from "./http-server-results";

/** Operations of `client.httpServerResults`. */
export interface HttpServerResultsCalls {
  /** `GET /v7/endpoint/test-results/scheduled-tests/{testId}/http-server` */
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
      /** Optional members to include in the response. */
      expand?: ("header" | "user-profile")[];
    };
    signal?: AbortSignal;
  }) => Promise<HttpServerResultPageOfTest>;
  /** `POST /v7/endpoint/test-results/scheduled-tests/{testId}/http-server/filter` */
  readonly filter: (request: {
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
      /** Optional members to include in the response. */
      expand?: ("header" | "user-profile")[];
    };
    body?: HttpServerResultSearch;
    signal?: AbortSignal;
  }) => Promise<HttpServerResultPage>;
  /** `POST /v7/endpoint/test-results/scheduled-tests/http-server/filter` */
  readonly filterMulti: (request?: {
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
      /** Optional members to include in the response. */
      expand?: ("header" | "user-profile")[];
      /** Whether the search includes results from all account groups that the token's user can access. Default: false. */
      useAllPermittedAids?: boolean;
    };
    body?: HttpServerResultSearch;
    signal?: AbortSignal;
  }) => Promise<HttpServerResultPage>;
}
