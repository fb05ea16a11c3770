import { largePages } from "../api";
import { agentExpands } from "../api/schemas";
import type { Session } from "./session";

export type AgentListing = Awaited<ReturnType<Session["client"]["agents"]["list"]>>;

/** Yields pages of the agents in an account group, by default the token's account group. */
export function pagesOfAgents(
  session: Session,
  accountGroupId: string | undefined,
  perPage?: number,
): AsyncGenerator<AgentListing> {
  return largePages(session.client.agents.list, { query: { aid: accountGroupId, expand: [...agentExpands] } }, perPage);
}
