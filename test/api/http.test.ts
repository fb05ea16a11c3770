import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ConnectionError, EndpointMonitoringError, ServerError } from "../../api";
import { calls, label, verbs, type Verb } from "../support/api/calls";
import { bench, breaks, failureOf, type Answer } from "../support/api/service";
import { skipIdleTime } from "../support/idle-time";
import { freePort } from "../support/port";
import { temporary } from "../support/temporary";

skipIdleTime();

const { serve, connect } = bench();

const paths: Record<Verb, string> = {
  GET: "/v7/endpoint/labels/1",
  PATCH: "/v7/endpoint/labels/1",
  DELETE: "/v7/endpoint/labels/1",
  POST: "/v7/endpoint/labels",
};
const success = (verb: string): Answer => (verb === "DELETE" ? {} : { body: label });

describe("requests and connections", () => {
  test.each(verbs)("the client sends the required headers with %s requests", async (verb) => {
    const service = await serve(({ method }) => success(method));
    await calls[verb](connect(service));
    const [request] = service.arrived;
    expect(request).toMatchObject({ method: verb, path: paths[verb] });
    expect(request?.headers).toMatchObject({
      authorization: "Bearer given-token",
      accept: "application/hal+json, application/json, application/problem+json",
    });
    const hasBody = verb === "POST" || verb === "PATCH";
    expect(request?.headers["content-type"]).toBe(hasBody ? "application/json" : undefined);
    expect(request?.body).toBe(hasBody ? '{"name":"Office","matchType":"or","filters":[]}' : "");
  });

  test("requests share a limited number of connections", async () => {
    const service = await serve(() => ({ body: label }));
    const client = connect(service);
    await Promise.all(Array.from({ length: 40 }, () => calls.GET(client)));
    expect(service.arrived).toHaveLength(40);
    expect(new Set(service.clientPorts).size).toBeLessThanOrEqual(16);
  });
});

/** Failures after which it is unknown whether the service carried out the request. */
const failures: [string, Answer][] = [
  ...[500, 502, 503, 504].map((status): [string, Answer] => [`a ${status}`, { status, body: { detail: "down" } }]),
  ...breaks.map((at): [string, Answer] => [`a connection broken ${at}`, { breaks: at }]),
];

describe.each(failures)("a request that fails with %s", (_, failure) => {
  test("the client repeats GET, PATCH and DELETE requests unchanged", async () => {
    const arrived = await Promise.all(
      (["GET", "PATCH", "DELETE"] as const).map(async (verb) => {
        const service = await serve(({ method }, nth) => (nth === 1 ? failure : success(method)));
        await calls[verb](connect(service));
        return service.arrived;
      }),
    );
    expect(arrived.map((requests) => requests.length)).toEqual([2, 2, 2]);
    expect(arrived.map(([, second]) => second)).toEqual(arrived.map(([first]) => first));
  });

  test("the client does not repeat a POST request that the service may have processed", async () => {
    const service = await serve((_request, nth) => (nth === 1 ? failure : { body: label }));
    const error = await failureOf(EndpointMonitoringError, calls.POST(connect(service)));
    expect(error).toBeInstanceOf(failure.breaks ? ConnectionError : ServerError);
    expect(error).toMatchObject({ outcomeUnknown: true, method: "POST", path: "/v7/endpoint/labels" });
    expect(service.arrived).toHaveLength(1);
  });
});

test("the client gives up on a request after four attempts", async () => {
  const [down, broken] = await Promise.all([
    serve(() => ({ status: 503, body: {} })),
    serve(() => ({ breaks: "before the head" })),
  ]);
  await Promise.all([failureOf(ServerError, calls.GET(connect(down))), failureOf(ConnectionError, calls.GET(connect(broken)))]);
  expect([down.arrived.length, broken.arrived.length]).toEqual([4, 4]);
});

test("the client does not repeat a POST request that gets no response", async () => {
  const service = await serve(() => ({ silent: true }));
  // Not a whole number of milliseconds.
  const error = await failureOf(ConnectionError, calls.POST(connect(service, { timeout: 0.0705 })));
  expect(error.outcomeUnknown).toBe(true);
  expect(error.message).toContain("no response in time");
  expect(service.arrived).toHaveLength(1);
});

test("the client reports that a POST request was not sent if the connection was refused", async () => {
  const service = await serve(() => ({}));
  const { port } = service;
  await service.close();
  // `localhost` may have two addresses, each with its own error.
  const urls = ["127.0.0.1", "localhost"].map((host) => `http://${host}:${port}`);
  const errors = await Promise.all(urls.map((url) => failureOf(ConnectionError, calls.POST(connect({ url })))));
  expect(errors.map(({ outcomeUnknown }) => outcomeUnknown)).toEqual([false, false]);
  expect(errors[1]?.message).toMatch(/ \(tried .*127\.0\.0\.1:\d+.*\)\. Check/);
  expect(errors.map(({ message }) => message.replace(/ \(tried .*?\)/, ""))).toEqual(
    urls.map(
      (url) =>
        `POST /v7/endpoint/labels at ${url} failed: the connection was refused. ` +
        "Check baseUrl, the network, the proxy and the TLS settings, then run the operation again.",
    ),
  );
});

test("the client tries a refused connection four times", async () => {
  const file = join(temporary(), "log");
  const client = connect({ url: `http://127.0.0.1:${await freePort()}` }, { log: { level: "info", file } });
  const began = performance.now();
  const error = await failureOf(ConnectionError, calls.POST(client));
  const elapsedMs = performance.now() - began;
  expect(error).toMatchObject({ phase: "connect", mayPass: true, outcomeUnknown: false });
  const events = [...readFileSync(file, "utf8").matchAll(/POST \S+ (waits: )?(.*?) (\d+) ms(?: attempt \d)?$/gm)];
  const pauses = events.flatMap(([, isWait, , ms]) => (isWait ? [Number(ms)] : []));
  expect([events.length, pauses.length]).toEqual([7, 3]);
  // Timers and the log round to milliseconds.
  expect(elapsedMs).toBeGreaterThan(pauses.reduce((sum, ms) => sum + ms, 0) - 2 * pauses.length);
});

describe("a record in use by another request", () => {
  test.each([409, 423, 425])(
    "the client repeats PATCH and DELETE requests after status %i, but never POST requests",
    async (status) => {
      for (const verb of ["PATCH", "DELETE"] as const) {
        const headers = { "retry-after": "2" };
        const service = await serve(({ method }, nth) =>
          nth <= 3 ? { status, body: { title: "busy" }, ...(nth === 2 && { headers }) } : success(method),
        );
        await calls[verb](connect(service));
        expect(service.arrived).toHaveLength(4);
      }
      const service = await serve(() => ({ status, body: { title: "busy" } }));
      await failureOf(EndpointMonitoringError, calls.POST(connect(service)));
      expect(service.arrived).toHaveLength(1);
    },
  );

  test.each([409, 423, 425])(
    "the client gives up before the deadline if a DELETE request always gets status %i",
    async (status) => {
      const service = await serve(() => ({ status, body: { title: "busy" } }));
      const error = await failureOf(EndpointMonitoringError, calls.DELETE(connect(service, { deadline: 8 })));
      expect(service.arrived.length).toBeGreaterThan(4);
      expect(error.message).toMatch(/run the operation again/);
      expect(error.message).not.toMatch(/another name|adopt/);
    },
  );

  test("the error about a PATCH request with status 409 recommends another name", async () => {
    const service = await serve(() => ({ status: 409, body: { title: "in use" } }));
    const error = await failureOf(EndpointMonitoringError, calls.PATCH(connect(service)));
    expect(service.arrived).toHaveLength(4);
    expect(error.message).toMatch(/choose another name/);
    expect(error.message).not.toMatch(/adopt/);
  });
});
