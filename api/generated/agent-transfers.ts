// Written by `npm run generate` from the schemas; change it there.

/** Body of an agent transfer. */
export interface AgentTransferRequest {
  /** Account group that receives the agent; `aid` of the query names the one that it is in. */
  toAid: string;
}

/** One move of a bulk transfer. */
export interface AgentTransferItem {
  /** Identifier of the agent to move. */
  agentId?: string;
  /** Account group that the agent is in now. */
  fromAid?: string;
  /** Account group that receives the agent. */
  toAid?: string;
}

/** Body of a bulk transfer. Each move is judged, and answered, for itself. */
export interface AgentTransferBulkRequest {
  /** Moves to start, in any number; they may have different sources and targets. */
  transfers: AgentTransferItem[];
}

/** Outcomes of a bulk transfer. */
export interface AgentTransferBulkResponse {
  /** One outcome a move. */
  items: {
    /** URI of the kind of problem, of a refused move. */
    type?: string;
    /** Short summary of the problem, of a refused move. */
    title?: string;
    /** Status of this move, like that of an HTTP answer: 200 is accepted, 4xx is refused. */
    status?: number;
    /** The outcome of the move. */
    detail?: string;
    /** URI of the problem, of a refused move. */
    instance?: string;
    /** The move that the outcome is about. */
    request?: {
      /** Identifier of the agent. */
      agentId?: string;
      /** Account group that the agent is to leave. */
      fromAid?: string;
      /** Account group that is to receive the agent. */
      toAid?: string;
    };
  }[];
}
