import { createServer } from "node:http";
import { closeServer, portOf } from "../loopback";
import { Bench, example, type Json, shapeDifferences, fieldsOf } from "../support";

const path = "/v7/endpoint/test-results/real-user-tests";
const door = "/_emulator/real-user-tests";

/** Chromium's timing of a page that took half a second. */
const timing = {
  name: "https://app.example.com/settings?tab=1",
  entryType: "navigation",
  startTime: 0,
  duration: 480.5,
  initiatorType: "navigation",
  nextHopProtocol: "h2",
  redirectStart: 0,
  fetchStart: 2.1,
  domainLookupStart: 3,
  domainLookupEnd: 13,
  connectStart: 13,
  secureConnectionStart: 33,
  connectEnd: 60,
  requestStart: 61,
  responseStart: 240.4,
  responseEnd: 260,
  transferSize: 18_076,
  encodedBodySize: 17_776,
  decodedBodySize: 64_000,
  responseStatus: 200,
  domContentLoadedEventEnd: 300.2,
  loadEventEnd: 480.5,
  type: "navigate",
};
const script = { ...timing, name: "https://cdn.example.com/app.js", initiatorType: "script", startTime: 262, responseEnd: 290 };
const userAgent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.7390.0 Safari/537.36";
const load = { url: timing.name, title: "Settings", userAgent, timing, resources: [script] };

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.start();
});
afterAll(() => bench.close());

/** Attributes that browsers do not report. */
const unknown =
  /\.(experienceScore|organizationName|sourceAddress|coordinates|networkProfile\.\w+|networkProfile|vpn\w*|proxy|loss|jitter|ping|traceroute|gatewayPing|isIcmpBlocked|errors|cpuUtilization|serverIPAddress|next) is absent$/;
const known = (differences: string[]) => differences.filter((difference) => !unknown.test(difference));

test("a search for real user tests returns no results before the first visit to a page", async () => {
  for (const search of ["filter", "networks/filter", "pages/filter"]) {
    const { status, body } = await bench.call("POST", `${path}/${search}`);
    expect([search, status, body.results, body._links]).toEqual([search, 200, [], {}]);
  }
  expect((await bench.call("GET", `${path}/1`)).status).toBe(404);
  expect((await bench.call("GET", `${path}/1/pages/1`)).status).toBe(404);
  const profiles = await bench.call("GET", "/v7/endpoint/tests/real-user-tests");
  expect(profiles.body).toEqual({ realUserTests: [] });
  expect(profiles.headers.get("content-type")).toBe("application/json");
});

test("a visit records a page with the browser's measurements", async () => {
  const made = await bench.call("POST", door, { body: load });
  const { id, pageId } = made.body;
  const listed = await bench.call("POST", `${path}/filter`);
  expect(known(shapeDifferences(listed.body, example("results.realUser.filter.response")))).toEqual([]);
  const agents = await bench.call("GET", "/v7/endpoint/agents");
  expect(listed.body.results).toMatchObject([
    {
      id,
      pageId,
      agentId: agents.body.agents[0].id,
      visitedSite: "app.example.com",
      protocol: "https",
      port: 443,
      numberOfPages: 1,
    },
  ]);

  const second = await bench.call("POST", door, { body: { ...load, id, url: "https://app.example.com/next" } });
  expect(second.body.id).toBe(id);
  const detail = await bench.call("GET", `${path}/${id}`);
  expect(known(shapeDifferences(detail.body, example("results.realUser.get.response")))).toEqual([]);
  const [visit] = detail.body.results;
  expect(visit).toMatchObject({ numberOfPages: 2, browser: { name: "Google Chrome", version: "141.0.7390.0" } });
  expect(visit.pages.map((page: Json) => page.pageId)).toEqual([pageId, second.body.pageId]);
  expect(visit.network.connectRtt).toBe(20);

  const pages = await bench.call("POST", `${path}/pages/filter`);
  expect(known(shapeDifferences(pages.body, example("results.realUser.pages.filter.response")))).toEqual([]);
  expect(pages.body.results).toHaveLength(2);
  expect(pages.body.results.find((page: Json) => page.pageId === pageId)).toMatchObject({
    responseTime: 240,
    responseCode: 200,
    pageTitle: "Settings",
    pageTimings: { onContentLoad: 300, onLoad: 481 },
  });

  const networks = await bench.call("POST", `${path}/networks/filter`);
  expect(known(shapeDifferences(networks.body, example("results.realUser.networks.filter.response")))).toEqual([]);
  expect(networks.body.results).toMatchObject([{ id, destination: { target: "app.example.com", latency: 20 } }]);

  const page = await bench.call("GET", `${path}/${id}/pages/${pageId}`);
  const { log } = page.body.har;
  expect(log.version).toBe("1.2");
  expect(log.entries.map(({ request }: Json) => request.url)).toEqual([timing.name, script.name]);
  expect(log.entries[0]).toMatchObject({
    request: { method: "GET", queryString: [{ name: "tab", value: "1" }] },
    response: { status: 200, bodySize: 17_776, content: { size: 64_000 } },
    timings: { dns: 10, connect: 47, ssl: 27, send: -1, blocked: -1 },
  });
  expect(log.entries[0].timings.wait).toBeCloseTo(179.4);
  expect((await bench.call("GET", `${path}/${id}/pages/none`)).status).toBe(404);
});

test("a search for real user tests finds the matching visits", async () => {
  await bench.call("POST", door, { body: { ...load, url: "http://127.0.0.1:8080/", trigger: "auto" } });
  for (const [operation, search] of [
    ["filter", "filter"],
    ["networks.filter", "networks/filter"],
    ["pages.filter", "pages/filter"],
  ] as const) {
    const asIs = await bench.call("POST", `${path}/${search}`, { body: example(`results.realUser.${operation}.request`) });
    expect([operation, asIs.status, asIs.body.results]).toEqual([operation, 200, []]);
  }
  const sites = async (searchFilters: Json) => {
    const { body } = await bench.call("POST", `${path}/filter`, { body: { searchFilters } });
    return body.results.map(({ visitedSite }: Json) => visitedSite);
  };
  expect(await sites({})).toEqual(["127.0.0.1", "app.example.com"]);
  expect(await sites({ domain: ["example.com"] })).toEqual(["app.example.com"]);
  expect(await sites({ domain: ["ample.com"] })).toEqual([]);
  expect(await sites({ visitedSite: ["127.0.0.1", "other"] })).toEqual(["127.0.0.1"]);
  expect(await sites({ destinationIp: ["127.0.0.1"], trigger: ["auto"] })).toEqual(["127.0.0.1"]);
  expect(await sites({ trigger: ["user"] })).toEqual(["app.example.com"]);
  expect(await sites({ ssid: ["office"] })).toEqual([]);
  const flat = await bench.call("POST", `${path}/pages/filter`, { body: { trigger: ["auto"] } });
  expect(flat.body.results).toHaveLength(1);
  const later = await bench.call("POST", `${path}/filter?startDate=2020-01-01T00:00:00Z&endDate=2020-01-02T00:00:00Z`);
  expect(later.body.results).toEqual([]);
});

test("the emulator accepts a visit with timing data from Node's fetch()", async () => {
  const server = createServer((_request, response) => response.end("page"));
  const url = `http://127.0.0.1:${await portOf(server)}/`;
  const measured = new Promise<Json>((resolve) => {
    const observer = new PerformanceObserver((list) => {
      const entry = list.getEntriesByName(url)[0];
      if (!entry) return;
      observer.disconnect();
      resolve(entry.toJSON());
    });
    observer.observe({ type: "resource" });
  });
  await (await fetch(url)).text();
  const entry = await measured;
  const shifted = Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [
      name,
      typeof value === "number" && value > entry.startTime ? value - entry.startTime : value,
    ]),
  );
  const made = await bench.call("POST", door, { body: { url, timing: { ...shifted, startTime: 0 } } });
  expect(made.status).toBe(200);
  const { body } = await bench.call("GET", `${path}/${made.body.id}`);
  expect(body.results[0]).toMatchObject({ visitedSite: "127.0.0.1", port: Number(new URL(url).port) });
  expect(body.results[0].network.networkProfile).toMatchObject({ hardwareType: "loopback" });
  await closeServer(server);
});

test.each([
  ["url", { ...load, url: "file:///etc/passwd" }],
  ["timing", { url: load.url }],
  ["timing.loadEventEnd", { ...load, timing: { ...timing, loadEventEnd: -1 } }],
  ["resources[0].name", { ...load, resources: [{}] }],
])("the emulator rejects a visit with an invalid %s", async (field, body) => {
  const refused = await bench.call("POST", door, { body });
  expect([refused.status, fieldsOf(refused.body)]).toEqual([400, [field]]);
});

test("the emulator rejects a page for an unknown visit id", async () => {
  expect((await bench.call("POST", door, { body: { ...load, id: "999" } })).status).toBe(404);
  const empty = await Bench.start({ agents: 0 });
  expect((await empty.call("POST", door, { body: load })).status).toBe(404);
  await empty.close();
});
