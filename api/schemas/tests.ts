import { z } from "zod";
import { accountGroupQuery, identifier, link, selfLinks } from "./common";
import { agentSelectorType, ipVersion, tcpProbeMode, testInterval, testProtocol } from "./enums";
import { operation } from "./operation";

/** Largest number of agents one test reaches (docs/service/tests.md, Product limits). */
export const maxAgentsOfTest = 150_000;

export const port = z.number().int().min(1).max(65_535);

/** Agent selection of a request: flat. It comes back as `agentSelectorConfig` (Requests and responses differ in shape). */
export const agentSelection = {
  /** How agents are chosen. Default: `all-agents`. */
  agentSelectorType: agentSelectorType.optional(),
  /** Identifiers of agents, with `specific-agents`. */
  agents: z.array(z.string().min(1)).optional(),
  /** Identifiers of labels, with `agent-labels`. */
  endpointAgentLabels: z.array(z.string().min(1)).optional(),
  /** Identifiers of tags, with `agent-tags`. */
  tagIds: z.array(z.string().min(1)).optional(),
  /** Largest number of agents that run the test, 1 to 150000. Default: 25. */
  maxMachines: z.number().int().min(1).max(maxAgentsOfTest).optional(),
};

/** Members of the request that creates a test, whatever its kind. */
export const testRequest = {
  ...agentSelection,
  /** Name of the test. */
  testName: z.string().min(1),
  /** Which IP versions the probes use. The service chooses when left out. */
  ipVersion: ipVersion.optional(),
  /** Whether an agent keeps this test when it has more tests than its license runs. Default: false. */
  isPrioritized: z.boolean().optional(),
  /** Seconds between rounds. Default: 60. */
  interval: testInterval.optional(),
  /** Protocol of the probes. Default: `icmp`. */
  protocol: testProtocol.optional(),
};

/** Members that PATCH accepts for every kind of test. A left-out member stays (inferred), so callers send all they own. */
export const testUpdate = {
  /** Name of the test. */
  testName: z.string().min(1).optional(),
  /** Seconds between rounds. */
  interval: testInterval.optional(),
  /** Protocol of the probes. */
  protocol: testProtocol.optional(),
  /** How TCP probes are sent; it has an effect with a TCP protocol only. */
  tcpProbeMode: tcpProbeMode.optional(),
  /** Whether the test runs. A new test does. */
  isEnabled: z.boolean().optional(),
};

/** The agents of a test. */
// A union on `agentSelectorType` in the interface document; kinds not known today still parse.
export const agentSelectorConfig = z.looseObject({
  /** How agents are chosen: `all-agents`, `specific-agents`, `agent-labels` or `agent-tags`. */
  agentSelectorType: z.string(),
  /** Largest number of agents that run the test. */
  maxMachines: z.number().optional(),
  /** Identifiers of agents, with `specific-agents`. */
  agents: z.array(identifier).optional(),
  /** Identifiers of labels, with `agent-labels`. */
  endpointAgentLabels: z.array(identifier).optional(),
  /** Identifiers of tags, with `agent-tags`. */
  tagIds: z.array(identifier).optional(),
});
export type AgentSelectorConfig = z.output<typeof agentSelectorConfig>;

/** Members of a test in answers, whatever its kind. The service promises almost none of them. */
export const testRecord = {
  /** Identifier of the test, a string of digits. */
  testId: identifier,
  /** Name of the test. */
  testName: z.string().optional(),
  /** Account group that the test belongs to. */
  aid: identifier.optional().meta({ owned: true }),
  /** Agents of the test. */
  agentSelectorConfig: agentSelectorConfig.optional().meta({ owned: true }),
  /** When the test was created (RFC 3339, UTC). */
  createdDate: z.string().optional(),
  /** When the test was last changed (RFC 3339, UTC). */
  modifiedDate: z.string().optional(),
  /** Seconds between rounds: 60, 120, 300, 600, 900, 1800 or 3600. */
  interval: z.number().optional(),
  /** Protocol of the probes, such as `icmp` or `prefer-tcp`. */
  protocol: z.string().optional(),
  /** Which IP versions the probes use: `V4_ONLY`, `V6_ONLY`, `V6_PREFER` or `OS_DEFAULT`. */
  ipVersion: z.string().optional(),
  /** How TCP probes are sent: `auto`, `sack`, `syn`, `syn-pcap` or `syn-socket`; it has an effect with a TCP protocol only. */
  tcpProbeMode: z.string().optional(),
  /** Whether the test runs. */
  isEnabled: z.boolean().optional(),
  /** Whether an agent keeps this test when it has more tests than its license runs. */
  isPrioritized: z.boolean().optional(),
  /** Whether network measurements run. */
  networkMeasurements: z.boolean().optional(),
  /** Whether paths are traced inside an established TCP session. */
  hasPathTraceInSession: z.boolean().optional(),
  /** Labels or groups that the test is filed under. They select no agents. */
  labels: z
    .array(
      z.looseObject({
        /** Identifier of the label or group. */
        labelId: identifier.optional(),
        /** Name of the label or group. */
        name: z.string().optional(),
        /** Whether the service itself provides it. */
        isBuiltin: z.boolean().optional(),
      }),
    )
    .optional(),
  /** Links of the record. */
  _links: z
    .looseObject({
      /** Link to the test itself. */
      self: link.optional(),
      /** Links to the results of the test. */
      testResults: z.array(link).optional(),
    })
    .optional(),
};

/** The five operations that every kind of test has, alike but for path and bodies. Lists are not paged. */
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
        /** Tests of the account group, all on one page. */
        tests: z.array(schemas.record),
        /** Links of the list. */
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
