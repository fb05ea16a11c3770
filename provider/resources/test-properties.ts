import { z } from "zod";
import {
  agentSelectorType,
  ipVersion,
  maxAgentsOfTest,
  reportedTcpProbeMode,
  tcpProbeMode,
  testInterval,
  testProtocol,
  type AgentToServerTestRecord,
} from "../../api";
import type { Failure } from "../kind";
import { property } from "../property";
import { isUnknown, sameSet } from "../values";
import { commonProperties } from "./common";

/** The members that records of every kind of test have. */
export type TestRecord = Pick<
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

/** Which list goes with which agent selector. */
const selectorOf = { agents: "specific-agents", endpointAgentLabels: "agent-labels", tagIds: "agent-tags" } as const;
type SelectionList = keyof typeof selectorOf;

const ids = z.array(z.string().min(1)).min(1).optional();

/** A list of a selection. It goes in flat and comes back nested, even with a selector it does not go with (shared/api/README.md, Requests and responses differ in shape). */
function selectionList(list: SelectionList, refersTo?: string) {
  return property(ids, {
    setOn: "create",
    same: sameSet,
    refersTo,
    read: ({ agentSelectorConfig: selection }: TestRecord) =>
      selection?.agentSelectorType === selectorOf[list] ? selection[list] : undefined,
  });
}

/** Properties of every kind of test. What only a create takes: shared/api/README.md, What can be written. */
export const testProperties = {
  testName: property(z.string().min(1)),
  agentSelectorType: property(agentSelectorType.default("all-agents"), {
    setOn: "create",
    read: (record: TestRecord) => record.agentSelectorConfig?.agentSelectorType,
  }),
  agents: selectionList("agents", "endpointAgent"),
  endpointAgentLabels: selectionList("endpointAgentLabels", "label"),
  tagIds: selectionList("tagIds"),
  maxMachines: property(z.number().int().min(1).max(maxAgentsOfTest).default(25), {
    setOn: "create",
    read: (record: TestRecord) => record.agentSelectorConfig?.maxMachines,
  }),
  interval: property(testInterval.default(60)),
  protocol: property(testProtocol.default("icmp")),
  tcpProbeMode: property(reportedTcpProbeMode.default("auto"), {
    reportedOnly: reportedTcpProbeMode.exclude(tcpProbeMode.options).options,
  }),
  ipVersion: property(ipVersion.optional(), { setOn: "create", leftToService: true }),
  isPrioritized: property(z.boolean().default(false), { setOn: "create" }),
  // A create makes the test enabled.
  isEnabled: property(z.boolean().default(true), { setOn: "update" }),
  ...commonProperties,
  accountGroupId: { ...commonProperties.accountGroupId, read: (record: TestRecord) => record.aid },
};

/** Outputs of every kind of test, beyond its inputs. */
export const testOutputs = {
  testId: z.string(),
  createdDate: z.string().optional(),
  links: z.object({ self: z.string().optional(), testResults: z.array(z.string()) }),
};

/** The agent selector and the list that goes with it must fit. */
export function selectionRules(
  { agentSelectorType: selector }: { agentSelectorType?: string },
  isGiven: (property: SelectionList) => boolean,
): Failure[] {
  if (selector === undefined || isUnknown(selector)) return [];
  return Object.entries(selectorOf).flatMap(([list, needed]): Failure[] => {
    // The keys of a const object.
    const given = isGiven(list as SelectionList);
    if (given && selector !== needed) {
      return [{ path: list, reason: `goes with agentSelectorType ${needed} only, not ${selector}` }];
    }
    if (!given && selector === needed) return [{ path: list, reason: `is required with agentSelectorType ${needed}` }];
    return [];
  });
}

export function testOutputsOf({ testId, createdDate, _links: links }: TestRecord): z.output<z.ZodObject<typeof testOutputs>> {
  return {
    testId,
    createdDate,
    links: { self: links?.self?.href, testResults: (links?.testResults ?? []).map(({ href }) => href) },
  };
}
