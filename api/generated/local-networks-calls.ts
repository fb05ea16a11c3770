// Written by `npm run generate` from the schemas; change it there.
import type { LocalNetworks, TopologyDetails, TopologyPage, TopologySearch } from "./local-networks";

/** Operations of `client.localNetworks`. */
export interface LocalNetworksCalls {
  /** `GET /v7/endpoint/test-results/local-networks` */
  readonly list: (request?: {
    query?: {
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<LocalNetworks>;
  /** `POST /v7/endpoint/test-results/local-networks/topologies/filter` */
  readonly filterTopologies: (request?: {
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
      expand?: ("system-metric-detail" | "user-profile")[];
    };
    body?: TopologySearch;
    signal?: AbortSignal;
  }) => Promise<TopologyPage>;
  /** `GET /v7/endpoint/test-results/local-networks/topologies/{networkTopologyId}` */
  readonly getTopology: (request: {
    path: { networkTopologyId: string };
    query?: {
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
      /** Optional parts to include. */
      expand?: ("system-metric-detail" | "user-profile")[];
    };
    signal?: AbortSignal;
  }) => Promise<TopologyDetails>;
}
