// `npm run generate` writes this file from the schemas in api/schemas.
import type { PageLinks, SelfLinks } from "./common";
import type { BatteryMetrics, CellularProfile } from "./device";
import type { Ping, SystemMetrics, TcpConnect, Traceroute } from "./measurements";
import type { NetworkProfile } from "./network-profile";
import type { Coordinates } from "./result-record";
import type { SurroundingsFiltersMembers } from "./search";

/** A local network that agents of the account group used. */
export interface LocalNetwork {
  /** Identifier of the network. */
  networkId: string;
  /** Name of the network. */
  networkName?: string;
  /** Address range of the internal network, such as `10.20.0.0/16`. */
  localPrefix?: string;
  /** First and last public IP address of the network. */
  publicIpRange?: string;
}

/** Conditions on the metrics of network topologies. */
export interface TopologyThresholds {
  /** Conditions on metrics. */
  filters?: {
    /** Metric that the condition compares with `value`. */
    name: "avg-rtt" | "loss" | "mean-dev-rtt" | "vpn-score";
    /** Number that the condition compares with the metric, in the metric's unit. */
    value: number;
    /** With `gte`, the metric must be at least the value. With `lte`, the metric must be at most the value. */
    operator: "gte" | "lte";
  }[];
  /**
   * With `and`, a result must meet all conditions. With `or`, a result must meet at least one condition. The service does not
   * document the default operator.
   */
  conditionalOperator?: "and" | "or";
}

/** Filters for a search for local network topologies. */
export interface TopologyFilters extends SurroundingsFiltersMembers {
  /** The part of the local network that the probe measured. */
  type?: ("dns" | "gateway" | "proxy" | "unknown" | "vpn")[];
}

/** Request body to search for local network topologies. */
export interface TopologySearch {
  /** Conditions on metrics. */
  thresholdFilter?: TopologyThresholds;
  /** Conditions on attributes. A topology matches a filter if its attribute has one of the filter's values. */
  searchFilters?: TopologyFilters;
}

/** Quality of one part of the network path. */
export interface ProbeScore {
  /** Quality of the path as a number. The best quality is probably 100. */
  score?: number;
  /** Quality of the path as a word: `great`, `good` or `poor`. */
  quality?: string;
}

/** Load that one application causes on the device. */
export interface ApplicationLoad {
  /** Name of the application. */
  name?: string;
  /** CPU usage of all processes of the application, as a fraction from 0 to 1 (unit inferred). */
  totalCpu?: number;
  /** Memory usage of all processes of the application, as a fraction from 0 to 1 (unit inferred). */
  totalMemoryPercentage?: number;
  /** Memory usage of all processes of the application, in bytes. */
  totalMemoryBytes?: number;
  /** The processes of the application. */
  processes?: {
    /** Name of the process. */
    name?: string;
    /** Process identifier in the operating system. */
    pid?: number;
    /** CPU usage of the process, as a fraction from 0 to 1 (unit inferred). */
    cpu?: number;
    /** Memory usage of the process, as a fraction from 0 to 1 (unit inferred). */
    memoryPercentage?: number;
    /** Memory usage of the process, in bytes. */
    memoryBytes?: number;
  }[];
}

/**
 * An agent's measurements in a local network. `type` is the measured target: the gateway, the proxy, the VPN or the name
 * server.
 */
export interface Topology {
  /** Identifier of the topology. */
  networkTopologyId: string;
  /** Identifier of the agent. */
  agentId: string;
  /** Time of the measurement (RFC 3339, UTC). */
  date?: string;
  /** Identifier of the measurement's round: a time in seconds since 1970 (unit inferred). */
  roundId?: number;
  /** The measured target: `vpn`, `proxy`, `gateway` or `dns`. */
  type?: string;
  /** Address of the measured target. */
  target?: string;
  /** Port of the measured target. */
  targetPort?: number;
  /** Measurement of the name server. */
  dnsServerTest?: {
    /** Time until a name was resolved, in milliseconds (unit inferred). */
    resolutionTime?: number;
  };
  /** Ping measurements of the target. */
  icmpPing?: Ping;
  /** Whether the network blocks ICMP packets. */
  isIcmpBlocked?: boolean;
  /** Measurement of a TCP connection to the target. */
  tcpConnect?: TcpConnect;
  /** Load of the device during the measurement. */
  systemMetrics?: SystemMetrics;
  /** Applications with the highest load on the device, returned only if `expand` contains `system-metric-detail`. */
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
  /** Time that the agent needed to join the wireless network, by phase. */
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
  /** The networks. The service returns all networks on one page. */
  localNetworks: LocalNetwork[];
  /** Links, such as the link to the list itself. */
  _links?: SelfLinks;
}

/** A page of topologies. */
export interface TopologyPage {
  /** Results on the page. */
  results: Topology[];
  /** Start of the requested time range (RFC 3339, UTC). */
  startDate?: string;
  /** End of the requested time range (RFC 3339, UTC). */
  endDate?: string;
  /** Links, such as the link to the next page. */
  _links?: PageLinks;
}

/** Response with one topology. */
export interface TopologyDetails {
  /** A list with the topology as its only item. */
  results: TopologyDetail[];
  /** Links, such as the link to the record itself. */
  _links?: SelfLinks;
}
