// Written by `npm run generate` from the schemas; change it there.

/** Body of an agent transfer. */
export interface AgentTransferRequest {
  /** Account group that receives the agent. `aid` in the query is the agent's present account group. */
  toAid: string;
}

/** One transfer of a bulk transfer. */
export interface AgentTransferItem {
  /** Identifier of the agent to move. */
  agentId?: string;
  /** The agent's present account group. */
  fromAid?: string;
  /** Account group that receives the agent. */
  toAid?: string;
}

/** Body of a bulk transfer. Each transfer has its own outcome. */
export interface AgentTransferBulkRequest {
  /** Transfers to start, in any number. Their account groups may differ. */
  transfers: AgentTransferItem[];
}

/** Outcomes of a bulk transfer. */
export interface AgentTransferBulkResponse {
  /** Outcomes, one per transfer. */
  items: {
    /** URI of the kind of problem. Only for a refused transfer. */
    type?: string;
    /** Short summary of the problem. Only for a refused transfer. */
    title?: string;
    /** Status of this transfer in the style of HTTP: 200 means accepted, 4xx means refused. */
    status?: number;
    /** The outcome of the transfer. */
    detail?: string;
    /** URI of the problem. Only for a refused transfer. */
    instance?: string;
    /** The transfer that the outcome belongs to. */
    request?: {
      /** Identifier of the agent. */
      agentId?: string;
      /** Account group that the agent leaves. */
      fromAid?: string;
      /** Account group that receives the agent. */
      toAid?: string;
    };
  }[];
}
