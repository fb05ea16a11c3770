import { isDeepStrictEqual } from "node:util";
import { operations } from "../../api/schemas";
import { agent as recordSchema } from "../../api/schemas/agent-record";
import { agents, type AgentLicense, type StoredAgent } from "../model/agents";
import { type FleetAgent, fleetOf } from "../fleet/fleet";
import { type AgentEvent, logEvent } from "../fleet/logs";
import { type HandlerCall, handle } from "../handler";
import { standardStyle } from "../problem";
import type { Service } from "../service";
import { agentRecord, existing } from "./agents";

const calls = operations.agents;

export const agentChangeRoutes = [
  handle(calls.update, (call) => {
    const agent = existing(call);
    refuseOthers(call, agent);
    const { name, licenseType } = call.body;
    if (licenseType !== undefined && licenseType !== agent.body.licenseType) takeSeat(call.service, licenseType);
    const body = { ...agent.body, ...(name !== undefined && { name }), ...(licenseType !== undefined && { licenseType }) };
    call.service.store.replace(agents, agent.id, body);
    return { body: agentRecord(call.service, { ...agent, body }, call.self, call.query.expand) };
  }),
  handle(calls.enable, (call) => setStatus(call, "enabled")),
  handle(calls.disable, (call) => setStatus(call, "disabled")),
  handle(calls.delete, (call) => {
    change(call.service, existing(call), { deleted: true }, "deleted");
    return { body: undefined };
  }),
];

type AgentChangeCall = Pick<HandlerCall<typeof calls.enable>, "path" | "aid" | "service" | "link">;

function setStatus(call: AgentChangeCall, status: StoredAgent["status"]) {
  const agent = existing(call);
  const now = agent.body.status === status ? agent : change(call.service, agent, { status }, status);
  return { body: agentRecord(call.service, now, call.link(`${calls.list.path}/${agent.id}`)) };
}

function change(service: Service, agent: FleetAgent, changes: Partial<StoredAgent>, event: AgentEvent): FleetAgent {
  const body = { ...agent.body, ...changes };
  service.store.together(() => {
    service.store.replace(agents, agent.id, body);
    logEvent(service, agent.id, event);
  });
  return { ...agent, body };
}

const changeable = new Set(["name", "licenseType"]);
/** Members that can change without an update request, so clients may send outdated values. */
const volatile = new Set(["lastSeen", "_links"]);

/** Refuses changes to read-only members of an agent (docs/service/agents.md, Records). */
function refuseOthers({ sent, service }: HandlerCall<typeof calls.update>, agent: FleetAgent): void {
  const now: Record<string, unknown> = agentRecord(service, agent, "", ["clients", "vpnProfiles", "networkInterfaceProfiles"]);
  const errors = Object.entries(Object(sent)).flatMap(([field, value]) => {
    const matters = field in recordSchema.shape && !changeable.has(field) && !volatile.has(field);
    return matters && !isDeepStrictEqual(value, now[field])
      ? [{ code: "read-only", field, message: "cannot be changed; name and licenseType can" }]
      : [];
  });
  if (errors.length > 0) throw standardStyle.invalid("body", errors);
}

/** @throws Problem 400 if all licenses of a type are in use */
function takeSeat(service: Service, licenseType: AgentLicense): void {
  const seats = service.settings.licenses[licenseType];
  if (seats === undefined) return;
  const taken = fleetOf(service)
    .list()
    .filter(({ body }) => !body.deleted && body.licenseType === licenseType).length;
  if (taken < seats) return;
  const message = `no license is left: ${taken} of ${seats} are in use`;
  throw standardStyle.invalid("body", [{ code: "no-license", field: "licenseType", message }]);
}
