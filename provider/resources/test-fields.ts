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
import { isUnknown, sameSet } from "../values";
import { commonInputs } from "./common";

/** Inputs of every kind of test. */
export const testInputs = {
  /** Name of the test. */
  testName: z.string().min(1),
  /**
   * How agents are chosen: `all-agents`, `specific-agents` (give `agents`), `agent-labels` (give `endpointAgentLabels`; marked
   * deprecated by the service in favour of tags) or `agent-tags` (give `tagIds`). Default: `all-agents`. Changing it replaces
   * the test.
   */
  agentSelectorType: agentSelectorType.default("all-agents"),
  /** Agent identifiers (UUID), with `specific-agents`. Their order does not matter. Changing it replaces the test. */
  agents: z.array(z.string().min(1)).min(1).optional(),
  /** Label identifiers, with `agent-labels`. Their order does not matter. Changing it replaces the test. */
  endpointAgentLabels: z.array(z.string().min(1)).min(1).optional(),
  /** Tag identifiers (UUID), with `agent-tags`. Their order does not matter. Changing it replaces the test. */
  tagIds: z.array(z.string().min(1)).min(1).optional(),
  /** Upper bound of agents that run the test, 1 to 150000. Default: 25. Changing it replaces the test. */
  maxMachines: z.number().int().min(1).max(maxAgentsOfTest).default(25),
  /** Seconds between rounds: 60, 120, 300, 600, 900, 1800 or 3600. Default: 60. */
  interval: testInterval.default(60),
  /** Probe protocol. Default: `icmp`. */
  protocol: testProtocol.default("icmp"),
  /**
   * TCP probe mode; only meaningful with a TCP protocol: `auto`, `sack` or `syn`. Default: `auto`. The service may report others
   * (`syn-pcap`, `syn-socket`, `unknown`): an imported test that has one may declare it, and keeps it until the program declares one
   * of the three. No test can be created with or changed to one.
   */
  tcpProbeMode: reportedTcpProbeMode.default("auto"),
  /** IP version policy. Left out, the service chooses. Changing it replaces the test. */
  ipVersion: ipVersion.optional(),
  /**
   * Keeps this test when an agent is assigned more tests than its licence runs. Default: false. Changing it replaces the test.
   */
  isPrioritized: z.boolean().default(false),
  /** Whether the test runs. A test is created enabled; a disabled one takes a second request. Default: true. */
  isEnabled: z.boolean().default(true),
  ...commonInputs,
};

/** Outputs of every kind of test, beyond its inputs. */
export interface TestOutputs {
  /** Identifier of the test, a string of digits. */
  testId: string;
  /** Creation time, UTC. */
  createdDate?: string;
  /** Links of the record. */
  links: {
    /** The test itself. */
    self?: string;
    /** The operations that return the test's results. */
    testResults: string[];
  };
}

/** Properties of every kind of test that only a create takes (shared/api/README.md, What can be written). */
export const testCreateOnly = [
  "agentSelectorType",
  "agents",
  "endpointAgentLabels",
  "tagIds",
  "maxMachines",
  "ipVersion",
  "isPrioritized",
  "accountGroupId",
] as const;

/** Values of every kind of test that answers hold and requests do not take. */
export const testReportedOnly = {
  tcpProbeMode: reportedTcpProbeMode.exclude(tcpProbeMode.options).options,
};

/** Which property goes with which agent selector. */
const companions = { agents: "specific-agents", endpointAgentLabels: "agent-labels", tagIds: "agent-tags" } as const;
type Companion = keyof typeof companions;

/** Whose identifiers the lists of a selection hold. */
export const testRefersTo = { agents: "endpointAgent", endpointAgentLabels: "label" } as const;

export const testSame = { agents: sameSet, endpointAgentLabels: sameSet, tagIds: sameSet };

/** The agent selector and the list that goes with it must fit. */
export function selectionRules(given: { agentSelectorType?: string }, named: (property: Companion) => boolean): Failure[] {
  const selector = given.agentSelectorType;
  if (selector === undefined || isUnknown(selector)) return [];
  return Object.entries(companions).flatMap(([property, needed]): Failure[] => {
    // The keys of a const object.
    const has = named(property as Companion);
    if (has && selector !== needed)
      return [{ path: property, reason: `goes with agentSelectorType ${needed} only, not ${selector}` }];
    if (!has && selector === needed) return [{ path: property, reason: `is required with agentSelectorType ${needed}` }];
    return [];
  });
}

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

/** The members of a test record in the shape of the inputs: the agent selection comes back nested, and goes in flat. */
export function testToInputs(record: TestRecord) {
  const selection = record.agentSelectorConfig;
  // A selection may carry lists that do not go with its kind (shared/api/README.md, Requests and responses differ in shape).
  const list = (property: Companion): string[] | undefined =>
    selection?.agentSelectorType === companions[property] ? selection[property] : undefined;
  return {
    testName: record.testName,
    accountGroupId: record.aid,
    agentSelectorType: selection?.agentSelectorType,
    agents: list("agents"),
    endpointAgentLabels: list("endpointAgentLabels"),
    tagIds: list("tagIds"),
    maxMachines: selection?.maxMachines,
    interval: record.interval,
    protocol: record.protocol,
    tcpProbeMode: record.tcpProbeMode,
    ipVersion: record.ipVersion,
    isPrioritized: record.isPrioritized,
    isEnabled: record.isEnabled,
  };
}

export function testToOutputs(record: TestRecord): TestOutputs {
  return {
    testId: record.testId,
    createdDate: record.createdDate,
    links: {
      self: record._links?.self?.href,
      testResults: (record._links?.testResults ?? []).map((link) => link.href),
    },
  };
}
