// Written by `npm run generate` from the schemas; change it there.

/** A proxy setting of agents and tests. The service never returns its password. */
export interface ProxyRecord {
  /** Identifier of the setting. */
  proxyId: string;
  /** Name of the setting. */
  name?: string;
  /** Kind of setting: `static`, `pac`, `direct`, `system` or `interactive-user-proxy`. */
  type?: string;
  /** Host of a static proxy. */
  host?: string;
  /** Port of a static proxy. */
  port?: number;
  /** URL of the PAC file. */
  pac?: string;
  /** User name for the proxy. */
  userName?: string;
  /** Hosts that need no proxy, comma-separated. */
  bypassList?: string;
  /** Authentication of the proxy: `none`, `basic` or `ntlm`. */
  authType?: string;
  /** Identifiers of the agents that use the setting. */
  agentIds?: string[];
  /** Identifiers of the tests that use the setting. */
  testIds?: string[];
}

/** The proxy settings of an account group. */
export interface ProxyList {
  /** The proxy settings, all on one page. */
  proxies: ProxyRecord[];
}
