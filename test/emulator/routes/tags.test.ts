/** Tests tags beyond the recordings: roles, assignments, and the agents that tags select. */
import { kindCases } from "../../support/kinds";
import { Bench, type Json } from "../support";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.start({ agents: 60 });
});
afterEach(() => bench.close());

const path = "/v7/tags";
const fixed = { objectType: "endpoint-agent", type: "dynamic", accessType: "all" };
const dynamic = (more: object = {}): object => ({ ...fixed, ...kindCases.endpointAgentTag.minimal, ...more });
const filter = (key: string, values: string[], more: object = {}): object => ({
  filters: [{ key, mode: "in", scope: "default", values, ...more }],
});
const make = async (body: object): Promise<Json> => (await bench.call("POST", path, { body })).body;
const agentsOf = async (what: string, id: string): Promise<string[]> =>
  (await bench.call("GET", `/_emulator/${what}/${id}/agents`)).body.agents.map((agent: Json) => agent.id);

test("a user without permission for personal data can change only static tags", async () => {
  const { id } = await make(dynamic());
  const token = "emulator-editor-token";
  const refused = await bench.call("POST", path, { body: dynamic({ value: "2" }), token });
  expect([refused.status, refused.body.error]).toEqual([403, "Forbidden"]);
  expect((await bench.call("PUT", `${path}/${id}`, { body: dynamic({ color: "#000000" }), token })).status).toBe(403);
  const ofTests = { key: "k", value: "v", objectType: "test", accessType: "all" };
  const bulk = await bench.call("POST", `${path}/bulk`, { body: { tags: [dynamic({ value: "3" }), ofTests] }, token });
  expect(bulk.status).toBe(207);
  expect(bulk.body.tags).toMatchObject([{ key: "k", legacyId: null }]);
  expect(bulk.body.errors).toMatchObject([{ responseCode: 403, message: expect.stringContaining("personal data") }]);
  const reader = await bench.call("POST", path, { body: ofTests, token: "emulator-read-only-token" });
  expect(reader.status).toBe(403);
  expect(await bench.stored("tags")).toHaveLength(2);
});

test("a user can read but not delete a built-in tag", async () => {
  const { body } = await bench.call("GET", path);
  const [{ id }] = body.tags;
  expect((await bench.call("GET", `${path}/${id}`)).body).toMatchObject({ builtIn: true, aid: null, legacyId: -1 });
  expect((await bench.call("DELETE", `${path}/${id}`)).status).toBe(403);
});

test("the emulator returns all tags on one page", async () => {
  for (const value of ["1", "2"]) await make(dynamic({ value }));
  const { body } = await bench.call("GET", `${path}?max=1&limit=text&offset=9&page=3`);
  expect(body.tags).toHaveLength(4);
});

test("the emulator returns status 404 for a tag of another account group", async () => {
  const { body } = await bench.call("POST", `${path}?aid=1002`, { body: dynamic() });
  for (const method of ["GET", "DELETE"]) expect((await bench.call(method, `${path}/${body.id}`)).status).toBe(404);
});

test("tags and labels share one id sequence", async () => {
  const label = { name: "L", matchType: "or", filters: [] };
  const first = (await bench.call("POST", "/v7/endpoint/labels", { body: label })).body;
  const tag = await make(dynamic());
  const second = (await bench.call("POST", "/v7/endpoint/labels", { body: label })).body;
  expect([tag.legacyId, Number(second.id)]).toEqual([Number(first.id) + 1, Number(first.id) + 2]);
  expect((await bench.call("GET", `/v7/endpoint/labels/${tag.legacyId}`)).status).toBe(404);
});

test("a tag matches the same agents as a label with the same filters", async () => {
  for (const filters of [filter("platform", ["Windows"]), filter("hostname", ["lon-*"]), filter("connection", ["Wireless"])]) {
    const rule = { matchType: "and", ...filters };
    const tag = await make(dynamic({ ...rule, value: JSON.stringify(filters) }));
    const { filters: plain } = JSON.parse(JSON.stringify(rule).replace('"scope":"default",', ""));
    const label = (await bench.call("POST", "/v7/endpoint/labels", { body: { name: "L", matchType: "and", filters: plain } }))
      .body;
    expect((await agentsOf("tags", tag.id)).length).toBeGreaterThan(0);
    expect(await agentsOf("tags", tag.id)).toEqual(await agentsOf("labels", label.id));
  }
  const { body } = await bench.call("GET", "/v7/endpoint/agents");
  const agent = body.agents.find((candidate: Json) => candidate.serialNumber !== undefined && candidate.status === "enabled");
  const bySerial = await make(dynamic({ value: "serial", ...filter("serial-number", [agent.serialNumber]) }));
  expect(await agentsOf("tags", bySerial.id)).toEqual([agent.id]);
});

test.each([
  ["location", {}],
  ["proxy-target", {}],
  ["vpn-target", { mode: "not-in" }],
  ["team", { scope: "custom" }],
  ["team", { scope: "custom", mode: "not-in" }],
])("a tag with a filter on unavailable data matches no agents: %s %j", async (key, more) => {
  const tag = await make(dynamic(filter(key, ["x"], more)));
  expect(await agentsOf("tags", tag.id)).toEqual([]);
});

test("a test with tagIds selects the enabled agents that have any of the tags", async () => {
  const windows = await make(dynamic({ value: "w", ...filter("platform", ["Windows"]) }));
  const mac = await make(dynamic({ value: "m", ...filter("platform", ["Mac"]) }));
  const test = async (tagIds: string[]): Promise<Json> => {
    const body = { testName: "T", server: "www.example.com", agentSelectorType: "agent-tags", tagIds, maxMachines: 1000 };
    return (await bench.call("POST", "/v7/endpoint/tests/scheduled-tests/agent-to-server", { body })).body;
  };
  const [windowsTest, both] = [await test([windows.id]), await test([windows.id, mac.id])];
  const { body } = await bench.call("GET", "/v7/endpoint/agents?max=1000");
  const enabled = (...platforms: string[]): string[] =>
    body.agents.flatMap((agent: Json) => (agent.status === "enabled" && platforms.includes(agent.platform) ? [agent.id] : []));
  expect(await agentsOf("tests", windowsTest.testId)).toEqual(enabled("windows"));
  expect((await agentsOf("tests", both.testId)).toSorted()).toEqual(enabled("windows", "mac").toSorted());
  await bench.call("PUT", `${path}/${windows.id}`, { body: dynamic({ value: "w", ...filter("platform", ["Mac"]) }) });
  expect(await agentsOf("tests", windowsTest.testId)).toEqual(enabled("mac"));
  await bench.call("DELETE", `${path}/${windows.id}`);
  expect(await agentsOf("tests", windowsTest.testId)).toEqual([]);
  expect((await agentsOf("tests", both.testId)).toSorted()).toEqual(enabled("mac").toSorted());
});

test("a request that assigns several tags changes nothing if one tag does not exist", async () => {
  const tag = await make({ key: "k", value: "v", objectType: "endpoint-test", accessType: "all" });
  const assignments = [{ id: "1", type: "endpoint-test" }];
  const unknown = { tagId: "00000000-0000-4000-8000-000000000000", assignments };
  const answer = await bench.call("POST", `${path}/assign`, { body: { tags: [{ tagId: tag.id, assignments }, unknown] } });
  expect(answer.status).toBe(404);
  expect((await bench.call("GET", `${path}/${tag.id}?expand=assignments`)).body.assignments).toEqual([]);
});
