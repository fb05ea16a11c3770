import { z } from "zod";
import { accountGroupQuery, identifier } from "./common";
import { operation } from "./operation";

/** A proxy configuration for agents and tests. The service never returns the proxy's password. */
export const proxy = z.looseObject({
  /** Identifier of the proxy configuration. */
  proxyId: identifier,
  /** Name of the proxy configuration. */
  name: z.string().optional(),
  /** Type of the proxy configuration: `static`, `pac`, `direct`, `system` or `interactive-user-proxy`. */
  type: z.string().optional(),
  /** Host of a static proxy. */
  host: z.string().optional(),
  /** Port of a static proxy. */
  port: z.number().optional(),
  /** URL of the PAC file. */
  pac: z.string().optional(),
  /** User name for the proxy. */
  userName: z.string().optional(),
  /** Hosts to contact without a proxy, separated by commas. */
  bypassList: z.string().optional(),
  /** Authentication scheme of the proxy: `none`, `basic` or `ntlm`. */
  authType: z.string().optional(),
  /** Identifiers of the agents that use the proxy configuration. */
  agentIds: z.array(identifier).optional(),
  /** Identifiers of the tests that use the proxy configuration. */
  testIds: z.array(identifier).optional(),
});
export type ProxyRecord = z.output<typeof proxy>;

/** The proxy configurations of an account group. */
export const proxies = z.looseObject({
  /** The proxy configurations. The service returns all proxy configurations on one page. */
  proxies: z.array(proxy),
});
export type ProxyList = z.output<typeof proxies>;

export const proxyOperations = {
  list: operation({
    id: "proxies.list",
    method: "GET",
    path: "/v7/endpoint/proxies",
    query: accountGroupQuery,
    status: 200,
    response: proxies,
  }),
};
