// `npm run generate` writes this file from the schemas in api/schemas.
import type { AccountCalls } from "./account-calls";
import type { AccountGroupsCalls } from "./account-groups-calls";
import type { AgentToServerTestsCalls } from "./agent-to-server-tests-calls";
import type { AgentsCalls } from "./agents-calls";
import type { AlertRulesCalls } from "./alert-rules-calls";
import type { ApiTokensCalls } from "./api-tokens-calls";
import type { DynamicTestsCalls } from "./dynamic-tests-calls";
import type { HttpServerResultsCalls } from "./http-server-results-calls";
import type { HttpServerTestsCalls } from "./http-server-tests-calls";
import type { InstantTestsCalls } from "./instant-tests-calls";
import type { LabelsCalls } from "./labels-calls";
import type { LocalNetworksCalls } from "./local-networks-calls";
import type { NetworkResultsCalls } from "./network-results-calls";
import type { PathVisualizationCalls } from "./path-visualization-calls";
import type { ProxiesCalls } from "./proxies-calls";
import type { RealUserResultsCalls } from "./real-user-results-calls";
import type { RealUserTestsCalls } from "./real-user-tests-calls";
import type { ScheduledTestsCalls } from "./scheduled-tests-calls";
import type { StreamsCalls } from "./streams-calls";
import type { TagsCalls } from "./tags-calls";
import type { TokenCalls } from "./token-calls";

/** A typed client with one member for each area of the API, and one function for each operation: `client.labels.get({ path: { id } })`. */
export interface Client {
  /** Operations of token. */
  readonly token: TokenCalls;
  /** Operations of account. */
  readonly account: AccountCalls;
  /** Operations of account groups. */
  readonly accountGroups: AccountGroupsCalls;
  /** Operations of agents. */
  readonly agents: AgentsCalls;
  /** Operations of labels. */
  readonly labels: LabelsCalls;
  /** Operations of tags. */
  readonly tags: TagsCalls;
  /** Operations of scheduled tests. */
  readonly scheduledTests: ScheduledTestsCalls;
  /** Operations of agent to server tests. */
  readonly agentToServerTests: AgentToServerTestsCalls;
  /** Operations of http server tests. */
  readonly httpServerTests: HttpServerTestsCalls;
  /** Operations of dynamic tests. */
  readonly dynamicTests: DynamicTestsCalls;
  /** Operations of real user tests. */
  readonly realUserTests: RealUserTestsCalls;
  /** Operations of instant tests. */
  readonly instantTests: InstantTestsCalls;
  /** Operations of network results. */
  readonly networkResults: NetworkResultsCalls;
  /** Operations of path visualization. */
  readonly pathVisualization: PathVisualizationCalls;
  /** Operations of http server results. */
  readonly httpServerResults: HttpServerResultsCalls;
  /** Operations of local networks. */
  readonly localNetworks: LocalNetworksCalls;
  /** Operations of real user results. */
  readonly realUserResults: RealUserResultsCalls;
  /** Operations of proxies. */
  readonly proxies: ProxiesCalls;
  /** Operations of api tokens. */
  readonly apiTokens: ApiTokensCalls;
  /** Operations of alert rules. */
  readonly alertRules: AlertRulesCalls;
  /** Operations of streams. */
  readonly streams: StreamsCalls;
  /** Closes all connections after the pending requests have been answered. */
  close(): Promise<void>;
}
