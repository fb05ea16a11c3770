import type { AlertRuleRequest, StreamRequest } from "../../api/schemas";
import { type Collection, membersOf, type Store } from "../store";
import { testKinds } from "./test-kinds";

export type StoredRule = Omit<AlertRuleRequest, "description" | "includeCoveredPrefixes"> &
  Required<Pick<AlertRuleRequest, "alertGroupType" | "severity">>;

export const alertRules: Collection<StoredRule> = {
  name: "alert-rules",
  series: "alert-rules",
  firstId: 5_000_001,
  needs: membersOf<StoredRule>({
    ruleName: true,
    expression: true,
    alertType: true,
    alertGroupType: true,
    severity: true,
  }),
};

export type StoredStream = StreamRequest & { readonly createdDate: number; readonly updatedDate?: number };

export const streams: Collection<StoredStream> = {
  name: "streams",
  series: "streams",
  firstId: 1,
  idOf: (number) => `stream-${String(number).padStart(8, "0")}`,
  needs: ["createdDate"],
};

/** The service probably removes deleted tests from alert rules (emulator/DIFFERENCES.md). */
export function testsOf(store: Store, aid: string, { testIds = [] }: Pick<StoredRule, "testIds">) {
  return testIds.flatMap((id) => {
    const kind = testKinds.find(({ collection }) => store.get(collection, id, aid));
    const test = kind && store.get(kind.collection, id, aid);
    return test ? [{ kind, id, ...test.body }] : [];
  });
}
