import { z } from "zod";
import { accountGroupQuery, identifier, link, selfLinks } from "./common";
import { agentSelectorType, ipVersion, tcpProbeMode, testInterval, testProtocol } from "./enums";
import { operation } from "./operation";

/** Maximum number of agents that run one test (docs/service/tests.md, Product limits). */
export const maxAgentsOfTest = 150_000;

export const port = z.number().int().min(1).max(65_535);

/** Agent selection in a request. In responses, `agentSelectorConfig` contains the selection. */
export const agentSelection = {
  /** Type of the agent selection. Default: `all-agents`. */
  agentSelectorType: agentSelectorType.optional(),
  /** Identifiers of the selected agents, for `specific-agents` only. */
  agents: z.array(z.string().min(1)).optional(),
  /** Identifiers of the selected labels, for `agent-labels` only. */
  endpointAgentLabels: z.array(z.string().min(1)).optional(),
  /** Identifiers of the selected tags, for `agent-tags` only. */
  tagIds: z.array(z.string().min(1)).optional(),
  /** Maximum number of agents that run the test, 1 to 150000. Default: 25. */
  maxMachines: z.number().int().min(1).max(maxAgentsOfTest).optional(),
};

/** Members of every request body that creates a test. */
export const testRequest = {
  ...agentSelection,
  /** Name of the test. */
  testName: z.string().min(1),
  /** IP version policy of the probes. If omitted, the service chooses the policy. */
  ipVersion: ipVersion.optional(),
  /** Whether an agent prefers the test if the agent has more tests than its license allows. Default: false. */
  isPrioritized: z.boolean().optional(),
  /** Seconds between consecutive rounds of the test. Default: 60. */
  interval: testInterval.optional(),
  /** Protocol of the probes. Default: `icmp`. */
  protocol: testProtocol.optional(),
};

/**
 * Members of every request body that updates a test. Members that an update omits probably keep their values. The service does not document
 * the effect of omitted members, so send all members that you manage.
 */
export const testUpdate = {
  /** Name of the test. */
  testName: z.string().min(1).optional(),
  /** Seconds between consecutive rounds of the test. */
  interval: testInterval.optional(),
  /** Protocol of the probes. */
  protocol: testProtocol.optional(),
  /** TCP probe mode, for TCP protocols only. */
  tcpProbeMode: tcpProbeMode.optional(),
  /** Whether the test is enabled. New tests are always enabled. */
  isEnabled: z.boolean().optional(),
};

/**
 * The agent selection of a test. The schema also accepts undocumented values of `agentSelectorType`, because the service may
 * add values.
 */
export const agentSelectorConfig = z.looseObject({
  /** Type of the agent selection: `all-agents`, `specific-agents`, `agent-labels` or `agent-tags`. */
  agentSelectorType: z.string(),
  /** Maximum number of agents that run the test. */
  maxMachines: z.number().optional(),
  /** Identifiers of the selected agents, for `specific-agents` only. */
  agents: z.array(identifier).optional(),
  /** Identifiers of the selected labels, for `agent-labels` only. */
  endpointAgentLabels: z.array(identifier).optional(),
  /** Identifiers of the selected tags, for `agent-tags` only. */
  tagIds: z.array(identifier).optional(),
});
export type AgentSelectorConfig = z.output<typeof agentSelectorConfig>;

/** Members of every test in responses. Most members are optional, because the service guarantees only a few members. */
export const testRecord = {
  /** Identifier of the test, a string of digits. */
  testId: identifier,
  /** Name of the test. */
  testName: z.string().optional(),
  /** Account group that contains the test. */
  aid: identifier.optional().meta({ owned: true }),
  /** Agent selection of the test. */
  agentSelectorConfig: agentSelectorConfig.optional().meta({ owned: true }),
  /** Time of creation (RFC 3339, UTC). */
  createdDate: z.string().optional(),
  /** Time of the last change (RFC 3339, UTC). */
  modifiedDate: z.string().optional(),
  /** Seconds between consecutive rounds of the test: 60, 120, 300, 600, 900, 1800 or 3600. */
  interval: z.number().optional(),
  /** Protocol of the probes, such as `icmp` or `prefer-tcp`. */
  protocol: z.string().optional(),
  /** IP version policy of the probes: `V4_ONLY`, `V6_ONLY`, `V6_PREFER` or `OS_DEFAULT`. */
  ipVersion: z.string().optional(),
  /** TCP probe mode, for TCP protocols only: `auto`, `sack`, `syn`, `syn-pcap` or `syn-socket`. */
  tcpProbeMode: z.string().optional(),
  /** Whether the test is enabled. */
  isEnabled: z.boolean().optional(),
  /** Whether an agent prefers the test if the agent has more tests than its license allows. */
  isPrioritized: z.boolean().optional(),
  /** Whether agents also measure the network to the target. */
  networkMeasurements: z.boolean().optional(),
  /** Whether agents trace paths inside an established TCP session. */
  hasPathTraceInSession: z.boolean().optional(),
  /** Labels or groups that contain the test in the service's UI. The labels in `labels` do not select agents. */
  labels: z
    .array(
      z.looseObject({
        /** Identifier of the label or group. */
        labelId: identifier.optional(),
        /** Name of the label or group. */
        name: z.string().optional(),
        /** Whether the service itself provides the label or group. */
        isBuiltin: z.boolean().optional(),
      }),
    )
    .optional(),
  /** Links, such as the link to the record itself. */
  _links: z
    .looseObject({
      /** Link to the test itself. */
      self: link.optional(),
      /** Links to the results of the test. */
      testResults: z.array(link).optional(),
    })
    .optional(),
};

/**
 * Returns the five operations of a test type. The operations of different test types differ only in path and bodies. The
 * service returns each list of tests on one page.
 */
export function testOperations<
  const P extends string,
  C extends z.ZodType,
  U extends z.ZodType,
  R extends z.ZodType<{ testId: string }>,
>(area: string, path: P, schemas: { create: C; update: U; record: R }) {
  const testPath = `${path}/{testId}` as const;
  const query = accountGroupQuery;
  return {
    list: operation({
      id: `${area}.list`,
      method: "GET",
      path,
      query,
      status: 200,
      response: z.looseObject({
        /** Tests of the account group. The service returns all tests on one page. */
        tests: z.array(schemas.record),
        /** Links, such as the link to the list itself. */
        _links: selfLinks.optional(),
      }),
    }),
    create: operation({
      id: `${area}.create`,
      method: "POST",
      path,
      query,
      body: schemas.create,
      permission: "account administrator role (regular users may not create tests)",
      status: 201,
      response: schemas.record,
    }),
    get: operation({ id: `${area}.get`, method: "GET", path: testPath, query, status: 200, response: schemas.record }),
    update: operation({
      id: `${area}.update`,
      method: "PATCH",
      path: testPath,
      query,
      body: schemas.update,
      status: 200,
      response: schemas.record,
    }),
    delete: operation({ id: `${area}.delete`, method: "DELETE", path: testPath, query, status: 204 }),
  };
}
