/** Tests responses of other servers: a network's login page, a proxy, another API. These responses never count as an outcome. */
import { NotFoundError, ProtocolError, UnconfirmedError } from "../../api";
import { allOperations, type Operation } from "../../api/schemas";
import { Transport } from "../../api/transport";
import { bodyBeyondDocument, documentedOperations } from "../support/kinds";
import { calls } from "../support/api/calls";
import { example, exampleNames } from "../support/api/fixtures";
import { bench, failureOf, type Answer, Service } from "../support/api/service";

const { serve, connect } = bench();

/** The next response of the service that all operations share. */
let next: Answer = {};
const shared = new Service(() => next);
let transport: Transport;
beforeAll(async () => {
  await shared.start();
  transport = new Transport({ baseUrl: shared.url, token: "given-token" });
});
afterAll(async () => {
  await transport.close();
  await shared.close();
});

/** Calls an operation with a valid request. */
async function call(operation: Operation, answer: Answer): Promise<unknown> {
  const name = exampleNames.find((exampleName) => exampleName.replace("assembled/", "") === `${operation.id}.request`);
  const path = Object.fromEntries([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => [parameter, "1"]));
  const body = bodyBeyondDocument(operation) ?? (name && example(name));
  const request = { path, ...(operation.body && body !== undefined && { body }) };
  next = answer;
  shared.arrived.length = 0;
  try {
    return await transport.call(operation, request);
  } finally {
    expect(shared.arrived).toHaveLength(1);
  }
}

const page = { headers: { "content-type": "text/html" }, body: "<html><h1>Welcome to the hotel</h1></html>" };
const answers: Record<string, Answer> = {
  "a 200 page": { ...page, status: 200 },
  "a redirect to a login": { status: 302, headers: { location: "https://login.example.com" }, body: "" },
  "a 200 empty object": { status: 200, body: {} },
};
/** Responses that do not prove that a record does not exist. */
const unproven: Record<string, Answer> = {
  "a page": page,
  "no body": { headers: { "content-length": "0" } },
  "an empty object": { body: {} },
  "an error of a gateway": { headers: { "content-type": "application/json" }, body: { message: "no Route" } },
};

describe.each(allOperations().map((operation) => [operation.id, operation] as const))(
  "answers to the operation %s",
  (_, operation) => {
    // An operation without a response body accepts each 2xx.
    const names = Object.keys(answers).filter((name) => operation.response || name !== "a 200 empty object");
    test.each(names)("the client rejects the response: %s", async (name) => {
      const answer = answers[name] ?? {};
      const error = await call(operation, answer).then(
        () => "a success",
        (reason: unknown) => reason,
      );
      expect(error).toMatchObject({
        code: answer.status === 302 ? "refused" : operation.writes ? "unconfirmed" : "protocol",
        method: operation.method,
      });
      // A server that answers only with success may have stored something.
      const unknown = answer.status === 200 && !operation.repeatable;
      expect((error as ProtocolError).outcomeUnknown).toBe(unknown);
      expect(error instanceof UnconfirmedError).toBe(answer.status === 200 && operation.writes);
    });

    test("the client accepts status 204 only if the operation has no response body", async () => {
      const outcome = await call(operation, { status: 204 }).catch((error: unknown) => error);
      const name = operation.writes ? "UnconfirmedError" : "ProtocolError";
      expect(outcome instanceof Error ? outcome.name : outcome).toBe(operation.response && name);
    });

    test("the client reports a write as unconfirmed if the response has status 303", async () => {
      const error = await call(operation, { status: 303, headers: { location: "/result" }, body: "" }).catch(
        (reason: unknown) => reason,
      );
      expect(error).toMatchObject({ code: operation.writes ? "unconfirmed" : "refused", method: operation.method });
      expect((error as ProtocolError).outcomeUnknown).toBe(operation.writes && !operation.repeatable);
    });

    test.each([404, 410])(
      "a NotFoundError for status %i does not prove a deletion, regardless of the response body",
      async (status) => {
        for (const answer of Object.values(unproven)) {
          const error = await call(operation, { ...answer, status }).catch((reason: unknown) => reason);
          expect(error).toMatchObject({ name: "NotFoundError", code: "not-found", status, fromService: false });
        }
      },
    );
  },
);

const bodyless = allOperations().filter(({ response }) => response === undefined);

test("exactly six documented operations have no response body", () => {
  const known = bodyless.filter((operation) => documentedOperations.includes(operation));
  expect(known.map(({ id, status }) => `${id} ${status}`).toSorted()).toEqual([
    "agents.delete 204",
    "agents.transfer 202",
    "labels.delete 204",
    "tests.agentToServer.delete 204",
    "tests.dynamic.delete 204",
    "tests.httpServer.delete 204",
  ]);
});

const deletions = bodyless.filter(({ method }) => method === "DELETE");

test.each(deletions.map((operation) => [operation.id, operation] as const))(
  "the operation %s succeeds only with status 204",
  async (_, operation) => {
    expect(await call(operation, { status: 204 })).toBeUndefined();
    for (const status of [200, 201, 202, 203, 205, 207]) {
      const reason = `its status is ${status}, but the service answers a deletion with 204`;
      await expect(call(operation, { status })).rejects.toThrow(reason);
      await expect(call(operation, { ...page, status })).rejects.toThrow(UnconfirmedError);
    }
  },
);

const others = bodyless.filter(({ method }) => method !== "DELETE");

test.each(others.map((operation) => [operation.id, operation] as const))(
  "the operation %s succeeds with each 2xx status unless the response is an HTML page",
  async (_, operation) => {
    for (const status of [200, 201, 202, 203, 204, 205, 207]) {
      expect(await call(operation, { status })).toBeUndefined();
      if (status === 204 || status === 205) continue;
      expect(await call(operation, { status, body: { id: "1" } })).toBeUndefined();
      expect(await call(operation, { status, headers: { "content-type": "text/plain" }, body: "OK" })).toBeUndefined();
      const { message } = await failureOf(UnconfirmedError, call(operation, { ...page, status }));
      expect(message).toContain("it is a web page, so another server than the service answered");
    }
  },
);

test.each<[string, unknown]>([
  ["problem", example("assembled/errors.404.response")],
  ["title-only", { title: "Not found" }],
  ["neighboring area's", { timestamp: 1, status: 404, error: "Not Found", path: "/v7/x" }],
  ["older", { timestamp: 1, httpStatus: "NOT_FOUND", errors: ["No such record"], path: "/v7/x" }],
  ["errorMessage", { errorMessage: "No such record" }],
])("status 404 in the service's %s format proves that the record does not exist", async (_, body) => {
  for (const type of ["application/problem+json", "application/json;charset=utf-8"]) {
    const client = connect(await serve(() => ({ status: 404, headers: { "content-type": type }, body })));
    expect(await failureOf(NotFoundError, calls.DELETE(client))).toMatchObject({ status: 404, fromService: true });
    expect(await failureOf(NotFoundError, calls.GET(client))).toMatchObject({ status: 404, fromService: true });
  }
});

test("the error about status 404 recommends checking baseUrl if the response contains no service error", async () => {
  const client = connect(await serve(() => ({ ...page, status: 404 })));
  const { message } = await failureOf(NotFoundError, calls.DELETE(client));
  expect(message).toContain(
    "404 without an error message from the service, so this does not prove that the record does not exist",
  );
  expect(message).toContain("If the path is unknown, check baseUrl");
});

describe("a successful response without a record", () => {
  const bodies: [string, Answer][] = [
    ["status 204", { status: 204 }],
    ["status 200 with an empty body", { status: 200, headers: { "content-length": "0" } }],
    ["an empty object", { status: 200, body: {} }],
    ["a truncated body", { status: 201, body: '{"id":"1","na' }],
    ["a text body", { status: 202, headers: { "content-type": "text/plain" }, body: "accepted" }],
  ];
  test.each(bodies)("the client reports a write as unconfirmed after %s", async (_, answer) => {
    const client = connect(await serve(() => answer));
    for (const verb of ["POST", "PATCH"] as const) {
      const error = await failureOf(UnconfirmedError, calls[verb](client));
      expect(error).toMatchObject({
        code: "unconfirmed",
        status: answer.status,
        outcomeUnknown: verb === "POST",
        id: undefined,
      });
    }
  });

  test.each([
    ["https://api.example.com/v7/endpoint/labels/7%2F8", "7/8"],
    ["/gateway/v7/endpoint/labels/78?aid=1", "78"],
    ["78", undefined],
    ["/v7/endpoint/labels", undefined],
    ["/v7/endpoint/labels/", undefined],
    ["/v7/endpoint/labels/78/filters", undefined],
    ["/v7/endpoint/labels/%E0%A4%A", undefined],
    ["http://[", undefined],
  ])("the client reads the id from the Location header %s: %s", async (location, id) => {
    const client = connect(await serve(() => ({ status: 201, headers: { location, "content-length": "0" } })));
    expect((await failureOf(UnconfirmedError, calls.POST(client))).id).toBe(id);
  });
});
