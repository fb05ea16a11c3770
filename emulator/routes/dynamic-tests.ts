import { type DynamicTestRecord, operations } from "../../api/schemas";
import { handle } from "../handler";
import {
  createTest,
  deleteTest,
  filled,
  getTest,
  listTests,
  type StoredTest,
  testCollection,
  type TestKind,
  updateTest,
} from "./tests";

/** A dynamic test as stored. */
export interface StoredDynamicTest extends StoredTest {
  application: string;
}

const own = operations.dynamicTests;

export const dynamicKind: TestKind<StoredDynamicTest, DynamicTestRecord> = {
  collection: testCollection("dynamic-tests"),
  path: own.list.path,
  results: "/v7/endpoint/test-results/dynamic-tests",
  duplicateName: 400,
  own: ({ application }) => ({ application, hasPing: true, hasTraceroute: true }),
  plans: ({ ipVersion }, sessions) => sessions.map((target) => ({ target, ipVersion, network: true })),
};
const kind = dynamicKind;

export const dynamicTestRoutes = [
  handle(own.list, (call) => listTests(call, kind)),
  handle(own.create, (call) => {
    const { application, tcpProbeMode = "auto", hasPathTraceInSession = true } = call.body;
    return createTest(call, kind, { ...filled(call.service, call.body), application, tcpProbeMode, hasPathTraceInSession });
  }),
  handle(own.get, (call) => getTest(call, kind)),
  handle(own.update, (call) => updateTest(call, kind, call.body)),
  handle(own.delete, (call) => deleteTest(call, kind)),
];
