/** Tests the differences in a preview that stop an import. */
import { problemsIn } from "../../../../cli/commands/import/preview-after-import";
import type { PlannedItem } from "../../../../cli/commands/import/plan";
import { importedKinds, type ImportedKind } from "../../../../provider/imported-kinds";
import type { Properties } from "../../../../provider/values";
import { typeToken } from "../../../../sdk/token";
import type { EngineStep } from "../../../../engine/preview-output";

const labels = importedKinds.find(({ word }) => word === "labels") as ImportedKind;
const item = (id: string, title: string, name: string): PlannedItem => ({
  of: labels,
  id,
  title,
  name,
  status: "new",
  path: "labels.ts",
  secrets: [],
  record: { id, state: { name: title, accountGroupId: "1001" }, inputs: {} },
});
const step = (op: string, name: string, id: string, before?: Properties, after?: Properties): EngineStep => {
  const type = typeToken("Label");
  const urn = `urn:pulumi:dev::test::${type}::${name}`;
  return {
    op,
    urn,
    ...(before && { oldState: { urn, type, id, inputs: before, outputs: before } }),
    ...(after && { newState: { urn, type, inputs: after } }),
  };
};
const items = ["Office", "Branch", "Depot", "Garage"].map((title, i) => item(`1${i}`, title, title.toLowerCase()));
const deletes = items.map(({ name, id }) => step("delete", name, id, {}));

test("`import` reports all undeclared imported resources in one message", () => {
  expect(problemsIn(deletes, items, "index.ts")).toEqual([
    'The program, which starts with index.ts, does not declare all imported resources: the next update would delete 4 resources: label "Office" ' +
      '(10), label "Branch" (11), label "Depot" (12) and 1 more',
  ]);
});

test("`import` reports resources that the program declares twice or with different values", () => {
  const steps = [
    step("create", "mine", "", undefined, { name: "Office" }),
    step("create", "unrelated", "", undefined, { name: "Somewhere" }),
    step("update", "branch", "11", { name: "Branch", matchType: "and" }, { name: "Branch", matchType: "or" }),
    step("delete", "foreign", "99", { name: "Foreign" }),
  ];
  expect(problemsIn(steps, items, "index.ts")).toEqual([
    expect.stringMatching(
      /^label "Office" \(10\) is declared twice: as "office" in labels\.ts, and as "mine", which the next update would try to create\. Remove one/,
    ),
    'label "Branch" (11) is declared with other values than in the service, so the next update would update it (matchType): correct the ' +
      "program, or let the next update change the record",
  ]);
});
