/**
 * The client parses responses in two tiers. It requires the properties of a resource to be readable, and drops any other
 * unreadable member.
 */
import type { Unreadable } from "../../api";
import { ProtocolError } from "../../api";
import { bench, failureOf } from "../support/api/service";

const { serve, connect } = bench();

async function read(record: object): Promise<{ answer: unknown; unreadable: Unreadable[] }> {
  const unreadable: Unreadable[] = [];
  const service = await serve(() => ({ body: record }));
  const client = connect(service, { onUnreadable: (finding) => unreadable.push(finding) });
  return { answer: await client.agentToServerTests.get({ path: { testId: "1" } }), unreadable };
}

const test1 = { testId: "1", testName: "Office", interval: 60 };

test.each<[string, object, string[]]>([
  ["a date that is a number", { createdDate: 1_750_000_000 }, ["createdDate"]],
  ["two dates", { createdDate: {}, modifiedDate: 7 }, ["createdDate", "modifiedDate"]],
  ["a type that is a list", { type: ["agent-to-server"] }, ["type"]],
  ["links that are text", { _links: "/v7" }, ["_links"]],
  ["a link with a number as its address", { _links: { self: { href: 7 } } }, ["_links.self"]],
  ["a link without an address", { _links: { self: {} } }, ["_links.self"]],
  ["a list of numbers in place of labels", { labels: [1, 2] }, ["labels"]],
  ["labels with one invalid name", { labels: [{ labelId: "1", name: {} }] }, ["labels[].name"]],
])("the client drops and reports an unreadable member: %s", async (_, odd, members) => {
  const { answer, unreadable } = await read({ ...test1, ...odd });
  expect(answer).toMatchObject(test1);
  expect(unreadable).toEqual([{ operation: "tests.agentToServer.get", members }]);
});

test.each<[string, object, object]>([
  ["an interval as text", { interval: "300" }, { interval: 300 }],
  ["0 and 1 in place of booleans", { isEnabled: 1, isPrioritized: 0 }, { isEnabled: true, isPrioritized: false }],
  ["booleans as text", { isEnabled: "false", isPrioritized: "true" }, { isEnabled: false, isPrioritized: true }],
  ["a port as text", { port: "8443" }, { port: 8443 }],
  ["a name that is a number", { testName: 2026 }, { testName: "2026" }],
  ["an account group that is a number", { aid: 1001 }, { aid: "1001" }],
  [
    "numbers as text in the agents of a test, and ids as numbers",
    { agentSelectorConfig: { agentSelectorType: "agent-labels", maxMachines: "25", endpointAgentLabels: [7] } },
    { agentSelectorConfig: { agentSelectorType: "agent-labels", maxMachines: 25, endpointAgentLabels: ["7"] } },
  ],
])("the client converts a readable value without a report: %s", async (_, odd, converted) => {
  const { answer, unreadable } = await read({ ...test1, ...odd });
  expect(answer).toEqual({ ...test1, ...converted });
  expect(unreadable).toEqual([]);
});

test.each<[string, object, string]>([
  ["an id", { testId: {} }, "testId"],
  ["no id", { testId: undefined }, "testId"],
  ["an interval in words", { interval: "5 minutes" }, "interval"],
  ["an interval that would lose digits", { interval: "60.00000001" }, "interval"],
  ["a boolean that is 2", { isEnabled: 2 }, "isEnabled"],
  ["a name", { testName: ["Office"] }, "testName"],
  ["the agents", { agentSelectorConfig: "all-agents" }, "agentSelectorConfig"],
  [
    "the id of a selected agent",
    { agentSelectorConfig: { agentSelectorType: "x", agents: [{}] } },
    "agentSelectorConfig.agents[0]",
  ],
  ["the account group", { aid: [1] }, "aid"],
])("the client rejects a record if a property has an invalid value: %s", async (_, odd, jsonPath) => {
  const error = await failureOf(ProtocolError, read({ ...test1, ...odd, createdDate: 7 }));
  expect(error.jsonPath).toBe(jsonPath);
});

test("the client reports an unreadable member of several list items only once", async () => {
  const unreadable: Unreadable[] = [];
  const tests = [test1, { ...test1, testId: 2, createdDate: 7, isEnabled: 1 }, { ...test1, testId: "3", createdDate: 8 }];
  const service = await serve(() => ({ body: { tests } }));
  const client = connect(service, { onUnreadable: (finding) => unreadable.push(finding) });
  expect(await client.agentToServerTests.list()).toEqual({
    tests: [test1, { ...test1, testId: "2", isEnabled: true }, { ...test1, testId: "3" }],
  });
  expect(unreadable).toEqual([{ operation: "tests.agentToServer.list", members: ["tests[].createdDate"] }]);
});

test("the client converts numbers in label filters to strings", async () => {
  const service = await serve(() => ({ body: { id: 7, name: 8, filters: [{ key: "asn", values: [64512, "64513"] }] } }));
  expect(await connect(service).labels.get({ path: { id: "7" } })).toEqual({
    id: "7",
    name: "8",
    filters: [{ key: "asn", values: ["64512", "64513"] }],
  });
});

test("the client rejects a page with an unreadable next link", async () => {
  const service = await serve(() => ({ body: { labels: [], _links: { next: { href: {} }, self: "odd" } } }));
  const error = await failureOf(ProtocolError, connect(service).labels.list());
  expect(error.jsonPath).toBe("_links.next.href");
});

test("the client rejects a list that is not an array", async () => {
  for (const [tests, jsonPath] of [
    ["none", "tests"],
    [["Office"], "tests[0]"],
  ]) {
    const service = await serve(() => ({ body: { tests } }));
    expect((await failureOf(ProtocolError, connect(service).agentToServerTests.list())).jsonPath).toBe(jsonPath);
  }
});

test("the client rejects an account group with an unreadable isCurrentAccountGroup value", async () => {
  const service = await serve(() => ({
    body: { accountGroups: [{ aid: 1, accountGroupName: 7, isCurrentAccountGroup: "?" }] },
  }));
  const error = await failureOf(ProtocolError, connect(service).accountGroups.list());
  expect(error.jsonPath).toBe("accountGroups[0].isCurrentAccountGroup");
});

test("the log names an ignored member but omits the member's value", async () => {
  const lines: string[] = [];
  const write = jest.spyOn(process.stderr, "write").mockImplementation((line) => {
    lines.push(String(line));
    return true;
  });
  const service = await serve(() => ({ body: { ...test1, createdDate: { s3cret: true } } }));
  await connect(service, { log: { level: "debug" } }).agentToServerTests.get({ path: { testId: "1" } });
  write.mockRestore();
  expect(lines.join("")).toContain(
    "tests.agentToServer.get GET /v7/endpoint/tests/scheduled-tests/agent-to-server/1 ignored unreadable members: createdDate",
  );
  expect(lines.join("")).not.toContain("s3cret");
});

test("the client reads a list of tags despite an unreadable member", async () => {
  const service = await serve(() => ({ body: { tags: [{ id: "1", key: "team", modifiedDate: {}, _links: "odd" }] } }));
  expect(await connect(service).tags.list()).toEqual({ tags: [{ id: "1", key: "team" }] });
});
