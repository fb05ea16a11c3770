import { accountOperations } from "./account";
import { accountGroupOperations } from "./account-groups";
import { agentOperations } from "./agents";
import { agentToServerTestOperations } from "./agent-to-server-tests";
import { alertRuleOperations } from "./alert-rules";
import { apiTokenOperations } from "./api-tokens";
import { dynamicTestOperations } from "./dynamic-tests";
import { httpServerResultOperations } from "./http-server-results";
import { httpServerTestOperations } from "./http-server-tests";
import { instantTestOperations } from "./instant-tests";
import { labelOperations } from "./labels";
import { localNetworkOperations } from "./local-networks";
import { networkResultOperations } from "./network-results";
import type { Operation } from "./operation";
import { pathVisualizationOperations } from "./path-visualization";
import { proxyOperations } from "./proxies";
import { realUserResultOperations } from "./real-user-results";
import { realUserTestOperations } from "./real-user-tests";
import { scheduledTestOperations } from "./scheduled-tests";
import { streamOperations } from "./streams";
import { tagOperations } from "./tags";
import { tokenOperations } from "./token";

/** Every operation this package knows, by area. The client is made from it, and the emulator answers it. */
export const operations = {
  token: tokenOperations,
  account: accountOperations,
  accountGroups: accountGroupOperations,
  agents: agentOperations,
  labels: labelOperations,
  tags: tagOperations,
  scheduledTests: scheduledTestOperations,
  agentToServerTests: agentToServerTestOperations,
  httpServerTests: httpServerTestOperations,
  dynamicTests: dynamicTestOperations,
  realUserTests: realUserTestOperations,
  instantTests: instantTestOperations,
  networkResults: networkResultOperations,
  pathVisualization: pathVisualizationOperations,
  httpServerResults: httpServerResultOperations,
  localNetworks: localNetworkOperations,
  realUserResults: realUserResultOperations,
  proxies: proxyOperations,
  apiTokens: apiTokenOperations,
  alertRules: alertRuleOperations,
  streams: streamOperations,
} satisfies Record<string, Record<string, Operation>>;

/** The same as a flat list. */
export const allOperations: readonly Operation[] = Object.values(operations).flatMap((area) => Object.values(area));
