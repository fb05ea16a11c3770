import { z } from "zod";
import { accountGroupQuery, identifier, link, selfLinks } from "./common";
import { agentSelectorType, ipVersion, tcpProbeMode, testInterval, testProtocol } from "./enums";
import { operation } from "./operation";

/** Largest number of agents one test reaches (shared/api/README.md, Product limits). */
export const maxAgentsOfTest = 150_000;

export const port = z.number().int().min(1).max(65_535);

/** Agent selection of a request: flat. It comes back as `agentSelectorConfig` (Requests and responses differ in shape). */
export const agentSelection = {
  agentSelectorType: agentSelectorType.optional(),
  agents: z.array(z.string().min(1)).optional(),
  endpointAgentLabels: z.array(z.string().min(1)).optional(),
  tagIds: z.array(z.string().min(1)).optional(),
  maxMachines: z.number().int().min(1).max(maxAgentsOfTest).optional(),
};

/** What every kind of test may be created with. */
export const testRequest = {
  ...agentSelection,
  testName: z.string().min(1),
  ipVersion: ipVersion.optional(),
  isPrioritized: z.boolean().optional(),
  interval: testInterval.optional(),
  protocol: testProtocol.optional(),
};

/** What PATCH takes of every kind of test; a left-out member stays (inferred), so callers send all they own. */
export const testUpdate = {
  testName: z.string().min(1).optional(),
  interval: testInterval.optional(),
  protocol: testProtocol.optional(),
  tcpProbeMode: tcpProbeMode.optional(),
  isEnabled: z.boolean().optional(),
};

/** Agent selection as answered, a union on `agentSelectorType`; kinds not known today still parse. */
export const agentSelectorConfig = z.looseObject({
  agentSelectorType: z.string(),
  maxMachines: z.number().optional(),
  agents: z.array(identifier).optional(),
  endpointAgentLabels: z.array(identifier).optional(),
  tagIds: z.array(identifier).optional(),
});

/** What every kind of test answers; almost nothing of it is promised. */
export const testRecord = {
  testId: identifier,
  testName: z.string().optional(),
  aid: identifier.optional(),
  agentSelectorConfig: agentSelectorConfig.optional(),
  createdDate: z.string().optional(),
  modifiedDate: z.string().optional(),
  interval: z.number().optional(),
  protocol: z.string().optional(),
  ipVersion: z.string().optional(),
  tcpProbeMode: z.string().optional(),
  isEnabled: z.boolean().optional(),
  isPrioritized: z.boolean().optional(),
  networkMeasurements: z.boolean().optional(),
  hasPathTraceInSession: z.boolean().optional(),
  labels: z
    .array(z.looseObject({ labelId: identifier.optional(), name: z.string().optional(), isBuiltin: z.boolean().optional() }))
    .optional(),
  _links: z.looseObject({ self: link.optional(), testResults: z.array(link).optional() }).optional(),
};

/** The five operations that every kind of test has, alike but for path and bodies. Lists are not paged. */
export function testOperations<
  const P extends string,
  C extends z.ZodType,
  U extends z.ZodType,
  R extends z.ZodType<{ testId: string }>,
>(area: string, path: P, schemas: { create: C; update: U; record: R }) {
  const one = `${path}/{testId}` as const;
  const query = accountGroupQuery;
  return {
    list: operation({
      id: `${area}.list`,
      method: "GET",
      path,
      query,
      status: 200,
      response: z.looseObject({ tests: z.array(schemas.record), _links: selfLinks.optional() }),
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
    get: operation({ id: `${area}.get`, method: "GET", path: one, query, status: 200, response: schemas.record }),
    update: operation({
      id: `${area}.update`,
      method: "PATCH",
      path: one,
      query,
      body: schemas.update,
      status: 200,
      response: schemas.record,
    }),
    delete: operation({ id: `${area}.delete`, method: "DELETE", path: one, query, status: 204 }),
  };
}
