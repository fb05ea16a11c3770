import * as fc from "fast-check";
import { allOperations } from "../../api/schemas";
import { amount, seed } from "../support/amount";
import { makeTest, resultsOf } from "../emulator/loopback";
import { Bench, type Json, minimal, paths, fieldsOf } from "../emulator/support";

const results = "/v7/endpoint/test-results";
const instant = { agentToServer: `${paths.agentToServer}/instant`, httpServer: `${paths.httpServer}/instant` } as const;

let bench: Bench;
let ids: Record<"agentToServer" | "httpServer" | "dynamic", string>;

beforeAll(async () => {
  bench = await Bench.start();
  ids = {
    agentToServer: await makeTest(bench, "agentToServer", minimal.agentToServer),
    httpServer: await makeTest(bench, "httpServer", minimal.httpServer),
    dynamic: await makeTest(bench, "dynamic", minimal.dynamic),
  };
});
afterAll(() => bench.close());

const loss = { name: "loss", value: 1, operator: "gte" };
const network: [Json, string][] = [
  [{ searchFilters: 5 }, "searchFilters"],
  [{ searchFilters: { agentId: "one" } }, "searchFilters.agentId"],
  [{ searchFilters: { agentId: [5] } }, "searchFilters.agentId[0]"],
  [{ thresholdFilter: { conditionalOperator: "nor" } }, "thresholdFilter.conditionalOperator"],
  [{ thresholdFilter: { filters: [{ ...loss, name: "luck" }] } }, "thresholdFilter.filters[0].name"],
  [{ thresholdFilter: { filters: [{ ...loss, value: "1" }] } }, "thresholdFilter.filters[0].value"],
  [{ thresholdFilter: { filters: [{ ...loss, operator: "eq" }] } }, "thresholdFilter.filters[0].operator"],
  [{ searchSort: [{ sort: "beauty" }] }, "searchSort[0].sort"],
  [{ searchSort: [{ sort: "round-id", order: "up" }] }, "searchSort[0].order"],
];
const http = network.filter(([body]) => !JSON.stringify(body).includes('"loss"'));

test.each<[string, () => string, [Json, string][]]>([
  ["network", () => `${resultsOf(ids.agentToServer)}/network/filter`, network],
  ["network results of several tests", () => `${results}/scheduled-tests/network/filter`, network],
  ["network results of a dynamic test", () => `${results}/dynamic-tests/${ids.dynamic}/network/filter`, network],
  ["HTTP server results", () => `${resultsOf(ids.httpServer)}/http-server/filter`, http],
  ["HTTP server results of several tests", () => `${results}/scheduled-tests/http-server/filter`, http],
  [
    "topologies",
    () => `${results}/local-networks/topologies/filter`,
    [...network.slice(0, 4), [{ searchFilters: { type: ["lan"] } }, "searchFilters.type[0]"]],
  ],
  [
    "real user tests",
    () => `${results}/real-user-tests/filter`,
    [[{ searchFilters: { trigger: ["luck"] } }, "searchFilters.trigger[0]"]],
  ],
  ["real user networks", () => `${results}/real-user-tests/networks/filter`, network.slice(0, 3)],
  [
    "real user pages",
    () => `${results}/real-user-tests/pages/filter`,
    [
      [{ agentId: "one" }, "agentId"],
      [{ platform: ["abacus"] }, "platform[0]"],
    ],
  ],
])("an error names each invalid member in a search for %s", async (_name, path, wrong) => {
  for (const [body, field] of wrong) {
    const answer = await bench.call("POST", path(), { body });
    expect([body, answer.status, fieldsOf(answer.body)]).toEqual([body, 400, [field]]);
  }
});

test.each(["agentToServer", "httpServer"] as const)(
  "an error names each invalid or missing member of an instant test: %s",
  async (kind) => {
    const stored = () => bench.stored(kind === "agentToServer" ? "instant-agent-to-server-tests" : "instant-http-server-tests");
    const target: [string, unknown][] =
      kind === "agentToServer"
        ? [
            ["server", ""],
            ["port", 0],
          ]
        : [
            ["url", "x y"],
            ["httpTimeLimit", 0],
          ];
    for (const [name, value] of [
      ["testName", ""],
      ["agentSelectorType", "some"],
      ["maxMachines", 0],
      ["agents", [1]],
      ...target,
    ] as const) {
      const answer = await bench.call("POST", instant[kind], { body: { ...minimal[kind], [name]: value } });
      expect([answer.status, fieldsOf(answer.body).map((field) => field.split("[")[0])]).toEqual([400, [name]]);
    }
    const { status, body } = await bench.call("POST", instant[kind], { body: {} });
    expect([status, fieldsOf(body)]).toEqual([400, Object.keys(minimal[kind])]);
    expect(await stored()).toEqual([]);
  },
);

test("a search with any body returns results or status 400", async () => {
  const searches = allOperations().filter(({ id, method }) => id.startsWith("results.") && method === "POST");
  expect(searches).toHaveLength(9);
  const targets = searches.map(({ path }) =>
    path.replace(
      "{testId}",
      path.includes("dynamic") ? ids.dynamic : path.includes("http-server") ? ids.httpServer : ids.agentToServer,
    ),
  );
  const anything = fc.record(
    {
      searchFilters: fc.oneof(
        fc.jsonValue(),
        fc.dictionary(fc.constantFrom("agentId", "testId", "trigger"), fc.array(fc.string())),
      ),
      searchSort: fc.oneof(fc.jsonValue(), fc.array(fc.record({ sort: fc.constantFrom("round-id", "loss", "x") }))),
      thresholdFilter: fc.oneof(fc.jsonValue(), fc.record({ filters: fc.array(fc.constant(loss)) })),
    },
    { requiredKeys: [] },
  );
  const query = fc.oneof(
    fc.constant(""),
    fc.string().map((text) => `?cursor=${encodeURIComponent(text)}`),
    fc.string().map((text) => `?window=${encodeURIComponent(text)}`),
    fc.nat().map((n) => `?window=${n}w`),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...targets), query, anything, async (path, asked, body) => {
      const { status } = await bench.call("POST", path + asked, { body });
      expect([200, 400]).toContain(status);
    }),
    { numRuns: amount(60, 300), seed: seed(1) },
  );
});
