import type { AccountGroupArgs } from "./arguments";
import { single, outputForm } from "./define";
import type { Fetch, FetchOutput } from "./fetch";
import type { ProxyRecord } from "./records";

/** Arguments of {@link getProxies}. */
export interface GetProxiesArgs extends AccountGroupArgs {}

/**
 * Returns the proxy settings of an account group, with the agents and tests that use each setting. The service never returns
 * the passwords of proxies.
 *
 * @example
 * ```ts
 * const proxies = await getProxies();
 * const unused = proxies.filter(({ agentIds = [], testIds = [] }) => agentIds.length + testIds.length === 0);
 * ```
 */
export const getProxies: Fetch<GetProxiesArgs, ProxyRecord[]> = single({
  operation: (operations) => operations.proxies.list,
  answer: (response) => response.proxies,
});

/**
 * Returns the result of {@link getProxies} as an output. The arguments may be outputs of resources.
 *
 * @example
 * ```ts
 * export const hosts = getProxiesOutput({ accountGroupId: branch.aid }).apply((proxies) => proxies.map(({ host }) => host));
 * ```
 */
export const getProxiesOutput: FetchOutput<GetProxiesArgs, ProxyRecord[]> = outputForm(getProxies);
