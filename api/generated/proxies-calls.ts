// `npm run generate` writes this file from the schemas in api/schemas.
import type { ProxyList } from "./proxies";

/** Operations of `client.proxies`. */
export interface ProxiesCalls {
  /** `GET /v7/endpoint/proxies` */
  readonly list: (request?: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<ProxyList>;
}
