// `npm run generate` writes this file from the schemas in api/schemas.

/** A proxy configuration for agents and tests. The service never returns the proxy's password. */
export interface ProxyRecord {
  /** Identifier of the proxy configuration. */
  proxyId: string;
  /** Name of the proxy configuration. */
  name?: string;
  /** Type of the proxy configuration: `static`, `pac`, `direct`, `system` or `interactive-user-proxy`. */
  type?: string;
  /** Host of a static proxy. */
  host?: string;
  /** Port of a static proxy. */
  port?: number;
  /** URL of the PAC file. */
  pac?: string;
  /** User name for the proxy. */
  userName?: string;
  /** Hosts to contact without a proxy, separated by commas. */
  bypassList?: string;
  /** Authentication scheme of the proxy: `none`, `basic` or `ntlm`. */
  authType?: string;
  /** Identifiers of the agents that use the proxy configuration. */
  agentIds?: string[];
  /** Identifiers of the tests that use the proxy configuration. */
  testIds?: string[];
}

/** The proxy configurations of an account group. */
export interface ProxyList {
  /** The proxy configurations. The service returns all proxy configurations on one page. */
  proxies: ProxyRecord[];
}
