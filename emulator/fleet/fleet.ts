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

/** An agent in memory: its row, and what label filters hold against it. */
export interface FleetAgent extends StoreRow<StoredAgent> {
  readonly facts: AgentFacts;
}

/** All agents in memory. */
export type Fleet = Mirror<StoredAgent, FleetAgent>;

const mirrorOf = oncePerStore(
  (store): Fleet => new Mirror(store, agents, (row) => ({ ...row, facts: factsOf({ ...row.body, id: row.id }) })),
);

/** All agents, deleted ones too, as they are now: transfers whose moment has come have happened. */
export function fleetOf(service: ServiceData): Fleet {
  const fleet = mirrorOf(service.store);
  applyTransfers(service, (id) => fleet.get(id));
  return fleet;
}

/** The agent that is this machine; nothing in an emulator without agents. It may be disabled, deleted or transferred. */
export function localAgent(service: ServiceData): FleetAgent | undefined {
  return fleetOf(service).get(thisMachineId);
}

/** Makes the fleet of a store that has none; else only this machine's agent is brought up to date. A twin has the account's agents alone. */
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
    // A name that was given by PATCH stays; one that was the computer's follows it.
    const name = local.body.name === local.body.computerName ? computerName : local.body.name;
    store.replace(agents, thisMachineId, { ...local.body, ...machine, computerName, name });
    logEvent(service, thisMachineId, "online");
  });
}
