// Written by `npm run generate` from the schemas; change it there.

/** Filters of a search for local networks and real user tests. */
export interface SurroundingsFiltersMembers {
  /** Locations of agents. */
  location?: string[];
  /** Kinds of network interface. */
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
  /** Identifiers of local networks, as in the records of local networks. */
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
