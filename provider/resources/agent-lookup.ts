import { ForbiddenError, LookupError, largePages, type AgentRecord } from "../../api";
import type { Session } from "../session";

/** The attributes that identify an agent. An agent matches if all declared attributes match. */
export interface Lookup {
  agentName?: string;
  computerName?: string;
  serialNumber?: string;
  user?: string;
}

const maxListedAgents = 10;

/**
 * Finds the agent that matches a lookup, in all account groups that the caller may see.
 *
 * @throws LookupError if no agent or several agents match, ForbiddenError if an account group cannot be searched
 */
export async function lookUpAgent(session: Session, lookup: Lookup): Promise<AgentRecord> {
  const hits = new Map<string, AgentRecord>();
  let refusal: ForbiddenError | undefined;
  for (const { aid } of await session.accountGroups()) {
    const agents = await candidates(session, lookup, aid).catch((error: unknown) => {
      if (!(error instanceof ForbiddenError)) throw error;
      refusal ??= error;
    });
    for (const agent of agents ?? []) {
      if (!agent.deleted && matches(agent, lookup)) hits.set(agent.id, { ...agent, aid: agent.aid ?? aid });
    }
  }
  const what = Object.keys(lookup).join(" and ");
  const [hit, ...others] = hits.values();
  if (hit === undefined) {
    if (refusal) throw refusal;
    throw new LookupError(
      `No agent matches the lookup by ${what}. Check the lookup's arguments. Make sure that the agent is registered and was not deleted.`,
    );
  }
  if (others.length === 0) return hit;
  const all = [hit, ...others];
  const shown = all
    .slice(0, maxListedAgents)
    .map(
      (agent) => `${agent.id} (${agent.name ?? "unnamed"} on ${agent.computerName ?? "?"}, account group ${agent.aid ?? "?"})`,
    );
  const more = all.length > maxListedAgents ? ` and ${all.length - maxListedAgents} more` : "";
  throw new LookupError(
    `${all.length} agents match the lookup by ${what}: ${shown.join("; ")}${more}. Set agentId to the id of one agent.`,
  );
}

/**
 * Returns the agents that the service's search finds in an account group. The search compares complete agent names, but only
 * the beginning of serial numbers and user names.
 */
async function candidates(session: Session, lookup: Lookup, aid: string | undefined): Promise<AgentRecord[]> {
  const listOf = (value: string | undefined): string[] | undefined => (value === undefined ? undefined : [value]);
  const searchFilters = {
    agentName: listOf(lookup.agentName),
    computerName: listOf(lookup.computerName),
    serialNumber: listOf(lookup.serialNumber),
    username: listOf(lookup.user),
  };
  const agents: AgentRecord[] = [];
  const request = { body: { searchFilters }, query: { aid, expand: ["clients" as const] } };
  for await (const page of largePages(session.client.agents.filter, request))
    for (const agent of page.agents) agents.push(agent);
  return agents;
}

function matches(agent: AgentRecord, { agentName, computerName, serialNumber, user }: Lookup): boolean {
  const users = (agent.clients ?? []).map((client) => client.userProfile?.userName?.toLowerCase());
  return (
    (agentName === undefined || agent.name === agentName) &&
    (computerName === undefined || agent.computerName === computerName) &&
    (serialNumber === undefined || agent.serialNumber?.toLowerCase() === serialNumber.toLowerCase()) &&
    (user === undefined || users.includes(user.toLowerCase()))
  );
}
