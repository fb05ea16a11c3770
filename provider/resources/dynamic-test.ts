import { z } from "zod";
import { dynamicTestApplication, type DynamicTestRecord } from "../../api";
import { testInputs } from "./test-fields";
import { testKind } from "./test-kind";

const inputs = z.strictObject({
  ...testInputs,
  /** Application whose sessions are traced: `webex`, `zoom` or `microsoft-teams`. */
  application: dynamicTestApplication,
  /** Traces the path inside an established TCP session. Left out, the service chooses. Changing it replaces the test. */
  hasPathTraceInSession: z.boolean().optional(),
});

/** A dynamic test: it follows the sessions of an application to whatever server they reach. */
export const dynamicTest = testKind({
  name: "DynamicTest",
  noun: "dynamic test",
  schema: inputs,
  createOnly: ["hasPathTraceInSession"],
  updateOnly: ["isEnabled"],
  writeOnly: [],
  leftToService: ["hasPathTraceInSession"],
  same: {},
  rules: () => [],
  toInputs: (record: DynamicTestRecord) => ({
    application: record.application,
    hasPathTraceInSession: record.hasPathTraceInSession,
  }),
  onDemand: () => ({ refused: "dynamic tests follow the sessions of users, and cannot be run at will" }),
  calls: (client) => client.dynamicTests,
});
