// `npm run generate` writes this file from the schemas in api/schemas.
import type {
  RealUserDetails,
  RealUserNetworkPage,
  RealUserResultFilters,
  RealUserResultPage,
  RealUserResultSearch,
} from "./real-user-results";
import type { VisitedPageDetail, VisitedPagePage } from "./visited-pages";

/** Operations of `client.realUserResults`. */
export interface RealUserResultsCalls {
  /** `POST /v7/endpoint/test-results/real-user-tests/filter` */
  readonly filter: (request?: {
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
    body?: RealUserResultSearch;
    signal?: AbortSignal;
  }) => Promise<RealUserResultPage>;
  /** `POST /v7/endpoint/test-results/real-user-tests/networks/filter` */
  readonly filterNetworks: (request?: {
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
    body?: RealUserResultSearch;
    signal?: AbortSignal;
  }) => Promise<RealUserNetworkPage>;
  /** `POST /v7/endpoint/test-results/real-user-tests/pages/filter` */
  readonly filterPages: (request?: {
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
    body?: RealUserResultFilters;
    signal?: AbortSignal;
  }) => Promise<VisitedPagePage>;
  /** `GET /v7/endpoint/test-results/real-user-tests/{id}` */
  readonly get: (request: {
    path: { id: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<RealUserDetails>;
  /** `GET /v7/endpoint/test-results/real-user-tests/{id}/pages/{pageId}` */
  readonly getPage: (request: {
    path: { id: string; pageId: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<VisitedPageDetail>;
}
