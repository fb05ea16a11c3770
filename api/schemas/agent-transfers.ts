import { z } from "zod";
import { identifier } from "./common";

/** Body of an agent transfer. */
export const agentTransferRequest = z.object({
  /** Account group that receives the agent; `aid` of the query names the one that it is in. */
  toAid: z.string().min(1),
});

export type AgentTransferRequest = z.output<typeof agentTransferRequest>;

/** One move of a bulk transfer. */
export const agentTransfer = z.object({
  /** Identifier of the agent to move. */
  agentId: z.string().optional(),
  /** Account group that the agent is in now. */
  fromAid: z.string().optional(),
  /** Account group that receives the agent. */
  toAid: z.string().optional(),
});

export type AgentTransferItem = z.output<typeof agentTransfer>;

/** Body of a bulk transfer. Each move is judged, and answered, for itself. */
export const agentTransferBulkRequest = z.object({
  /** Moves to start, in any number; they may have different sources and targets. */
  transfers: z.array(agentTransfer),
});

export type AgentTransferBulkRequest = z.output<typeof agentTransferBulkRequest>;

/** First line of a bulk transfer as CSV; the columns are the members of a transfer. */
export const agentTransferCsvHeader = "agent_id,from_aid,to_aid";

/** Outcomes of a bulk transfer. */
export const agentTransferBulkResponse = z.looseObject({
  /** One outcome a move. */
  items: z.array(
    z.looseObject({
      /** URI of the kind of problem, of a refused move. */
      type: z.string().optional(),
      /** Short summary of the problem, of a refused move. */
      title: z.string().optional(),
      /** Status of this move, like that of an HTTP answer: 200 is accepted, 4xx is refused. */
      status: z.number().optional().meta({ owned: true }),
      /** The outcome of the move. */
      detail: z.string().optional(),
      /** URI of the problem, of a refused move. */
      instance: z.string().optional(),
      /** The move that the outcome is about. */
      request: z
        .looseObject({
          /** Identifier of the agent. */
          agentId: identifier.optional(),
          /** Account group that the agent is to leave. */
          fromAid: identifier.optional(),
          /** Account group that is to receive the agent. */
          toAid: identifier.optional(),
        })
        .optional()
        .meta({ owned: true }),
    }),
  ),
});

export type AgentTransferBulkResponse = z.output<typeof agentTransferBulkResponse>;
