import { z } from "zod";
import { accountGroupQuery, identifier, listParameter, selfLinks } from "./common";
import { batteryMetrics, cellularProfile } from "./device";
import { networkTopologyType, topologyExpands, topologyThreshold } from "./enums";
import { ping, systemMetrics, tcpConnect, traceroute } from "./measurements";
import { networkProfile } from "./network-profile";
import { operation, readByPost } from "./operation";
import { coordinates, resultPage, resultQuery } from "./result-record";
import { surroundingsFilters, thresholds } from "./search";

/** A local network that agents of the account group used. */
export const localNetwork = z.looseObject({
  /** Identifier of the network. */
  networkId: identifier,
  /** Name of the network. */
  networkName: z.string().optional(),
  /** Address range of the internal network, such as `10.20.0.0/16`. */
  localPrefix: z.string().optional(),
  /** First and last public IP address of the network. */
  publicIpRange: z.string().optional(),
});
export type LocalNetwork = z.output<typeof localNetwork>;

/** Conditions on the metrics of network topologies. */
export const topologyThresholds = thresholds(topologyThreshold);
export type TopologyThresholds = z.output<typeof topologyThresholds>;

/** Filters for a search for local network topologies. */
export const topologyFilters = z.object({
  ...surroundingsFilters,
  /** The part of the local network that the probe measured. */
  type: z.array(networkTopologyType).optional(),
});
export type TopologyFilters = z.output<typeof topologyFilters>;

/** Request body to search for local network topologies. */
export const topologySearch = z.object({
  /** Conditions on metrics. */
  thresholdFilter: topologyThresholds.optional(),
  /** Conditions on attributes. A topology matches a filter if its attribute has one of the filter's values. */
  searchFilters: topologyFilters.optional(),
});
export type TopologySearch = z.output<typeof topologySearch>;

/** Quality of one part of the network path. */
export const probeScore = z.looseObject({
  /** Quality of the path as a number. The best quality is probably 100. */
  score: z.number().optional(),
  /** Quality of the path as a word: `great`, `good` or `poor`. */
  quality: z.string().optional(),
});
export type ProbeScore = z.output<typeof probeScore>;

/** Load that one application causes on the device. */
export const applicationLoad = z.looseObject({
  /** Name of the application. */
  name: z.string().optional(),
  /** CPU usage of all processes of the application, as a fraction from 0 to 1 (unit inferred). */
  totalCpu: z.number().optional(),
  /** Memory usage of all processes of the application, as a fraction from 0 to 1 (unit inferred). */
  totalMemoryPercentage: z.number().optional(),
  /** Memory usage of all processes of the application, in bytes. */
  totalMemoryBytes: z.number().optional(),
  /** The processes of the application. */
  processes: z
    .array(
      z.looseObject({
        /** Name of the process. */
        name: z.string().optional(),
        /** Process identifier in the operating system. */
        pid: z.number().optional(),
        /** CPU usage of the process, as a fraction from 0 to 1 (unit inferred). */
        cpu: z.number().optional(),
        /** Memory usage of the process, as a fraction from 0 to 1 (unit inferred). */
        memoryPercentage: z.number().optional(),
        /** Memory usage of the process, in bytes. */
        memoryBytes: z.number().optional(),
      }),
    )
    .optional(),
});
export type ApplicationLoad = z.output<typeof applicationLoad>;

/**
 * An agent's measurements in a local network. `type` is the measured target: the gateway, the proxy, the VPN or the name
 * server.
 */
export const topology = z.looseObject({
  /** Identifier of the topology. */
  networkTopologyId: identifier,
  /** Identifier of the agent. */
  agentId: identifier,
  /** Time of the measurement (RFC 3339, UTC). */
  date: z.string().optional(),
  /** Identifier of the measurement's round: a time in seconds since 1970 (unit inferred). */
  roundId: z.number().optional(),
  /** The measured target: `vpn`, `proxy`, `gateway` or `dns`. */
  type: z.string().optional(),
  /** Address of the measured target. */
  target: z.string().optional(),
  /** Port of the measured target. */
  targetPort: z.number().optional(),
  /** Measurement of the name server. */
  dnsServerTest: z
    .looseObject({
      /** Time until a name was resolved, in milliseconds (unit inferred). */
      resolutionTime: z.number().optional(),
    })
    .optional(),
  /** Ping measurements of the target. */
  icmpPing: ping.optional(),
  /** Whether the network blocks ICMP packets. */
  isIcmpBlocked: z.boolean().optional(),
  /** Measurement of a TCP connection to the target. */
  tcpConnect: tcpConnect.optional(),
  /** Load of the device during the measurement. */
  systemMetrics: systemMetrics.optional(),
  /** Applications with the highest load on the device, returned only if `expand` contains `system-metric-detail`. */
  systemMetricDetails: z
    .looseObject({
      /** Applications with the highest CPU usage. */
      topCpuApplications: z.array(applicationLoad).optional(),
      /** Applications with the highest memory usage. */
      topMemoryApplications: z.array(applicationLoad).optional(),
    })
    .optional(),
  /** Quality of the network path to the VPN. */
  vpnScore: probeScore.optional(),
  /** Quality of the network path to the gateway. */
  gatewayScore: probeScore.optional(),
  /** Quality of the network path to the proxy. */
  proxyScore: probeScore.optional(),
  /** Quality of the connection to the local network. */
  connectionScore: probeScore.optional(),
  /** Quality of the agent's device. */
  agentScore: probeScore.optional(),
  /** Time that the agent needed to join the wireless network, by phase. */
  wirelessOnboarding: z
    .looseObject({
      /** Time of 802.11 authentication, in milliseconds. */
      dot11AuthTimeMs: z.number().optional(),
      /** Time of 802.11 association, in milliseconds. */
      dot11AssocTimeMs: z.number().optional(),
      /** Time of 802.1X authentication, in milliseconds. */
      dot1xAuthTimeMs: z.number().optional(),
      /** Time of the EAPOL key exchange, in milliseconds. */
      eapolKeyTimeMs: z.number().optional(),
    })
    .optional(),
  /** Battery of the device. */
  batteryMetrics: batteryMetrics.optional(),
  /** Cellular connection of a mobile device. */
  cellularProfile: cellularProfile.optional(),
  /** Family of the operating system, such as `windows` or `mac`. */
  platform: z.string().optional(),
});
export type Topology = z.output<typeof topology>;

/** A topology with the agent's location and the path of its packets. */
export const topologyDetail = topology.extend({
  /** Location of the agent. */
  coordinates: coordinates.optional(),
  /** Network of the agent. */
  networkProfile: networkProfile.optional(),
  /** Path of the packets to the target. */
  icmpTraceroute: traceroute.optional(),
  /** All traced paths. */
  icmpTraceroutes: z.array(traceroute).optional(),
});
export type TopologyDetail = z.output<typeof topologyDetail>;

/** The local networks of an account group. */
export const localNetworks = z.looseObject({
  /** The networks. The service returns all networks on one page. */
  localNetworks: z.array(localNetwork),
  /** Links, such as the link to the list itself. */
  _links: selfLinks.optional(),
});
export type LocalNetworks = z.output<typeof localNetworks>;

/** A page of topologies. */
export const topologyPage = z.looseObject({
  /** Results on the page. */
  results: z.array(topology),
  ...resultPage,
});
export type TopologyPage = z.output<typeof topologyPage>;

/** Response with one topology. */
export const topologyDetails = z.looseObject({
  /** A list with the topology as its only item. */
  results: z.array(topologyDetail),
  /** Links, such as the link to the record itself. */
  _links: selfLinks.optional(),
});
export type TopologyDetails = z.output<typeof topologyDetails>;

const path = "/v7/endpoint/test-results/local-networks";
const expand = {
  /** Optional members to include in the response. */
  expand: listParameter(topologyExpands),
};

export const localNetworkOperations = {
  list: operation({
    id: "results.localNetworks.list",
    method: "GET",
    path,
    query: accountGroupQuery,
    status: 200,
    response: localNetworks,
  }),
  filterTopologies: operation({
    ...readByPost,
    id: "results.localNetworks.topologies.filter",
    path: `${path}/topologies/filter`,
    query: resultQuery.extend(expand),
    body: topologySearch.default({}),
    response: topologyPage,
  }),
  getTopology: operation({
    id: "results.localNetworks.topologies.get",
    method: "GET",
    path: `${path}/topologies/{networkTopologyId}`,
    query: accountGroupQuery.extend(expand),
    status: 200,
    response: topologyDetails,
  }),
};
