import { Mirror, oncePerStore } from "../mirror";
import type { ServiceData } from "../service";
import type { Collection, StoreRow } from "../store";
import { agents, type StoredAgent } from "../model/agents";

interface FleetTransfer {
  readonly toAid: string;
  /** Time of the transfer, in milliseconds since 1970. */
  readonly at: number;
}

const transfers: Collection<FleetTransfer> = { name: "agent-transfers", series: "agent-transfers", firstId: 1 };
const mirrorOf = oncePerStore((store) => new Mirror<FleetTransfer>(store, transfers, (row) => row));

/** Accepts a transfer of an agent. A new transfer replaces an earlier pending transfer of the agent. */
export function startTransfer({ store, settings }: ServiceData, agentId: string, fromAid: string, toAid: string): void {
  store.put(transfers, agentId, fromAid, { toAid, at: settings.now() + settings.transferDelayMs });
}

/** Moves agents with a due transfer. If an agent was deleted before the transfer, it does not move. */
export function applyTransfers(
  { store, settings }: ServiceData,
  find: (id: string) => StoreRow<StoredAgent> | undefined,
): void {
  const waiting = mirrorOf(store).list();
  if (waiting.length === 0) return;
  const now = settings.now();
  for (const { id, aid, body } of waiting.filter((transfer) => transfer.body.at <= now)) {
    store.together(() => {
      const agent = find(id);
      if (agent && !agent.body.deleted) store.put(agents, id, body.toAid, agent.body);
      store.delete(transfers, id, aid);
    });
  }
}
