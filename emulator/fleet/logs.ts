import type { AgentLogItem } from "../../api/schemas";
import type { ServiceData } from "../service";
import type { Collection } from "../store";

/** Events of agents. An event belongs to an agent, so the collection stores the agent's id in place of an account group. */
export const agentLogs: Collection<AgentLogItem> = { name: "agent-logs", series: "agent-logs", firstId: 1 };

export type AgentEvent = "enabled" | "disabled" | "deleted" | "online";

export function logEvent({ store, settings }: ServiceData, agentId: string, event: AgentEvent): void {
  const item: AgentLogItem =
    event === "online"
      ? { agentLogItemType: "online-offline", onlineOfflineLogItem: { logItemType: event } }
      : { agentLogItemType: "state-changes", stateChangesLogItem: { logItemType: event } };
  store.insert(agentLogs, agentId, (id) => ({ id, timestampMs: settings.now(), ...item }));
}
