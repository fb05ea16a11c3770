import { z } from "zod";
import { accountGroupQuery, identifier } from "./common";
import { operation } from "./operation";

/** A proxy setting of agents and tests. Its password is never returned. */
export const proxy = z.looseObject({
  proxyId: identifier,
  name: z.string().optional(),
  /** `static`, `pac`, `direct`, `system` or `interactive-user-proxy`. */
  type: z.string().optional(),
  /** Of a static proxy, like `port`. */
  host: z.string().optional(),
  port: z.number().optional(),
  /** Where the PAC file is. */
  pac: z.string().optional(),
  userName: z.string().optional(),
  /** Hosts that are reached without the proxy, comma-separated. */
  bypassList: z.string().optional(),
  authType: z.string().optional(),
  /** Agents that use the setting. */
  agentIds: z.array(identifier).optional(),
  /** Tests that use the setting. */
  testIds: z.array(identifier).optional(),
});
export type ProxyRecord = z.output<typeof proxy>;

export const proxyOperations = {
  list: operation({
    id: "proxies.list",
    method: "GET",
    path: "/v7/endpoint/proxies",
    query: accountGroupQuery,
    status: 200,
    response: z.looseObject({ proxies: z.array(proxy) }),
  }),
};
