import { RequestError, type Client } from "../../api";
import { label } from "../support/api/calls";
import { bench, failureOf } from "../support/api/service";

const { serve, connect } = bench();

/** Calls with arguments that the types forbid, as a JavaScript program may. */
function call(client: Client, area: keyof Client, operation: string, request: unknown): Promise<unknown> {
  // Areas are objects of functions, except `close`.
  const send = (client[area] as unknown as Record<string, (request: unknown) => Promise<unknown>>)[operation];
  if (!send) throw new Error(`there is no ${area}.${operation}`);
  return send(request);
}

const newLabel = { name: "Office", matchType: "or", filters: [{ key: "asn", values: ["1"] }] };
const newTest = { testName: "Portal", url: "https://www.example.com" };

describe("invalid request bodies", () => {
  test.each<[keyof Client, string, unknown, string[]]>([
    ["labels", "create", undefined, ["body: Invalid input: expected object, received undefined"]],
    ["labels", "create", "s3cret", ["body: Invalid input: expected object, received string"]],
    ["labels", "create", { ...newLabel, "s3cret-free": "s3cret" }, ["s3cret-free: no such member"]],
    [
      "labels",
      "create",
      { ...newLabel, constructor: "s3cret", toString: "s3cret" },
      ["constructor: no such member", "toString: no such member"],
    ],
    [
      "labels",
      "create",
      {
        ...newLabel,
        filters: [
          { key: "asn", values: [] },
          { key: "asn", values: [], not: { in: "s3cret" } },
        ],
      },
      ["filters[1].not: no such member"],
    ],
    [
      "labels",
      "create",
      { name: 17, matchType: "s3cret", color: "s3cret", filters: [{ key: "s3cret", values: "s3cret" }] },
      [
        "name: Invalid input: expected string, received number",
        "color: a color such as #d9d9d9",
        'matchType: Invalid option: expected one of "and"|"or"',
        "filters[0].values: Invalid input: expected array, received string",
      ],
    ],
    ["labels", "update", { name: null }, ["name: Invalid input: expected string, received null"]],
    [
      "httpServerTests",
      "create",
      { ...newTest, password: 5318008 },
      ["password: Invalid input: expected string, received number"],
    ],
    ["httpServerTests", "create", { ...newTest, passwort: "s3cret" }, ["passwort: no such member"]],
    [
      "httpServerTests",
      "create",
      { ...newTest, interval: 61 },
      ["interval: Invalid option: expected one of 60|120|300|600|900|1800|3600"],
    ],
    [
      "httpServerTests",
      "update",
      { isPrioritized: true, password: "s3cret" },
      ["isPrioritized: no such member", "password: no such member"],
    ],
    ["agentToServerTests", "create", { testName: "a", server: "b", isEnabled: false }, ["isEnabled: no such member"]],
    [
      "dynamicTests",
      "create",
      { testName: "", application: 5318008, maxMachines: 150_001 },
      ["maxMachines", "testName", "application"].map((name) => expect.stringMatching(`^${name}: `)),
    ],
  ])("the client names each invalid member but not its value: %s.%s(%j)", async (area, operation, body, fields) => {
    const service = await serve(() => ({ body: label }));
    const path = operation === "update" ? { id: "1", testId: "1" } : undefined;
    const error = await failureOf(RequestError, call(connect(service), area, operation, { path, body }));
    expect(error.fields).toEqual(fields);
    expect(error).toMatchObject({ code: "request", outcomeUnknown: false });
    expect(error.message).toBe(`${error.method} ${error.path} was not sent: ${error.fields.join("; ")}`);
    expect(error.message.replace("s3cret-free", "")).not.toMatch(/s3cret|5318008/);
    expect(service.arrived).toEqual([]);
  });
});

test("the client omits undefined members from a request body", async () => {
  const service = await serve(() => ({ body: label }));
  await connect(service).labels.update({ path: { id: "1" }, body: { name: "Office", color: undefined, filters: undefined } });
  expect(service.arrived[0]?.body).toBe('{"name":"Office"}');
});

describe("path parameters", () => {
  test.each([
    ["abc-123-def", "abc-123-def"],
    ["a/b?c#d", "a%2Fb%3Fc%23d"],
    ["50%2F", "50%252F"],
    ["Büro 1", "B%C3%BCro%201"],
    ["..a", "..a"],
    ["%2e%2e", "%252e%252e"],
  ])("the client encodes the path parameter %s", async (id, encoded) => {
    const service = await serve(() => ({ body: label }));
    await connect(service).labels.get({ path: { id } });
    expect(service.arrived[0]?.path).toBe(`/v7/endpoint/labels/${encoded}`);
  });

  // The request would use another path: "" would delete the list, and ".." its parent.
  test.each([[""], ["."], [".."], [undefined]])("the client rejects the path parameter %j", async (id) => {
    const service = await serve(() => ({ body: label }));
    const error = await failureOf(RequestError, call(connect(service), "labels", "delete", { path: { id } }));
    expect(error.fields).toEqual(['id: the value is required and must not be "." or ".."']);
    expect(service.arrived).toEqual([]);
  });
});

test.each<[object | undefined, string]>([
  [undefined, ""],
  [{}, ""],
  [{ aid: undefined }, ""],
  [{ aid: "12&34=5", max: 20 }, "aid=12%2634%3D5&max=20"],
  [{ expand: ["filters"] }, "expand=filters"],
  [{ cursor: "a+b/c==", expand: ["filters", "more"] }, "cursor=a%2Bb%2Fc%3D%3D&expand=filters%2Cmore"],
])("the client sends the query parameters %j", async (query, sent) => {
  const service = await serve(() => ({ body: { labels: [] } }));
  await call(connect(service), "labels", "list", { query });
  expect(service.arrived[0]?.query.toString()).toBe(sent);
});

test.each(["", "/", "/v7", "/v7/", "//"])("the client accepts a base URL that ends with %j", async (end) => {
  const service = await serve(() => ({ body: label }));
  await connect({ url: service.url + end }).labels.get({ path: { id: "1" } });
  expect(service.arrived[0]?.path).toBe("/v7/endpoint/labels/1");
});

test("the client accepts a base URL that has a path", async () => {
  const service = await serve(() => ({ body: label }));
  await connect({ url: `${service.url}/proxy/v7/` }).labels.get({ path: { id: "1" } });
  expect(service.arrived[0]?.path).toBe("/proxy/v7/endpoint/labels/1");
});
