import { z } from "zod";
import { dynamicTestApplication, tcpProbeMode } from "./enums";
import { testOperations, testRecord, testRequest, testUpdate } from "./tests";

/** Body of a dynamic test create. */
export const dynamicTestRequest = z.object({
  ...testRequest,
  /** Application with the sessions that the test follows. */
  application: dynamicTestApplication,
  /** TCP probe mode. Only TCP protocols use it. Default: `auto`. */
  tcpProbeMode: tcpProbeMode.optional(),
  /** Whether agents trace paths inside an established TCP session. If omitted, the service chooses. */
  hasPathTraceInSession: z.boolean().optional(),
});
export type DynamicTestRequest = z.output<typeof dynamicTestRequest>;

/** Body of a dynamic test update. Omitted members keep their values (inferred). */
export const dynamicTestUpdate = z.object({
  ...testUpdate,
  /** Application with the sessions that the test follows. */
  application: dynamicTestApplication.optional(),
});
export type DynamicTestUpdate = z.output<typeof dynamicTestUpdate>;

/** A dynamic test. */
export const dynamicTest = z.looseObject({
  ...testRecord,
  /** Application with the sessions that the test follows: `webex`, `zoom` or `microsoft-teams`. */
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
