import type { ComparedStack } from "../../../../cli/commands/drift/model";
import { noteRecreated, type UnmanagedFinding } from "../../../../cli/commands/drift/unmanaged";
import { managedOf } from "../../../../engine/state";
import { registry } from "../../../../provider/registry";
import { sessionWith, step } from "../../review-support";

const portal = { testName: "Portal", url: "https://portal.example.com" };
const state = step("same", "httpServerTest", "portal", { id: "1", before: portal, after: portal }).oldState;

/** Returns the id of the record that a stack's missing resource gets, if another record with its settings is in a service. */
function recreatedIn(service: string): string | undefined {
  const session = sessionWith("http://127.0.0.1:9");
  const managed = [(state && managedOf("dev", state)) ?? []].flat();
  const [resource] = managed;
  if (!resource) throw new Error("portal is managed");
  const missing = { stack: "dev", urn: resource.urn, kind: resource.kindName, name: "portal", id: "1", referredToBy: [] };
  const drift = { stack: "dev", resources: 1, changed: [], missing: [missing], notes: [] };
  const record: UnmanagedFinding = {
    kindName: "httpServerTest",
    kind: registry.httpServerTest,
    id: "2",
    state: { ...resource.inputs, accountGroupId: "1001" },
    record: { kind: "httpServerTest", id: "2", name: "Portal" },
    service,
  };
  const comparedStack = { stack: { name: "dev" }, managed, session, drift } as unknown as ComparedStack;
  noteRecreated([comparedStack], [record]);
  return comparedStack.drift.missing[0]?.recreated?.id;
}

test("`drift` looks for a recreated record only in the service that the stack uses", () => {
  expect(recreatedIn("http://127.0.0.1:9")).toBe("2");
  expect(recreatedIn("https://api.example.com")).toBeUndefined();
});
