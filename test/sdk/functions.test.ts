/** Tests each function with responses of the API document: its request and its result. */
import * as pulumi from "@pulumi/pulumi";
import { allOperations, type Operation } from "../../api";
import * as sdk from "../../sdk";
import { kindCases, operationsOf, otherAreas, recordKinds } from "../support/kinds";
import { Plugin, secret } from "../support/plugin";
import { example, readFixture } from "../support/api/fixtures";
import { resolved, settle } from "../support/api/functions";
import { bench, type Arrived, Service } from "../support/api/service";

type Body = Record<string, unknown>;
interface Case {
  args?: Body;
  /** Method, path and query of the request. */
  asks: string;
  /** Body of the request. */
  sends?: unknown;
  /** Name of the sample response. */
  answer: string;
  /** Returns the function's result for a response. */
  gives: (answer: Body) => unknown;
}

const { serve } = bench();
const body = (name: string): Body => example(name) as Body;
const results = (answer: Body): unknown => answer["results"];
const first = (answer: Body): unknown => (answer["results"] as unknown[])[0];
/** Searches of the API document, as arguments and as the expected body. */
const search = (name: string): Body => body(`${name}.request`);

const scheduled = "/v7/endpoint/test-results/scheduled-tests";
const dynamic = "/v7/endpoint/test-results/dynamic-tests";
const local = "/v7/endpoint/test-results/local-networks";
const visits = "/v7/endpoint/test-results/real-user-tests";
const trace = { test: "7", agentId: "a1", roundId: 1_658_181_600 };

/** A null member of a response is absent. */
const withoutNulls = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, member: unknown) => member ?? undefined);

/** Tags as the client reads them: the account group is text. */
const readTags = ({ tags }: Body): Body[] =>
  (withoutNulls(tags) as Body[]).map((tag) => ("aid" in tag ? { ...tag, aid: String(tag["aid"]) } : tag));

const cases: Record<string, Case> = {
  getAccountGroups: { asks: "GET /v7/account-groups", answer: "", gives: (answer) => answer["accountGroups"] },
  getAgents: {
    args: { computerName: "kiosk 01", includeDeleted: true, useAllPermittedAids: false, expand: ["clients", "vpnProfiles"] },
    asks: "GET /v7/endpoint/agents?computerName=kiosk+01&expand=clients%2CvpnProfiles&includeDeleted=true&useAllPermittedAids=false",
    answer: "agents.list",
    gives: (answer) => answer["agents"],
  },
  "getAgents by a search": {
    args: { ...search("agents.filter"), max: 10 },
    asks: "POST /v7/endpoint/agents/filter?max=10",
    sends: search("agents.filter"),
    answer: "agents.filter",
    gives: (answer) => answer["agents"],
  },
  getAgent: {
    args: { agentId: "a/1", expand: ["clients"] },
    asks: "GET /v7/endpoint/agents/a%2F1?expand=clients",
    answer: "agents.get",
    gives: (answer) => answer,
  },
  getConnectionString: {
    asks: "GET /v7/endpoint/agents/connection-string",
    answer: "agents.connectionString",
    gives: (answer) => answer["connectionString"],
  },
  getAgentLogs: {
    args: { agentId: "a/1", window: "1d", max: 5_000 },
    asks: "GET /v7/endpoint/agents/a%2F1/logs?max=5000&window=1d",
    answer: "assembled/agents.logs",
    gives: (answer) => withoutNulls(answer["logs"]),
  },
  getProxies: {
    asks: "GET /v7/endpoint/proxies",
    answer: "assembled/proxies.list",
    gives: (answer) => withoutNulls(answer["proxies"]),
  },
  getRealUserTestProfiles: {
    asks: "GET /v7/endpoint/tests/real-user-tests",
    answer: "assembled/tests.realUser.list",
    gives: (answer) => withoutNulls(answer["realUserTests"]),
  },
  getLabels: { asks: "GET /v7/endpoint/labels?expand=filters", answer: "labels.list", gives: (answer) => answer["labels"] },
  getLabel: {
    args: { id: "9" },
    asks: "GET /v7/endpoint/labels/9?expand=filters",
    answer: "labels.get",
    gives: (answer) => answer,
  },
  getTags: { asks: "GET /v7/tags", answer: "recorded tags", gives: (answer) => readTags(answer) },
  "getTags of a type, with assignments": {
    args: { objectType: "v-agent", expand: ["assignments"] },
    asks: "GET /v7/tags?expand=assignments",
    answer: "recorded tags",
    gives: (answer) => readTags(answer).filter(({ objectType }) => objectType === "v-agent"),
  },
  getTag: {
    args: { id: "9" },
    asks: "GET /v7/tags/9",
    answer: "recorded tag",
    gives: (answer) => readTags({ tags: [answer] })[0],
  },
  "getTag by key and value": {
    args: { key: "Cloud", value: "Cloud" },
    asks: "GET /v7/tags",
    answer: "recorded tags",
    gives: (answer) => readTags(answer).find(({ key }) => key === "Cloud"),
  },
  getTests: {
    args: { kind: "http-server" },
    asks: "GET /v7/endpoint/tests/scheduled-tests/http-server",
    answer: "tests.httpServer.list",
    gives: (answer) => (answer["tests"] as Body[]).map((test) => ({ ...test, kind: "http-server" })),
  },
  getTest: {
    args: { testId: "7", kind: "dynamic" },
    asks: "GET /v7/endpoint/tests/dynamic-tests/agent-to-server/7",
    answer: "tests.dynamic.get",
    gives: (answer) => ({ ...answer, kind: "dynamic" }),
  },
  getNetworkResults: {
    args: { test: "7", window: "12h", expand: ["user-profile"], ...search("results.scheduled.network.filter") },
    asks: `POST ${scheduled}/7/network/filter?expand=user-profile&window=12h`,
    sends: search("results.scheduled.network.filter"),
    answer: "results.scheduled.network.filter",
    gives: results,
  },
  getNetworkResultsOfTests: {
    args: { useAllPermittedAids: true, max: 5, ...search("results.scheduled.network.filterMulti") },
    asks: `POST ${scheduled}/network/filter?max=5&useAllPermittedAids=true`,
    sends: search("results.scheduled.network.filterMulti"),
    answer: "results.scheduled.network.filterMulti",
    gives: results,
  },
  getDynamicNetworkResults: {
    args: { test: "7", ...search("results.dynamic.network.filter") },
    asks: `POST ${dynamic}/7/network/filter`,
    sends: search("results.dynamic.network.filter"),
    answer: "results.dynamic.network.filter",
    gives: results,
  },
  getPathVisualizations: {
    args: { test: "7", startDate: "2022-07-17T22:00:54Z", endDate: "2022-07-18T22:00:54Z" },
    asks: `GET ${scheduled}/7/pathvis?endDate=2022-07-18T22%3A00%3A54Z&startDate=2022-07-17T22%3A00%3A54Z`,
    answer: "results.scheduled.pathVis.list",
    gives: results,
  },
  getPathVisualization: {
    args: trace,
    asks: `GET ${scheduled}/7/pathvis/agent/a1/round/1658181600`,
    answer: "results.scheduled.pathVis.get",
    gives: results,
  },
  getDynamicPathVisualizations: {
    args: { test: "7", window: "1h" },
    asks: `GET ${dynamic}/7/pathvis?window=1h`,
    answer: "results.dynamic.pathVis.list",
    gives: results,
  },
  getDynamicPathVisualization: {
    args: trace,
    asks: `GET ${dynamic}/7/pathvis/agent/a1/round/1658181600`,
    answer: "results.dynamic.pathVis.get",
    gives: results,
  },
  getHttpServerResults: {
    args: { test: "7", window: "1d", expand: ["header"] },
    asks: `GET ${scheduled}/7/http-server?expand=header&window=1d`,
    answer: "results.scheduled.httpServer.list",
    gives: results,
  },
  "getHttpServerResults by a search": {
    args: { test: "7", ...search("results.scheduled.httpServer.filter") },
    asks: `POST ${scheduled}/7/http-server/filter`,
    sends: search("results.scheduled.httpServer.filter"),
    answer: "results.scheduled.httpServer.filter",
    gives: results,
  },
  getHttpServerResultsOfTests: {
    args: { window: "1h", ...search("results.scheduled.httpServer.filterMulti") },
    asks: `POST ${scheduled}/http-server/filter?window=1h`,
    sends: search("results.scheduled.httpServer.filterMulti"),
    answer: "results.scheduled.httpServer.filterMulti",
    gives: results,
  },
  getLocalNetworks: { asks: `GET ${local}`, answer: "results.localNetworks.list", gives: (answer) => answer["localNetworks"] },
  getLocalNetworkTopologies: {
    args: { window: "1h", expand: ["system-metric-detail"], ...search("results.localNetworks.topologies.filter") },
    asks: `POST ${local}/topologies/filter?expand=system-metric-detail&window=1h`,
    sends: search("results.localNetworks.topologies.filter"),
    answer: "results.localNetworks.topologies.filter",
    gives: results,
  },
  getLocalNetworkTopology: {
    args: { networkTopologyId: "n:1" },
    asks: `GET ${local}/topologies/n%3A1`,
    answer: "results.localNetworks.topologies.get",
    gives: first,
  },
  getRealUserTests: {
    args: { window: "1h", ...search("results.realUser.filter") },
    asks: `POST ${visits}/filter?window=1h`,
    sends: search("results.realUser.filter"),
    answer: "results.realUser.filter",
    gives: results,
  },
  getRealUserTestNetworks: {
    args: search("results.realUser.networks.filter"),
    asks: `POST ${visits}/networks/filter`,
    sends: search("results.realUser.networks.filter"),
    answer: "results.realUser.networks.filter",
    gives: results,
  },
  getRealUserTestPages: {
    args: { searchFilters: search("results.realUser.pages.filter") },
    asks: `POST ${visits}/pages/filter`,
    sends: search("results.realUser.pages.filter"),
    answer: "results.realUser.pages.filter",
    gives: results,
  },
  getRealUserTest: { args: { id: "v1" }, asks: `GET ${visits}/v1`, answer: "results.realUser.get", gives: first },
  getRealUserTestPage: {
    args: { id: "v1", pageId: "p1" },
    asks: `GET ${visits}/v1/pages/p1`,
    answer: "results.realUser.pages.get",
    gives: (answer) => answer,
  },
};

const tagAnswers = new Set(["recorded tags", "recorded tag"]);

/**
 * The API document of this area does not contain account groups and tags: tags are recorded. The other samples link to a next
 * page that does not exist.
 */
function answerOf(name: string): Body {
  if (tagAnswers.has(name)) {
    const { interactions } = readFixture("recorded-tags.json") as { interactions: { seq: number; response: { body: Body } }[] };
    return interactions.find(({ seq }) => seq === (name === "recorded tags" ? 3 : 37))?.response.body ?? {};
  }
  if (name === "") return { accountGroups: [{ aid: "1001", accountGroupName: "Headquarters" }] };
  const { _links: links, ...rest } = body(`${name}.response`);
  const { next: _, ...others } = (links ?? {}) as Body;
  return { ...rest, ...(links !== undefined && { _links: others }) };
}

function asked({ method, path, query }: Arrived): string {
  const sorted = new URLSearchParams(query);
  sorted.sort();
  return `${method} ${path}${sorted.size > 0 ? `?${sorted.toString()}` : ""}`;
}

type Plain = (args?: unknown) => Promise<unknown>;
// The tests call all functions by name. tsc checks the types in examples and other tests.
const functions = sdk as unknown as Record<string, Plain>;
const outputForms = sdk as unknown as Record<string, (args?: unknown) => pulumi.Output<unknown>>;

it.each(Object.entries(cases))(
  "the function %s and its output form return the same response, with one request each",
  async (title, { args, asks, sends, answer, gives }) => {
    const [name = ""] = title.split(" ");
    const service = await serve(() => ({ body: answerOf(answer) }));
    settle({ baseUrl: service.url });
    const expected = gives(answerOf(answer));
    expect(await functions[name]?.(args)).toEqual(expected);
    const outputs = args && Object.fromEntries(Object.entries(args).map(([key, value]) => [key, pulumi.output(value)]));
    const output = await resolved(outputForms[`${name}Output`]?.(outputs));
    expect(output).toEqual({ value: expected, secret: name === "getConnectionString" });
    expect(service.arrived.map(asked)).toEqual([asks, asks]);
    expect(service.arrived.map((request) => request.body && JSON.parse(request.body))).toEqual([sends ?? "", sends ?? ""]);
  },
);

it("each function has an output form", () => {
  const named = new Set(Object.keys(cases).map((title) => title.split(" ")[0]));
  const exported = Object.keys(sdk).filter((name) => name.startsWith("get"));
  expect(new Set(exported)).toEqual(new Set([...named].flatMap((name) => [name, `${name}Output`])));
});

it("each read operation of the API has a function", () => {
  // The types of tests have the same functions. The table tries each with one type.
  const others = /^tests\.(agentToServer|httpServer|dynamic)\.(list|get)$|^tests\.list$/;
  const asks = Object.values(cases).map(({ asks: ask }) => ask.replace(/\?.*/, ""));
  const fits = ({ method, path }: Operation, ask: string): boolean =>
    new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(ask);
  // A type without a function gives the reason in its case.
  const waived = new Set(recordKinds.flatMap((kind) => (kindCases[kind].noFunction ? Object.values(operationsOf(kind)) : [])));
  const unasked = allOperations().filter(
    (operation) =>
      operation.authenticated &&
      !operation.writes &&
      !others.test(operation.id) &&
      !waived.has(operation) &&
      // Programs declare these records with another provider. Only commands send these requests.
      !operation.id.startsWith("account.") &&
      !Object.values(otherAreas).some(({ path }) => operation.path.startsWith(path)) &&
      !asks.some((ask) => fits(operation, ask)),
  );
  expect(unasked.map(({ id }) => id)).toEqual([]);
});

// Last, because an engine exists from here on.
describe("the function regenerateApiToken", () => {
  const answer = body("assembled/apiTokens.regenerate.response");

  it("regenerateApiToken replaces the configured token with one request", async () => {
    const service = await serve(() => ({ status: 201, body: answer }));
    settle({ baseUrl: service.url });
    expect(await sdk.regenerateApiToken()).toEqual(answer);
    expect(service.arrived.map(asked)).toEqual(["POST /v7/api-tokens"]);
    expect(service.arrived[0]?.headers.authorization).toBe("Bearer given-token");
  });

  it.each([true, false])(
    "regenerateApiToken sends nothing in a program that the engine runs (in a preview: %s)",
    async (preview) => {
      const service = await serve(() => ({ status: 201, body: answer }));
      settle({ baseUrl: service.url });
      const mocks = { newResource: () => ({ id: "", state: {} }), call: () => ({}) };
      await pulumi.runtime.setMocks(mocks, "test", "dev", preview);
      await expect(sdk.regenerateApiToken()).rejects.toThrow("POST /v7/api-tokens was not sent: it replaces the API token");
      expect(service.arrived).toEqual([]);
    },
  );

  it("regenerateApiToken is the only function for API tokens and has no output form", () => {
    expect(Object.keys(sdk).filter((name) => /apitoken/i.test(name))).toEqual(["regenerateApiToken"]);
  });
});

// Last of all, because the plugin's functions of this process use its settings from here on.
describe("the functions of the plugin", () => {
  let answer = "";
  const service = new Service(() => ({ body: answerOf(answer) }));
  let plugin: Plugin;
  beforeAll(async () => {
    plugin = await Plugin.start({ baseUrl: (await service.start()).url, token: secret("given-token") });
  });
  beforeEach(() => void service.arrived.splice(0));
  afterAll(async () => {
    plugin.end();
    await service.close();
  });

  it.each(Object.entries(cases))(
    "the plugin's function %s returns a secret if an argument is secret",
    async (title, testCase) => {
      const [name = ""] = title.split(" ");
      const { args = {}, asks } = testCase;
      ({ answer } = testCase);
      const expected = testCase.gives(answerOf(answer));
      const isSecret = name === "getConnectionString";
      expect(await plugin.invoke(name, args)).toEqual(isSecret ? secret(expected) : expected);
      const secrets = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, secret(value)]));
      expect(await plugin.invoke(name, secrets)).toEqual(
        isSecret || Object.keys(args).length > 0 ? secret(expected) : expected,
      );
      expect(service.arrived.map(asked)).toEqual([asks, asks]);
    },
  );
});
