import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { AbortedError, ConfigurationError, ConnectionError, pages, ProtocolError, ServerError, type Wait } from "../../api";
import { calls, label, verbs } from "../support/api/calls";
import { bench, failureOf } from "../support/api/service";
import { skipIdleTime } from "../support/idle-time";

skipIdleTime();

const { serve, connect } = bench();
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A server on loopback that uses `answer` to respond. */
async function serving(answer: (response: ServerResponse) => void): Promise<{ url: string; asked: () => number }> {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked };
}

/** Writes repeatedly until the connection ends. */
function again(response: ServerResponse, write: () => void): void {
  const timer = setInterval(write, 20);
  response.on("close", () => clearInterval(timer));
}

const json = { "content-type": "application/json" };
const endless: [string, (response: ServerResponse) => void][] = [
  [
    "an endless slow body",
    (response) => {
      response.writeHead(200, json);
      again(response, () => response.write(" "));
    },
  ],
  [
    "an endless series of early hints",
    (response) => again(response, () => response.writeEarlyHints({ link: "</a>; rel=preload" })),
  ],
];

test.each(endless)("the client stops reading %s at the deadline", async (_what, answer) => {
  const server = await serving(answer);
  const options = { timeout: 5, deadline: 0.3 };
  const error = await failureOf(ConnectionError, calls.POST(connect(server, options)));
  expect(error).toMatchObject({ phase: "answer", outcomeUnknown: true });
  expect(error.message).toContain("no complete response within 0.3 s");
  expect(server.asked()).toBe(1);
});

test("the client stops reading a response that is larger than 64 MiB", async () => {
  const chunk = Buffer.alloc(1024 * 1024, " ");
  let written = 0;
  const server = await serving((response) => {
    response.writeHead(200, json);
    const more = (): void => {
      while (!response.destroyed && response.write(chunk)) written += 1;
    };
    response.on("drain", more);
    more();
  });
  const error = await failureOf(ProtocolError, calls.GET(connect(server)));
  expect(error.message).toContain("it is larger than 64 MiB");
  expect(server.asked()).toBe(1);
  expect(written).toBeLessThan(160);
});

test.each([
  ["[", "]"],
  ['{"a":', "}"],
])("the client rejects a response with more than 100 levels of %s", async (open, close) => {
  for (const depth of [100, 100_000]) {
    const body = `{"id":"1","x":${open.repeat(depth)}1${close.repeat(depth)}}`;
    const service = await serve(() => ({ body, status: 200, headers: { "content-type": "application/json" } }));
    const error = await failureOf(ProtocolError, calls.GET(connect(service)));
    expect(error.message).toContain("it is nested deeper than 100 levels");
  }
  const deep = `{"id":"1","name":"a","matchType":"or","x":${open.repeat(99)}1${close.repeat(99)}}`;
  const service = await serve(() => ({ body: deep, status: 200, headers: { "content-type": "application/json" } }));
  await calls.GET(connect(service));
});

test("the error message omits a response body that is nested too deeply", async () => {
  const body = `{"title":"x","errors":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  const service = await serve(() => ({ status: 500, headers: { "content-type": "application/json" }, body }));
  const error = await failureOf(ServerError, calls.POST(connect(service)));
  expect(error.message).toMatch(/answered 500\. /);
});

describe("a 503 response with a Retry-After header", () => {
  test("the client waits for the time in Retry-After before it repeats the request", async () => {
    const waits: Wait[] = [];
    const service = await serve((_request, nth) =>
      nth === 1 ? { status: 503, headers: { "retry-after": "2" }, body: {} } : { body: label },
    );
    const began = Date.now();
    await calls.GET(connect(service, { onWait: (wait) => waits.push(wait) }));
    expect(Date.now() - began).toBeGreaterThanOrEqual(1_990);
    expect(waits).toEqual([{ operation: "labels.get", reason: "the service failed (503)", ms: 2_000 }]);
  });

  test("the client does not repeat a create request", async () => {
    const service = await serve(() => ({ status: 503, headers: { "retry-after": "1" }, body: {} }));
    await failureOf(ServerError, calls.POST(connect(service)));
    expect(service.arrived).toHaveLength(1);
  });
});

test("the client does not repeat a request that fails permanently", async () => {
  const error = await failureOf(ConnectionError, calls.GET(connect({ url: "https://no-such-host.invalid" })));
  expect(error).toMatchObject({ phase: "dns", mayPass: false });
  const began = Date.now();
  await failureOf(ConnectionError, calls.GET(connect({ url: "http://127.0.0.1:9" })));
  // A refused connection may be temporary, so the client tried four times, with pauses.
  expect(Date.now() - began).toBeGreaterThan(1);
});

test("the client waits at most 75 seconds, even if Retry-After requests a longer wait", async () => {
  const waits: Wait[] = [];
  const later = new Date(Date.now() + 3_600_000).toUTCString();
  const stop = new AbortController();
  const service = await serve(() => ({ status: 503, headers: { "retry-after": later }, body: {} }));
  const client = connect(service, {
    signal: stop.signal,
    onWait: (wait) => {
      waits.push(wait);
      stop.abort();
    },
  });
  await failureOf(AbortedError, calls.GET(client));
  expect(waits.map(({ ms }) => ms)).toEqual([75_000]);
});

describe("an abort signal for all requests of a client", () => {
  test.each(verbs)("the abort signal stops a running request: %s", async (verb) => {
    const stop = new AbortController();
    const service = await serve(() => {
      setTimeout(() => stop.abort(), 10);
      return { silent: true };
    });
    const error = await failureOf(AbortedError, calls[verb](connect(service, { signal: stop.signal })));
    expect(error).toMatchObject({ code: "aborted", outcomeUnknown: verb === "POST", cause: stop.signal.reason });
    expect(error.message).toContain("was aborted");
    expect(error.message.includes("check this before you send the request again")).toBe(verb === "POST");
    expect(error.message).not.toContain("network");
    expect(service.arrived).toHaveLength(1);
  });

  test("the abort signal stops the wait for the request budget", async () => {
    const stop = new AbortController();
    const service = await serve(() => ({ status: 429, headers: { "retry-after": "30" }, body: {} }));
    const waits: Wait[] = [];
    const client = connect(service, {
      signal: stop.signal,
      onWait: (wait) => {
        waits.push(wait);
        stop.abort();
      },
    });
    const error = await failureOf(AbortedError, calls.POST(client));
    expect(error.outcomeUnknown).toBe(false);
    expect(waits).toMatchObject([{ operation: "labels.create", reason: "the request budget of the organization" }]);
    await failureOf(AbortedError, calls.GET(client));
    expect(service.arrived).toHaveLength(1);
  });
});

describe("an abort signal for one request", () => {
  const path = { id: "1" };

  test("the abort signal stops only its own request", async () => {
    const stop = new AbortController();
    const service = await serve((request) => {
      if (request.method === "DELETE") return {};
      setTimeout(() => stop.abort(new Error("the page was closed")), 10);
      return { silent: true };
    });
    const client = connect(service);
    const error = await failureOf(AbortedError, client.labels.get({ path, signal: stop.signal }));
    expect(error.cause).toEqual(new Error("the page was closed"));
    await failureOf(AbortedError, client.labels.get({ path, signal: stop.signal }));
    expect(service.arrived).toHaveLength(1);
    await client.labels.delete({ path });
  });

  test("the abort signal stops the wait for a shared token request", async () => {
    const stop = new AbortController();
    let issue: (() => void) | undefined;
    const url = await serving((response) => {
      if (issue) response.writeHead(204).end();
      issue ??= () => response.writeHead(200, json).end('{"access_token":"t","token_type":"Bearer"}');
      stop.abort();
    });
    const client = connect(url, { token: undefined, clientId: "id", clientSecret: "secret" });
    const other = client.labels.delete({ path });
    await failureOf(AbortedError, client.labels.delete({ path, signal: stop.signal }));
    issue?.();
    expect([await other, url.asked()]).toEqual([undefined, 2]);
  });

  test("the abort signal ends the pagination", async () => {
    const stop = new AbortController();
    const page = { agents: [], _links: { next: { href: "https://api.example.com/v7/endpoint/agents?cursor=2" } } };
    const service = await serve((_, nth) => ({ body: nth === 1 ? page : { agents: [] } }));
    const all = async (): Promise<void> => {
      for await (const _ of pages(connect(service).agents.list, { signal: stop.signal })) stop.abort();
    };
    await failureOf(AbortedError, all());
    expect(service.arrived).toHaveLength(1);
  });
});

test.each([
  [{}, ["token"]],
  [{ clientId: "id" }, ["clientSecret"]],
  [{ clientSecret: "secret" }, ["clientId"]],
])("a client with the incomplete credentials %j names the missing settings", async (credentials, settings) => {
  const service = await serve(() => ({ body: {} }));
  const error = await failureOf(ConfigurationError, calls.GET(connect(service, { token: undefined, ...credentials })));
  expect(error.settings).toEqual(settings);
  expect(error.message).toContain("Pass `token`, or `clientId` and `clientSecret`, to createClient");
  expect(service.arrived).toEqual([]);
});
