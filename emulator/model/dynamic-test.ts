import { type DynamicTestRecord, operations } from "../../api/schemas";
import { type StoredTest, testCollection, type ModelTestKind } from "./tests";

export interface StoredDynamicTest extends StoredTest {
  application: string;
}

export const dynamicKind: ModelTestKind<StoredDynamicTest, DynamicTestRecord> = {
  collection: testCollection("dynamic-tests", ["application"]),
  path: operations.dynamicTests.list.path,
  results: "/v7/endpoint/test-results/dynamic-tests",
  duplicateName: 400,
  own: ({ application }) => ({ application, hasPing: true, hasTraceroute: true }),
  restored: ({ application = "" }) => ({ application }),
  plans: ({ ipVersion }, sessions) => sessions.map((target) => ({ target, ipVersion, network: true })),
};
