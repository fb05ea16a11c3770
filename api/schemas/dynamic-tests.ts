import { z } from "zod";
import { dynamicTestApplications, tcpProbeMode } from "./enums";
import { testOperations, testRecord, testRequest, testUpdate } from "./tests";

export const dynamicTestApplication = z.enum(dynamicTestApplications);

/** Body of a dynamic test create. */
export const dynamicTestRequest = z.object({
  ...testRequest,
  application: dynamicTestApplication,
  tcpProbeMode: tcpProbeMode.optional(),
  hasPathTraceInSession: z.boolean().optional(),
});

export const dynamicTestUpdate = z.object({ ...testUpdate, application: dynamicTestApplication.optional() });

export const dynamicTest = z.looseObject({
  ...testRecord,
  application: z.string().optional(),
  hasPing: z.boolean().optional(),
  hasTraceroute: z.boolean().optional(),
});
export type DynamicTestRecord = z.output<typeof dynamicTest>;

export const dynamicTestOperations = testOperations("tests.dynamic", "/v7/endpoint/tests/dynamic-tests/agent-to-server", {
  create: dynamicTestRequest,
  update: dynamicTestUpdate,
  record: dynamicTest,
});
