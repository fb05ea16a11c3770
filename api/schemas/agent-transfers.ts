import { z } from "zod";
import { identifier } from "./common";

/** Request body to move an agent to another account group. */
export const agentTransferRequest = z.object({
  /** Account group that receives the agent. The query parameter `aid` contains the agent's current account group. */
  toAid: z.string().min(1),
});

export type AgentTransferRequest = z.output<typeof agentTransferRequest>;

/** One transfer in a bulk transfer of agents. */
export const agentTransfer = z.object({
  /** Identifier of the agent that moves. */
  agentId: z.string().optional(),
  /** The agent's current account group. */
  fromAid: z.string().optional(),
  /** Account group that receives the agent. */
  toAid: z.string().optional(),
});

export type AgentTransferItem = z.output<typeof agentTransfer>;

/** Request body to move several agents. Each transfer has its own outcome. */
export const agentTransferBulkRequest = z.object({
  /** The transfers to start. Each transfer specifies the account groups that the agent leaves and joins. */
  transfers: z.array(agentTransfer),
});

export type AgentTransferBulkRequest = z.output<typeof agentTransferBulkRequest>;

/** Header line of a bulk transfer in CSV format. Each column contains one member of a transfer. */
export const agentTransferCsvHeader = "agent_id,from_aid,to_aid";

/** Outcomes of a bulk transfer of agents. */
export const agentTransferBulkResponse = z.looseObject({
  /** The outcomes, one for each transfer. */
  items: z.array(
    z.looseObject({
      /** URI that identifies the type of the problem, for refused transfers only. */
      type: z.string().optional(),
      /** Short summary of the problem, for refused transfers only. */
      title: z.string().optional(),
      /** Status of the transfer as an HTTP status: 200 means accepted, 4xx means refused. */
      status: z.number().optional().meta({ owned: true }),
      /** The outcome of the transfer. */
      detail: z.string().optional(),
      /** URI that identifies this occurrence of the problem, for refused transfers only. */
      instance: z.string().optional(),
      /** The requested transfer. */
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
