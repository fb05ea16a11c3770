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
  /** Operations of `client.token`. */
  readonly token: TokenCalls;
  /** Operations of `client.account`. */
  readonly account: AccountCalls;
  /** Operations of `client.accountGroups`. */
  readonly accountGroups: AccountGroupsCalls;
  /** Operations of `client.agents`. */
  readonly agents: AgentsCalls;
  /** Operations of `client.labels`. */
  readonly labels: LabelsCalls;
  /** Operations of `client.tags`. */
  readonly tags: TagsCalls;
  /** Operations of `client.scheduledTests`. */
  readonly scheduledTests: ScheduledTestsCalls;
  /** Operations of `client.agentToServerTests`. */
  readonly agentToServerTests: AgentToServerTestsCalls;
  /** Operations of `client.httpServerTests`. */
  readonly httpServerTests: HttpServerTestsCalls;
  /** Operations of `client.dynamicTests`. */
  readonly dynamicTests: DynamicTestsCalls;
  /** Operations of `client.realUserTests`. */
  readonly realUserTests: RealUserTestsCalls;
  /** Operations of `client.instantTests`. */
  readonly instantTests: InstantTestsCalls;
  /** Operations of `client.networkResults`. */
  readonly networkResults: NetworkResultsCalls;
  /** Operations of `client.pathVisualization`. */
  readonly pathVisualization: PathVisualizationCalls;
  /** Operations of `client.httpServerResults`. */
  readonly httpServerResults: HttpServerResultsCalls;
  /** Operations of `client.localNetworks`. */
  readonly localNetworks: LocalNetworksCalls;
  /** Operations of `client.realUserResults`. */
  readonly realUserResults: RealUserResultsCalls;
  /** Operations of `client.proxies`. */
  readonly proxies: ProxiesCalls;
  /** Operations of `client.apiTokens`. */
  readonly apiTokens: ApiTokensCalls;
  /** Operations of `client.alertRules`. */
  readonly alertRules: AlertRulesCalls;
  /** Operations of `client.streams`. */
  readonly streams: StreamsCalls;
  /** Closes all connections after the pending requests have been answered. */
  close(): Promise<void>;
}
