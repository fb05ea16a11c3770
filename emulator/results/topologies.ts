import { createHash } from "node:crypto";
import type { topologySearch } from "../../api/schemas";
import type { z } from "zod";
import { localAgent } from "../fleet/fleet";
import { Order } from "../order";
import { hardwareOf, type Interface, interfaces, platformHere, prefixOf, profileOf } from "../measure/machine";
import { schedulerOf } from "../measure/scheduler";
import type { Service } from "../service";
import { date } from "../date";
import type { Recorded } from "./asked";
import { matchesFilters } from "./search";

export interface MeasuredTopology extends Recorded {
  readonly agentId: string;
  readonly network: Interface;
}

type TopologyQuery = { readonly service: Service; readonly aid: string };

/** Returns the current networks of this machine, if its agent belongs to the account group. */
export function topologies({ service, aid }: TopologyQuery): MeasuredTopology[] {
  const agent = localAgent(service);
  if (!agent || agent.aid !== aid || agent.body.deleted) return [];
  const at = service.settings.now();
  return interfaces()
    .filter(({ internal }) => !internal)
    .map((network, index) => ({ agentId: agent.id, network, at, sequence: index + 1 }));
}

/** Returns a network in the format used by the list of local networks. The public address of a network is not known. */
export function networkRecord({ network }: MeasuredTopology) {
  const { cidr, name } = network;
  return {
    networkId: networkIdOf(network),
    networkName: `${cidr ?? network.address} (${name})`,
    localPrefix: prefixOf(network),
  };
}

/** Returns a topology that contains the gateway's address, although the agent does not contact the gateway. */
export function topologyRecord(service: Service, topology: MeasuredTopology) {
  const { agentId, network, at } = topology;
  const { gateway } = profileOf(network);
  return {
    networkTopologyId: topologyIdOf(topology),
    agentId,
    date: date(at),
    roundId: Math.floor(at / 1000),
    type: gateway === undefined ? "unknown" : "gateway",
    target: gateway,
    systemMetrics: schedulerOf(service)?.meter.read(),
    platform: platformHere(),
  };
}

export function topologyDetail(service: Service, topology: MeasuredTopology) {
  return { ...topologyRecord(service, topology), networkProfile: profileOf(topology.network) };
}

/** Returns the id of a topology. The id stays the same while the interface keeps its address. */
export function topologyIdOf({ agentId, network }: MeasuredTopology): string {
  return `${agentId.slice(0, 8)}:${networkIdOf(network)}`;
}

/** No topology passes a threshold, because the emulator does not probe the network. */
export function topologySearchOf({ searchFilters, thresholdFilter }: z.output<typeof topologySearch>) {
  return {
    matches: ({ agentId, network }: MeasuredTopology) => {
      const { gateway } = profileOf(network);
      const attributes = {
        agentId: [agentId],
        platform: [platformHere()],
        connection: [hardwareOf(network)],
        gateway: [gateway],
        networkId: [networkIdOf(network)],
        type: [gateway === undefined ? "unknown" : "gateway"],
      };
      return (thresholdFilter?.filters ?? []).length === 0 && matchesFilters(searchFilters, attributes);
    },
    order: new Order<MeasuredTopology>([], "oldest first"),
  };
}

function networkIdOf({ address, cidr, name }: Interface): string {
  return createHash("sha256")
    .update(`${name} ${cidr ?? address}`)
    .digest("hex")
    .slice(0, 12);
}
