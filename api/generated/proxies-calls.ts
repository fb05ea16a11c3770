// Written by `npm run generate` from the schemas; change it there.
import type { ProxyList } from "./proxies";

/** Operations of `client.proxies`. */
export interface ProxiesCalls {
  /** `GET /v7/endpoint/proxies` */
  readonly list: (request?: {
    query?: {
      /** Account group to ask. Default: the one that the token's owner logs in to. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<ProxyList>;
}
