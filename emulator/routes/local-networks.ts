import { operations } from "../../api/schemas";
import { handle } from "../handler";
import { Problem } from "../problem";
import { matching } from "../results/asked";
import {
  networkRecord,
  topologies,
  topologyDetail,
  topologyIdOf,
  topologyRecord,
  topologySearchOf,
} from "../results/topologies";

const calls = operations.localNetworks;

export const localNetworkRoutes = [
  handle(calls.list, (call) => ({
    body: { localNetworks: topologies(call).map(networkRecord), _links: { self: { href: call.self } } },
  })),
  handle(calls.filterTopologies, (call) => {
    const { page, startDate, endDate, next } = matching(call, "topologies", topologies(call), topologySearchOf(call.body));
    return {
      body: {
        results: page.map((topology) => topologyRecord(call.service, topology)),
        startDate,
        endDate,
        _links: { ...(next !== undefined && { next: { href: next } }) },
      },
    };
  }),
  handle(calls.getTopology, (call) => {
    const match = topologies(call).find((topology) => topologyIdOf(topology) === call.path.networkTopologyId);
    if (!match) throw new Problem(404, "No such network topology in this account group.");
    return { body: { results: [topologyDetail(call.service, match)], _links: { self: { href: call.self } } } };
  }),
];
