/** Tests the common behavior of all functions: pages, limits, links in records, settings and mistakes. */
import * as pulumi from "@pulumi/pulumi";
import { ConfigurationError, ForbiddenError, LookupError, ProtocolError, RequestError } from "../../api";
import * as sdk from "../../sdk";
import { settle } from "../support/api/functions";
import { bench, failureOf, type Script, type Service } from "../support/api/service";

const { serve } = bench();

async function begin(script: Script, settings: Record<string, string> = {}): Promise<Service> {
  const service = await serve(script);
  settle({ baseUrl: service.url, ...settings });
  return service;
}

/** Three pages of two rows each. The last page has no next link. */
const book =
  (member: string): Script =>
  ({ query }) => {
    const page = Number(query.get("cursor") ?? "1");
    const next = page < 3 ? { next: { href: `https://elsewhere.example.com/v7/any?cursor=${page + 1}` } } : {};
    const row = (at: string) => ({ id: `${page}${at}`, testId: "7", agentId: "a1", roundId: page });
    return { body: { [member]: [row("a"), row("b")], _links: next } };
  };

describe("pages of results", () => {
  const all = ["1a", "1b", "2a", "2b", "3a", "3b"];

  it("a function requests all pages in order, with the same query and body", async () => {
    const service = await begin(book("agents"));
    const agents = await sdk.getAgents({ searchFilters: { platform: ["mac"] }, expand: ["clients"] });
    expect(agents.map(({ id }) => id)).toEqual(all);
    expect(service.arrived.map(({ query }) => query.get("cursor"))).toEqual([null, "2", "3"]);
    for (const { query, body } of service.arrived) {
      expect(query.get("expand")).toBe("clients");
      expect(JSON.parse(body)).toEqual({ searchFilters: { platform: ["mac"] } });
    }
  });

  it.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [6, 3],
    [7, 3],
  ])("a function stops at a limit of %i results after %i requests", async (limit, requests) => {
    const service = await begin(book("labels"));
    expect((await sdk.getLabels({ limit })).map(({ id }) => id)).toEqual(all.slice(0, limit));
    expect(service.arrived).toHaveLength(requests);
    for (const { query } of service.arrived) expect(query.has("limit")).toBe(false);
  });

  it("a function requests each page only when the program reads the page", async () => {
    const service = await begin(book("results"));
    const seen: number[] = [];
    for await (const page of sdk.getNetworkResults.pages({ test: "7" })) {
      expect(page).toHaveLength(2);
      seen.push(service.arrived.length);
      if (seen.length === 2) break;
    }
    expect(seen).toEqual([1, 2]);
    expect(service.arrived).toHaveLength(2);
  });
});

describe("links in a test's record", () => {
  const rows: Script = () => ({ body: { results: [] } });
  const record = (...hrefs: string[]): sdk.TestReference => ({
    testId: "7",
    _links: { testResults: hrefs.map((href) => ({ href })) },
  });
  const place = "/v7/endpoint/test-results/scheduled-tests";
  const asked = (service: Service): string[] =>
    service.arrived.map(({ path, query }) => (query.size ? `${path}?${query.toString()}` : path));

  it.each(["pathvis", "path-vis"])(
    "a function uses the links in a test's record if their paths are spelled %s",
    async (spelling) => {
      const service = await begin(rows);
      const test = record(`${service.url}/v7/other/7/network/filter`, `${service.url}/v7/other/7/${spelling}`);
      await sdk.getPathVisualizations({ test });
      await sdk.getPathVisualization({ test, agentId: "a1", roundId: 5 });
      await sdk.getNetworkResults({ test });
      expect(asked(service)).toEqual([
        `/v7/other/7/${spelling}`,
        `/v7/other/7/${spelling}/agent/a1/round/5`,
        "/v7/other/7/network/filter",
      ]);
    },
  );

  it("a function follows a relative link of a declared resource", async () => {
    const service = await begin(rows);
    await sdk.getPathVisualizations({ test: { testId: "7", links: { testResults: ["/v7/other/7/path-vis"] } } });
    expect(asked(service)).toEqual(["/v7/other/7/path-vis"]);
  });

  it("a function ignores links outside of the service's own origin and base path", async () => {
    const elsewhere = await serve(rows);
    const service = await serve(rows);
    settle({ baseUrl: `${service.url}/gate/v7/` });
    const links = [`${elsewhere.url}/gate/v7/other/7/pathvis`, `${service.url}/v7/other/7/pathvis`, "http://[", ""];
    await sdk.getPathVisualizations({ test: record(...links) });
    await sdk.getPathVisualizations({ test: record(`${service.url}/gate/v7/other/7/pathvis`) });
    await sdk.getHttpServerResults({ test: record(`${service.url}/gate/v7/other/7/network/filter`) });
    expect(asked(service)).toEqual([`/gate${place}/7/pathvis`, "/gate/v7/other/7/pathvis", `/gate${place}/7/http-server`]);
    expect(elsewhere.arrived).toEqual([]);
  });

  it("the account group in a link applies unless the program passes accountGroupId", async () => {
    const service = await begin(rows, { accountGroupId: "1001" });
    const test = record(`${service.url}${place}/7/pathvis?aid=1002`);
    await sdk.getPathVisualizations({ test });
    await sdk.getPathVisualizations({ test, accountGroupId: "1003" });
    await sdk.getPathVisualizations({ test: "7" });
    expect(service.arrived.map(({ query }) => query.get("aid"))).toEqual(["1002", "1003", "1001"]);
  });
});

describe("calls with invalid arguments", () => {
  const test = "7";
  // A JavaScript program can pass arguments that the types reject.
  const loose = sdk as unknown as Record<string, (args?: unknown) => Promise<unknown>>;

  it.each<[string, unknown, ...string[]]>([
    ["getNetworkResults", { test, window: "1h", endDate: "2022-07-18T22:00:54Z" }, "window: excludes startDate and endDate"],
    [
      "getPathVisualizations",
      { test, startDate: "2022-07-18T22:00:54Z", endDate: "2022-07-17T22:00:54Z" },
      "endDate: is before",
    ],
    ["getRealUserTests", { window: "soon" }, "window: a number with a unit (s, m, h, d or w)"],
    ["getNetworkResults", { test, window: "3600" }, "window: a number with a unit (s, m, h, d or w), such as 12h"],
    ["getRealUserTests", { startDate: "yesterday" }, "startDate: a date and time such as"],
    [
      "getLabels",
      { limit: 0, max: 0, nmae: "Office" },
      "limit: must be a whole number above 0",
      "max: ",
      "nmae: unknown argument",
    ],
    ["getLabels", { limit: 1.5 }, "limit: must be a whole number above 0"],
    ["getAgents", { expand: ["client"] }, "expand[0]: "],
    [
      "getAgents",
      { useAllPermittedAids: true, searchFilters: {} },
      "useAllPermittedAids: a search covers only one account group",
    ],
    ["getAgents", { agentName: "a", searchFilters: { agentName: ["b"] } }, "agentName: set it either here or in searchFilters"],
    ["getAgents", { searchFilters: { platform: ["amiga"], ssid: ["x"] } }, "searchFilters.platform[0]: "],
    ["getAgents", { searchFilters: { ssid: ["x"] } }, "searchFilters.ssid: no such member"],
    ["getRealUserTestPages", { searchFilters: { sitee: ["x"] } }, "sitee: unknown argument"],
    ["getAgent", {}, "give exactly one of agentId, agentName, computerName"],
    ["getLabel", { id: "1", name: "Office" }, "give exactly one of id, name"],
    ["getTest", undefined, "give exactly one of testId, testName"],
    ["getTests", { kind: "dns" }, "kind: must be agent-to-server, http-server, dynamic"],
    ["getNetworkResults", {}, "testId: the value is required"],
    ["getNetworkResults", { test: { testId: {} } }, "testId: must be a string"],
    ["getRealUserTest", { id: ".." }, "id: the value is required"],
  ])("the function %s fails before it sends a request: %j", async (name, args, ...messageParts) => {
    const service = await begin(() => ({ body: {} }));
    const error = await failureOf(RequestError, loose[name]?.(args) ?? Promise.resolve());
    for (const text of messageParts) expect(error.message).toContain(text);
    expect(service.arrived).toEqual([]);
    // The engine prints no stack trace of such an error.
    expect(pulumi.RunError.isInstance(error)).toBe(true);
  });

  it("one error names all missing settings", async () => {
    settle({ token: "" });
    const error = await failureOf(ConfigurationError, sdk.getAgents.pages()[Symbol.asyncIterator]().next());
    expect(error.message).toMatch(/baseUrl .*endpoint-monitoring:baseUrl.*token .*ENDPOINT_MONITORING_TOKEN/);
    expect(pulumi.RunError.isInstance(error)).toBe(true);
  });
});

describe("functions that look up one record", () => {
  it("the error lists at most ten records if several records match", async () => {
    const labels = Array.from({ length: 12 }, (_, at) => ({ id: `l${at}`, name: "Office" }));
    await begin(() => ({ body: { labels: [...labels, { id: "other", name: "Office 2" }] } }));
    const error = await failureOf(LookupError, sdk.getLabel({ name: "Office" }));
    expect(error.message).toMatch(
      /^getLabel: 12 labels have the name "Office": l0 \(Office\); .*l9 \(Office\) and 2 more\. Choose one by id\.$/,
    );
  });

  it("the error does not mention further matches if exactly ten records match", async () => {
    const labels = Array.from({ length: 10 }, (_, at) => ({ id: `l${at}`, name: "Office" }));
    await begin(() => ({ body: { labels } }));
    const { message } = await failureOf(LookupError, sdk.getLabel({ name: "Office" }));
    expect(message).toMatch(
      /^getLabel: 10 labels have the name "Office": l0 \(Office\); .*l9 \(Office\)\. Choose one by id\.$/,
    );
  });

  it("the error names the function and the searched value if no record matches", async () => {
    await begin(() => ({ body: { labels: [] } }));
    const { message } = await failureOf(LookupError, sdk.getLabel({ name: "Ofice" }));
    expect(message).toBe('getLabel: no label has the name "Ofice". Check this value and accountGroupId.');
  });

  it("the function rejects a response without the requested id", async () => {
    await begin(() => ({ body: { results: [] } }));
    const error = await failureOf(ProtocolError, sdk.getRealUserTest({ id: "v1" }));
    expect(error.path).toBe("/v7/endpoint/test-results/real-user-tests/{id}");
  });
});

it("a function throws the client's error without secrets", async () => {
  await begin(() => ({ status: 403, body: { title: "Forbidden", detail: "given-token may not" } }));
  const error = await failureOf(ForbiddenError, sdk.getConnectionString());
  expect(error.message).toContain("403: [secret] may not");
});

it("a function prefers the stack configuration to the environment for settings and secrets", async () => {
  const service = await begin(() => ({ body: { labels: [] } }), { accountGroupId: "1001" });
  settle({ baseUrl: "http://127.0.0.1:1", accountGroupId: "1001" });
  pulumi.runtime.setAllConfig({ "endpoint-monitoring:baseUrl": service.url, "endpoint-monitoring:token": "of-the-stack" }, [
    "endpoint-monitoring:token",
  ]);
  try {
    await sdk.getLabels();
  } finally {
    pulumi.runtime.setAllConfig({});
  }
  expect(service.arrived.map(({ headers, query }) => [headers.authorization, query.get("aid")])).toEqual([
    ["Bearer of-the-stack", "1001"],
  ]);
});

it("all functions of a program share one token", async () => {
  const script: Script = ({ path }) => ({
    body: path.includes("token") ? { access_token: "issued" } : { labels: [], accountGroups: [] },
  });
  const service = await begin(script, { token: "", clientId: "us", clientSecret: "s3cret" });
  await Promise.all([sdk.getLabels(), sdk.getAccountGroups(), sdk.getLabels()]);
  expect(service.to("POST /v7/oauth2/token")).toHaveLength(1);
  expect(service.arrived).toHaveLength(4);
});
