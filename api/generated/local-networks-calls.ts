// Written by `npm run generate` from the schemas; change it there.
import type { LocalNetworks, TopologyDetails, TopologyPage, TopologySearch } from "./local-networks";

/** Operations of `client.localNetworks`. */
export interface LocalNetworksCalls {
  /** `GET /v7/endpoint/test-results/local-networks` */
  readonly list: (request?: {
    query?: {
      /** Account group to ask. Default: the one that the token's owner logs in to. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<LocalNetworks>;
  /** `POST /v7/endpoint/test-results/local-networks/topologies/filter` */
  readonly filterTopologies: (request?: {
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
      expand?: ("system-metric-detail" | "user-profile")[];
    };
    body?: TopologySearch;
    signal?: AbortSignal;
  }) => Promise<TopologyPage>;
  /** `GET /v7/endpoint/test-results/local-networks/topologies/{networkTopologyId}` */
  readonly getTopology: (request: {
    path: { networkTopologyId: string };
    query?: {
      /** Account group to ask. Default: the one that the token's owner logs in to. */
      aid?: string;
      /** Parts to include that are left out otherwise. */
      expand?: ("system-metric-detail" | "user-profile")[];
    };
    signal?: AbortSignal;
  }) => Promise<TopologyDetails>;
}
