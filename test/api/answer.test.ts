import { ProtocolError } from "../../api";
import { calls, label, verbs } from "../support/api/calls";
import { bench, failureOf } from "../support/api/service";

const { serve, connect } = bench();

describe("content types of responses", () => {
  test.each([
    "application/hal+json",
    "application/json",
    "application/json;charset=utf-8",
    'application/hal+json ; charset="UTF-8"',
    "APPLICATION/JSON",
    "application/vnd.service.v7+json",
  ])("the client reads a response with content type %s", async (type) => {
    const service = await serve(() => ({ headers: { "content-type": type }, body: { id: "1", name: "Büro 🏢" } }));
    expect(await calls.GET(connect(service))).toEqual({ id: "1", name: "Büro 🏢" });
  });

  test.each([
    "text/html",
    "text/plain; was=application/json",
    "application/jsonp",
    "application/json-seq",
    "application/xml",
    "",
  ])("the client rejects a response with content type %j", async (type) => {
    const service = await serve(() => ({ headers: { "content-type": type }, body: JSON.stringify(label) }));
    const error = await failureOf(ProtocolError, calls.GET(connect(service)));
    expect(error.message).toContain(`its content type is ${type || "not given"}, not JSON`);
  });
});

test("the client replaces unpaired surrogates in response strings", async () => {
  const service = await serve(() => ({
    body: '{"id":"1","name":"half \\ud83d, 🏢","filters":[{"key":"ssid","values":["\\udc00"]}]}',
  }));
  expect(await calls.GET(connect(service))).toMatchObject({ name: "half \ufffd, 🏢", filters: [{ values: ["\ufffd"] }] });
});

describe("invalid response bodies", () => {
  test.each([
    ["is cut off", '{"id":"1","na', undefined, "the body is not JSON, or was cut off"],
    ["is empty", "", undefined, "the body is not JSON, or was cut off"],
    ["has no id", { name: "Office" }, "id", "expected string, received undefined"],
    ["has a null id", { id: null }, "id", "expected string, received undefined"],
    ["has an id of the wrong type", { id: true }, "id", "expected string, received boolean"],
    [
      "has an invalid nested value",
      { id: "1", filters: [{ key: "asn" }, { key: true }] },
      "filters[1].key",
      "expected string, received boolean",
    ],
    ["is not an object", ["Office"], "the body", "expected object, received array"],
    ["is null", "null", "the body", "expected object, received null"],
  ])("the client rejects a response body that %s", async (_, body, jsonPath, reason) => {
    const service = await serve(() => ({ body }));
    const client = connect(service);
    for (const verb of ["GET", "PATCH", "POST"] as const) {
      const error = await failureOf(ProtocolError, calls[verb](client));
      const path = verb === "POST" ? "/v7/endpoint/labels" : "/v7/endpoint/labels/1";
      const code = verb === "GET" ? "protocol" : "unconfirmed";
      expect(error).toMatchObject({ code, method: verb, path, jsonPath, outcomeUnknown: verb === "POST" });
      const start = `${verb} ${path} failed, because the service returned an unexpected response${jsonPath ? ` at ${jsonPath}` : ""}: `;
      expect(error.message.startsWith(start)).toBe(true);
      expect(error.message).toContain(reason);
    }
    // A retry would get the same response, so the client sends each request once.
    expect(service.arrived).toHaveLength(3);
  });

  test("the client reports the path of an invalid record in a list", async () => {
    const service = await serve(() => ({ body: { tests: [{ testId: "1" }, { testName: "Office" }] } }));
    const error = await failureOf(ProtocolError, connect(service).dynamicTests.list());
    expect(error.jsonPath).toBe("tests[1].testId");
  });
});

test("the client drops null values at any depth and keeps unknown members", async () => {
  const service = await serve(() => ({
    body: {
      id: "1",
      name: null,
      color: "#d9d9d9",
      matchType: "xor",
      owner: { id: 7, team: null, tags: ["a", null] },
      filters: [{ key: "moon-phase", mode: null, values: ["full"], weight: 2 }, null],
      _links: { self: { href: "/1", templated: false }, next: null },
    },
  }));
  const answer = await calls.GET(connect(service));
  expect(answer).toStrictEqual({
    id: "1",
    color: "#d9d9d9",
    matchType: "xor",
    owner: { id: 7, tags: ["a"] },
    filters: [{ key: "moon-phase", values: ["full"], weight: 2 }],
    _links: { self: { href: "/1", templated: false } },
  });
});

test.each([
  ["labels", { labels: null }],
  ["tests", {}],
])("the client rejects a list response without the member %s", async (list, body) => {
  const client = connect(await serve(() => ({ body })));
  const error = await failureOf(ProtocolError, list === "labels" ? client.labels.list() : client.agentToServerTests.list());
  expect(error.jsonPath).toBe(list);
});

test("the client accepts any success status with a valid body", async () => {
  const service = await serve(({ method }) => (method === "DELETE" ? {} : { status: 202, body: label }));
  const client = connect(service);
  const answers = await Promise.all(verbs.map((verb) => calls[verb](client)));
  expect(answers).toEqual([label, label, undefined, label]);
});

describe("identifiers in responses", () => {
  const read = async (body: string): Promise<unknown> => {
    const headers = { "content-type": "application/json" };
    return connect(await serve(() => ({ headers, body }))).agentToServerTests.list();
  };

  test("the client converts numeric ids in records and lists to strings", async () => {
    const selection = (ids: string): string =>
      `{"agentSelectorType":"agent-labels","endpointAgentLabels":[${ids}],"agents":[${ids}],"tagIds":[${ids}]}`;
    const test = (id: string): string =>
      `{"testId":${id},"aid":${id},"labels":[{"labelId":${id}}],"agentSelectorConfig":${selection(id)}}`;
    expect(await read(`{"tests":[${test('"7"')},${test("7")}]}`)).toEqual(
      JSON.parse(`{"tests":[${test('"7"')},${test('"7"')}]}`),
    );
  });

  test("the client keeps all digits of ids beyond JavaScript's number range", async () => {
    const ids = ["9007199254740991", "9007199254740993", "123456789012345678901234567890"];
    const answer = await read(`{"tests":[${ids.map((id) => `{"testId":${id},"interval":60,"isEnabled":true}`).join()}]}`);
    expect(answer).toEqual({ tests: ids.map((testId) => ({ testId, interval: 60, isEnabled: true })) });
  });

  test("the client rejects an id that is neither an integer nor a string", async () => {
    for (const id of ["1.5", "true", "[1]", "{}"]) {
      const error = await failureOf(ProtocolError, read(`{"tests":[{"testId":${id}}]}`));
      expect(error.jsonPath).toBe("tests[0].testId");
    }
  });
});
