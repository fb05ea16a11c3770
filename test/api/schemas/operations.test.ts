/** Compares the schemas of the operations with openapi.json. */
import { z } from "zod";
import * as schemas from "../../support/api/schemas";
import * as enums from "../../../api/schemas/enums";
import { allOperations } from "../../../api/schemas";
import { documentedOperations } from "../../support/kinds";
import { apiDocument, documented } from "../../support/api/document";
import { membersOfDocument, membersOfSchema, requiredIn } from "../../support/api/members";

/** Each documented operation with our operation of the same id. */
const pairs = documented.flatMap((known) => {
  const operation = allOperations().find(({ id }) => id === known.id);
  return operation ? [{ id: known.id, known, operation }] : [];
});

test("the schemas contain each of the API's 58 operations exactly once", () => {
  expect(documentedOperations.map(({ id }) => id).toSorted()).toEqual(documented.map(({ id }) => id).toSorted());
  expect(documentedOperations).toHaveLength(58);
});

describe("operations", () => {
  /** POSTs that change nothing, and POSTs that change nothing when repeated. */
  const reads = /\.filter(Multi)?$|^token\.issue$/;
  const idempotent = /^agents\.(enable|disable)$/;

  test.each(pairs)("the schema of $id matches the documented operation", ({ id, known, operation }) => {
    const { request, requestTypes, response, responseType: _, query, budget, permission, ...same } = known;
    const { method } = known;
    expect({
      ...operation,
      query: Object.keys(operation.query.shape).toSorted(),
      pathParams: [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      body: operation.body !== undefined,
      bodyTypes: operation.body && operation.bodyTypes,
      response: operation.response !== undefined,
    }).toEqual({
      ...same,
      query: query.map(({ name }) => name).toSorted(),
      body: request !== undefined,
      bodyTypes: request && requestTypes,
      bodyType: requestTypes[0] ?? "application/json",
      response: response !== undefined,
      budget: id === "token.issue" ? "none" : budget,
      repeatable: method !== "POST" || reads.test(id) || idempotent.test(id),
      writes: method !== "GET" && !reads.test(id),
      permission,
    });
  });
});

describe("query parameters", () => {
  type Input = string | string[];
  interface Samples {
    taken: [given: Input, parsed: unknown][];
    refused: Input[];
  }
  const samples: Record<string, Samples> = {
    string: { taken: [["a b", "a b"]], refused: [["a", "b"]] },
    integer: { taken: [["5", 5]], refused: ["five", "", "0", "-1", "1.5", ["1", "2"]] },
    boolean: {
      taken: [
        ["true", true],
        ["false", false],
      ],
      refused: ["1", "0", "yes", "TRUE", "", ["true", "true"]],
    },
    window: {
      taken: ["30s", "5m", "12h", "1d", "2w"].map((text) => [text, text]),
      refused: ["", "30", "h", "1y", "-1h", "1h "],
    },
    "date-time": {
      taken: ["2022-07-17T22:00:54Z", "2022-07-17T22:00:54.5+02:00"].map((text) => [text, text]),
      refused: ["", "2022-07-17", "yesterday", "2022-13-01T00:00:00Z"],
    },
  };
  const list = (values: string[]): Samples => ({
    taken: [
      ...values.map((text): [Input, string[]] => [text, [text]]),
      [values.join(","), values],
      [
        [values.join(","), ...values],
        [...values, ...values],
      ],
    ],
    refused: ["", "nothing", `${values.join(",")},nothing`, [...values, "nothing"]],
  });

  const cases = pairs.flatMap(({ id, known, operation }) =>
    known.query.map((parameter) => ({ id, one: parameter, operation, name: parameter.name })),
  );
  test.each(cases)(
    "the operation $id accepts only documented values of the query parameter $name",
    ({ one, operation, name }) => {
      const { kind } = one;
      const { taken, refused } = (one.values ? list(one.values) : samples[kind]) ?? { taken: [], refused: [] };
      expect(taken).not.toEqual([]);
      const query: z.ZodType = operation.query;
      for (const [input, parsed] of taken) expect([input, query.parse({ [name]: input })]).toEqual([input, { [name]: parsed }]);
      for (const wrong of refused) expect([wrong, query.safeParse({ [name]: wrong }).success]).toEqual([wrong, false]);
      for (const [text] of kind === "window" ? taken : []) expect(text).toMatch(new RegExp(one.pattern ?? ""));
    },
  );

  test('the operation agents.logs accepts at most 5,000 for the parameter "max"', () => {
    const { query } = schemas.operations.agents.logs;
    expect([query.safeParse({ max: "5000" }).success, query.safeParse({ max: "5001" }).success]).toEqual([true, false]);
  });

  test("the schemas accept valid time ranges and reject contradictory time ranges", () => {
    const windows = ["30s", "5m", "12h", "1d", "2w"].map(schemas.windowSeconds);
    expect(windows).toEqual([30, 300, 43_200, 86_400, 1_209_600]);
    const [earlier, later] = ["2022-07-17T22:00:54Z", "2022-07-17T22:00:55Z"];
    const wrong = (range: schemas.TimeRange): string | undefined => schemas.timeRangeProblem(range)?.field;
    expect([{}, { window: "1h" }, { startDate: earlier, endDate: later }, { endDate: later }].map(wrong)).toEqual(
      Array(4).fill(undefined),
    );
    expect(wrong({ window: "1h", startDate: earlier })).toBe("window");
    expect(wrong({ window: "1h", endDate: later })).toBe("window");
    expect(wrong({ startDate: later, endDate: earlier })).toBe("endDate");
  });
});

describe("enumerations", () => {
  /** Our name, and the name in openapi.json. */
  const names: Record<Exclude<keyof typeof enums, `dynamicTestApplication${string}`>, string> = {
    filterKeys: "FilterType",
    filterKey: "FilterType",
    filterMode: "LabelFilterMode",
    matchType: "MatchType",
    agentSelectorTypes: "EndpointTestAgentSelectorType",
    agentSelectorType: "EndpointTestAgentSelectorType",
    testProtocol: "EndpointTestProtocol",
    ipVersion: "EndpointIpVersionIn",
    tcpProbeMode: "TestProbeMode",
    reportedTcpProbeMode: "TestProbeModeResponse",
    testInterval: "TestInterval",
    authType: "EndpointTestAuthType",
    sslVersionId: "TestSslVersionId",
    licenseType: "AgentLicenseType",
    platform: "Platform",
    interfaceHardwareType: "InterfaceHardwareType",
    networkTopologyType: "NetworkTopologyType",
    trigger: "Trigger",
    agentExpands: "ExpandEndpointAgentOptions",
    networkResultExpands: "ExpandEndpointNetworkOptions",
    httpServerResultExpands: "ExpandEndpointHttpServerOptions",
    topologyExpands: "ExpandLocalNetworkTopologyOptions",
    sortOrder: "SortOrder",
    agentSortKey: "AgentSearchSortKey",
    networkSortKey: "EndpointTestsDataSearchSortKey",
    httpServerSortKey: "HttpEndpointTestsDataSearchSortKey",
    thresholdOperator: "ThresholdFilterOperator",
    conditionalOperator: "ConditionalOperator",
    networkThreshold: "ThresholdFilterName",
    httpServerThreshold: "HttpThresholdFilterName",
    topologyThreshold: "LocalNetworksThresholdFilterName",
    vpnTypes: "VpnType",
  };
  const documentedSchemas = apiDocument.components.schemas;
  const application = documentedSchemas["DynamicTestRequest"]?.properties?.["application"];

  test.each(Object.entries(enums))("the enumeration %s has the documented values", (name, ours) => {
    const values = ours instanceof z.ZodType ? (schemas.knownWordsOf(ours) ?? z.toJSONSchema(ours).enum) : ours;
    // The table only contains names that TypeScript knows.
    const documentedName = names[name as keyof typeof names];
    expect(values).toEqual(documentedName ? documentedSchemas[documentedName]?.enum : application?.examples);
  });

  test('dynamic tests and scheduled tests accept the same values of the parameter "expand"', () => {
    expect(documentedSchemas["ExpandEndpointDynamicNetworkOptions"]?.enum).toEqual(enums.networkResultExpands);
  });
});

describe("requests", () => {
  /** Intended differences from the models. A member without which a request has no meaning is required. */
  const onPurpose: Record<string, (documented: string) => string> = {
    grant_type: (type) => `${type}, required`,
    // Other values occur (docs/service/requests.md, Authentication).
    scope: () => "string",
    "filters[].key": (type) => `${type}, required`,
    "filters[].values": (type) => `${type}, required`,
    toAid: (type) => `${type}, required`,
    transfers: (type) => `${type}, required`,
    "searchSort[].sort": (type) => `${type}, required`,
    // For agents the model is a string, and its meaning is an array with one item.
    "thresholdFilter.filters[].name": (type) => (type === "string" ? "string of last-seen-ms, required" : `${type}, required`),
    "thresholdFilter.filters[].value": (type) => `${type}, required`,
    "thresholdFilter.filters[].operator": (type) => `${type}, required`,
  };
  const cases = pairs.flatMap(({ id, known, operation }) =>
    known.request && operation.body ? [{ id, request: known.request, body: operation.body }] : [],
  );

  test.each(cases)("the request schema of the operation $id has the documented members", ({ request, body }) => {
    const expected = membersOfDocument(request, "request");
    for (const [path, change] of Object.entries(onPurpose)) {
      if (expected[path] !== undefined) expected[path] = change(expected[path]);
    }
    expect(membersOfSchema(body, "request")).toEqual(expected);
  });

  test("an agent search rejects long values and lists of more than 50 values", () => {
    const taken = (serialNumber: string[]): boolean => schemas.agentSearchFilters.safeParse({ serialNumber }).success;
    const [fits, long] = ["x".repeat(50), "x".repeat(51)];
    expect([taken(Array(50).fill(fits)), taken(Array(51).fill(fits)), taken([long])]).toEqual([true, false, false]);
  });

  test("each result search accepts a request without a body", () => {
    const without = allOperations()
      .filter(({ body }) => body?.safeParse(undefined).success)
      .map(({ id }) => id);
    expect(without.toSorted()).toEqual(
      documented
        .filter(({ id }) => /^results\..*filter/.test(id))
        .map(({ id }) => id)
        .toSorted(),
    );
  });
});

describe("responses", () => {
  const cases = pairs.flatMap(({ id, known, operation }) =>
    known.response && operation.response ? [{ id, success: known.response, response: operation.response }] : [],
  );

  test.each(cases)("the response schema of the operation $id has the documented members", ({ id, success, response }) => {
    const ours = membersOfSchema(response, "answer");
    const documentedMembers = membersOfDocument(success, "answer");
    // The vendor's clients accept any value as the account group of an agent.
    for (const path of Object.keys(ours).filter((name) => /^(agents\[\]\.)?aid$/.test(name) && id.startsWith("agents."))) {
      documentedMembers[path] = "any";
    }
    expect(ours).toEqual(documentedMembers);
  });

  /**
   * A response is useless without these members. All others are optional. A list without its list member is an error, because
   * any object would be a list. A test inside results is another record.
   */
  const required: [RegExp, string[]][] = [
    [/^token\.issue$/, ["access_token"]],
    [/^accountGroups\.list$/, ["accountGroups", "accountGroups[].aid"]],
    [/^agents\.(list|filter)$/, ["agents", "agents[].id"]],
    [/^agents\.(get|update|enable|disable)$/, ["id"]],
    [/^agents\.connectionString$/, ["connectionString"]],
    [/^agents\.transferBulk$/, ["items"]],
    [/^agents\.logs$/, ["logs"]],
    [/^labels\.list$/, ["labels", "labels[].id", "labels[].filters[].key"]],
    [/^labels\./, ["id", "filters[].key"]],
    [/^tests\.realUser\.list$/, ["realUserTests", "realUserTests[].profileId"]],
    [/^tests\.run$/, ["message"]],
    [/^tests\.(\w+\.)?list$/, ["tests", "tests[].testId", "tests[].agentSelectorConfig.agentSelectorType"]],
    [/^tests\./, ["testId", "agentSelectorConfig.agentSelectorType"]],
    [/^results\.localNetworks\.list$/, ["localNetworks", "localNetworks[].networkId"]],
    [/^results\.localNetworks\./, ["results", "results[].networkTopologyId", "results[].agentId"]],
    [/^results\.realUser\.(networks\.)?filter$/, ["results", "results[].id"]],
    [/^results\.realUser\.pages\.filter$/, ["results", "results[].id", "results[].pageId"]],
    [/^results\.realUser\.pages\.get$/, ["har"]],
    [/^results\.realUser\.get$/, ["results", "results[].id", "results[].pages[].pageId"]],
    [/^results\./, ["results", "results[].testId", "results[].agentId", "results[].roundId"]],
    [/^proxies\.list$/, ["proxies", "proxies[].proxyId"]],
    [/^apiTokens\.regenerate$/, ["bearerToken"]],
  ];

  test.each(cases)("the response schema of the operation $id requires only identifiers and lists", ({ id, response }) => {
    const paths = requiredIn(response).filter((path) => !path.startsWith("test."));
    expect(paths.toSorted()).toEqual(required.find(([ids]) => ids.test(id))?.[1].toSorted());
  });
});
