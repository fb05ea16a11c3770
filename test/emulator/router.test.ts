import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { allOperations } from "../../api/schemas";
import { defaults, start } from "../../emulator";
import { settle } from "../../emulator/options";
import { Router } from "../../emulator/router";
import { allHandlers } from "../../emulator/routes";
import { Server } from "../../emulator/server";
import { Store } from "../../emulator/store";
import { Tokens } from "../../emulator/tokens";
import { areas, Bench, minimal, paths } from "./support";

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.start({ uniqueTestNames: true });
});
afterAll(() => bench.close());

test("the emulator has exactly one handler for each operation", () => {
  expect(allHandlers.map(({ operation }) => operation.id).toSorted()).toEqual(
    allOperations()
      .map(({ id }) => id)
      .toSorted(),
  );
});

test("the emulator returns status 501 for an operation without a handler", async () => {
  const settings = settle({});
  const store = new Store();
  const server = new Server({ settings, store, tokens: new Tokens(settings) }, new AbortController().signal, []);
  const http = createServer((request, response) => void server.respond(request, response, ""));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${paths.label}`);
  const body: unknown = await answer.json();
  expect([answer.status, body]).toEqual([501, expect.objectContaining({ title: expect.stringContaining("labels.list") })]);
  http.close();
  http.closeAllConnections();
  store.close();
});

test.each(["/tests", "/v7", "/v7/endpoint/labels/", "/v7/endpoint/labels/1/2", "/v8/endpoint/labels", "/v7/endpoint/labels/%"])(
  "the emulator returns status 404 for a request for %s",
  async (path) => {
    expect(await bench.call("GET", path)).toMatchObject({ status: 404, body: { status: 404, instance: path } });
  },
);

test.each([
  ["PUT", paths.label, "GET, POST"],
  ["DELETE", paths.dynamic, "GET, POST"],
  ["POST", `${paths.httpServer}/7`, "GET, PATCH, DELETE"],
  ["GET", "/v7/oauth2/token", "POST"],
])("the emulator returns status 405 for %s %s and lists the allowed methods", async (method, path, allow) => {
  const answer = await bench.call(method, path);
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow]);
});

test("the router decodes the parameters in a path", () => {
  const at = (path: string) => new Router([]).match("GET", path);
  expect(at(`${paths.label}/a%20b`)).toMatchObject({ path: { id: "a b" }, operation: { id: "labels.get" } });
});

test.each([
  [undefined, "application/hal+json"],
  ["*/*", "application/hal+json"],
  ["application/*", "application/hal+json"],
  ["application/json", "application/json"],
  ["application/json, */*;q=0.1", "application/json"],
  ["application/json, application/hal+json", "application/hal+json"],
  ["application/hal+json;q=0.9, application/problem+json", "application/hal+json"],
])("a request with the Accept header %p gets a response with the content type %s", async (accept, mediaType) => {
  const headers = accept === undefined ? undefined : { accept };
  for (const area of areas) {
    const { headers: answered } = await bench.call("GET", paths[area], { headers });
    expect(answered.get("content-type")).toBe(mediaType);
  }
});

test("the emulator returns status 406 for a request that accepts only problem+json", async () => {
  const before = await bench.everything();
  const sent = { body: minimal.label, headers: { accept: "application/problem+json" } };
  expect((await bench.call("POST", paths.label, sent)).status).toBe(406);
  expect(await bench.everything()).toEqual(before);
});

test("links in a response use the host that the client requested", async () => {
  const { port } = new URL(bench.url);
  const headers = { authorization: `Bearer ${defaults.token}` };
  const answer = await fetch(`http://localhost:${port}${paths.label}?a=b%20c&a=d`, { headers });
  const self = { href: `http://localhost:${port}${paths.label}?a=b%20c&a=d` };
  expect(await answer.json()).toMatchObject({ _links: { self } });
});

describe("uniqueness of test names", () => {
  test.each([
    ["agentToServer", 409],
    ["httpServer", 400],
    ["dynamic", 400],
  ] as const)("the emulator rejects a duplicate %s test with status %i if test names must be unique", async (area, status) => {
    const create = (query: string, testName: string) =>
      bench.call("POST", paths[area] + query, { body: { ...minimal[area], testName } });
    const first = await create("", "same");
    const second = await create("", "other");
    const clash = { status, body: { status, title: expect.stringContaining("A test with this name already exists.") } };
    expect(await create("", "same")).toMatchObject(clash);
    expect((await create("?aid=1002", "same")).status).toBe(201);
    const rename = (id: string, testName: string) => bench.call("PATCH", `${paths[area]}/${id}`, { body: { testName } });
    expect(await rename(second.body.testId, "same")).toMatchObject(clash);
    expect((await rename(first.body.testId, "same")).status).toBe(200);
  });

  test("the emulator permits duplicate test names by default", async () => {
    const free = await Bench.start();
    for (let n = 0; n < 2; n += 1) {
      expect((await free.call("POST", paths.agentToServer, { body: minimal.agentToServer })).status).toBe(201);
    }
    await free.close();
  });
});

describe("start and close of the emulator", () => {
  test("start() listens on a free loopback port", async () => {
    const [first, two] = await Promise.all([start(), start()]);
    expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(first.url).not.toBe(two.url);
    await Promise.all([first.close(), two.close()]);
  });

  test("start() returns a working URL for a host other than the default", async () => {
    for (const host of ["0.0.0.0", "::1"]) {
      const emulator = await start({ host });
      expect((await fetch(`${emulator.url}/_emulator/requests`)).status).toBe(200);
      await emulator.close();
    }
  });

  test("start() reports that a port is in use", async () => {
    const port = Number(new URL(bench.url).port);
    await expect(start({ port })).rejects.toMatchObject({
      code: "ADDRESS_UNAVAILABLE",
      message: expect.stringContaining(`port ${port}`),
    });
    await expect(start({ port: 1.5 })).rejects.toMatchObject({ code: "INVALID_OPTION" });
    await expect(start({ tokenLifetimeSeconds: 0 })).rejects.toMatchObject({ code: "INVALID_OPTION" });
  });

  test("close() frees the port and ends open connections", async () => {
    const emulator = await start();
    const { port, hostname } = new URL(emulator.url);
    const socket = connect(Number(port), hostname);
    socket.write("GET /_emulator/requests HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
    await new Promise((resolve) => socket.once("data", resolve));
    const ended = new Promise((resolve) => socket.once("close", resolve));
    await Promise.all([emulator.close(), emulator.close(), ended]);
    const again = await start({ port: Number(port) });
    expect(again.url).toBe(emulator.url);
    await again.close();
  });
});
