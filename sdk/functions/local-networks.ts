import type { LocalNetworksCalls } from "../../api/generated";
import type { AccountGroupArgs, LimitArgs, QueryOf, TimeArgs } from "./arguments";
import { single, outputForm, paged } from "./define";
import type { Fetch, FetchAll, FetchOutput } from "./fetch";
import type { LocalNetwork, Topology, TopologyDetail, TopologyFilters, TopologyThresholds } from "./records";

/** Arguments of {@link getLocalNetworks}. */
export interface GetLocalNetworksArgs extends AccountGroupArgs {}

/**
 * Returns the local networks that agents of the account group used.
 *
 * @example
 * ```ts
 * const networks = await getLocalNetworks();
 * const office = networks.find((network) => network.localPrefix === "10.20.0.0/16");
 * ```
 */
export const getLocalNetworks: Fetch<GetLocalNetworksArgs, LocalNetwork[]> = single({
  operation: ({ localNetworks }) => localNetworks.list,
  answer: (response) => response.localNetworks,
});

/**
 * Returns the result of {@link getLocalNetworks} as an output. The arguments may be outputs of resources.
 *
 * @example
 * ```ts
 * export const networks = getLocalNetworksOutput({ accountGroupId: branch.aid });
 * ```
 */
export const getLocalNetworksOutput: FetchOutput<GetLocalNetworksArgs, LocalNetwork[]> = outputForm(getLocalNetworks);

interface TopologyParts {
  /** Optional details to include in each topology: `system-metric-detail`, `user-profile`. */
  expand?: QueryOf<LocalNetworksCalls["filterTopologies"]>["expand"];
}

/** Arguments of {@link getLocalNetworkTopologies}. */
export interface GetLocalNetworkTopologiesArgs extends AccountGroupArgs, LimitArgs, TimeArgs, TopologyParts {
  /**
   * Conditions on attributes, such as `{ type: ["gateway"] }`. A topology meets a condition if its attribute has one of the
   * listed values.
   */
  searchFilters?: TopologyFilters;
  /** Conditions on metrics, such as `{ filters: [{ name: "loss", operator: "gte", value: 5 }] }`. */
  thresholdFilter?: TopologyThresholds;
}

/**
 * Returns local network topologies, which contain measurements of the paths from agents to gateways, proxies, VPNs and name
 * servers.
 *
 * @example
 * ```ts
 * const gateways = await getLocalNetworkTopologies({ searchFilters: { type: ["gateway"] }, window: "1h" });
 * ```
 */
export const getLocalNetworkTopologies: FetchAll<GetLocalNetworkTopologiesArgs, Topology> = paged({
  operation: ({ localNetworks }) => localNetworks.filterTopologies,
  rows: (page) => page.results,
});

/**
 * Returns the result of {@link getLocalNetworkTopologies} as an output. The arguments may be outputs of resources.
 *
 * @example
 * ```ts
 * export const topologies = getLocalNetworkTopologiesOutput({ searchFilters: { agentId: [kiosk.agentId] }, window: "1h" });
 * ```
 */
export const getLocalNetworkTopologiesOutput: FetchOutput<GetLocalNetworkTopologiesArgs, Topology[]> =
  outputForm(getLocalNetworkTopologies);

/** Arguments of {@link getLocalNetworkTopology}. */
export interface GetLocalNetworkTopologyArgs extends AccountGroupArgs, TopologyParts {
  /** Identifier of a topology that `getLocalNetworkTopologies` returned. */
  networkTopologyId: string;
}

/**
 * Returns one topology of a local network, with the agent's network and the measured network path.
 *
 * @throws NotFoundError if no topology has the requested id
 *
 * @example
 * ```ts
 * const { icmpTraceroute } = await getLocalNetworkTopology({ networkTopologyId: gateways[0].networkTopologyId });
 * ```
 */
export const getLocalNetworkTopology: Fetch<GetLocalNetworkTopologyArgs, TopologyDetail> = single({
  operation: ({ localNetworks }) => localNetworks.getTopology,
  answer: ({ results }, { networkTopologyId }) =>
    results.find((topology) => topology.networkTopologyId === networkTopologyId) ?? results[0],
});

/**
 * Returns the result of {@link getLocalNetworkTopology} as an output. The arguments may be outputs of resources.
 *
 * @example
 * ```ts
 * export const topology = getLocalNetworkTopologyOutput({ networkTopologyId: topologies[0].networkTopologyId });
 * ```
 */
export const getLocalNetworkTopologyOutput: FetchOutput<GetLocalNetworkTopologyArgs, TopologyDetail> =
  outputForm(getLocalNetworkTopology);
