// `npm run generate` writes this file from the schemas in api/schemas.

/** Filters for a search in local networks or real user tests. */
export interface SurroundingsFiltersMembers {
  /** Locations of agents. */
  location?: string[];
  /** Types of the network hardware. */
  connection?: ("ethernet" | "loopback" | "modem" | "other" | "unknown" | "virtual" | "wireless")[];
  /** Families of operating systems. */
  platform?: (
    | "android"
    | "cisco-wireless"
    | "cisco-wireless-cloud"
    | "elux"
    | "linux"
    | "mac"
    | "phoneos"
    | "roomos"
    | "unknown"
    | "windows"
  )[];
  /** Addresses of gateways. */
  gateway?: string[];
  /** Addresses of proxies. */
  proxyTarget?: string[];
  /** Addresses of VPN gateways. */
  vpnTarget?: string[];
  /** Identifiers of agents. */
  agentId?: string[];
  /** Identifiers of local networks, as returned by `localNetworks.list`. */
  networkId?: string[];
  /** Names of wireless networks. */
  ssid?: string[];
  /** Addresses of access points. */
  bssid?: string[];
  /** Models of network cards. */
  nicModel?: string[];
  /** Driver versions of network cards. */
  nicDriverVersion?: string[];
}
