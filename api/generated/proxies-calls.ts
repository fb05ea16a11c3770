// Written by `npm run generate` from the schemas; change it there.
import type { ProxyList } from "./proxies";

/** Operations of `client.proxies`. */
export interface ProxiesCalls {
  /** `GET /v7/endpoint/proxies` */
  readonly list: (request?: {
    query?: {
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<ProxyList>;
}
