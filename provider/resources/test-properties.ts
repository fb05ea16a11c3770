import { z } from "zod";
import {
  agentIdShape,
  agentSelectorType,
  ipVersion,
  labelIdShape,
  maxAgentsOfTest,
  reportedTcpProbeMode,
  tagIdShape,
  tcpProbeMode,
  testInterval,
  testProtocol,
  type AgentToServerTestRecord,
} from "../../api";
import type { CheckFailure } from "../kind";
import { property } from "../property";
import { isUnknown, type Properties } from "../values";
import { commonProperties } from "../property";
import { sameIds } from "../values";

export type AnyTestRecord = Pick<
  AgentToServerTestRecord,
  | "testId"
  | "testName"
  | "aid"
  | "agentSelectorConfig"
  | "createdDate"
  | "modifiedDate"
  | "interval"
  | "protocol"
  | "ipVersion"
  | "tcpProbeMode"
  | "isEnabled"
  | "isPrioritized"
  | "_links"
>;

const selectorOf = { agents: "specific-agents", endpointAgentLabels: "agent-labels", tagIds: "agent-tags" } as const;
type SelectionList = keyof typeof selectorOf;

/**
 * Declares a property with a list of agents, labels or tags. Requests contain the list as a top-level member, but responses
 * contain the list in `agentSelectorConfig` (docs/service/tests.md, Requests and responses).
 */
function selectionList(list: SelectionList, id: z.ZodString, refersTo?: string) {
  return property(z.array(id).min(1).optional(), {
    setOn: "create",
    same: sameIds,
    refersTo,
    read: ({ agentSelectorConfig: selection }: AnyTestRecord) => {
      if (selection?.agentSelectorType === selectorOf[list]) return selection[list];
      const isKnown = selection !== undefined && agentSelectorType.safeParse(selection.agentSelectorType).success;
      // If this package does not know the agent selector, the value is undefined, because an unknown selector may use the list.
      return isKnown ? null : undefined;
    },
  });
}

/** Returns the properties that differ because the service converted the test's labels to tags. */
export function migratedSelection(state: Properties, inputs: Properties): readonly string[] {
  const isMigrated = state["agentSelectorType"] === "agent-tags" && inputs["agentSelectorType"] === "agent-labels";
  return isMigrated ? ["agentSelectorType", "endpointAgentLabels", "tagIds"] : [];
}

/**
 * Properties of every test. Only a create request can set properties with `setOn: "create"` (docs/service/tests.md, Writable
 * properties).
 */
export const testProperties = {
  testName: property(z.string().min(1)),
  agentSelectorType: property(agentSelectorType.default("all-agents"), {
    setOn: "create",
    read: (record: AnyTestRecord) => record.agentSelectorConfig?.agentSelectorType,
  }),
  agents: selectionList("agents", agentIdShape, "endpointAgent"),
  endpointAgentLabels: selectionList("endpointAgentLabels", labelIdShape, "label"),
  tagIds: selectionList("tagIds", tagIdShape, "endpointAgentTag"),
  maxMachines: property(z.number().int().min(1).max(maxAgentsOfTest).default(25), {
    setOn: "create",
    // Limits of API version 7.0.0 and of dynamic tests (docs/service/tests.md, Product limits).
    bounds: [5_000, 100_000],
    read: (record: AnyTestRecord) => record.agentSelectorConfig?.maxMachines,
  }),
  interval: property(testInterval.default(60)),
  protocol: property(testProtocol.default("icmp")),
  tcpProbeMode: property(reportedTcpProbeMode.default("auto"), {
    reportedOnly: reportedTcpProbeMode.exclude(tcpProbeMode.options).options,
  }),
  ipVersion: property(ipVersion.optional(), { setOn: "create", leftToService: true, serviceChoice: "V4_ONLY" }),
  isPrioritized: property(z.boolean().default(false), { setOn: "create" }),
  // Only an update can disable a test, because the service creates every test as enabled.
  isEnabled: property(z.boolean().default(true), { setOn: "update" }),
  ...commonProperties,
  accountGroupId: { ...commonProperties.accountGroupId, read: (record: AnyTestRecord) => record.aid },
};

export const testOutputs = {
  testId: z.string(),
  createdDate: z.string().optional(),
  links: z.object({ self: z.string().optional(), testResults: z.array(z.string()) }),
};

export function selectionRules(
  { agentSelectorType: selector }: { agentSelectorType?: string },
  isGiven: (property: SelectionList) => boolean,
): CheckFailure[] {
  if (selector === undefined || isUnknown(selector)) return [];
  return Object.entries(selectorOf).flatMap(([list, needed]): CheckFailure[] => {
    const isPresent = isGiven(list as SelectionList);
    if (isPresent && selector !== needed) {
      return [{ path: list, reason: `requires agentSelectorType ${needed}, not ${selector}` }];
    }
    if (!isPresent && selector === needed) return [{ path: list, reason: `is required with agentSelectorType ${needed}` }];
    return [];
  });
}

export function testOutputsOf({
  testId,
  createdDate,
  _links: links,
}: AnyTestRecord): z.output<z.ZodObject<typeof testOutputs>> {
  return {
    testId,
    createdDate,
    links: { self: links?.self?.href, testResults: (links?.testResults ?? []).map(({ href }) => href) },
  };
}
