/** Tests the emulator's responses to invalid requests and unusual requests of the service's clients. */
import { once } from "node:events";
import { connect } from "node:net";
import { Worker } from "node:worker_threads";
import { allOperations } from "../../api/schemas";
import { start } from "../../emulator";
import { isHost } from "../../api/schemas/shapes";
import { probe } from "../../emulator/measure/tcp";
import { digest } from "../support/digest";
import { Bench, type Json, minimal, paths, fieldsOf, reasonOf } from "../emulator/support";

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.start({ agents: 30 });
});
afterAll(() => bench.close());

const agentsPath = "/v7/endpoint/agents";
const put = (path: string, body: object) => bench.call("PATCH", `/_emulator/records/${path}`, { body });
const make = async (area: keyof typeof paths, more: object = {}) =>
  (await bench.call("POST", paths[area], { body: { ...minimal[area], ...more } })).body;

/** Sends a raw request. @returns its status and body */
async function raw(text: string): Promise<{ status: number; body: string }> {
  const { port, hostname } = new URL(bench.url);
  const socket = connect(Number(port), hostname);
  socket.write(text);
  let answer = "";
  socket.on("data", (chunk: Buffer) => {
    answer += chunk.toString();
  });
  await once(socket, "end");
  return { status: Number(answer.split(" ")[1]), body: answer.slice(answer.indexOf("\r\n\r\n") + 4) };
}
const token = "authorization: Bearer emulator-token\r\nconnection: close\r\n";

describe("dates in queries to the emulator", () => {
  const results = "/v7/endpoint/test-results/scheduled-tests/network/filter";
  test.each([
    "2026-01-02T03:04:05Z",
    "2026-01-02T03:04:05.678Z",
    "2026-01-02t03:04:05z",
    "2026-01-02T03:04:05+00:00",
    "2026-01-02T03:04:05+0000",
    "2026-01-02T05:34:05+0230",
  ])("the emulator accepts the date %s in queries for results and logs", async (date) => {
    const answer = await bench.call("POST", `${results}?startDate=${encodeURIComponent(date)}`, { body: {} });
    expect([answer.status, answer.body.startDate]).toEqual([200, "2026-01-02T03:04:05Z"]);
    const [id] = await bench.stored("agents");
    expect((await bench.call("GET", `${agentsPath}/${id}/logs?endDate=${encodeURIComponent(date)}`)).status).toBe(200);
  });

  test.each(["2026-01-02", "2026-01-02T03:04:05", "2026-02-30T03:04:05Z", "2026-01-02T03:04:05+00", "2026-01-02T25:00:00Z"])(
    "the emulator rejects the date %s",
    async (date) => {
      const refused = await bench.call("POST", `${results}?endDate=${encodeURIComponent(date)}`, { body: {} });
      expect([refused.status, fieldsOf(refused.body)]).toEqual([400, ["endDate"]]);
    },
  );
});

test("a filter on bssid is case-insensitive", async () => {
  const filters = (bssid: string) => [{ key: "bssid", mode: "in", values: [bssid] }];
  const { records } = (await bench.call("GET", "/_emulator/records/agents")).body;
  const [{ id }] = records.filter((agent: Json) => agent.aid === "1001").slice(1);
  const wirelessProfile = { bssid: "AA:bb:0C:00:00:01", ssid: "x", rssi: 1, channel: 1, phyMode: "x" };
  const networkInterfaceProfiles = [{ interfaceName: "w", hardwareType: "wireless", addressProfiles: [], wirelessProfile }];
  await put(`agents/${id}`, { networkInterfaceProfiles });
  for (const bssid of ["aa:bb:0c:00:00:01", "AA:BB:0C:00:00:01"]) {
    const label = await make("label", { filters: filters(bssid) });
    const { body } = await bench.call("GET", `/_emulator/labels/${label.id}/agents`);
    expect(body.agents.map((agent: Json) => agent.id)).toEqual([id]);
  }
});

describe("cursors of a sorted search", () => {
  const search = { searchSort: [{ sort: "name", order: "desc" }] };

  test("a sorted search skips no agents if a user deletes agents between two pages", async () => {
    const ownBench = await Bench.start({ agents: 40, pageSize: 4 });
    const find = async (query: string) => (await ownBench.call("POST", `${agentsPath}/filter${query}`, { body: search })).body;
    const ids = (body: Json): string[] => body.agents.map(({ id }: Json) => id);
    const all = ids(await find("?max=1000"));
    const first = await find("");
    for (const at of [0, 2, 3]) await ownBench.call("DELETE", `${agentsPath}/${all[at]}`);
    const second = await find(new URL(first._links.next.href).search);
    expect(ids(second)).toEqual(all.slice(4, 8));
    await ownBench.close();
  });

  test("the emulator rejects a cursor from a search with a different sort order", async () => {
    const { body } = await bench.call("POST", `${agentsPath}/filter?max=2`, { body: search });
    const { search: query } = new URL(body._links.next.href);
    const other = await bench.call("POST", `${agentsPath}/filter${query}`, { body: { searchSort: [{ sort: "city" }] } });
    expect([other.status, reasonOf(other.body)]).toEqual([400, expect.stringContaining("Invalid cursor")]);
  });
});

describe("explanations of rejected requests", () => {
  test.each<[string, string, string, object | undefined, string]>([
    [
      "GET",
      `${agentsPath}?expand=bogus`,
      "expand[0]",
      undefined,
      "must be one of clients, vpnProfiles, networkInterfaceProfiles",
    ],
    ["GET", `${agentsPath}?expand=clients&expand=bogus`, "expand[1]", undefined, "must be one of clients, "],
    ["GET", `${agentsPath}?max=x`, "max", undefined, "must be a number"],
    ["GET", `${agentsPath}?max=0`, "max", undefined, "must be at least 1"],
    ["GET", `${agentsPath}?includeDeleted=perhaps`, "includeDeleted", undefined, "must be one of true, false"],
    ["POST", paths.agentToServer, "testName", { server: "a" }, "must not be missing"],
    ["POST", paths.agentToServer, "testName", { server: "a", testName: "" }, "must not be empty"],
    ["POST", paths.agentToServer, "testName", { server: "a", testName: 5 }, "must be text"],
    ["POST", paths.agentToServer, "port", { server: "a", testName: "a", port: 70_000 }, "must be at most 65535"],
    ["POST", paths.agentToServer, "port", { server: "a", testName: "a", port: 1.5 }, "must be a whole number"],
    [
      "POST",
      paths.agentToServer,
      "interval",
      { server: "a", testName: "a", interval: 61 },
      "Invalid value for fields: interval",
    ],
    ["POST", paths.agentToServer, "agents", { server: "a", testName: "a", agents: "x" }, "must be a list"],
    ["POST", "/_emulator/faults", "kind", { kind: "luck" }, "must be one of latency, status"],
    ["POST", "/_emulator/faults", "", { kind: "latency", wait: 5 }, "must not have wait"],
  ])("the emulator's own error message explains why %s %s rejects %s", async (method, path, field, body, message) => {
    const refused = await bench.call(method, path, { body });
    expect([refused.status, fieldsOf(refused.body)]).toEqual([400, [field]]);
    expect(refused.text).toContain(message);
    expect(refused.text).not.toMatch(/Invalid input|received|expected|NaN/);
  });

  test("errors about wrong types never show messages from the schema library", async () => {
    for (const { method, path, body } of allOperations()) {
      if (!body || !("shape" in body) || path.includes("oauth2")) continue;
      const to = path.replaceAll(/\{\w+\}/g, "7");
      const wrong = Object.fromEntries(Object.keys(Object(body.shape)).map((name) => [name, { not: "this" }]));
      const refused = await bench.call(method, to, { body: wrong });
      expect([to, refused.status]).toEqual([to, 400]);
      expect(refused.text).not.toMatch(/Invalid input|received|\bexpected\b|NaN/);
    }
  });
});

describe("request lines and headers", () => {
  test.each(["a b", "[::1", "x:y", "a/b", "user@host", "::1"])(
    "the emulator rejects the host %j with status 400",
    async (host) => {
      const { status, body } = await raw(`GET ${paths.label} HTTP/1.1\r\nhost: ${host}\r\n${token}\r\n`);
      expect([status, JSON.parse(body)]).toMatchObject([
        400,
        { status: 400, title: expect.stringContaining("The request's host is neither") },
      ]);
    },
  );

  test("the emulator uses the host of an absolute request target", async () => {
    const { host } = new URL(bench.url);
    const { status, body } = await raw(`GET http://${host}${paths.label}?x=y HTTP/1.1\r\nhost: elsewhere\r\n${token}\r\n`);
    expect([status, JSON.parse(body)]).toMatchObject([200, { _links: { self: { href: `${bench.url}${paths.label}?x=y` } } }]);
    const foreign = await raw(`GET http://elsewhere${paths.label} HTTP/1.1\r\nhost: ${host}\r\n${token}\r\n`);
    expect(foreign.status).toBe(421);
  });

  test.each([
    ["application/json;q=0", 406],
    ["*/*;q=0", 406],
    ["application/json;q=0, application/hal+json", "application/hal+json"],
    ["application/hal+json; q=0.0, */*", "application/json"],
    ["application/hal+json;q=0.2, application/json;q=0.8", "application/json"],
    ["application/json;q=nonsense", "application/json"],
  ])("the emulator negotiates the content type for Accept: %s", async (accept, expected) => {
    const answer = await bench.call("GET", paths.label, { headers: { accept } });
    expect(answer.status === 406 ? 406 : answer.headers.get("content-type")).toBe(expected);
  });
});

describe("the server of a test", () => {
  test.each([
    "www.example.com",
    "localhost",
    "a_b.example",
    "10.0.0.1",
    "::1",
    "[2001:db8::1]",
    "bücher.example",
    "example.com.",
  ])("the emulator accepts the server %s", async (server) => {
    expect(isHost(server)).toBe(true);
    expect((await make("agentToServer", { server })).server).toBe(server);
  });

  test.each([
    "https://example.com",
    "example.com:443",
    "a b",
    "example.com/x",
    "user@host",
    "999.1.1.1",
    "[::1",
    "-a",
    "a..b",
    "<b>",
  ])("the emulator rejects the server %s with status 400 in create and update requests", async (server) => {
    const { testId } = await make("agentToServer");
    const body = { ...minimal.agentToServer, server };
    for (const refused of [
      await bench.call("POST", paths.agentToServer, { body }),
      await bench.call("POST", `${paths.agentToServer}/instant`, { body }),
      await bench.call("PATCH", `${paths.agentToServer}/${testId}`, { body: { server } }),
    ]) {
      expect([refused.status, fieldsOf(refused.body)]).toEqual([400, ["server"]]);
    }
  });
});

describe("faults with impossible values", () => {
  test.each<[object, string]>([
    [{ kind: "latency", ms: 2 ** 31 }, "ms"],
    [{ kind: "latency", storedAfterMs: 1e12 }, "storedAfterMs"],
    [{ kind: "status", headers: { "x-a": "b\r\nc: d" } }, "headers.x-a"],
    [{ kind: "status", headers: { "x\na": "b" } }, "headers.x\na"],
  ])("the emulator rejects the impossible fault %j", async (body, field) => {
    const refused = await bench.call("POST", "/_emulator/faults", { body });
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ field }]]);
    expect((await bench.call("GET", "/_emulator/faults")).body.faults).toEqual([]);
    await expect(start({ faults: [body as { kind: "status" }] })).rejects.toMatchObject({ code: "INVALID_OPTION" });
  });

  test("the emulator rejects an excessive latency in a request header", async () => {
    const refused = await bench.call("GET", paths.label, { headers: { "x-emulator-fault": "latency=99999999999" } });
    expect([refused.status, refused.body.detail]).toEqual([400, expect.stringContaining("milliseconds up to 2147483647")]);
  });
});

describe("the control API", () => {
  test.each<[keyof typeof paths | "agent", string]>([
    ["label", "filters"],
    ["agentToServer", "server"],
    ["httpServer", "url"],
    ["dynamic", "application"],
    ["dynamic", "agentSelectorType"],
    ["agent", "clients"],
  ])("the control API rejects a %s record without the member %s", async (area, member) => {
    const collections = { label: "labels", agentToServer: "agent-to-server-tests", httpServer: "http-server-tests" };
    const collection = { ...collections, dynamic: "dynamic-tests", agent: "agents" }[area];
    if (area !== "agent") await make(area);
    const id = (await bench.stored(collection)).at(-1);
    const refused = await put(`${collection}/${id}`, { [member]: null });
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ field: member, code: "missing" }]]);
    expect((await bench.call("GET", `/_emulator/records/${collection}/${id}`)).body.body).toHaveProperty(member);
  });

  test("the control API accepts a record that it returned", async () => {
    const { testId } = await make("httpServer", { authType: "basic", username: "u", password: "s3cret" });
    const path = `http-server-tests/${testId}`;
    const { body: shown } = (await bench.call("GET", `/_emulator/records/${path}`)).body;
    expect(shown.password).toBe(digest("s3cret"));
    expect((await put(path, shown)).body.body.password).toBe(digest("s3cret"));
    expect((await put(path, { password: "other" })).body.body.password).toBe(digest("other"));
  });

  test("the control API shows which selected agents run a test", async () => {
    const label = await make("label", { filters: [{ key: "hostname", values: ["*"] }] });
    const { agents } = (await bench.call("GET", `/_emulator/labels/${label.id}/agents`)).body;
    expect(agents.length).toBeGreaterThan(3);
    expect(agents[0]).toEqual({ id: expect.any(String), name: expect.any(String) });
    const selection = { agentSelectorType: "agent-labels", endpointAgentLabels: [label.id], maxMachines: 2 };
    const { testId } = await make("agentToServer", selection);
    const { body } = await bench.call("GET", `/_emulator/tests/${testId}/agents`);
    expect(body.selected).toBeGreaterThan(2);
    expect(body.agents.map(({ runs, ...one }: Json) => [agents.some((agent: Json) => agent.id === one.id), runs])).toEqual([
      [true, true],
      [true, true],
    ]);
    await bench.call("PATCH", `${paths.agentToServer}/${testId}`, { body: { isEnabled: false } });
    const { body: off } = await bench.call("GET", `/_emulator/tests/${testId}/agents`);
    expect(off.agents.map(({ runs }: Json) => runs)).toEqual([false, false]);
    for (const kind of ["labels", "tests"]) {
      expect((await bench.call("GET", `/_emulator/${kind}/7/agents`)).status).toBe(404);
    }
  });
});

test("an emulator with urlPort set to as-sent returns the URL of an HTTP test unchanged", async () => {
  const ownBench = await Bench.start({ urlPort: "as-sent" });
  const url = "https://www.example.com/a?b=c";
  const made = await ownBench.call("POST", paths.httpServer, { body: { testName: "x", url } });
  expect(made.body).toMatchObject({ url, server: "www.example.com", port: 443 });
  const changed = await ownBench.call("PATCH", `${paths.httpServer}/${made.body.testId}`, { body: { url: "example.org" } });
  expect(changed.body).toMatchObject({ url: "example.org", server: "example.org", port: 443 });
  await ownBench.close();
  await expect(start({ urlPort: "both" as "added" })).rejects.toMatchObject({ code: "INVALID_OPTION" });
});

test("a TCP measurement of a slow server with a small backlog loses no probes", async () => {
  const code = `
    const { parentPort } = require("node:worker_threads");
    const pause = new Int32Array(new SharedArrayBuffer(4));
    const server = require("node:net").createServer((socket) => { Atomics.wait(pause, 0, 0, 10); socket.destroy(); });
    server.listen({ host: "127.0.0.1", port: 0, backlog: 4 }, () => parentPort.postMessage(server.address().port));`;
  const worker = new Worker(code, { eval: true });
  try {
    // The worker only posts its port.
    const [port] = (await once(worker, "message")) as [number];
    const target = { address: "127.0.0.1", family: 4 };
    for (let round = 0; round < 5; round += 1) {
      expect(await probe(target, port, new AbortController().signal)).toMatchObject({ sent: 10, received: 10, loss: 0 });
    }
  } finally {
    await worker.terminate();
  }
});
