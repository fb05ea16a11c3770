import { type AgentFacts, factsOf } from "../../api/label-match";
import { Mirror, oncePerStore } from "../mirror";
import { administrator } from "../organization";
import type { ServiceData } from "../service";
import type { StoreRow } from "../store";
import { agents, type StoredAgent } from "../model/agents";
import { logEvent } from "./logs";
import { makeAgent, thisMachineId } from "./make";
import { thisMachine } from "./this-machine";
import { applyTransfers } from "./transfers";

export interface FleetAgent extends StoreRow<StoredAgent> {
  readonly facts: AgentFacts;
}

export type Fleet = Mirror<StoredAgent, FleetAgent>;

const mirrorOf = oncePerStore(
  (store): Fleet => new Mirror(store, agents, (row) => ({ ...row, facts: factsOf({ ...row.body, id: row.id }) })),
);

/** Completes all due transfers, and returns all agents, including deleted agents. */
export function fleetOf(service: ServiceData): Fleet {
  const fleet = mirrorOf(service.store);
  applyTransfers(service, (id) => fleet.get(id));
  return fleet;
}

/** Returns the agent of this machine, even if the agent is disabled, deleted or transferred. */
export function localAgent(service: ServiceData): FleetAgent | undefined {
  return fleetOf(service).get(thisMachineId);
}

/**
 * In an empty store, creates all agents. If the store already contains agents, only updates the agent of this machine.
 *
 * In the twin (copy) of an account, the function does nothing, because a twin contains only the account's agents.
 */
export function prepareFleet(service: ServiceData): void {
  const { store, settings } = service;
  if (settings.twin) return;
  const now = settings.now();
  store.together(() => {
    if (store.ids(agents.name).length === 0) {
      for (let number = 0; number < settings.agents; number += 1) {
        const { id, aid, body } = makeAgent(number, administrator.accountGroups, now);
        store.put(agents, id, aid, body);
      }
    }
    const local = store.get(agents, thisMachineId);
    if (!local || local.body.deleted) return;
    const { computerName, ...machine } = thisMachine();
    // If the computer has a new name, the agent gets this name, unless a PATCH request changed the agent's name.
    const name = local.body.name === local.body.computerName ? computerName : local.body.name;
    store.replace(agents, thisMachineId, { ...local.body, ...machine, computerName, name });
    logEvent(service, thisMachineId, "online");
  });
}
