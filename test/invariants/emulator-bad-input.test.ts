import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { amount, seed } from "../support/amount";
import { areas, type Area, Bench, type Json, minimal, paths, type Sent, fieldsOf, reasonOf } from "../emulator/support";

let bench: Bench;
/** A record of each area to test PATCH with. */
const made: Record<string, { id: string; record: Json }> = {};

beforeAll(async () => {
  bench = await Bench.start();
  for (const area of areas) {
    const { body } = await bench.call("POST", paths[area], { body: minimal[area] });
    made[area] = { id: body.id ?? body.testId, record: body };
  }
});
afterAll(() => bench.close());

const requests = areas.flatMap((area) => [["POST", area] as const, ["PATCH", area] as const]);

/** Sends a request, and checks that nothing was stored or changed. */
async function refused(method: "POST" | "PATCH", area: Area, sent: Sent, status: number): Promise<Json> {
  const recordPath = `${paths[area]}/${made[area]?.id}`;
  const before = await bench.everything();
  const answer = await bench.call(method, method === "POST" ? paths[area] : recordPath, sent);
  expect([sent, answer.status]).toEqual([sent, status]);
  expect(answer.body.status).toBe(status);
  expect(await bench.everything()).toEqual(before);
  const after = await bench.call("GET", `${recordPath}?expand=filters`);
  expect({ ...after.body, _links: 0 }).toEqual({ ...made[area]?.record, _links: 0 });
  return answer.body;
}

describe.each(requests)("%s requests for %s", (method, area) => {
  const json = { "content-type": "application/json" };
  const big = JSON.stringify({ ...minimal[area], padding: "x".repeat(2 * 1024 * 1024) });
  const deep = `{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`;

  const notUtf8 = Buffer.concat([
    Buffer.from(JSON.stringify(minimal[area]).slice(0, -2)),
    Buffer.from([0xff]),
    Buffer.from('"}'),
  ]);
  const gzip = { raw: gzipSync(JSON.stringify(minimal[area])), headers: { ...json, "content-encoding": "gzip" } };

  const unreadable: [string, number, string, Sent][] = [
    ["broken JSON", 400, "Request body is not valid JSON", { raw: '{"name":', headers: json }],
    ["an array", 400, "Request body must be a JSON object", { raw: "[]", headers: json }],
    ["null", 400, "Request body must be a JSON object", { raw: "null", headers: json }],
    ["no body", 400, "Required request body is missing", { headers: json }],
    ["text that is not UTF-8", 400, "Request body is not UTF-8", { raw: notUtf8, headers: json }],
    ["a compressed body", 400, "Compressed request bodies are not supported", gzip],
    [
      "a wrong content type",
      415,
      "Content type must be application/json",
      { raw: "{}", headers: { "content-type": "text/plain" } },
    ],
    ["2 MB", 413, "Request body is larger than 1048576 bytes", { raw: big, headers: json }],
    ["deep nesting", 400, "Request body is nested deeper than 32 levels", { raw: deep, headers: json }],
  ];
  // All operations read bodies with one function, so each request gets three of these bodies.
  const place = requests.findIndex(([verb, of]) => verb === method && of === area) % 3;

  test.each(unreadable.filter((_, at) => at % 3 === place))(
    "the emulator rejects %s with status %i",
    async (_title, status, detail, sent) => {
      expect(reasonOf(await refused(method, area, sent, status))).toContain(detail);
    },
  );
});

test.each(areas)("the emulator accepts a charset in the Content-Type header of a request: %s", async (area) => {
  const headers = { "content-type": "Application/JSON; charset=utf-8" };
  const sent = { raw: JSON.stringify(minimal[area]), headers };
  expect((await bench.call("POST", paths[area], sent)).status).toBe(201);
});

describe("fields of requests to the emulator", () => {
  const commonWrong: [string, unknown][] = [
    ["testName", 5],
    ["testName", ""],
    ["testName", null],
    ["interval", 61],
    ["interval", "60"],
    ["protocol", "udp"],
    ["isEnabled", "yes"],
    ["tcpProbeMode", "unknown"],
  ];
  const createOnly: [string, unknown][] = [
    ["agentSelectorType", "some-agents"],
    ["agents", "one"],
    ["agents", [1]],
    ["tagIds", [""]],
    ["maxMachines", 0],
    ["maxMachines", 1.5],
    ["ipVersion", "V5"],
    ["isPrioritized", 1],
  ];
  const http: [string, unknown][] = [
    ["authType", "digest"],
    ["sslVersionId", 0],
    ["sslVersionId", "1"],
    ["httpTimeLimit", "5000"],
    ["password", 12_345],
    ["verifyCertificate", "true"],
  ];
  const ownCases: Record<string, [string, unknown][]> = {
    agentToServer: [
      ["server", 1],
      ["server", ""],
      ["port", 0],
      ["port", 65_536],
      ["port", "443"],
    ],
    httpServer: [
      ["url", ""],
      ["url", "ftp://x"],
      ["url", "https://"],
      ["url", "https://x:99999"],
      ["url", "https://u:p@x"],
      ["url", "x y"],
      ["url", "x:"],
    ],
    // The list of applications is open.
    dynamic: [],
  };
  const tests = ["agentToServer", "httpServer", "dynamic"] as const;

  test.each(tests)("the error for a create or update request for %s names each invalid field", async (area) => {
    // A create does not have isEnabled and ignores it, as agent-to-server tests ignore tcpProbeMode.
    const unknownToCreate = new Set(["isEnabled", ...(area === "agentToServer" ? ["tcpProbeMode"] : [])]);
    const shared = [...commonWrong, ...(ownCases[area] ?? [])];
    const create = [
      ...shared.filter(([name]) => !unknownToCreate.has(name)),
      ...createOnly,
      ...(area === "httpServer" ? http : []),
    ];
    for (const [method, wrong] of [
      ["POST", create],
      ["PATCH", shared],
    ] as const) {
      for (const [name, value] of wrong) {
        const body = await refused(method, area, { body: { ...minimal[area], [name]: value } }, 400);
        expect(body).toMatchObject({ type: "about:blank", instance: expect.stringContaining(paths[area]) });
        expect(fieldsOf(body).map((field) => field.split("[")[0])).toEqual([name]);
        // No recorded response has a list of errors.
        expect(body).not.toHaveProperty("errors");
        expect(JSON.stringify(body)).not.toContain("12345");
      }
    }
  });

  test.each(tests)("one error lists all missing fields of %s", async (area) => {
    const problem = await refused("POST", area, { body: {} }, 400);
    expect(new Set(fieldsOf(problem))).toEqual(new Set(Object.keys(minimal[area])));
    expect(reasonOf(problem).match(/ : must not be missing\./g)).toHaveLength(Object.keys(minimal[area]).length);
  });

  const filter = { key: "hostname", mode: "in", values: ["x"] };
  const missing = "Required request body is missing mandatory field";
  const invalid = "There are invalid or missing fields";

  test.each<[unknown, string]>([
    [{ name: undefined }, missing],
    [{ matchType: undefined }, missing],
    [{ filters: undefined }, missing],
    [{ filters: [{ ...filter, key: undefined }] }, missing],
    [{ filters: [{ ...filter, values: undefined }] }, missing],
    [{ name: "" }, invalid],
    [{ name: 5 }, invalid],
    [{ color: "red" }, invalid],
    [{ filters: {} }, invalid],
    [{ filters: [{ ...filter, mode: "out" }] }, invalid],
    [{ filters: [{ ...filter, values: [5] }] }, invalid],
    [{ matchType: "nor" }, "Unexpected 'match type' value found 'nor', valid values are: and,or"],
  ])("the emulator rejects a label with %j: %s", async (wrong, detail) => {
    const body = { ...minimal.label, ...(wrong as object) };
    const answer = await refused("POST", "label", { body }, 400);
    expect(answer).toEqual({ status: 400, title: "Request validation failed", detail });
  });

  test.each([{ name: "" }, { color: "red" }, { filters: [{ ...filter, mode: "x" }] }, { filters: null }, { matchType: "AND" }])(
    "the emulator rejects %j in an update request with the same error as in a create request",
    async (wrong) => {
      const answer = await refused("PATCH", "label", { body: wrong }, 400);
      expect(answer).toEqual(await refused("POST", "label", { body: { ...minimal.label, ...wrong } }, 400));
    },
  );
});

test("the emulator ignores create-only and unknown members in a PATCH request", async () => {
  const body = { agentSelectorType: "specific-agents", agents: ["x"], isPrioritized: true, ipVersion: "V6_ONLY", qqq: 1 };
  for (const area of ["agentToServer", "httpServer", "dynamic"] as const) {
    const { id, record } = made[area] ?? { id: "", record: {} };
    const answer = await bench.call("PATCH", `${paths[area]}/${id}`, { body });
    expect([answer.status, { ...answer.body, modifiedDate: 0 }]).toEqual([200, { ...record, modifiedDate: 0 }]);
  }
});

test("the emulator stores a record only if it responds with status 201", async () => {
  const members = Object.assign({}, ...areas.map((area) => minimal[area]), { color: "#fff000", port: 1, interval: 60 });
  const anything = fc.dictionary(
    fc.constantFrom(...Object.keys(members)),
    fc.oneof(fc.jsonValue(), fc.constantFrom<unknown>(...Object.values(members))),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...areas), fc.oneof(anything, fc.object()), async (area, body) => {
      const before = await bench.everything();
      const { status } = await bench.call("POST", paths[area], { body });
      expect([201, 400]).toContain(status);
      expect(await bench.everything()).toHaveLength(before.length + (status === 201 ? 1 : 0));
    }),
    { numRuns: amount(40, 150), seed: seed(1) },
  );
});
