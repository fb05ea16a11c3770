import type { PlannedItem } from "../../../../cli/commands/import/plan";
import { recreatedWarnings } from "../../../../cli/commands/import/recreated";
import { managedOf } from "../../../../engine/state";
import { importedKinds } from "../../../../provider/imported-kinds";
import { step } from "../../review-support";

const portal = { testName: "Portal", url: "https://portal.example.com" };
const state = step("same", "httpServerTest", "portal", { id: "1", before: portal, after: portal }).oldState;
const managed = [(state && managedOf("dev", state)) ?? []].flat();

function item(id: string, status: PlannedItem["status"] = "new"): PlannedItem {
  const of = importedKinds.find(({ name }) => name === "httpServerTest");
  const inputs = managed[0]?.inputs ?? {};
  if (!of) throw new Error("HTTP server tests are imported");
  return { of, id, title: "Portal", name: `portal-${id}`, status, secrets: [], record: { id, inputs, state: { ...inputs } } };
}

test("`drift` names the record that replaces a deleted record", () => {
  const [warning = "", ...more] = recreatedWarnings([item("2")], managed, ["1001"], false);
  expect(more).toEqual([]);
  expect(warning).toMatch(
    / 2 looks like a new copy of portal, whose record was deleted\..*remove 2 .*set adopt: true for portal/,
  );
});

test.each<[string, PlannedItem[], (string | undefined)[], boolean]>([
  ["the managed record still exists", [item("1", "managed"), item("2")], ["1001"], false],
  ["a list could not be read", [item("2")], ["1001"], true],
  ["the account group was not listed", [item("2")], ["1002"], false],
  ["the record is excluded", [item("2", "excluded")], ["1001"], false],
])("`drift` prints no warning about a recreated record if %s", (_, items, groups, isPartlyUnread) => {
  expect(recreatedWarnings(items, managed, groups, isPartlyUnread)).toEqual([]);
});
