// Written by `npm run generate` from the schemas; change it there.
import type { AgentLogs } from "./agent-logs";
import type { AgentRecord } from "./agent-record";
import type { AgentTransferBulkRequest, AgentTransferBulkResponse, AgentTransferRequest } from "./agent-transfers";
import type { AgentPage, AgentSearchRequest, AgentUpdate, ConnectionString } from "./agents";

/** Operations of `client.agents`. */
export interface AgentsCalls {
  /** `GET /v7/endpoint/agents` */
  readonly list: (request?: {
    query?: {
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
      /** Beginning of the page: opaque text from `_links.next.href` of the previous page. */
      cursor?: string;
      /** Rows on a page, 1 or more. The service may use another number; it does not document the limits. */
      max?: number;
      /** Whether to include agents of all account groups that the token's user may see. Default: false. */
      useAllPermittedAids?: boolean;
      /** Exact name of the agent. */
      agentName?: string;
      /** Exact host name of the device. */
      computerName?: string;
      /** Whether deleted agents are included. Default: false. */
      includeDeleted?: boolean;
      /** Optional parts to include. */
      expand?: ("clients" | "networkInterfaceProfiles" | "vpnProfiles")[];
    };
    signal?: AbortSignal;
  }) => Promise<AgentPage>;
  /** `POST /v7/endpoint/agents/filter` */
  readonly filter: (request: {
    query?: {
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
      /** Beginning of the page: opaque text from `_links.next.href` of the previous page. */
      cursor?: string;
      /** Rows on a page, 1 or more. The service may use another number; it does not document the limits. */
      max?: number;
      /** Whether deleted agents are included. Default: false. */
      includeDeleted?: boolean;
      /** Optional parts to include. */
      expand?: ("clients" | "networkInterfaceProfiles" | "vpnProfiles")[];
    };
    body: AgentSearchRequest;
    signal?: AbortSignal;
  }) => Promise<AgentPage>;
  /** `GET /v7/endpoint/agents/{agentId}` */
  readonly get: (request: {
    path: { agentId: string };
    query?: {
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
      /** Whether deleted agents are included. Default: false. */
      includeDeleted?: boolean;
      /** Optional parts to include. */
      expand?: ("clients" | "networkInterfaceProfiles" | "vpnProfiles")[];
    };
    signal?: AbortSignal;
  }) => Promise<AgentRecord>;
  /** `PATCH /v7/endpoint/agents/{agentId}` */
  readonly update: (request: {
    path: { agentId: string };
    query?: {
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
      /** Optional parts to include. */
      expand?: ("clients" | "networkInterfaceProfiles" | "vpnProfiles")[];
    };
    body: AgentUpdate;
    signal?: AbortSignal;
  }) => Promise<AgentRecord>;
  /** `DELETE /v7/endpoint/agents/{agentId}` */
  readonly delete: (request: {
    path: { agentId: string };
    query?: {
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
      /** Optional parts to include. */
      expand?: ("clients" | "networkInterfaceProfiles" | "vpnProfiles")[];
    };
    signal?: AbortSignal;
  }) => Promise<undefined>;
  /** `POST /v7/endpoint/agents/{agentId}/enable` */
  readonly enable: (request: {
    path: { agentId: string };
    query?: {
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<AgentRecord>;
  /** `POST /v7/endpoint/agents/{agentId}/disable` */
  readonly disable: (request: {
    path: { agentId: string };
    query?: {
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<AgentRecord>;
  /** `GET /v7/endpoint/agents/connection-string` */
  readonly connectionString: (request?: {
    query?: {
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
    };
    signal?: AbortSignal;
  }) => Promise<ConnectionString>;
  /**
   * `POST /v7/endpoint/agents/{agentId}/transfer`
   *
   * Asynchronous: the agent's `aid` changes later. Not repeatable: once the first request has moved the agent, a second one is
   * refused, because the agent has left `aid`. If the outcome is unknown, a read of the agent decides (Agents and transfer).
   */
  readonly transfer: (request: {
    path: { agentId: string };
    query?: {
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
    };
    body: AgentTransferRequest;
    signal?: AbortSignal;
  }) => Promise<undefined>;
  /**
   * `POST /v7/endpoint/agents/transfer/bulk`
   *
   * Asynchronous and not atomic. Not repeatable, like `transfer`.
   */
  readonly transferBulk: (request: {
    query?: {
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
    };
    body: AgentTransferBulkRequest;
    signal?: AbortSignal;
  }) => Promise<AgentTransferBulkResponse>;
  /** `GET /v7/endpoint/agents/{agentId}/logs` */
  readonly logs: (request: {
    path: { agentId: string };
    query?: {
      /** Account group of the request. Default: the login account group of the token's owner. */
      aid?: string;
      /** Beginning of the page: opaque text from `_links.next.href` of the previous page. */
      cursor?: string;
      /**
       * Length of the time range until now: a number with a unit (`s`, `m`, `h`, `d`, `w`), such as `12h`. Not together with
       * dates.
       */
      window?: string;
      /** Beginning of the time range, such as `2022-07-17T22:00:54Z`. */
      startDate?: string;
      /** End of the time range, such as `2022-07-18T22:00:54Z`. Default: now. */
      endDate?: string;
      /** Entries on a page, 1 to 5000. Default: 1000. */
      max?: number;
    };
    signal?: AbortSignal;
  }) => Promise<AgentLogs>;
}
