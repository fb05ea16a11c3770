import { createHash } from "node:crypto";
import { type AgentRecord, operations } from "../../api/schemas";
import { type FleetAgent, fleetOf } from "../fleet/fleet";
import { lastSeen } from "../fleet/silent";
import { type HandlerCall, handle } from "../handler";
import type { Order } from "../order";
import { pageOfList } from "../pages";
import { Problem } from "../problem";
import type { Service } from "../service";
import { isFound, orderOf } from "./agents-search";

const calls = operations.agents;

/** Members of an agent that responses contain only if the request names them. */
const expandable = ["clients", "vpnProfiles", "networkInterfaceProfiles"] as const;
type Expand = readonly (typeof expandable)[number][];

type ListCall = Pick<HandlerCall<typeof calls.filter>, "query" | "aid" | "self" | "link" | "service">;

export const agentRoutes = [
  handle(calls.list, (call) => {
    const { agentName, computerName, useAllPermittedAids = false } = call.query;
    const aids = useAllPermittedAids ? call.caller.accountGroups.map(({ aid }) => aid) : [call.aid];
    const agents = visible(call, aids).filter(
      ({ body }) =>
        (agentName === undefined || body.name === agentName) &&
        (computerName === undefined || body.computerName === computerName),
    );
    return listAnswer(call, agents, "agents");
  }),
  handle(calls.filter, (call) => {
    const { searchFilters, thresholdFilter, searchSort = [] } = call.body;
    const isWanted = isFound(call.service, searchFilters, thresholdFilter);
    const agents = visible(call, [call.aid]).filter(isWanted);
    const order = orderOf(searchSort);
    return listAnswer(call, order.sorted(agents), `agents ${JSON.stringify(searchSort)}`, order);
  }),
  handle(calls.get, (call) => {
    const agent = fleetOf(call.service).get(call.path.agentId);
    const hidden = agent?.body.deleted === true && !call.query.includeDeleted;
    if (!agent || agent.aid !== call.aid || hidden) throw notFound();
    return { body: agentRecord(call.service, agent, call.self, call.query.expand) };
  }),
  handle(calls.connectionString, ({ service, aid, self }) => ({
    body: {
      connectionString: createHash("md5").update(`${service.settings.clientSecret} ${aid}`).digest("base64"),
      _links: { self: { href: self } },
    },
  })),
];

function visible({ query, service }: ListCall, aids: readonly string[]): FleetAgent[] {
  const fleet = fleetOf(service);
  const agents = aids.length === 1 ? fleet.list(aids[0]) : fleet.list().filter(({ aid }) => aids.includes(aid));
  return agents.filter(({ body }) => query.includeDeleted === true || !body.deleted);
}

function listAnswer(call: ListCall, agents: readonly FleetAgent[], name: string, order?: Order<FleetAgent>) {
  const { rows, next } = pageOfList(call, name, agents, { order });
  return {
    body: {
      totalAgents: agents.length,
      agents: rows.map((agent) =>
        agentRecord(call.service, agent, call.link(`${calls.list.path}/${agent.id}`), call.query.expand),
      ),
      _links: { self: { href: call.self }, ...(next !== undefined && { next: { href: next } }) },
    },
  };
}

export function agentRecord(
  service: Pick<Service, "settings">,
  agent: Pick<FleetAgent, "id" | "aid" | "sequence" | "body">,
  self: string,
  expand: Expand = [],
): AgentRecord {
  const { region: _region, silentSince: _silentSince, clients, vpnProfiles, networkInterfaceProfiles, ...shown } = agent.body;
  const parts = { clients, vpnProfiles, networkInterfaceProfiles };
  // The cast only removes `readonly` from the types of arrays. The cast is safe, because no code changes the arrays.
  const expanded = Object.fromEntries(expand.map((part) => [part, parts[part]])) as Partial<
    Pick<AgentRecord, (typeof expandable)[number]>
  >;
  return {
    id: agent.id,
    aid: agent.aid,
    ...shown,
    externalMetadata: [...shown.externalMetadata],
    agentExplainabilityFailures: [],
    deploymentInfo: [],
    numberOfClients: clients.length,
    lastSeen: lastSeen(service, agent),
    ...expanded,
    _links: { self: { href: self } },
  };
}

type AgentCall = Pick<HandlerCall<typeof calls.get>, "path" | "aid" | "service">;

/** @throws Problem 404 if the agent does not exist or is deleted */
export function existing({ path, aid, service }: AgentCall): FleetAgent {
  const agent = fleetOf(service).get(path.agentId);
  if (!agent || agent.aid !== aid || agent.body.deleted) throw notFound();
  return agent;
}

export const notFound = () => new Problem(404, "No such agent in this account group.");
