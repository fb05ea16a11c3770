/**
 * Tests each limit in the API document for declared values: the provider rejects a violation before any request, and the
 * emulator answers 400. If the provider or the emulator does not enforce a limit, this suite gives the reason.
 */
import { check } from "../../provider/check";
import { type KindName, registry } from "../../provider/registry";
import type { Properties } from "../../provider/values";
import { Bench, type Json } from "../emulator/support";
import { apiDocument, type DocumentedSchema, resolved } from "../support/api/document";

const tests = "/v7/endpoint/tests/scheduled-tests";
const agent = "0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1";
const selections: Properties = { agents: [agent], tagIds: ["c6b78e57-81a2-4c5f-a11a-d96c3c664d55"] };
const selectors: Record<string, string> = { agents: "specific-agents", tagIds: "agent-tags" };

/** The creates of records that programs declare, each with a valid body. */
const creates: [kind: KindName, path: string, body: Properties][] = [
  ["label", "/v7/endpoint/labels", { name: "L", matchType: "or", filters: [{ key: "hostname", mode: "in", values: ["a"] }] }],
  ["agentToServerTest", `${tests}/agent-to-server`, { testName: "T", server: "vpn.example.com" }],
  ["httpServerTest", `${tests}/http-server`, { testName: "T", url: "https://www.example.com" }],
  ["dynamicTest", "/v7/endpoint/tests/dynamic-tests/agent-to-server", { testName: "T", application: "webex" }],
  ["agentToServerInstantTest", `${tests}/agent-to-server/instant`, { testName: "T", server: "vpn.example.com" }],
  ["httpServerInstantTest", `${tests}/http-server/instant`, { testName: "T", url: "https://www.example.com" }],
];

/** Limits of all schemas, which other requests and responses also use: the type and property with the rule, or the reason without one. */
const ofModels: [of: RegExp, held: [KindName, string] | string][] = [
  [/^EndpointNetworkTestUpdate\.port$/, ["agentToServerTest", "port"]],
  [/^Label(Request|Response)?\.name$/, "64 characters are a limit of the product's pages: validate warns"],
  [/SelectorConfig\.agentSelectorType$/, "the one word of each selector, which the enum of requests has"],
  [/^TokenRequest\./, "a request for a token: programs do not declare it, and the emulator holds it"],
  [/^AgentSearchFilters\./, "a search: programs do not declare it, and the emulator holds it"],
  [/^EndpointHttpServerTest\.(httpTargetTime|httpVersion)$/, "answers alone have it"],
  [/^Endpoint(AgentToServer|HttpServer)Test\.type$/, "answers alone have it"],
  [/^(BatteryMetrics|CpuUtilization|EndpointAgent|RealUserEndpointTest\w*)\./, "answers alone have it"],
];

/** Limits that one side does not enforce, with the reason. */
const waived: Record<string, string> = {
  "httpServerTest tcpProbeMode enum":
    "the provider also takes the modes that only responses have, so that an imported test keeps its own",
  "dynamicTest tcpProbeMode enum":
    "the provider also takes the modes that only responses have, so that an imported test keeps its own",
};

/**
 * Lists that newer versions of the service may extend. Provider and emulator accept any value
 * (`test/invariants/open-lists.test.ts`).
 */
const openLists = new Set(["label filters.[].key enum"]);

type Limit = { path: string[]; keyword: string; broken: unknown };

/** Returns values that break a schema's limits, each with its path. `[]` is an item of a list. */
function limitsOf(schema: DocumentedSchema, path: string[] = []): Limit[] {
  if (schema.$ref !== undefined) return limitsOf(resolved(schema), path);
  const { properties = {}, items, required = [] } = schema;
  const limit = (keyword: string, broken: unknown): Limit => ({ path, keyword, broken });
  return [
    ...(schema.enum ? [limit("enum", typeof schema.enum[0] === "number" ? 61 : "zzz")] : []),
    ...(schema.format === "uuid" ? [limit("format", "not-a-uuid")] : []),
    ...(schema.minimum === undefined ? [] : [limit("minimum", schema.minimum - 1)]),
    ...(schema.maximum === undefined ? [] : [limit("maximum", schema.maximum + 1)]),
    ...(schema.pattern === undefined ? [] : [limit("pattern", "")]),
    ...(["minLength", "maxLength", "minItems", "maxItems"] as const).flatMap((keyword) =>
      schema[keyword] === undefined ? [] : [limit(keyword, undefined)],
    ),
    ...required.map((name): Limit => ({ path: [...path, name], keyword: "required", broken: undefined })),
    ...Object.entries(properties).flatMap(([name, member]) => limitsOf(member, [...path, name])),
    ...(items ? limitsOf(items, [...path, "[]"]) : []),
    ...[schema.allOf, schema.anyOf, schema.oneOf].flatMap((parts = []) => parts.flatMap((part) => limitsOf(part, path))),
  ];
}

/** Returns a body with one invalid value. */
function brokenAt(value: unknown, [step, ...rest]: readonly string[], broken: unknown): unknown {
  if (step === undefined) return broken;
  if (step === "[]") return [brokenAt(Array.isArray(value) ? value[0] : undefined, rest, broken)];
  return { ...(value as object), [step]: brokenAt((value as Properties | undefined)?.[step], rest, broken) };
}

const rows = creates.flatMap(([kind, path, body]) => {
  const content = apiDocument.paths[path]?.["post"]?.requestBody?.content ?? {};
  const limits = Object.values(content).flatMap(({ schema }) => limitsOf(schema));
  return limits.map((limit) => ({ kind, url: path, body, limit, name: `${kind} ${limit.path.join(".")} ${limit.keyword}` }));
});

describe("the limits in the API document", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterAll(() => bench.close());

  const completed = (body: Properties, { path }: Limit): Properties => {
    const [property = ""] = path;
    const selector = selectors[property];
    return selector === undefined ? body : { ...body, agentSelectorType: selector, [property]: selections[property] };
  };

  it("the API document contains 50 limits for declared values", () => {
    expect(rows).toHaveLength(50);
    expect(new Set(rows.map(({ limit }) => limit.keyword))).toEqual(new Set(["enum", "format", "required"]));
    expect([...Object.keys(waived), ...openLists].filter((name) => !rows.some((row) => row.name === name))).toEqual([]);
  });

  it("the provider enforces each limit in the API document, with stated exceptions", () => {
    const missing = rows.filter(({ kind, body, limit }) => {
      const whole = completed(body, limit);
      const failures = (properties: unknown) => check(registry[kind], properties as Properties).failures;
      if (failures(whole).length > 0) throw new Error(`${kind}: ${JSON.stringify(failures(whole))}`);
      const [property = ""] = limit.path;
      return !failures(brokenAt(whole, limit.path, limit.broken)).some(({ path }) => path.startsWith(property));
    });
    expect(missing.map(({ name }) => name).filter((name) => !(name in waived || openLists.has(name)))).toEqual([]);
  });

  it("the emulator enforces each limit in the API document with status 400", async () => {
    const taken: string[] = [];
    for (const { name, url, body, limit } of rows.filter((row) => !openLists.has(row.name))) {
      const answer = await bench.call("POST", url, {
        body: brokenAt(completed(body, limit), limit.path, limit.broken) as Json,
      });
      if (answer.status !== 400) taken.push(`${name} ${answer.status}`);
    }
    expect(taken).toEqual([]);
  });
});

describe("the limits in the schemas", () => {
  const limited = Object.entries(apiDocument.components.schemas).flatMap(([model, { properties = {} }]) =>
    Object.entries(properties).flatMap(([name, schema]) => {
      const { minimum, maximum, const: value, maxItems, "x-ui-max-length": maxLength } = schema;
      const isLimited = [minimum, maximum, value, maxItems, maxLength].some((limit) => limit !== undefined);
      return isLimited ? [{ of: `${model}.${name}`, schema }] : [];
    }),
  );
  const heldOf = (of: string) => ofModels.filter(([pattern]) => pattern.test(of)).map(([, enforcer]) => enforcer);

  it("each limit in the schemas has a test case or a listed exception", () => {
    expect(limited).toHaveLength(25);
    expect(limited.filter(({ of }) => heldOf(of).length !== 1)).toEqual([]);
    expect(ofModels.filter(([pattern]) => !limited.some(({ of }) => pattern.test(of)))).toEqual([]);
  });

  const ruled = limited.flatMap(({ of, schema }) =>
    heldOf(of).flatMap((enforcer) => (Array.isArray(enforcer) ? [{ of, schema, held: enforcer }] : [])),
  );
  it.each(ruled)("the provider enforces the limit $of", ({ schema: { minimum = 0, maximum = 0 }, held: [kind, property] }) => {
    const body = creates.find(([name]) => name === kind)?.[2] ?? {};
    const failuresOf = (value: number) => check(registry[kind], { ...body, [property]: value }).failures;
    expect([minimum, maximum].map((value) => failuresOf(value))).toEqual([[], []]);
    expect([minimum - 1, maximum + 1].map((value) => failuresOf(value).map(({ path }) => path))).toEqual([
      [property],
      [property],
    ]);
  });
});
