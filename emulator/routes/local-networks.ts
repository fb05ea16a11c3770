import { operations } from "../../api/schemas";
import { handle } from "../handler";
import { Problem } from "../problem";
import { found } from "../results/asked";
import {
  networkRecord,
  topologies,
  topologyDetail,
  topologyIdOf,
  topologyRecord,
  topologySearchOf,
} from "../results/topologies";

const own = operations.localNetworks;

export const localNetworkRoutes = [
  handle(own.list, (call) => ({
    body: { localNetworks: topologies(call).map(networkRecord), _links: { self: { href: call.self } } },
  })),
  handle(own.filterTopologies, (call) => {
    const { page, startDate, endDate, next } = found(call, "topologies", topologies(call), topologySearchOf(call.body));
    return {
      body: {
        results: page.map((one) => topologyRecord(call.service, one)),
        startDate,
        endDate,
        _links: { ...(next !== undefined && { next: { href: next } }) },
      },
    };
  }),
  handle(own.getTopology, (call) => {
    const one = topologies(call).find((topology) => topologyIdOf(topology) === call.path.networkTopologyId);
    if (!one) throw new Problem(404, "No such network topology in this account group.");
    return { body: { results: [topologyDetail(call.service, one)], _links: { self: { href: call.self } } } };
  }),
];
