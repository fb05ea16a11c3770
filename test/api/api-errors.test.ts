import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { inspect } from "node:util";
import * as api from "../../api";
import { ApiError, errorCodes, pages, ProtocolError, UnauthorizedError, type ErrorCode } from "../../api";
import * as providerFailures from "../../provider/failures";
import { amount } from "../support/amount";
import { calls } from "../support/api/calls";
import { example } from "../support/api/fixtures";
import { bench, failureOf, type Answer } from "../support/api/service";
import { temporary } from "../support/temporary";

const { serve, connect } = bench();

async function refusal(answer: Answer, verb: keyof typeof calls = "POST"): Promise<ApiError> {
  return failureOf(ApiError, calls[verb](connect(await serve(() => answer))));
}

test.each<[number, string, ErrorCode]>([
  [301, "RefusedError", "refused"],
  [400, "ValidationError", "validation"],
  [401, "UnauthorizedError", "unauthorized"],
  [403, "ForbiddenError", "forbidden"],
  [404, "NotFoundError", "not-found"],
  [405, "RefusedError", "refused"],
  [406, "RefusedError", "refused"],
  [409, "ConflictError", "conflict"],
  [410, "NotFoundError", "not-found"],
  [415, "RefusedError", "refused"],
  [418, "RefusedError", "refused"],
  [408, "ServerError", "server"],
  [500, "ServerError", "server"],
  [503, "ServerError", "server"],
])("the client reports HTTP status %i as %s with code %s", async (status, name, code) => {
  const error = await refusal({ status, headers: { "x-request-id": "r-42", location: "/elsewhere" }, body: { detail: "So." } });
  expect(error).toMatchObject({ name, code, status, method: "POST", path: "/v7/endpoint/labels", requestId: "r-42" });
  expect(error.constructor.name).toBe(name);
  expect(error.outcomeUnknown).toBe(code === "server");
  // The text does not name a member of the request.
  const sent = status === 400 ? "; the request had name, matchType, filters" : "";
  expect(error.message).toBe(`POST /v7/endpoint/labels answered ${status}: So${sent} (request r-42). ${errorCodes[code].todo}`);
});

test("the client does not retry GET, PATCH and DELETE requests that fail permanently", async () => {
  const statuses = [301, 400, 401, 403, 404, 418];
  const service = await serve(({ query }) => ({ status: Number(query.get("aid")), body: { title: "No" } }));
  const client = connect(service);
  const path = { id: "1" };
  for (const status of statuses) {
    const query = { aid: String(status) };
    await failureOf(ApiError, client.labels.get({ path, query }));
    await failureOf(ApiError, client.labels.update({ path, query, body: {} }));
    await failureOf(ApiError, client.labels.delete({ path, query }));
  }
  expect(service.arrived).toHaveLength(statuses.length * 3);
});

describe("error bodies and messages", () => {
  const json = "application/json";
  test.each<[string, Answer, string, string[]?]>([
    [
      "validation errors with fields",
      { status: 400, body: example("assembled/errors.400.response") },
      "Some fields are invalid; testName must not be blank; interval not an allowed value",
      ["testName must not be blank", "interval not an allowed value"],
    ],
    ["unauthorized", { status: 401, body: example("assembled/errors.401.response") }, "Invalid access token"],
    ["forbidden", { status: 403, body: example("assembled/errors.403.response") }, "The role lacks the permission"],
    ["not found", { status: 404, body: example("assembled/errors.404.response") }, "No such record in this account group"],
    [
      "errors with the value null",
      { status: 409, body: example("assembled/errors.409.response") },
      "The write collides with existing state",
    ],
    ["server", { status: 500, body: example("assembled/errors.500.response") }, "Optional text"],
    [
      "the older form, with a list of texts",
      { status: 412, body: example("assembled/errors.legacy.response"), headers: { "content-type": json } },
      "Text of the problem",
      ["Text of the problem"],
    ],
    [
      "the form of a neighboring area",
      {
        status: 400,
        headers: { "content-type": json },
        body: { timestamp: 1, status: 400, error: "Bad Request", title: "Bad", detail: "Name is in use.", path: "/v7/tests" },
      },
      "Name is in use",
    ],
    [
      "a body without a token",
      { status: 401, headers: { "content-type": json }, body: { errorMessage: "No token" } },
      "No token",
    ],
    [
      "only an OAuth code",
      { status: 400, headers: { "content-type": json }, body: { error: "invalid_scope" } },
      "invalid_scope",
    ],
    ["only a title", { status: 404, body: { title: "Not found" } }, "Not found"],
    ["an empty detail", { status: 404, body: { title: "Not found", detail: "" } }, "Not found"],
    ["only a code", { status: 400, body: { errors: [{ code: "EX-1" }, {}] } }, "EX-1", ["EX-1"]],
    [
      "members of unexpected types",
      { status: 400, body: { status: "400", title: 7, detail: "Name too long", errors: "x", error: { a: 1 } } },
      "Name too long",
    ],
    [
      "invalid and valid fields",
      { status: 400, body: { detail: "Bad", errors: [{ code: 17, field: "name", message: "too long" }, 3, null] } },
      "Bad; name too long",
      ["name too long"],
    ],
    [
      "a body with a charset",
      { status: 404, headers: { "content-type": "application/problem+json;charset=UTF-8" }, body: { detail: "Fort" } },
      "Fort",
    ],
    ["no body", { status: 403, headers: { "content-length": "0" } }, ""],
    ["an empty body with a JSON content type", { status: 403, headers: { "content-type": json }, body: "" }, ""],
    ["HTML", { status: 403, headers: { "content-type": "text/html" }, body: "<html><h1>Not here</h1></html>" }, ""],
    ["text", { status: 502, headers: { "content-type": "text/plain" }, body: "Bad gateway" }, ""],
    ["JSON that was cut off", { status: 400, body: '{"detail":"Na' }, ""],
    ["JSON that is not an object", { status: 400, body: '["detail"]' }, ""],
    ["null", { status: 400, body: "null" }, ""],
  ])("the error message contains the text of the error body: %s", async (_, answer, text, fields = []) => {
    const error = await refusal(answer);
    const { todo } = errorCodes[error.code];
    const isNamed = answer.status !== 400 || fields.length > 0 || /name/i.test(text);
    const description = [text, isNamed ? "" : "the request had name, matchType, filters"].filter(Boolean).join("; ");
    expect(error.message).toBe(
      `POST /v7/endpoint/labels answered ${answer.status}${description && `: ${description}`}. ${todo}`,
    );
    expect(error.fields).toEqual(fields);
    expect(error.requestId).toBeUndefined();
  });
});

describe("secrets that an error body echoes", () => {
  const basic = Buffer.from("client:client-s3cret").toString("base64");
  const secrets = ["s3cret", "client-s3cret", "user-s3cret", "issued-s3cret", "p4ssword", basic];
  const text = `You sent ${secrets.join(", ")} and again ${secrets.join(" ")}.`;
  const bodies: Record<string, object> = {
    problem: { title: text, detail: text, errors: [{ field: text, message: text }, { code: text }, text] },
    "title alone": { title: text },
    OAuth: { error: text, error_description: text },
    "OAuth code alone": { error: text },
    errorMessage: { errorMessage: text },
  };
  const clients = {
    "a given token": { token: "s3cret" },
    "client credentials": {
      token: undefined,
      clientId: "client",
      clientSecret: "client-s3cret",
      serviceBearerToken: "user-s3cret",
    },
    "client credentials by Basic": {
      token: undefined,
      clientId: "client",
      clientSecret: "client-s3cret",
      clientAuthentication: "basic" as const,
    },
  };
  const known: Record<keyof typeof clients, string[]> = {
    "a given token": ["s3cret", "p4ssword"],
    "client credentials": ["client-s3cret", "user-s3cret", "issued-s3cret", "p4ssword"],
    "client credentials by Basic": ["client-s3cret", "issued-s3cret", "p4ssword"],
  };
  // The keys of a literal.
  const cases = Object.keys(clients) as (keyof typeof clients)[];
  const password = { testName: "Portal", url: "https://www.example.com", username: "u", password: "p4ssword" };

  test.each(cases.flatMap((client) => Object.keys(bodies).map((body) => [client, body] as const)))(
    "a client with %s hides the secrets of an error response in its error: %s",
    async (client, body) => {
      const service = await serve(({ path }) =>
        path === "/v7/oauth2/token" ? { body: { access_token: "issued-s3cret" } } : { status: 400, body: bodies[body] },
      );
      const error = await failureOf(ApiError, connect(service, clients[client]).httpServerTests.create({ body: password }));
      expect(error.message).toContain("You sent");
      expect(known[client].filter((secret) => inspect(error, { depth: 9 }).includes(secret))).toEqual([]);
    },
  );

  test.each([cases[1], cases[2]].flatMap((client) => Object.keys(bodies).map((body) => [client, body] as const)))(
    "a client with %s removes secrets from the error of a rejected token request: %s",
    async (client = "client credentials", body) => {
      const service = await serve(() => ({ status: 401, body: bodies[body] }));
      const error = await failureOf(UnauthorizedError, calls.GET(connect(service, clients[client])));
      expect(error.message).toContain("You sent");
      const hidden = ["client-s3cret", ...(client === "client credentials" ? ["user-s3cret"] : [basic])];
      expect(hidden.filter((secret) => inspect(error, { depth: 9 }).includes(secret))).toEqual([]);
    },
  );

  test("the error hides a secret that is part of another secret", async () => {
    const service = await serve(() => ({ status: 401, body: { error: "no user-key-tail, no user-key" } }));
    const options = { token: undefined, clientId: "c", clientSecret: "user-key", serviceBearerToken: "user-key-tail" };
    const error = await failureOf(UnauthorizedError, calls.GET(connect(service, options)));
    expect(error.message).toContain("no [secret], no [secret].");
  });

  test.each([
    '{"access_token":"issued-s3cret"x',
    '{"access_token":"issued-s3cret',
    "issued-s3cret",
    '"issued-s3cret"',
    '["issued-s3cret"]',
  ])("the error hides secrets in an unreadable response: %s", async (body) => {
    const service = await serve(() => ({ body }));
    const error = await failureOf(ProtocolError, calls.GET(connect(service, clients["client credentials"])));
    expect(inspect(error, { depth: 9 })).not.toMatch(/issued|s3cret/);
  });
});

describe("secrets that the service echoes", () => {
  const token = "given-T0ken/with+signs=";
  const forms = [token, encodeURIComponent(token), Buffer.from(`Bearer ${token}`).toString("base64")];
  /** Parts of a response with a text in each. */
  const parts: Record<string, (text: string) => Answer> = {
    "status text": (statusText) => ({ statusText }),
    "content type": (text) => ({ headers: { "content-type": `text/${text}` } }),
    "content encoding": (text) => ({ headers: { "content-encoding": text } }),
    "request id": (text) => ({ headers: { "x-request-id": `${"r".repeat(190)}${text}` } }),
    location: (text) => ({ headers: { location: `/v7/endpoint/labels/${encodeURIComponent(text)}` } }),
    "whole body": (text) => ({ body: text }),
    "member of another type": (text) => ({ body: { id: { [text]: text }, labels: { [text]: text } } }),
    "values of enumerations": (text) => ({ body: { labels: [{ id: "1", matchType: text, [text]: 7 }] } }),
    "error body": (text) => ({
      body: { title: `Error in field ${text} : ${text}`, detail: text, errors: [text, { code: text }] },
    }),
    "path of the next link": (text) => ({ body: { labels: [], _links: { next: { href: `/v7/${text}?page=2` } } } }),
    "host of the next link": (text) => ({ body: { labels: [], _links: { next: { href: `https://[${text}` } } } }),
    "cursor of the next link": (text) => ({ body: { labels: [], _links: { next: { href: `/?cursor=${text}` } } } }),
    "id of a record": (text) => ({ body: { labels: [{ id: text, name: text }] } }),
  };
  const requests: Record<string, (client: api.Client) => Promise<unknown>> = {
    ...calls,
    pages: async (client) => {
      for await (const page of pages(client.labels.list, {}))
        for (const { id } of page.labels) await client.labels.get({ path: { id } });
    },
  };
  let folder = "";
  beforeEach(() => (folder = temporary()));

  test("errors and logs hide secrets in each part of a response, in any encoding", async () => {
    let answer: Answer = {};
    const service = await serve(() => answer);
    const file = join(folder, "log");
    const unreadable: string[] = [];
    const onUnreadable = ({ members }: { members: readonly string[] }): void => void unreadable.push(...members);
    const client = connect(service, { token, log: { level: "debug", file }, onUnreadable, timeout: 1 });
    const seen = new Set<string>();
    for (const [at, status] of [200, 201, 204, 301, 400, 401, 403, 404, 409, 418].entries())
      for (const [part, make] of Object.entries(parts))
        // Each part of an error has each form with several statuses. Long tests combine all of them.
        for (const form of forms.filter((_, number) => status < 300 || (number + at) % amount(forms.length, 1) === 0))
          for (const [name, request] of Object.entries(requests)) {
            // The client retries conflicts of updates and deletes for a long time.
            if (status === 409 && (name === "PATCH" || name === "DELETE")) continue;
            answer = { status, ...make(form) };
            const error: unknown = await request(client).then(
              () => undefined,
              (failure: unknown) => failure,
            );
            if (error instanceof Error) seen.add(error.constructor.name);
            const shown = `${inspect(error, { depth: 9, showHidden: true })} ${error instanceof Error ? error.stack : ""}`;
            const shows = forms.some((secret) => shown.includes(secret));
            expect({ status, part, name, shows }).toEqual({ status, part, name, shows: false });
          }
    const logged = `${readFileSync(file, "utf8")} ${unreadable.join(" ")}`;
    expect(forms.filter((secret) => logged.includes(secret))).toEqual([]);
    const answered = ["Validation", "Unauthorized", "Forbidden", "NotFound", "Conflict", "Refused", "Protocol", "Unconfirmed"];
    expect([...seen].toSorted()).toEqual(answered.map((name) => `${name}Error`).toSorted());
  });

  test("errors and logs hide secrets in a response that is not HTTP", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.end(`HTTP/1.1 ${token}\r\n${token}: ${token}\r\n\r\n${token}`));
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    try {
      // A server that listens on a port has an address of this type.
      const { port } = server.address() as AddressInfo;
      const client = connect({ url: `http://127.0.0.1:${port}` }, { token });
      const error = await failureOf(api.ConnectionError, calls.POST(client));
      expect(error).toMatchObject({ cause: { name: "HTTPParserError" } });
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(token);
    } finally {
      server.close();
    }
  });
});

describe("error codes", () => {
  const classes = [api, providerFailures]
    .flatMap((module) => Object.values<unknown>({ ...module }))
    .filter((candidate): candidate is abstract new (...args: never[]) => api.EndpointMonitoringError =>
      isErrorClass(candidate),
    );

  function isErrorClass(candidate: unknown): boolean {
    return (
      typeof candidate === "function" && candidate.prototype instanceof api.EndpointMonitoringError && candidate !== ApiError
    );
  }

  test("the error classes and the documented error codes match one to one", () => {
    const place = { method: "GET", path: "/", redact: String } as const;
    const refused = { ...place, status: 400, body: undefined, requestId: undefined, repeatable: true };
    const codes = classes.map((Class) => {
      // The errors are only created for inspection. Each takes the arguments that it needs, in this order or as one object.
      const Loose = Class as unknown as new (...args: unknown[]) => api.EndpointMonitoringError;
      const isRefusal = Loose.prototype instanceof ApiError;
      return (isRefusal ? new Loose(refused, "validation") : new Loose(place, [], [], false)).code;
    });
    expect(codes.toSorted()).toEqual(Object.keys(errorCodes).toSorted());
  });

  test("each error code has a status, a meaning and a remedy", () => {
    for (const { status, meaning, todo } of Object.values(errorCodes)) {
      expect(status).not.toBe("");
      expect(meaning).toMatch(/^[A-Z].*\.$/);
      expect(todo).toMatch(/^[A-Z].*\.\)?$/);
    }
  });
});

test('a connection error has the documented error code "connection"', async () => {
  const service = await serve(() => ({ breaks: "before the head" }));
  const error = await failureOf(api.ConnectionError, calls.POST(connect(service)));
  expect(error).toMatchObject({ code: "connection", name: "ConnectionError", method: "POST", path: "/v7/endpoint/labels" });
  expect(inspect(error, { depth: 9 })).not.toContain("given-token");
});
