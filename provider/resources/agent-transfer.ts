import { z } from "zod";
import { agentIdShape } from "../../api";
import { defineKind, type CheckFailure, type Kind } from "../kind";
import { property } from "../property";
import { isObject, sameSet } from "../values";

// `agent-transfer-handler.ts` is loaded on demand, because previews and checks transfer no agents.
const handlers = (): typeof import("./agent-transfer-handler") =>
  require("./agent-transfer-handler") as typeof import("./agent-transfer-handler");

export const defaultTransferTimeoutSeconds = 300;

const identifier = z.string().min(1);
const transfer = z.strictObject({ agentId: agentIdShape, fromAid: identifier, toAid: identifier });

const properties = {
  transfers: property(z.array(transfer).min(1), { same: sameSet, holdsIds: true }),
  transferTimeout: property(z.number().min(0).default(defaultTransferTimeoutSeconds), { role: "provider-option" }),
};

const outcome = z.object({
  agentId: z.string(),
  toAid: z.string(),
  status: z.number(),
  detail: z.string().optional(),
});

const outputs = { outcomes: z.array(outcome) };

/** A bulk transfer of agents between account groups. */
export const agentTransfer: Kind<typeof properties, typeof outputs> = defineKind({
  name: "AgentTransfer",
  noun: "agent transfer",
  properties,
  outputs,
  nameProperty: "transfers",
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
  rules({ transfers = [] }): CheckFailure[] {
    const seen = new Set<string>();
    return transfers.flatMap(({ agentId, fromAid, toAid }, i) => {
      const failures: CheckFailure[] = [];
      if (seen.has(agentId)) {
        failures.push({ path: `transfers[${i}].agentId`, reason: "is a duplicate: each agent can be transferred once" });
      }
      if (fromAid !== undefined && fromAid === toAid) {
        failures.push({ path: `transfers[${i}].toAid`, reason: "must differ from fromAid" });
      }
      seen.add(agentId);
      return failures;
    });
  },
  handler: (session) => new (handlers().AgentTransferHandler)(agentTransfer, session),
});
