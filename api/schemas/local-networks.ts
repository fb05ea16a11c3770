import { z } from "zod";
import { accountGroupQuery, identifier, listParameter, selfLinks } from "./common";
import { batteryMetrics, cellularProfile } from "./device";
import { networkTopologyType, topologyExpands, topologyThreshold } from "./enums";
import { ping, systemMetrics, tcpConnect, traceroute } from "./measurements";
import { networkProfile } from "./network-profile";
import { operation, readByPost } from "./operation";
import { coordinates, resultPage, resultQuery } from "./result-record";
import { surroundingsFilters, thresholds } from "./search";

/** A network that agents of the account group have been in. */
export const localNetwork = z.looseObject({
  /** Identifier of the network. */
  networkId: identifier,
  /** Name of the network. */
  networkName: z.string().optional(),
  /** The network inside, such as `10.20.0.0/16`. */
  localPrefix: z.string().optional(),
  /** Public addresses of the network, from first to last. */
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
  /** Conditions on attributes: each list holds values of which one must fit. */
  searchFilters: topologyFilters.optional(),
});
export type TopologySearch = z.output<typeof topologySearch>;

/** Quality of one part of the way. */
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
  /** CPU in use by all its processes, as a share from 0 to 1 (inferred). */
  totalCpu: z.number().optional(),
  /** Memory in use by all its processes, as a share from 0 to 1 (inferred). */
  totalMemoryPercentage: z.number().optional(),
  /** Memory in use by all its processes, in bytes. */
  totalMemoryBytes: z.number().optional(),
  /** The processes of the application. */
  processes: z
    .array(
      z.looseObject({
        /** Name of the process. */
        name: z.string().optional(),
        /** Identifier of the process in the operating system. */
        pid: z.number().optional(),
        /** CPU in use, as a share from 0 to 1 (inferred). */
        cpu: z.number().optional(),
        /** Memory in use, as a share from 0 to 1 (inferred). */
        memoryPercentage: z.number().optional(),
        /** Memory in use, in bytes. */
        memoryBytes: z.number().optional(),
      }),
    )
    .optional(),
});
export type ApplicationLoad = z.output<typeof applicationLoad>;

/**
 * Measurements of an agent on its way out of a local network: to the gateway, the proxy, the VPN or the name server, as
 * `type` states.
 */
export const topology = z.looseObject({
  /** Identifier of the topology. */
  networkTopologyId: identifier,
  /** Identifier of the agent. */
  agentId: identifier,
  /** When it was measured (RFC 3339, UTC). */
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
  /** Whether the network lets no ICMP through. */
  isIcmpBlocked: z.boolean().optional(),
  /** TCP connection to the target. */
  tcpConnect: tcpConnect.optional(),
  /** Load of the device while it measured. */
  systemMetrics: systemMetrics.optional(),
  /** Applications that use the device most; only with `system-metric-detail` in `expand`. */
  systemMetricDetails: z
    .looseObject({
      /** Those that use the CPU most. */
      topCpuApplications: z.array(applicationLoad).optional(),
      /** Those that use memory most. */
      topMemoryApplications: z.array(applicationLoad).optional(),
    })
    .optional(),
  /** Quality of the way to the VPN. */
  vpnScore: probeScore.optional(),
  /** Quality of the way to the gateway. */
  gatewayScore: probeScore.optional(),
  /** Quality of the way to the proxy. */
  proxyScore: probeScore.optional(),
  /** Quality of the connection to the local network. */
  connectionScore: probeScore.optional(),
  /** Quality of the agent's device. */
  agentScore: probeScore.optional(),
  /** Time that joining the wireless network took, by phase. */
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

/** A topology with the place of the agent and the way that its packets took. */
export const topologyDetail = topology.extend({
  /** Where the agent was. */
  coordinates: coordinates.optional(),
  /** The network that the agent was in. */
  networkProfile: networkProfile.optional(),
  /** Way of the packets to the target. */
  icmpTraceroute: traceroute.optional(),
  /** All ways that were traced. */
  icmpTraceroutes: z.array(traceroute).optional(),
});
export type TopologyDetail = z.output<typeof topologyDetail>;

/** The local networks of an account group. */
export const localNetworks = z.looseObject({
  /** All of them, on one page. */
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
  /** The topology alone. */
  results: z.array(topologyDetail),
  /** Links of the record. */
  _links: selfLinks.optional(),
});
export type TopologyDetails = z.output<typeof topologyDetails>;

const path = "/v7/endpoint/test-results/local-networks";
const expand = {
  /** Parts to include that are left out otherwise. */
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
