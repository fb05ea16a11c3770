import { ConflictError, ForbiddenError } from "../../../api";
import { check } from "../../../provider/check";
import { endpointAgentTag } from "../../../provider/resources/endpoint-agent-tag";
import { kindCases } from "../../support/kinds";
import { withBench } from "../bench";

const { minimal, full } = kindCases.endpointAgentTag;

test("the error about a 403 response names the permissions for personal data", () =>
  withBench(async (bench) => {
    const { id, state } = await bench.create("endpointAgentTag", minimal);
    bench.newSession({ token: "emulator-editor-token" });
    const refused = bench.create("endpointAgentTag", { ...minimal, value: "other" });
    await expect(refused).rejects.toBeInstanceOf(ForbiddenError);
    await expect(refused).rejects.toThrow("every permission to view personal data of endpoint agents");
    const { inputs } = bench.life("endpointAgentTag").check({ ...minimal, color: "#000000" });
    await expect(bench.life("endpointAgentTag").update(id, state, inputs)).rejects.toThrow("personal data");
  }));

test("key and value together identify a tag", () =>
  withBench(async (bench) => {
    const { id } = await bench.create("endpointAgentTag", full);
    bench.newSession();
    const otherValue = await bench.create("endpointAgentTag", { ...full, value: "other", adopt: true });
    const otherKey = await bench.create("endpointAgentTag", { ...full, key: "other", adopt: true });
    const adopted = await bench.create("endpointAgentTag", { ...full, color: "#000000", adopt: true });
    expect(new Set([id, otherValue.id, otherKey.id]).size).toBe(3);
    expect(adopted.id).toBe(id);
    bench.newSession();
    await expect(bench.create("endpointAgentTag", full)).rejects.toBeInstanceOf(ConflictError);
  }));

test("an update deletes a tag's description if the program omits the description", () =>
  withBench(async (bench) => {
    const { id, state } = await bench.create("endpointAgentTag", full);
    const { description: _description, ...rest } = full;
    const { inputs } = bench.life("endpointAgentTag").check(rest);
    const updated = await bench.life("endpointAgentTag").update(id, state, inputs);
    expect(updated).toEqual({ ...state, __written: updated["__written"], description: "" });
    const record = await bench.session.client.tags.get({ path: { id } });
    const { accountGroupId: _group, ...sent } = rest;
    expect(record).toMatchObject({ ...sent, objectType: "endpoint-agent", type: "dynamic", accessType: "all" });
    expect(record.description).toBeUndefined();
  }));

test("the list of tags for import omits static and built-in tags", () =>
  withBench(async (bench) => {
    await bench.session.client.tags.create({ body: { key: "k", value: "v", objectType: "test", accessType: "all" } });
    const { id } = await bench.create("endpointAgentTag", minimal);
    const listed = await bench.life("endpointAgentTag").list("1001");
    expect(listed?.map((record) => record.id)).toEqual([id]);
    expect(listed?.[0]?.state["legacyId"]).toBeGreaterThan(400_000_000_000_000);
  }));

test.each([
  [{ key: "mood", values: ["x"] }, ["filters[0].key"]],
  [{ key: "machineId", scope: "default", values: ["x"] }, ["filters[0].key"]],
  [{ key: "mood", scope: "custom", values: ["x"] }, []],
  // Their syntax is not documented, so check accepts any value.
  [{ key: "platform", values: ["win*"] }, []],
  [{ key: "public-network", values: ["anything"] }, []],
  [{ key: "hostname", values: [] }, ["filters[0].values"]],
])("the provider's check reports errors in the filter %j at the paths %j", (filter, paths) => {
  const { failures } = check(endpointAgentTag, { ...minimal, filters: [filter] });
  expect(failures.map(({ path }) => path)).toEqual(paths);
});
