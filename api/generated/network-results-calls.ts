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
      expand?: "user-profile"[];
    };
    body?: NetworkResultSearch;
    signal?: AbortSignal;
  }) => Promise<NetworkResultPageOfTest>;
  /** `POST /v7/endpoint/test-results/scheduled-tests/network/filter` */
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
      expand?: "user-profile"[];
      /** Rows on a page, 1 or more. The service may take another number; its bounds are not stated. */
      max?: number;
      /** Whether results of every account group that the token's user may see are included. Default: false. */
      useAllPermittedAids?: boolean;
    };
    body?: NetworkResultMultiSearch;
    signal?: AbortSignal;
  }) => Promise<NetworkResultPage>;
  /** `POST /v7/endpoint/test-results/dynamic-tests/{testId}/network/filter` */
  readonly filterDynamic: (request: {
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
      expand?: "user-profile"[];
    };
    body?: DynamicNetworkResultSearch;
    signal?: AbortSignal;
  }) => Promise<DynamicNetworkResultPage>;
}
