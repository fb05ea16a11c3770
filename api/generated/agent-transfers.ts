// `npm run generate` writes this file from the schemas in api/schemas.

/** Request body to move an agent to another account group. */
export interface AgentTransferRequest {
  /** Account group that receives the agent. The query parameter `aid` contains the agent's current account group. */
  toAid: string;
}

/** One transfer in a bulk transfer of agents. */
export interface AgentTransferItem {
  /** Identifier of the agent that moves. */
  agentId?: string;
  /** The agent's current account group. */
  fromAid?: string;
  /** Account group that receives the agent. */
  toAid?: string;
}

/** Request body to move several agents. Each transfer has its own outcome. */
export interface AgentTransferBulkRequest {
  /** The transfers to start. Each transfer specifies the account groups that the agent leaves and joins. */
  transfers: AgentTransferItem[];
}

/** Outcomes of a bulk transfer of agents. */
export interface AgentTransferBulkResponse {
  /** The outcomes, one for each transfer. */
  items: {
    /** URI that identifies the type of the problem, for refused transfers only. */
    type?: string;
    /** Short summary of the problem, for refused transfers only. */
    title?: string;
    /** Status of the transfer as an HTTP status: 200 means accepted, 4xx means refused. */
    status?: number;
    /** The outcome of the transfer. */
    detail?: string;
    /** URI that identifies this occurrence of the problem, for refused transfers only. */
    instance?: string;
    /** The requested transfer. */
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
