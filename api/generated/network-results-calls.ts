// `npm run generate` writes this file from the schemas in api/schemas.
import type {
  DynamicNetworkResultPage,
  DynamicNetworkResultSearch,
  NetworkResultMultiSearch,
  NetworkResultPage,
  NetworkResultPageOfTest,
  NetworkResultSearch,
} from "./network-results";

/** Operations of `client.networkResults`. */
export interface NetworkResultsCalls {
  /** `POST /v7/endpoint/test-results/scheduled-tests/{testId}/network/filter` */
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
      expand?: "user-profile"[];
    };
    body?: NetworkResultSearch;
    signal?: AbortSignal;
  }) => Promise<NetworkResultPageOfTest>;
  /** `POST /v7/endpoint/test-results/scheduled-tests/network/filter` */
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
      expand?: "user-profile"[];
      /** Requested number of items per page, at least 1. The service may return a different number of items. */
      max?: number;
      /** Whether the search includes results from all account groups that the token's user can access. Default: false. */
      useAllPermittedAids?: boolean;
    };
    body?: NetworkResultMultiSearch;
    signal?: AbortSignal;
  }) => Promise<NetworkResultPage>;
  /** `POST /v7/endpoint/test-results/dynamic-tests/{testId}/network/filter` */
  readonly filterDynamic: (request: {
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
      expand?: "user-profile"[];
    };
    body?: DynamicNetworkResultSearch;
    signal?: AbortSignal;
  }) => Promise<DynamicNetworkResultPage>;
}
