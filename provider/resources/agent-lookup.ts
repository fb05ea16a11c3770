import { LookupError, largePages, type AgentRecord } from "../../api";
import type { Session } from "../session";

/** What an agent may be looked up by; all that is given must fit. */
export interface Lookup {
  agentName?: string;
  computerName?: string;
  serialNumber?: string;
  user?: string;
}

/** How many hits an error lists. */
const listed = 10;

/**
 * Finds the one agent that fits, in every account group the caller may see.
 *
 * @throws LookupError where none fits, or several do: then it lists them
 */
export async function lookUpAgent(session: Session, lookup: Lookup): Promise<AgentRecord> {
  const hits = new Map<string, AgentRecord>();
  for (const { aid } of await session.accountGroups()) {
    for (const agent of await candidates(session, lookup, aid)) {
      if (!agent.deleted && fits(agent, lookup)) hits.set(agent.id, { ...agent, aid: agent.aid ?? aid });
    }
  }
  const what = Object.keys(lookup).join(" and ");
  const [hit, ...others] = hits.values();
  if (hit === undefined) {
    throw new LookupError(
      `No agent fits the look-up by ${what}. Check it, and that the agent has registered and is not deleted.`,
    );
  }
  if (others.length === 0) return hit;
  const all = [hit, ...others];
  const shown = all
    .slice(0, listed)
    .map(
      (agent) => `${agent.id} (${agent.name ?? "unnamed"} on ${agent.computerName ?? "?"}, account group ${agent.aid ?? "?"})`,
    );
  const more = all.length > listed ? ` and ${all.length - listed} more` : "";
  throw new LookupError(
    `${all.length} agents fit the look-up by ${what}: ${shown.join("; ")}${more}. Say which one by agentId.`,
  );
}

/** Names are searched exactly; serial number and user by their beginning, so that hits are sifted afterwards. */
async function candidates(session: Session, lookup: Lookup, aid: string | undefined): Promise<AgentRecord[]> {
  const only = (value: string | undefined): string[] | undefined => (value === undefined ? undefined : [value]);
  const searchFilters = {
    agentName: only(lookup.agentName),
    computerName: only(lookup.computerName),
    serialNumber: only(lookup.serialNumber),
    username: only(lookup.user),
  };
  const found: AgentRecord[] = [];
  const request = { body: { searchFilters }, query: { aid, expand: ["clients" as const] } };
  for await (const page of largePages(session.client.agents.filter, request)) found.push(...page.agents);
  return found;
}

function fits(agent: AgentRecord, { agentName, computerName, serialNumber, user }: Lookup): boolean {
  const users = (agent.clients ?? []).map((client) => client.userProfile?.userName?.toLowerCase());
  return (
    (agentName === undefined || agent.name === agentName) &&
    (computerName === undefined || agent.computerName === computerName) &&
    (serialNumber === undefined || agent.serialNumber?.toLowerCase() === serialNumber.toLowerCase()) &&
    (user === undefined || users.includes(user.toLowerCase()))
  );
}
