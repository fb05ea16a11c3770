// `npm run generate` writes this file from the schemas in api/schemas.
import type { LocalNetworks, TopologyDetails, TopologyPage, TopologySearch } from "./local-networks";

/** Operations of `client.localNetworks`. */
export interface LocalNetworksCalls {
  /** `GET /v7/endpoint/test-results/local-networks` */
  readonly list: (request?: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<LocalNetworks>;
  /** `POST /v7/endpoint/test-results/local-networks/topologies/filter` */
  readonly filterTopologies: (request?: {
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
      expand?: ("system-metric-detail" | "user-profile")[];
    };
    body?: TopologySearch;
    signal?: AbortSignal;
  }) => Promise<TopologyPage>;
  /** `GET /v7/endpoint/test-results/local-networks/topologies/{networkTopologyId}` */
  readonly getTopology: (request: {
    path: { networkTopologyId: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
      /** Optional members to include in the response. */
      expand?: ("system-metric-detail" | "user-profile")[];
    };
    signal?: AbortSignal;
  }) => Promise<TopologyDetails>;
}
