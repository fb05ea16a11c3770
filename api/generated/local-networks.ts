// Written by `npm run generate` from the schemas; change it there.
import type { PageLinks, SelfLinks } from "./common";
import type { BatteryMetrics, CellularProfile } from "./device";
import type { Ping, SystemMetrics, TcpConnect, Traceroute } from "./measurements";
import type { NetworkProfile } from "./network-profile";
import type { Coordinates } from "./result-record";
import type { SurroundingsFiltersMembers } from "./search";

/** A network that agents of the account group used. */
export interface LocalNetwork {
  /** Identifier of the network. */
  networkId: string;
  /** Name of the network. */
  networkName?: string;
  /** The internal network, such as `10.20.0.0/16`. */
  localPrefix?: string;
  /** First and last public address of the network. */
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
  /** `and`: all conditions must hold. `or`: one is enough. The default is not documented. */
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
  /** Conditions on attributes. A topology matches a list if its attribute has one of the values. */
  searchFilters?: TopologyFilters;
}

/** Quality of one part of the network path. */
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
  /** CPU usage of all its processes, as a share from 0 to 1 (inferred). */
  totalCpu?: number;
  /** Memory usage of all its processes, as a share from 0 to 1 (inferred). */
  totalMemoryPercentage?: number;
  /** Memory usage of all its processes, in bytes. */
  totalMemoryBytes?: number;
  /** The processes of the application. */
  processes?: {
    /** Name of the process. */
    name?: string;
    /** Identifier of the process in the operating system. */
    pid?: number;
    /** CPU usage, as a share from 0 to 1 (inferred). */
    cpu?: number;
    /** Memory usage, as a share from 0 to 1 (inferred). */
    memoryPercentage?: number;
    /** Memory usage, in bytes. */
    memoryBytes?: number;
  }[];
}

/** An agent's measurements from a local network to the gateway, the proxy, the VPN or the name server, according to `type`. */
export interface Topology {
  /** Identifier of the topology. */
  networkTopologyId: string;
  /** Identifier of the agent. */
  agentId: string;
  /** Time of the measurement (RFC 3339, UTC). */
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
  /** Whether the network blocks ICMP. */
  isIcmpBlocked?: boolean;
  /** TCP connection to the target. */
  tcpConnect?: TcpConnect;
  /** Load of the device during the measurement. */
  systemMetrics?: SystemMetrics;
  /** Applications with the highest load on the device. Only with `system-metric-detail` in `expand`. */
  systemMetricDetails?: {
    /** Applications with the highest CPU usage. */
    topCpuApplications?: ApplicationLoad[];
    /** Applications with the highest memory usage. */
    topMemoryApplications?: ApplicationLoad[];
  };
  /** Quality of the network path to the VPN. */
  vpnScore?: ProbeScore;
  /** Quality of the network path to the gateway. */
  gatewayScore?: ProbeScore;
  /** Quality of the network path to the proxy. */
  proxyScore?: ProbeScore;
  /** Quality of the connection to the local network. */
  connectionScore?: ProbeScore;
  /** Quality of the agent's device. */
  agentScore?: ProbeScore;
  /** Duration of joining the wireless network, by phase. */
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

/** A topology with the agent's location and the path of its packets. */
export interface TopologyDetail extends Topology {
  /** Location of the agent. */
  coordinates?: Coordinates;
  /** Network of the agent. */
  networkProfile?: NetworkProfile;
  /** Path of the packets to the target. */
  icmpTraceroute?: Traceroute;
  /** All traced paths. */
  icmpTraceroutes?: Traceroute[];
}

/** The local networks of an account group. */
export interface LocalNetworks {
  /** The networks, all on one page. */
  localNetworks: LocalNetwork[];
  /** Links of the list. */
  _links?: SelfLinks;
}

/** A page of topologies. */
export interface TopologyPage {
  /** The rows of the page. */
  results: Topology[];
  /** Beginning of the results' time range (RFC 3339, UTC). */
  startDate?: string;
  /** End of the results' time range (RFC 3339, UTC). */
  endDate?: string;
  /** Links of the page. */
  _links?: PageLinks;
}

/** One topology. */
export interface TopologyDetails {
  /** The topology, as the only item. */
  results: TopologyDetail[];
  /** Links of the record. */
  _links?: SelfLinks;
}
