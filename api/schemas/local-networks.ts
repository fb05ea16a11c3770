import { z } from "zod";
import { accountGroupQuery, identifier, listParameter, selfLinks } from "./common";
import { batteryMetrics, cellularProfile } from "./device";
import { networkTopologyType, topologyExpands, topologyThreshold } from "./enums";
import { ping, systemMetrics, tcpConnect, traceroute } from "./measurements";
import { networkProfile } from "./network-profile";
import { operation, readByPost } from "./operation";
import { coordinates, resultPage, resultQuery } from "./result-record";
import { surroundingsFilters, thresholds } from "./search";

/** A network that agents of the account group used. */
export const localNetwork = z.looseObject({
  /** Identifier of the network. */
  networkId: identifier,
  /** Name of the network. */
  networkName: z.string().optional(),
  /** The internal network, such as `10.20.0.0/16`. */
  localPrefix: z.string().optional(),
  /** First and last public address of the network. */
  publicIpRange: z.string().optional(),
});
export type LocalNetwork = z.output<typeof localNetwork>;

/** Conditions on the metrics of topologies. */
export const topologyThresholds = thresholds(topologyThreshold);
export type TopologyThresholds = z.output<typeof topologyThresholds>;

/** Filters of a search for topologies of local networks. */
export const topologyFilters = z.object({
  ...surroundingsFilters,
  /** The target of the probe. */
  type: z.array(networkTopologyType).optional(),
});
export type TopologyFilters = z.output<typeof topologyFilters>;

/** Body of a search in the topologies of local networks. */
export const topologySearch = z.object({
  /** Conditions on metrics. */
  thresholdFilter: topologyThresholds.optional(),
  /** Conditions on attributes. A topology matches a list if its attribute has one of the values. */
  searchFilters: topologyFilters.optional(),
});
export type TopologySearch = z.output<typeof topologySearch>;

/** Quality of one part of the network path. */
export const probeScore = z.looseObject({
  /** Quality as a number; 100 is the best (inferred). */
  score: z.number().optional(),
  /** Quality in words: `great`, `good` or `poor`. */
  quality: z.string().optional(),
});
export type ProbeScore = z.output<typeof probeScore>;

/** Load of one application of the device. */
export const applicationLoad = z.looseObject({
  /** Name of the application. */
  name: z.string().optional(),
  /** CPU usage of all its processes, as a share from 0 to 1 (inferred). */
  totalCpu: z.number().optional(),
  /** Memory usage of all its processes, as a share from 0 to 1 (inferred). */
  totalMemoryPercentage: z.number().optional(),
  /** Memory usage of all its processes, in bytes. */
  totalMemoryBytes: z.number().optional(),
  /** The processes of the application. */
  processes: z
    .array(
      z.looseObject({
        /** Name of the process. */
        name: z.string().optional(),
        /** Identifier of the process in the operating system. */
        pid: z.number().optional(),
        /** CPU usage, as a share from 0 to 1 (inferred). */
        cpu: z.number().optional(),
        /** Memory usage, as a share from 0 to 1 (inferred). */
        memoryPercentage: z.number().optional(),
        /** Memory usage, in bytes. */
        memoryBytes: z.number().optional(),
      }),
    )
    .optional(),
});
export type ApplicationLoad = z.output<typeof applicationLoad>;

/** An agent's measurements from a local network to the gateway, the proxy, the VPN or the name server, according to `type`. */
export const topology = z.looseObject({
  /** Identifier of the topology. */
  networkTopologyId: identifier,
  /** Identifier of the agent. */
  agentId: identifier,
  /** Time of the measurement (RFC 3339, UTC). */
  date: z.string().optional(),
  /** Round of the measurement, in seconds since 1970 (inferred). */
  roundId: z.number().optional(),
  /** The target of the probe: `vpn`, `proxy`, `gateway` or `dns`. */
  type: z.string().optional(),
  /** Address that was probed. */
  target: z.string().optional(),
  /** Port that was probed. */
  targetPort: z.number().optional(),
  /** Probe of the name server. */
  dnsServerTest: z
    .looseObject({
      /** Time until a name was resolved, in milliseconds (inferred). */
      resolutionTime: z.number().optional(),
    })
    .optional(),
  /** Echo requests to the target. */
  icmpPing: ping.optional(),
  /** Whether the network blocks ICMP. */
  isIcmpBlocked: z.boolean().optional(),
  /** TCP connection to the target. */
  tcpConnect: tcpConnect.optional(),
  /** Load of the device during the measurement. */
  systemMetrics: systemMetrics.optional(),
  /** Applications with the highest load on the device. Only with `system-metric-detail` in `expand`. */
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
  /** Duration of joining the wireless network, by phase. */
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
  /** The networks, all on one page. */
  localNetworks: z.array(localNetwork),
  /** Links of the list. */
  _links: selfLinks.optional(),
});
export type LocalNetworks = z.output<typeof localNetworks>;

/** A page of topologies. */
export const topologyPage = z.looseObject({
  /** The rows of the page. */
  results: z.array(topology),
  ...resultPage,
});
export type TopologyPage = z.output<typeof topologyPage>;

/** One topology. */
export const topologyDetails = z.looseObject({
  /** The topology, as the only item. */
  results: z.array(topologyDetail),
  /** Links of the record. */
  _links: selfLinks.optional(),
});
export type TopologyDetails = z.output<typeof topologyDetails>;

const path = "/v7/endpoint/test-results/local-networks";
const expand = {
  /** Optional parts to include. */
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
