/** Valid arguments of each resource type, for rows that damage them. */
import type { KindName, RecordKindName } from "../../../provider/registry";
import type { Properties } from "../../../provider/values";
import { kindCases, recordKinds } from "../../support/kinds";

const selection = { agentSelectorType: "specific-agents", agents: ["66eec0f1-72b4-4755-aa83-3aed61d17f3c"] };
const run = {
  triggers: ["build 7", 7, true],
  waitForResults: { timeout: 0, minAgents: 1, settle: 0 },
  accountGroupId: "1001",
};
const expected = { expect: { maxLoss: 1, maxLatency: 100, minAvailability: 50 } };

/** A selection of each type, in addition to the full cases. */
const selections: Partial<Record<RecordKindName, Properties>> = {
  agentToServerTest: selection,
  httpServerTest: { agentSelectorType: "agent-tags", tagIds: ["c6b78e57-81a2-4c5f-a11a-d96c3c664d55"] },
  dynamicTest: { agentSelectorType: "agent-labels", endpointAgentLabels: ["281474976710656"] },
};
const ofRecords = Object.fromEntries(
  recordKinds.map((kind) => [kind, { ...kindCases[kind].full, ...selections[kind] }]),
) as Record<RecordKindName, Properties>;

export const declared: Record<KindName, Properties> = {
  ...ofRecords,
  endpointAgent: {
    agentId: "66eec0f1-72b4-4755-aa83-3aed61d17f3c",
    agentName: "Kiosk",
    licenseType: "advantage",
    enabled: true,
    onDestroy: "forget",
  },
  agentTransfer: {
    transfers: [
      { agentId: "66eec0f1-72b4-4755-aa83-3aed61d17f3c", fromAid: "1001", toAid: "1002" },
      { agentId: "0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1", fromAid: "1001", toAid: "1002" },
    ],
    transferTimeout: 0,
  },
  agentToServerInstantTest: { testName: "At once", server: "vpn.example.com", port: 443, ...selection, ...run, ...expected },
  httpServerInstantTest: { testName: "At once", url: "https://www.example.com", ...run, ...expected },
  testRun: { testId: "281474976710656", ...run, ...expected },
};
