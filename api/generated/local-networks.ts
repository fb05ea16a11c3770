// Written by `npm run generate` from the schemas; change it there.
import type { PageLinks, SelfLinks } from "./common";
import type { BatteryMetrics, CellularProfile } from "./device";
import type { Ping, SystemMetrics, TcpConnect, Traceroute } from "./measurements";
import type { NetworkProfile } from "./network-profile";
import type { Coordinates } from "./result-record";
import type { SurroundingsFiltersMembers } from "./search";

/** A network that agents of the account group have been in. */
export interface LocalNetwork {
  /** Identifier of the network. */
  networkId: string;
  /** Name of the network. */
  networkName?: string;
  /** The network inside, such as `10.20.0.0/16`. */
  localPrefix?: string;
  /** Public addresses of the network, from first to last. */
  publicIpRange?: string;
}

/** Conditions on the metrics of topologies. */
export interface TopologyThresholds {
  /** Conditions on metrics. */
  filters?: {
    /** Metric to compare, in its unit. */
    name: "avg-rtt" | "loss" | "mean-dev-rtt" | "vpn-score";
    /** Number to compare the metric with. */
    value: number;
    /** `gte`: at least the value; `lte`: at most the value. */
    operator: "gte" | "lte";
  }[];
  /** Whether all conditions must hold (`and`) or one is enough (`or`). The default is not documented. */
  conditionalOperator?: "and" | "or";
}

/** Filters of a search for topologies of local networks. */
export interface TopologyFilters extends SurroundingsFiltersMembers {
  /** The target of the probe. */
  type?: ("dns" | "gateway" | "proxy" | "unknown" | "vpn")[];
}

/** Body of a search in the topologies of local networks. */
export interface TopologySearch {
  /** Conditions on metrics. */
  thresholdFilter?: TopologyThresholds;
  /** Conditions on attributes: each list holds values of which one must fit. */
  searchFilters?: TopologyFilters;
}

/** Quality of one part of the way. */
export interface ProbeScore {
  /** Quality as a number; 100 is the best (inferred). */
  score?: number;
  /** Quality in words: `great`, `good` or `poor`. */
  quality?: string;
}

/** Load of one application of the device. */
export interface ApplicationLoad {
  /** Name of the application. */
  name?: string;
  /** CPU in use by all its processes, as a share from 0 to 1 (inferred). */
  totalCpu?: number;
  /** Memory in use by all its processes, as a share from 0 to 1 (inferred). */
  totalMemoryPercentage?: number;
  /** Memory in use by all its processes, in bytes. */
  totalMemoryBytes?: number;
  /** The processes of the application. */
  processes?: {
    /** Name of the process. */
    name?: string;
    /** Identifier of the process in the operating system. */
    pid?: number;
    /** CPU in use, as a share from 0 to 1 (inferred). */
    cpu?: number;
    /** Memory in use, as a share from 0 to 1 (inferred). */
    memoryPercentage?: number;
    /** Memory in use, in bytes. */
    memoryBytes?: number;
  }[];
}

/**
 * Measurements of an agent on its way out of a local network: to the gateway, the proxy, the VPN or the name server, as
 * `type` states.
 */
export interface Topology {
  /** Identifier of the topology. */
  networkTopologyId: string;
  /** Identifier of the agent. */
  agentId: string;
  /** When it was measured (RFC 3339, UTC). */
  date?: string;
  /** Round of the measurement, in seconds since 1970 (inferred). */
  roundId?: number;
  /** The target of the probe: `vpn`, `proxy`, `gateway` or `dns`. */
  type?: string;
  /** Address that was probed. */
  target?: string;
  /** Port that was probed. */
  targetPort?: number;
  /** Probe of the name server. */
  dnsServerTest?: {
    /** Time until a name was resolved, in milliseconds (inferred). */
    resolutionTime?: number;
  };
  /** Echo requests to the target. */
  icmpPing?: Ping;
  /** Whether the network lets no ICMP through. */
  isIcmpBlocked?: boolean;
  /** TCP connection to the target. */
  tcpConnect?: TcpConnect;
  /** Load of the device while it measured. */
  systemMetrics?: SystemMetrics;
  /** Applications that use the device most; only with `system-metric-detail` in `expand`. */
  systemMetricDetails?: {
    /** Those that use the CPU most. */
    topCpuApplications?: ApplicationLoad[];
    /** Those that use memory most. */
    topMemoryApplications?: ApplicationLoad[];
  };
  /** Quality of the way to the VPN. */
  vpnScore?: ProbeScore;
  /** Quality of the way to the gateway. */
  gatewayScore?: ProbeScore;
  /** Quality of the way to the proxy. */
  proxyScore?: ProbeScore;
  /** Quality of the connection to the local network. */
  connectionScore?: ProbeScore;
  /** Quality of the agent's device. */
  agentScore?: ProbeScore;
  /** Time that joining the wireless network took, by phase. */
  wirelessOnboarding?: {
    /** Time of 802.11 authentication, in milliseconds. */
    dot11AuthTimeMs?: number;
    /** Time of 802.11 association, in milliseconds. */
    dot11AssocTimeMs?: number;
    /** Time of 802.1X authentication, in milliseconds. */
    dot1xAuthTimeMs?: number;
    /** Time of the EAPOL key exchange, in milliseconds. */
    eapolKeyTimeMs?: number;
  };
  /** Battery of the device. */
  batteryMetrics?: BatteryMetrics;
  /** Cellular connection of a mobile device. */
  cellularProfile?: CellularProfile;
  /** Family of the operating system, such as `windows` or `mac`. */
  platform?: string;
}

/** A topology with the place of the agent and the way that its packets took. */
export interface TopologyDetail extends Topology {
  /** Where the agent was. */
  coordinates?: Coordinates;
  /** The network that the agent was in. */
  networkProfile?: NetworkProfile;
  /** Way of the packets to the target. */
  icmpTraceroute?: Traceroute;
  /** All ways that were traced. */
  icmpTraceroutes?: Traceroute[];
}

/** The local networks of an account group. */
export interface LocalNetworks {
  /** All of them, on one page. */
  localNetworks: LocalNetwork[];
  /** Links of the list. */
  _links?: SelfLinks;
}

/** A page of topologies. */
export interface TopologyPage {
  /** The rows of the page. */
  results: Topology[];
  /** Beginning of the time of the results (RFC 3339, UTC). */
  startDate?: string;
  /** End of the time of the results (RFC 3339, UTC). */
  endDate?: string;
  /** Links of the page. */
  _links?: PageLinks;
}

/** One topology. */
export interface TopologyDetails {
  /** The topology alone. */
  results: TopologyDetail[];
  /** Links of the record. */
  _links?: SelfLinks;
}
