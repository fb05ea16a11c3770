import { z } from "zod";
import { dynamicTestApplication, tcpProbeMode } from "./enums";
import { testOperations, testRecord, testRequest, testUpdate } from "./tests";

/** Body of a dynamic test create. */
export const dynamicTestRequest = z.object({
  ...testRequest,
  /** Application whose sessions the test follows. */
  application: dynamicTestApplication,
  /** How TCP probes are sent; it has an effect with a TCP protocol only. Default: `auto`. */
  tcpProbeMode: tcpProbeMode.optional(),
  /** Whether paths are traced inside an established TCP session. The service chooses when left out. */
  hasPathTraceInSession: z.boolean().optional(),
});
export type DynamicTestRequest = z.output<typeof dynamicTestRequest>;

/** Body of a dynamic test update. Members that are left out keep their values (inferred). */
export const dynamicTestUpdate = z.object({
  ...testUpdate,
  /** Application whose sessions the test follows. */
  application: dynamicTestApplication.optional(),
});
export type DynamicTestUpdate = z.output<typeof dynamicTestUpdate>;

/** A dynamic test. */
export const dynamicTest = z.looseObject({
  ...testRecord,
  /** Application whose sessions the test follows: `webex`, `zoom` or `microsoft-teams`. */
  application: z.string().optional(),
  /** Whether ping runs. */
  hasPing: z.boolean().optional(),
  /** Whether traceroute runs. */
  hasTraceroute: z.boolean().optional(),
});
export type DynamicTestRecord = z.output<typeof dynamicTest>;

export const dynamicTestOperations = testOperations("tests.dynamic", "/v7/endpoint/tests/dynamic-tests/agent-to-server", {
  create: dynamicTestRequest,
  update: dynamicTestUpdate,
  record: dynamicTest,
});
