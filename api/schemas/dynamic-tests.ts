import { z } from "zod";
import { dynamicTestApplication, tcpProbeMode } from "./enums";
import { testOperations, testRecord, testRequest, testUpdate } from "./tests";

/** Request body to create a dynamic test. */
export const dynamicTestRequest = z.object({
  ...testRequest,
  /** Application that the test measures. */
  application: dynamicTestApplication,
  /** TCP probe mode, for TCP protocols only. Default: `auto`. */
  tcpProbeMode: tcpProbeMode.optional(),
  /** Whether agents trace paths inside an established TCP session. If omitted, the service chooses a value. */
  hasPathTraceInSession: z.boolean().optional(),
});
export type DynamicTestRequest = z.output<typeof dynamicTestRequest>;

/** Request body to update a dynamic test. Members that an update omits probably keep their values. */
export const dynamicTestUpdate = z.object({
  ...testUpdate,
  /** Application that the test measures. */
  application: dynamicTestApplication.optional(),
});
export type DynamicTestUpdate = z.output<typeof dynamicTestUpdate>;

/** A dynamic test. */
export const dynamicTest = z.looseObject({
  ...testRecord,
  /** Application that the test measures: `webex`, `zoom` or `microsoft-teams`. */
  application: z.string().optional(),
  /** Whether the test includes ping. */
  hasPing: z.boolean().optional(),
  /** Whether the test includes traceroute. */
  hasTraceroute: z.boolean().optional(),
});
export type DynamicTestRecord = z.output<typeof dynamicTest>;

export const dynamicTestOperations = testOperations("tests.dynamic", "/v7/endpoint/tests/dynamic-tests/agent-to-server", {
  create: dynamicTestRequest,
  update: dynamicTestUpdate,
  record: dynamicTest,
});
