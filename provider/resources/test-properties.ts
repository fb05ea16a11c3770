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

/** The members that every kind of test record has. */
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

/** The agent selector that each list requires. */
const selectorOf = { agents: "specific-agents", endpointAgentLabels: "agent-labels", tagIds: "agent-tags" } as const;
type SelectionList = keyof typeof selectorOf;

/**
 * Declares a list of a selection. Requests have the list at the top level. Answers have it inside another member, even if the
 * selector does not use it (docs/service/tests.md, Requests and responses).
 */
function selectionList(list: SelectionList, id: z.ZodString, refersTo?: string) {
  return property(z.array(id).min(1).optional(), {
    setOn: "create",
    same: sameIds,
    refersTo,
    read: ({ agentSelectorConfig: selection }: AnyTestRecord) => {
      if (selection?.agentSelectorType === selectorOf[list]) return selection[list];
      const isKnown = selection !== undefined && agentSelectorType.safeParse(selection.agentSelectorType).success;
      // Known selectors other than the list's own do not use the list. An undocumented selector might use it.
      return isKnown ? null : undefined;
    },
  });
}

/**
 * Returns the properties of a selection by labels that the service turned into a selection by tags, since tags replace labels.
 */
export function migratedSelection(state: Properties, inputs: Properties): readonly string[] {
  const isMigrated = state["agentSelectorType"] === "agent-tags" && inputs["agentSelectorType"] === "agent-labels";
  return isMigrated ? ["agentSelectorType", "endpointAgentLabels", "tagIds"] : [];
}

/** Properties of every kind of test. docs/service/tests.md, Writable properties, lists those that only a create sets. */
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
    // The first limit is that of version 7.0.0, the second is for dynamic tests (docs/service/tests.md, Product limits).
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
  // The service creates tests enabled.
  isEnabled: property(z.boolean().default(true), { setOn: "update" }),
  ...commonProperties,
  accountGroupId: { ...commonProperties.accountGroupId, read: (record: AnyTestRecord) => record.aid },
};

/** Outputs of every kind of test that are not inputs. */
export const testOutputs = {
  testId: z.string(),
  createdDate: z.string().optional(),
  links: z.object({ self: z.string().optional(), testResults: z.array(z.string()) }),
};

/** Checks that the agent selector and its list are declared together. */
export function selectionRules(
  { agentSelectorType: selector }: { agentSelectorType?: string },
  isGiven: (property: SelectionList) => boolean,
): CheckFailure[] {
  if (selector === undefined || isUnknown(selector)) return [];
  return Object.entries(selectorOf).flatMap(([list, needed]): CheckFailure[] => {
    // The names are the keys of a const object.
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
