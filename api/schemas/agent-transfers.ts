import { z } from "zod";
import { identifier } from "./common";

/** Body of an agent transfer. */
export const agentTransferRequest = z.object({
  /** Account group that receives the agent. `aid` in the query is the agent's present account group. */
  toAid: z.string().min(1),
});

export type AgentTransferRequest = z.output<typeof agentTransferRequest>;

/** One transfer of a bulk transfer. */
export const agentTransfer = z.object({
  /** Identifier of the agent to move. */
  agentId: z.string().optional(),
  /** The agent's present account group. */
  fromAid: z.string().optional(),
  /** Account group that receives the agent. */
  toAid: z.string().optional(),
});

export type AgentTransferItem = z.output<typeof agentTransfer>;

/** Body of a bulk transfer. Each transfer has its own outcome. */
export const agentTransferBulkRequest = z.object({
  /** Transfers to start, in any number. Their account groups may differ. */
  transfers: z.array(agentTransfer),
});

export type AgentTransferBulkRequest = z.output<typeof agentTransferBulkRequest>;

/** First line of a bulk transfer as CSV. The columns are the members of a transfer. */
export const agentTransferCsvHeader = "agent_id,from_aid,to_aid";

/** Outcomes of a bulk transfer. */
export const agentTransferBulkResponse = z.looseObject({
  /** Outcomes, one per transfer. */
  items: z.array(
    z.looseObject({
      /** URI of the kind of problem. Only for a refused transfer. */
      type: z.string().optional(),
      /** Short summary of the problem. Only for a refused transfer. */
      title: z.string().optional(),
      /** Status of this transfer in the style of HTTP: 200 means accepted, 4xx means refused. */
      status: z.number().optional().meta({ owned: true }),
      /** The outcome of the transfer. */
      detail: z.string().optional(),
      /** URI of the problem. Only for a refused transfer. */
      instance: z.string().optional(),
      /** The transfer that the outcome belongs to. */
      request: z
        .looseObject({
          /** Identifier of the agent. */
          agentId: identifier.optional(),
          /** Account group that the agent leaves. */
          fromAid: identifier.optional(),
          /** Account group that receives the agent. */
          toAid: identifier.optional(),
        })
        .optional()
        .meta({ owned: true }),
    }),
  ),
});

export type AgentTransferBulkResponse = z.output<typeof agentTransferBulkResponse>;
