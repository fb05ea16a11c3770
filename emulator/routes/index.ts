import type { Handler } from "../handler";
import { accountRoutes } from "./account";
import { accountGroupRoutes } from "./account-groups";
import { agentRoutes } from "./agents";
import { agentChangeRoutes } from "./agents-changes";
import { agentLogRoutes } from "./agents-logs";
import { agentTransferRoutes } from "./agents-transfer";
import { alertRuleRoutes } from "./alert-rules";
import { agentToServerTestRoutes } from "./agent-to-server-tests";
import { apiTokenRoutes } from "./api-tokens";
import { dynamicResultRoutes } from "./dynamic-results";
import { dynamicTestRoutes } from "./dynamic-tests";
import { httpServerResultRoutes } from "./http-server-results";
import { httpServerTestRoutes } from "./http-server-tests";
import { instantTestRoutes } from "./instant-tests";
import { labelRoutes } from "./labels";
import { localNetworkRoutes } from "./local-networks";
import { networkResultRoutes } from "./network-results";
import { pathVisualizationRoutes } from "./path-visualization";
import { proxyRoutes } from "./proxies";
import { realUserTestRoutes } from "./real-user-tests";
import { scheduledTestRoutes } from "./scheduled-tests";
import { streamRoutes } from "./streams";
import { tagAssignmentRoutes } from "./tag-assignments";
import { tagRoutes } from "./tags";
import { tokenRoutes } from "./token";

export const allHandlers: readonly Handler[] = [
  ...tokenRoutes,
  ...accountRoutes,
  ...accountGroupRoutes,
  ...agentRoutes,
  ...agentChangeRoutes,
  ...agentTransferRoutes,
  ...agentLogRoutes,
  ...labelRoutes,
  ...tagRoutes,
  ...tagAssignmentRoutes,
  ...agentToServerTestRoutes,
  ...httpServerTestRoutes,
  ...dynamicTestRoutes,
  ...scheduledTestRoutes,
  ...instantTestRoutes,
  ...realUserTestRoutes,
  ...networkResultRoutes,
  ...pathVisualizationRoutes,
  ...httpServerResultRoutes,
  ...dynamicResultRoutes,
  ...localNetworkRoutes,
  ...proxyRoutes,
  ...apiTokenRoutes,
  ...alertRuleRoutes,
  ...streamRoutes,
];
