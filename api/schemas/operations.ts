import type { Operation } from "./operation";

/**
 * All API operations that this package uses, by area. The client and the emulator use the table `operations`. The schemas of an area are
 * loaded when a process first uses the area, because most processes use only a few areas.
 */
export const operations = {
  get token() {
    return (require("./token") as typeof import("./token")).tokenOperations;
  },
  get account() {
    return (require("./account") as typeof import("./account")).accountOperations;
  },
  get accountGroups() {
    return (require("./account-groups") as typeof import("./account-groups")).accountGroupOperations;
  },
  get agents() {
    return (require("./agents") as typeof import("./agents")).agentOperations;
  },
  get labels() {
    return (require("./labels") as typeof import("./labels")).labelOperations;
  },
  get tags() {
    return (require("./tags") as typeof import("./tags")).tagOperations;
  },
  get scheduledTests() {
    return (require("./scheduled-tests") as typeof import("./scheduled-tests")).scheduledTestOperations;
  },
  get agentToServerTests() {
    return (require("./agent-to-server-tests") as typeof import("./agent-to-server-tests")).agentToServerTestOperations;
  },
  get httpServerTests() {
    return (require("./http-server-tests") as typeof import("./http-server-tests")).httpServerTestOperations;
  },
  get dynamicTests() {
    return (require("./dynamic-tests") as typeof import("./dynamic-tests")).dynamicTestOperations;
  },
  get realUserTests() {
    return (require("./real-user-tests") as typeof import("./real-user-tests")).realUserTestOperations;
  },
  get instantTests() {
    return (require("./instant-tests") as typeof import("./instant-tests")).instantTestOperations;
  },
  get networkResults() {
    return (require("./network-results") as typeof import("./network-results")).networkResultOperations;
  },
  get pathVisualization() {
    return (require("./path-visualization") as typeof import("./path-visualization")).pathVisualizationOperations;
  },
  get httpServerResults() {
    return (require("./http-server-results") as typeof import("./http-server-results")).httpServerResultOperations;
  },
  get localNetworks() {
    return (require("./local-networks") as typeof import("./local-networks")).localNetworkOperations;
  },
  get realUserResults() {
    return (require("./real-user-results") as typeof import("./real-user-results")).realUserResultOperations;
  },
  get proxies() {
    return (require("./proxies") as typeof import("./proxies")).proxyOperations;
  },
  get apiTokens() {
    return (require("./api-tokens") as typeof import("./api-tokens")).apiTokenOperations;
  },
  get alertRules() {
    return (require("./alert-rules") as typeof import("./alert-rules")).alertRuleOperations;
  },
  get streams() {
    return (require("./streams") as typeof import("./streams")).streamOperations;
  },
} satisfies Record<string, Record<string, Operation>>;

/** Returns the operations of all areas. */
export function allOperations(): readonly Operation[] {
  return Object.values(operations).flatMap((area) => Object.values(area));
}
