// `npm run generate` writes this file from the schemas in api/schemas.
import type { AgentLogs } from "./agent-logs";
import type { AgentRecord } from "./agent-record";
import type { AgentTransferBulkRequest, AgentTransferBulkResponse, AgentTransferRequest } from "./agent-transfers";
import type { AgentPage, AgentSearchRequest, AgentUpdate, ConnectionString } from "./agents";

/** Operations of `client.agents`. */
export interface AgentsCalls {
  /** `GET /v7/endpoint/agents` */
  readonly list: (request?: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
      /** Cursor of the requested page, from `_links.next.href` of the previous page. */
      cursor?: string;
      /** Requested number of items per page, at least 1. The service may return a different number of items. */
      max?: number;
      /** Whether the search includes agents of all account groups that the token's user can access. Default: false. */
      useAllPermittedAids?: boolean;
      /** Exact name of the agent. */
      agentName?: string;
      /** Exact host name of the device. */
      computerName?: string;
      /** Whether the list includes deleted agents. Default: false. */
      includeDeleted?: boolean;
      /** Optional members to include in the response. */
      expand?: ("clients" | "networkInterfaceProfiles" | "vpnProfiles")[];
    };
    signal?: AbortSignal;
  }) => Promise<AgentPage>;
  /** `POST /v7/endpoint/agents/filter` */
  readonly filter: (request: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
      /** Cursor of the requested page, from `_links.next.href` of the previous page. */
      cursor?: string;
      /** Requested number of items per page, at least 1. The service may return a different number of items. */
      max?: number;
      /** Whether the list includes deleted agents. Default: false. */
      includeDeleted?: boolean;
      /** Optional members to include in the response. */
      expand?: ("clients" | "networkInterfaceProfiles" | "vpnProfiles")[];
    };
    body: AgentSearchRequest;
    signal?: AbortSignal;
  }) => Promise<AgentPage>;
  /** `GET /v7/endpoint/agents/{agentId}` */
  readonly get: (request: {
    path: { agentId: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
      /** Whether the list includes deleted agents. Default: false. */
      includeDeleted?: boolean;
      /** Optional members to include in the response. */
      expand?: ("clients" | "networkInterfaceProfiles" | "vpnProfiles")[];
    };
    signal?: AbortSignal;
  }) => Promise<AgentRecord>;
  /** `PATCH /v7/endpoint/agents/{agentId}` */
  readonly update: (request: {
    path: { agentId: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
      /** Optional members to include in the response. */
      expand?: ("clients" | "networkInterfaceProfiles" | "vpnProfiles")[];
    };
    body: AgentUpdate;
    signal?: AbortSignal;
  }) => Promise<AgentRecord>;
  /** `DELETE /v7/endpoint/agents/{agentId}` */
  readonly delete: (request: {
    path: { agentId: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
      /** Optional members to include in the response. */
      expand?: ("clients" | "networkInterfaceProfiles" | "vpnProfiles")[];
    };
    signal?: AbortSignal;
  }) => Promise<undefined>;
  /** `POST /v7/endpoint/agents/{agentId}/enable` */
  readonly enable: (request: {
    path: { agentId: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<AgentRecord>;
  /** `POST /v7/endpoint/agents/{agentId}/disable` */
  readonly disable: (request: {
    path: { agentId: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<AgentRecord>;
  /** `GET /v7/endpoint/agents/connection-string` */
  readonly connectionString: (request?: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<ConnectionString>;
  /**
   * `POST /v7/endpoint/agents/{agentId}/transfer`
   *
   * Starts an asynchronous transfer. The agent's account group (`aid`) changes when the transfer is complete. The request cannot be
   * repeated, because the service refuses a second transfer of the same agent. If the outcome of the request is unknown, read the agent.
   */
  readonly transfer: (request: {
    path: { agentId: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    body: AgentTransferRequest;
    signal?: AbortSignal;
  }) => Promise<undefined>;
  /**
   * `POST /v7/endpoint/agents/transfer/bulk`
   *
   * Starts several asynchronous transfers, each with its own outcome. As with `agents.transfer`, the request cannot be repeated.
   */
  readonly transferBulk: (request: {
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
    };
    body: AgentTransferBulkRequest;
    signal?: AbortSignal;
  }) => Promise<AgentTransferBulkResponse>;
  /** `GET /v7/endpoint/agents/{agentId}/logs` */
  readonly logs: (request: {
    path: { agentId: string };
    query?: {
      /** Account group that the request applies to. Default: the login account group of the token's user. */
      aid?: string;
      /** Cursor of the requested page, from `_links.next.href` of the previous page. */
      cursor?: string;
      /**
       * Length of a time range that ends now: a number with a unit (`s`, `m`, `h`, `d`, `w`), such as `12h`. Do not combine
       * `window` with `startDate` or `endDate`.
       */
      window?: string;
      /** Start of the time range, such as `2022-07-17T22:00:54Z`. */
      startDate?: string;
      /** End of the time range, such as `2022-07-18T22:00:54Z`. Default: now. */
      endDate?: string;
      /** Number of entries per page, 1 to 5000. Default: 1000. */
      max?: number;
    };
    signal?: AbortSignal;
  }) => Promise<AgentLogs>;
}
