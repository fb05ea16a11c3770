/**
 * Tests reviews of resources that move from dynamic resources to the native plugin. The engine finds such a resource by its
 * alias, so steps have the new URN, but the states and the deletions of replacements have the previous URN.
 */
import { nativeToken, typeToken } from "../../sdk/token";
import { registry, type KindName } from "../../provider/registry";
import type { EngineStep } from "../../engine/preview-output";
import { paths } from "../emulator/support";
import { useEmulator } from "../support/emulator";
import { type Made, offline, reviewed, step, urnOf } from "../cli/review-support";

const emulator = useEmulator({ agents: 5 });
beforeEach(() => emulator.reset());

const vpn = { testName: "VPN", server: "vpn.example.com" };

function nativeUrn(kindName: KindName, name: string): string {
  const { name: className } = registry[kindName];
  return urnOf(kindName, name).replace(typeToken(className), nativeToken(className));
}

/** Returns the steps of a resource that moves to the native plugin, as the engine prints them. */
function moved(ops: readonly string[], kindName: KindName, name: string, made: Made): EngineStep[] {
  return ops.map((op): EngineStep => {
    const printed = step(op, kindName, name, made);
    if (op === "delete-replaced") return { op, urn: printed.urn, oldState: printed.oldState };
    const urn = nativeUrn(kindName, name);
    const type = nativeToken(registry[kindName].name);
    return { ...printed, urn, newState: printed.newState && { ...printed.newState, urn, type } };
  });
}

const deletesFirst = ["delete-replaced", "replace", "create-replacement"];
const createsFirst = ["create-replacement", "replace", "delete-replaced"];

test.each([
  ["replaced", deletesFirst, { ...vpn, accountGroupId: "1002" }, "replace"],
  ["updated", ["update"], { ...vpn, server: "192.0.2.1" }, "update"],
])("the review names the previous and the new URN of a resource that is moved and %s", (_, ops, after, op) => {
  const { review } = offline(moved(ops, "agentToServerTest", "vpn", { id: "7", before: vpn, after }));
  const urn = nativeUrn("agentToServerTest", "vpn");
  const expected = { op, urn, previousUrn: urnOf("agentToServerTest", "vpn"), id: "7" };
  expect(review.resources).toEqual([expect.objectContaining(expected)]);
});

test("the review names a previous URN only for resources that an alias moves", () => {
  const { review } = offline([
    step("update", "agentToServerTest", "vpn", { id: "7", before: vpn, after: { ...vpn, port: 80 } }),
  ]);
  expect(review.resources).toEqual([expect.not.objectContaining({ previousUrn: expect.anything() })]);
});

test("the review takes the order of a replacement from the deletion under the previous URN", async () => {
  const id = await emulator.create(paths.agentToServer, vpn);
  const made = { id, before: vpn, after: vpn, reasons: ["id"] };
  const creationsOf = async (ops: string[]): Promise<unknown[]> => {
    const { review } = await reviewed(emulator.url, moved(ops, "agentToServerTest", "vpn", made));
    return review.resources.map(({ op, creation }) => [op, creation?.how]);
  };
  expect(await creationsOf(deletesFirst)).toEqual([["replace", undefined]]);
  expect(await creationsOf(createsFirst)).toEqual([["replace", "identical"]]);
});

test("the review keeps a record with deletedWith if the resource that it names is moved and replaced", () => {
  const office = { name: "Office", matchType: "or" };
  const { review } = offline([
    step("delete", "agentToServerTest", "kept", { id: "1", before: vpn, rest: { deletedWith: urnOf("label", "office") } }),
    ...moved(deletesFirst, "label", "office", { id: "2", before: office, after: { ...office, accountGroupId: "1002" } }),
  ]);
  const kept = review.resources.find(({ name }) => name === "kept");
  expect(kept?.forgotten).toBe("the agent-to-server test stays in the service");
});
