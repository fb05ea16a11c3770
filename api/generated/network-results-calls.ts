// Written by `npm run generate` from the schemas; change it there.
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
      /** Optional parts to include. */
      expand?: "user-profile"[];
    };
    body?: NetworkResultSearch;
    signal?: AbortSignal;
  }) => Promise<NetworkResultPageOfTest>;
  /** `POST /v7/endpoint/test-results/scheduled-tests/network/filter` */
  readonly filterMulti: (request?: {
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
      /** Optional parts to include. */
      expand?: "user-profile"[];
      /** Rows on a page, 1 or more. The service may use another number; it does not document the limits. */
      max?: number;
      /** Whether to include results of all account groups that the token's user may see. Default: false. */
      useAllPermittedAids?: boolean;
    };
    body?: NetworkResultMultiSearch;
    signal?: AbortSignal;
  }) => Promise<NetworkResultPage>;
  /** `POST /v7/endpoint/test-results/dynamic-tests/{testId}/network/filter` */
  readonly filterDynamic: (request: {
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
      /** Optional parts to include. */
      expand?: "user-profile"[];
    };
    body?: DynamicNetworkResultSearch;
    signal?: AbortSignal;
  }) => Promise<DynamicNetworkResultPage>;
}
