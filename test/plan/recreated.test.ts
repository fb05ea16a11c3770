import { managedOf, type ManagedResource } from "../../engine/state";
import { recreatedRecords, type UnmanagedState } from "../../plan/recreated";
import { type KindName, registry } from "../../provider/registry";
import { step } from "../cli/review-support";

const portal = { testName: "Portal", url: "https://portal.example.com", interval: 60 };

/** Returns a managed resource with a record that was deleted. */
function missing(kindName: KindName, name: string, id: string, inputs: Record<string, unknown>): ManagedResource {
  const { oldState } = step("same", kindName, name, { id, before: inputs, after: inputs });
  const resource = oldState && managedOf("dev", oldState);
  if (!resource) throw new Error(`${name} is not managed`);
  return resource;
}

function unmanaged(kindName: KindName, id: string, inputs: Record<string, unknown>, accountGroupId = "1001"): UnmanagedState {
  return { kindName, kind: registry[kindName], id, state: { ...missing(kindName, "x", id, inputs).inputs, accountGroupId } };
}

function pairs(resources: ManagedResource[], records: UnmanagedState[]): Record<string, string> {
  const recreated = recreatedRecords(resources, records);
  return Object.fromEntries(
    resources.flatMap(({ name, urn }) => {
      const id = recreated.get(urn)?.id;
      return id === undefined ? [] : [[name, id] as const];
    }),
  );
}

test("drift proposes an unmanaged record with equal settings as the replacement for a deleted record", () => {
  expect(pairs([missing("httpServerTest", "portal", "1", portal)], [unmanaged("httpServerTest", "2", portal)])).toEqual({
    portal: "2",
  });
});

test("drift proposes an unmanaged record with the same name even if another setting differs", () => {
  const slower = unmanaged("httpServerTest", "2", { ...portal, interval: 300 });
  expect(pairs([missing("httpServerTest", "portal", "1", portal)], [slower])).toEqual({ portal: "2" });
});

test("drift proposes a recreated label together with the test that selects the label", () => {
  const office = { name: "Office", matchType: "or", filters: [{ key: "platform", values: ["Mac"], mode: "in" }] };
  const byLabel = (id: string) => ({ ...portal, agentSelectorType: "agent-labels", endpointAgentLabels: [id] });
  const resources = [missing("label", "office", "10", office), missing("httpServerTest", "portal", "1", byLabel("10"))];
  const records = [unmanaged("label", "20", office), unmanaged("httpServerTest", "2", byLabel("20"))];
  expect(pairs(resources, records)).toEqual({ office: "20", portal: "2" });
});

test.each([
  ["two equal records", [unmanaged("httpServerTest", "2", portal), unmanaged("httpServerTest", "3", portal)]],
  ["a record of another account group", [unmanaged("httpServerTest", "2", portal, "1002")]],
  ["a record of another type", [unmanaged("agentToServerTest", "2", { testName: "Portal", server: "portal.example.com" })]],
  [
    "a record with another name and target",
    [unmanaged("httpServerTest", "2", { ...portal, testName: "VPN", url: "https://vpn.example.com" })],
  ],
])("drift does not propose %s as the replacement for a deleted record", (_, records) => {
  expect(pairs([missing("httpServerTest", "portal", "1", portal)], records)).toEqual({});
});
