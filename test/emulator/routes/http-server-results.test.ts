import { createServer, type Server } from "node:http";
import { closeServer, eventually, makeTest, networkRounds, portOf, resultsOf } from "../loopback";
import { Bench, example, type Json, paths, shapeDifferences } from "../support";

let bench: Bench;
let server: Server;
let origin: string;
let slow: string;
let failing: string;
let plain: string;
const asked: string[] = [];

beforeAll(async () => {
  bench = await Bench.start({ speed: 60 });
  server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization ?? "-"}`);
    if (request.url === "/500") response.writeHead(500).end("broken");
    else if (request.url === "/slow") setTimeout(() => response.end("late"), 300);
    else response.writeHead(200, { "x-answered": "yes" }).end("hello");
  });
  origin = `http://127.0.0.1:${await portOf(server)}`;
  plain = await makeTest(bench, "httpServer", { url: `${origin}/` });
  failing = await makeTest(bench, "httpServer", { url: `${origin}/500` });
  slow = await makeTest(bench, "httpServer", { url: `${origin}/slow`, httpTimeLimit: 100 });
});
afterAll(async () => {
  await bench.close();
  await closeServer(server);
});

function httpRounds(testId: string, query = ""): Promise<Json[]> {
  return eventually(async () => {
    const { body } = await bench.call("GET", `${resultsOf(testId)}/http-server${query}`);
    return body.results.length > 0 ? body.results : undefined;
  });
}

/** Members that this machine cannot determine, or that only failures have. */
const unknown =
  /\.(networkProfile\.\w+|vpnProfile|batteryMetrics|cellularProfile|score|errorDetails|cpuUtilization|next|username|labels\[\d\].*) is absent$/;

test("an HTTP result contains the page's status, size, times and headers", async () => {
  await httpRounds(plain);
  const { body } = await bench.call("GET", `${resultsOf(plain)}/http-server?expand=header,user-profile`);
  const differences = shapeDifferences(body, example("results.scheduled.httpServer.list.response"));
  expect(differences.filter((difference) => !unknown.test(difference))).toEqual([]);
  const [round] = body.results;
  expect(round).toMatchObject({ testId: plain, errorType: "none", responseCode: 200, wireSize: 5, numRedirects: 0 });
  expect(round.responseTime).toBe(round.dnsTime + round.connectTime + round.sslTime + round.waitTime);
  expect(round.totalTime).toBe(round.responseTime + round.receiveTime);
  expect(round.headers.responseHeaders).toContain("x-answered: yes");
  const [bare] = await httpRounds(plain);
  expect(bare).not.toHaveProperty("headers");
  expect(bare).not.toHaveProperty("userProfile");
  expect(bare).not.toHaveProperty("errorDetails");
});

test("the total time in an HTTP result is close to the time that an independent client measures", async () => {
  const before = performance.now();
  await (await fetch(origin)).text();
  const ownTime = performance.now() - before;
  const [round] = await httpRounds(plain);
  expect(round.totalTime).toBeLessThan(ownTime * 30 + 50);
});

test('an HTTP result has the error type "receive" if the server responds too late', async () => {
  const [broken] = await httpRounds(failing);
  expect(broken).toMatchObject({ errorType: "http", responseCode: 500, errorDetails: "HTTP 500" });
  const [late] = await httpRounds(slow);
  expect(late).toMatchObject({ errorType: "receive", errorDetails: "not complete within 100 ms" });
  expect(late.totalTime).toBeGreaterThanOrEqual(95);
  expect(late).not.toHaveProperty("responseCode");
});

test("an HTTP server test also measures the network unless networkMeasurements is false", async () => {
  const [round] = (await networkRounds(bench, plain)) as [Json];
  expect(round).toMatchObject({ testId: plain, loss: 0 });
  const without = await makeTest(bench, "httpServer", { url: `${origin}/`, networkMeasurements: false });
  await httpRounds(without);
  const none = await bench.call("POST", `${resultsOf(without)}/network/filter`);
  expect([none.body.totalHits, none.body.test.type]).toEqual([0, "http-server"]);
});

test("the results of a test hide the user name and the password", async () => {
  const secret = { authType: "basic", username: "anna", password: "s3cret-of-anna" };
  const testId = await makeTest(bench, "httpServer", { url: `${origin}/private`, ...secret });
  await httpRounds(testId);
  const basic = `Basic ${Buffer.from("anna:s3cret-of-anna").toString("base64")}`;
  expect(asked).toContain(`/private ${basic}`);
  const { text } = await bench.call("GET", `${resultsOf(testId)}/http-server?expand=header`);
  expect(text).toContain("Authorization: (removed)");
  expect([text.includes("s3cret-of-anna"), text.includes(basic)]).toEqual([false, false]);
});

test("a result search returns the HTTP results of one test or of several tests", async () => {
  await Promise.all([plain, failing, slow].map((testId) => httpRounds(testId)));
  const onePath = `${resultsOf(plain)}/http-server/filter`;
  const many = "/v7/endpoint/test-results/scheduled-tests/http-server/filter";
  for (const [path, name] of [
    [onePath, "filter"],
    [many, "filterMulti"],
  ] as const) {
    const none = await bench.call("POST", path, { body: example(`results.scheduled.httpServer.${name}.request`) });
    expect([none.status, none.body.totalHits]).toEqual([200, 0]);
  }
  const answer = await bench.call("POST", `${onePath}?expand=header,user-profile`);
  const differences = shapeDifferences(answer.body, example("results.scheduled.httpServer.filter.response"));
  expect(differences.filter((difference) => !unknown.test(difference))).toEqual([]);
  const ofMany = await bench.call("POST", `${many}?expand=header,user-profile`, {
    body: { searchFilters: { testId: [plain] } },
  });
  const inMany = shapeDifferences(ofMany.body, example("results.scheduled.httpServer.filterMulti.response"));
  expect(inMany.filter((difference) => !unknown.test(difference))).toEqual([]);

  const search = async (body: Json) => (await bench.call("POST", many, { body })).body;
  const body = { searchFilters: { testId: [plain, failing, slow] } };
  const sorted = await search({ ...body, searchSort: [{ sort: "response-code", order: "desc" }] });
  const codes = sorted.results.map(({ responseCode }: Json) => responseCode);
  expect(codes.slice(0, 1)).toEqual([500]);
  // Results without a status come last.
  expect(codes.at(-1)).toBeUndefined();
  expect(sorted.totalHits).toBe(codes.length);
  const filters = [{ name: "wait-time", value: 1_000_000, operator: "lte" }];
  const answered = await search({ ...body, thresholdFilter: { filters } });
  expect(new Set(answered.results.map(({ testId }: Json) => testId))).toEqual(new Set([plain, failing]));
  const slower = [{ name: "response-time", value: 1_000_000, operator: "gte" }];
  expect((await search({ ...body, thresholdFilter: { filters: slower } })).totalHits).toBe(0);
  expect((await search({ ...body, searchFilters: { userPrincipalName: ["joeblogs32@c.com"] } })).totalHits).toBe(0);
});

test("the emulator returns status 404 for HTTP results of a missing test or of another test type", async () => {
  const other = await makeTest(bench, "agentToServer", { server: "127.0.0.1", port: 1 });
  for (const testId of ["5", other]) {
    expect((await bench.call("GET", `${resultsOf(testId)}/http-server`)).status).toBe(404);
    expect((await bench.call("POST", `${resultsOf(testId)}/http-server/filter`)).status).toBe(404);
  }
  const dynamic = await makeTest(bench, "dynamic", { application: "webex" });
  expect((await bench.call("POST", `${resultsOf(dynamic)}/network/filter`)).status).toBe(404);
});

test("the emulator accepts a test of a remote server but never contacts the server", async () => {
  const testId = await makeTest(bench, "httpServer", { url: "https://www.example.com" });
  const { status, body } = await bench.call("GET", `${resultsOf(testId)}/http-server`);
  expect([status, body.results]).toEqual([200, []]);
  expect((await bench.call("GET", `${paths.httpServer}/${testId}`)).status).toBe(200);
});
