import { z } from "zod";
import { accountGroupQuery, identifier, listParameter, selfLinks } from "./common";
import { batteryMetrics, cellularProfile } from "./device";
import { networkTopologyType, topologyExpands, topologyThreshold } from "./enums";
import { ping, systemMetrics, tcpConnect, traceroute } from "./measurements";
import { networkProfile } from "./network-profile";
import { operation, readByPost } from "./operation";
import { coordinates, resultPage, resultQuery } from "./result-record";
import { surroundingsFilters, thresholdFilter } from "./search";

/** A network that agents of the account group have been in. */
export const localNetwork = z.looseObject({
  networkId: identifier,
  networkName: z.string().optional(),
  /** The network inside, as CIDR. */
  localPrefix: z.string().optional(),
  publicIpRange: z.string().optional(),
});
export type LocalNetwork = z.output<typeof localNetwork>;

/** Body of a search in the topologies of local networks. */
export const topologySearch = z.object({
  thresholdFilter: thresholdFilter(topologyThreshold),
  searchFilters: z.object({ ...surroundingsFilters, type: z.array(networkTopologyType).optional() }).optional(),
});

/** Quality of one part of the way; `quality` is `great`, `good` or `poor`. */
const probeScore = z.looseObject({ score: z.number().optional(), quality: z.string().optional() });

const applications = z.array(
  z.looseObject({
    name: z.string().optional(),
    totalCpu: z.number().optional(),
    totalMemoryPercentage: z.number().optional(),
    totalMemoryBytes: z.number().optional(),
    processes: z
      .array(
        z.looseObject({
          name: z.string().optional(),
          pid: z.number().optional(),
          cpu: z.number().optional(),
          memoryPercentage: z.number().optional(),
          memoryBytes: z.number().optional(),
        }),
      )
      .optional(),
  }),
);

/** What an agent measured on its way out of a local network: to gateway, proxy, VPN or name server, as `type` tells. */
export const topology = z.looseObject({
  networkTopologyId: identifier,
  agentId: identifier,
  date: z.string().optional(),
  roundId: z.number().optional(),
  type: z.string().optional(),
  target: z.string().optional(),
  targetPort: z.number().optional(),
  dnsServerTest: z.looseObject({ resolutionTime: z.number().optional() }).optional(),
  icmpPing: ping.optional(),
  isIcmpBlocked: z.boolean().optional(),
  tcpConnect: tcpConnect.optional(),
  systemMetrics: systemMetrics.optional(),
  /** Only with `expand=system-metric-detail`. */
  systemMetricDetails: z
    .looseObject({ topCpuApplications: applications.optional(), topMemoryApplications: applications.optional() })
    .optional(),
  vpnScore: probeScore.optional(),
  gatewayScore: probeScore.optional(),
  proxyScore: probeScore.optional(),
  connectionScore: probeScore.optional(),
  agentScore: probeScore.optional(),
  /** How long joining the Wi-Fi took, by phase, in milliseconds. */
  wirelessOnboarding: z
    .looseObject({
      dot11AuthTimeMs: z.number().optional(),
      dot11AssocTimeMs: z.number().optional(),
      dot1xAuthTimeMs: z.number().optional(),
      eapolKeyTimeMs: z.number().optional(),
    })
    .optional(),
  batteryMetrics: batteryMetrics.optional(),
  cellularProfile: cellularProfile.optional(),
  platform: z.string().optional(),
});
export type Topology = z.output<typeof topology>;

/** The same with where the agent was, and the way its packets took. */
export const topologyDetail = topology.extend({
  coordinates: coordinates.optional(),
  networkProfile: networkProfile.optional(),
  icmpTraceroute: traceroute.optional(),
  icmpTraceroutes: z.array(traceroute).optional(),
});
export type TopologyDetail = z.output<typeof topologyDetail>;

const path = "/v7/endpoint/test-results/local-networks";
const expand = { expand: listParameter(topologyExpands) };

export const localNetworkOperations = {
  list: operation({
    id: "results.localNetworks.list",
    method: "GET",
    path,
    query: accountGroupQuery,
    status: 200,
    response: z.looseObject({ localNetworks: z.array(localNetwork), _links: selfLinks.optional() }),
  }),
  filterTopologies: operation({
    ...readByPost,
    id: "results.localNetworks.topologies.filter",
    path: `${path}/topologies/filter`,
    query: resultQuery.extend(expand),
    body: topologySearch.default({}),
    response: z.looseObject({ results: z.array(topology), ...resultPage }),
  }),
  getTopology: operation({
    id: "results.localNetworks.topologies.get",
    method: "GET",
    path: `${path}/topologies/{networkTopologyId}`,
    query: accountGroupQuery.extend(expand),
    status: 200,
    response: z.looseObject({ results: z.array(topologyDetail), _links: selfLinks.optional() }),
  }),
};
