/** Converts an account's records to stored records of a twin. */
import {
  type AgentRecord,
  type AgentToServerTestRecord,
  type LabelRecord,
  licenseType,
  platform,
  type TagRecord,
  type testRecord,
} from "../../api/schemas";
import type { NewAgent } from "../fleet/make";
import type { StoredAgent } from "../model/agents";
import type { StoredLabel } from "../model/labels";
import { type StoredTag, tagDefaults } from "../model/tags";
import type { AnyTestKind } from "../model/test-kinds";
import { selectors, type StoredTest } from "../model/tests";

/** Default values of agent members that the service may omit. */
const agentDefaults: StoredAgent = {
  name: "",
  computerName: "",
  status: "enabled",
  deleted: false,
  licenseType: "essentials",
  agentType: "endpoint",
  version: "",
  targetVersion: "",
  createdAt: "1970-01-01T00:00:00Z",
  platform: "unknown",
  osVersion: "",
  kernelVersion: "",
  totalMemory: "",
  tcpDriverAvailable: false,
  publicIP: "",
  location: { locationName: "" },
  clients: [],
  externalMetadata: [],
  networkInterfaceProfiles: [],
  vpnProfiles: [],
};

/** Members of a response that the emulator computes and does not store. */
const derived = new Set([
  "id",
  "aid",
  "lastSeen",
  "numberOfClients",
  "agentExplainabilityFailures",
  "deploymentInfo",
  "_links",
]);

export function restoredAgent(record: AgentRecord, aid: string): NewAgent {
  const members = Object.entries(record).filter(([name, value]) => !derived.has(name) && value !== undefined);
  const body = {
    ...agentDefaults,
    ...Object.fromEntries(members),
    name: record.name ?? record.computerName ?? record.id,
    status: record.status === "disabled" ? "disabled" : "enabled",
    platform: platform.safeParse(record.platform).data ?? "unknown",
    licenseType: licenseType.safeParse(record.licenseType).data ?? agentDefaults.licenseType,
    silentSince: record.lastSeen,
  };
  // The cast is safe: responses have wider types than stored records, but all readers tolerate unexpected values.
  return { id: record.id, aid: record.aid ?? aid, body: body as StoredAgent };
}

export function restoredLabel({ name = "", color = "#d9d9d9", matchType, filters = [] }: LabelRecord): StoredLabel {
  const stored = filters.map(({ key, mode = "in", values }) => ({ key, mode, values }));
  // A filter with an unknown key or mode matches no agent. The twin returns such a filter unchanged.
  return { name, color, matchType: matchType === "or" ? "or" : "and", filters: stored as StoredLabel["filters"] };
}

/** @returns undefined for a tag that the service itself provides */
export function restoredTag(record: TagRecord): StoredTag | undefined {
  if (record.builtIn === true) return undefined;
  const { key = "", value = "", type = tagDefaults.type, color = tagDefaults.color, icon = tagDefaults.icon } = record;
  const { objectType = "endpoint-agent", accessType = "all", description, legacyId, createDate = "", modifiedDate } = record;
  const filters = record.filters?.map((filter) => ({ mode: "in", scope: "default", ...filter }));
  const stored = {
    key,
    value,
    objectType,
    accessType,
    type,
    color,
    icon,
    createDate,
    ...(description !== undefined && { description }),
    ...(legacyId !== undefined && { legacyId }),
    ...(modifiedDate !== undefined && { modifiedDate }),
    ...(type === "dynamic" && { matchType: record.matchType === "or" ? "or" : "and", filters: filters ?? [] }),
    assignments: record.assignments ?? [],
  };
  // The twin returns unknown enumeration values of a tag unchanged.
  return stored as StoredTag;
}

/** Members of a test in responses, for all types of tests. */
export type TestAnswer = Pick<AgentToServerTestRecord, Exclude<keyof typeof testRecord, symbol>>;

export function restoredTest(kind: AnyTestKind, record: TestAnswer): StoredTest {
  const { agentSelectorConfig: selection, createdDate = "", modifiedDate = createdDate } = record;
  const selector = selectorOf(selection?.agentSelectorType);
  const { companion } = selectors[selector];
  const stored = {
    testName: record.testName ?? "",
    ipVersion: record.ipVersion ?? "V4_ONLY",
    isPrioritized: record.isPrioritized ?? false,
    interval: record.interval ?? 60,
    protocol: record.protocol ?? "icmp",
    agentSelectorType: selector,
    maxMachines: selection?.maxMachines ?? 25,
    ...(companion && { [companion]: selection?.[companion] ?? [] }),
    tcpProbeMode: record.tcpProbeMode ?? "auto",
    isEnabled: record.isEnabled ?? true,
    networkMeasurements: record.networkMeasurements ?? true,
    hasPathTraceInSession: record.hasPathTraceInSession ?? true,
    createdDate,
    modifiedDate,
    ...kind.restored(record),
  };
  // The cast is necessary, because responses have wider types than stored records.
  return stored as StoredTest;
}

function selectorOf(text: string | undefined): StoredTest["agentSelectorType"] {
  const known = Object.keys(selectors) as StoredTest["agentSelectorType"][];
  return known.find((selector) => selector === text) ?? "all-agents";
}
