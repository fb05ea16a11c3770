import { z } from "zod";
import type { Failure, Kind } from "../kind";
import { isObject, sameSet } from "../values";
import { defaultTransferTimeout } from "./agent-behaviour";
import { AgentTransferBehaviour, type TransferOutcome } from "./agent-transfer-behaviour";

const transfer = z.strictObject({
  /** Identifier (UUID) of the agent. */
  agentId: z.string().min(1),
  /** Account group (`aid`) the agent is in. */
  fromAid: z.string().min(1),
  /** Account group the agent is to go to. */
  toAid: z.string().min(1),
});

const inputs = z.strictObject({
  /** The agents to move, each at most once. Their order does not matter. An agent that is where it should be is left alone. */
  transfers: z.array(transfer).min(1),
  /** Seconds all transfers together may take. Default: 300. */
  transferTimeout: z.number().min(0).default(defaultTransferTimeout),
});

/** Outputs of a bulk transfer, beyond its inputs. */
export interface AgentTransferOutputs {
  /** What became of each agent, in the order of `transfers`. */
  outcomes: TransferOutcome[];
}

/** A bulk transfer of agents between account groups. */
export const agentTransfer: Kind<typeof inputs, AgentTransferOutputs> & { controls: readonly "transferTimeout"[] } = {
  name: "AgentTransfer",
  noun: "agent transfer",
  schema: inputs,
  nameProperty: "transfers",
  createOnly: [],
  writeOnly: [],
  leftToService: [],
  controls: ["transferTimeout"],
  stateOnly: [],
  refersTo: {},
  reach: {
    means: "agents",
    changes: (_id, { transfers }) =>
      (Array.isArray(transfers) ? transfers.filter(isObject) : []).map(({ agentId, fromAid, toAid }) => ({
        agentId: String(agentId),
        from: String(fromAid),
        accountGroupId: String(toAid),
      })),
    removal: () => [],
  },
  replacementCost: "agents stay where they are",
  same: { transfers: sameSet },
  rules({ transfers = [] }): Failure[] {
    const seen = new Set<string>();
    return transfers.flatMap(({ agentId, fromAid, toAid }, i) => {
      const failures: Failure[] = [];
      if (seen.has(agentId))
        failures.push({ path: `transfers[${i}].agentId`, reason: "is there already: an agent can go one way only" });
      if (fromAid !== undefined && fromAid === toAid)
        failures.push({ path: `transfers[${i}].toAid`, reason: "must differ from fromAid" });
      seen.add(agentId);
      return failures;
    });
  },
  behaviour: (session) => new AgentTransferBehaviour(agentTransfer, session),
};
