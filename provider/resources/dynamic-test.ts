import { z } from "zod";
import { dynamicTestApplication, type DynamicTestRecord } from "../../api";
import { kind } from "../kind";
import {
  selectionRules,
  testCreateOnly,
  testInputs,
  testReplacementCost,
  testSame,
  testToInputs,
  testToOutputs,
} from "./test-fields";
import { testOperationsOf } from "./test-operations";

const inputs = z.strictObject({
  ...testInputs,
  /** Application whose sessions are traced: `webex`, `zoom` or `microsoft-teams`. */
  application: dynamicTestApplication,
  /** Traces the path inside an established TCP session. Left out, the service chooses. Changing it replaces the test. */
  hasPathTraceInSession: z.boolean().optional(),
});

/** A dynamic test: it follows the sessions of an application to whatever server they reach. */
export const dynamicTest = kind({
  name: "DynamicTest",
  noun: "dynamic test",
  schema: inputs,
  nameProperty: "testName",
  createOnly: [...testCreateOnly, "hasPathTraceInSession"],
  updateOnly: ["isEnabled"],
  writeOnly: [],
  leftToService: ["ipVersion", "hasPathTraceInSession", "accountGroupId"],
  replacementCost: testReplacementCost,
  same: testSame,
  rules: (given, named) => selectionRules(given, named),
  idOf: (record: DynamicTestRecord) => record.testId,
  toInputs: (record) => ({
    ...testToInputs(record),
    application: record.application,
    hasPathTraceInSession: record.hasPathTraceInSession,
  }),
  toOutputs: (record) => testToOutputs(record),
  isWhole: () => true,
  operations: (client) => testOperationsOf(client.dynamicTests),
});
