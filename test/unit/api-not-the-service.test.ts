/** Answers of what is not the service: the login page of a network, a proxy, another server. None of them is an outcome. */
import { NotFoundError, ProtocolError } from "../../api";
import { allOperations, type Operation } from "../../api/schemas";
import { Transport } from "../../api/transport";
import { bodyBeyondDocument, documentedOperations } from "../support/kinds";
import { calls } from "./support/calls";
import { example, exampleNames } from "./support/fixtures";
import { bench, failureOf, type Answer } from "./support/service";

const { serve, connect } = bench();

/** Calls an operation with a request that it takes. */
async function call(operation: Operation, answer: Answer): Promise<unknown> {
  const service = await serve(() => answer);
  const transport = new Transport({ baseUrl: service.url, token: "given-token" });
  const name = exampleNames.find((one) => one.replace("assembled/", "") === `${operation.id}.request`);
  const path = Object.fromEntries([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => [parameter, "1"]));
  const body = bodyBeyondDocument(operation) ?? (name && example(name));
  const request = { path, ...(operation.body && body !== undefined && { body }) };
  try {
    return await transport.call(operation, request);
  } finally {
    expect(service.arrived).toHaveLength(1);
    await transport.close();
  }
}

const page = { headers: { "content-type": "text/html" }, body: "<html><h1>Welcome to the hotel</h1></html>" };
const answers: Record<string, Answer> = {
  "a 200 page": { ...page, status: 200 },
  "a 404 page": { ...page, status: 404 },
  "a redirect to a login": { status: 302, headers: { location: "https://login.example.com" }, body: "" },
  "a 200 empty object": { status: 200, body: {} },
  "a 404 without a body": { status: 404, headers: { "content-length": "0" } },
  "a 404 empty object": { status: 404, body: {} },
  "a 404 of a gateway": { status: 404, headers: { "content-type": "application/json" }, body: { message: "no Route" } },
};

describe.each(allOperations.map((operation) => [operation.id, operation] as const))("%s", (_, operation) => {
  test.each(Object.keys(answers))("is not answered by %s", async (name) => {
    const answer = answers[name] ?? {};
    const error = await call(operation, answer).then(
      () => "a success",
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: answer.status === 302 ? "refused" : "protocol", method: operation.method });
    // Something may have been stored by what answers with success alone.
    const unknown = answer.status === 200 && !operation.repeatable;
    expect((error as ProtocolError).outcomeUnknown).toBe(unknown);
  });

  test("has a body exactly where success has one", async () => {
    const outcome = await call(operation, { status: 204 }).catch((error: unknown) => error);
    expect(outcome instanceof ProtocolError).toBe(operation.status !== 204);
  });
});

const bodyless = allOperations.filter(({ response }) => response === undefined);

test("there are operations without a body", () => {
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

test.each(bodyless.map((operation) => [operation.id, operation] as const))(
  "%s is done with its documented status only",
  async (_, operation) => {
    const statuses = [200, 201, 202, 203, 204, 205, 207];
    for (const status of statuses.filter((one) => one !== operation.status)) {
      const { message } = await failureOf(ProtocolError, call(operation, { status }));
      expect(message).toContain(`its status is ${status} instead of ${operation.status}`);
    }
    expect(await call(operation, { status: operation.status })).toBeUndefined();
  },
);

test.each<[string, unknown]>([
  ["problem", example("assembled/errors.404.response")],
  ["title alone", { title: "Not found" }],
  ["neighbouring area", { timestamp: 1, status: 404, error: "Not Found", path: "/v7/x" }],
  ["older", { timestamp: 1, httpStatus: "NOT_FOUND", errors: ["No such record"], path: "/v7/x" }],
  ["errorMessage", { errorMessage: "No such record" }],
])("a 404 in the service's %s shape says that there is no record", async (_, body) => {
  for (const type of ["application/problem+json", "application/json;charset=utf-8"]) {
    const client = connect(await serve(() => ({ status: 404, headers: { "content-type": type }, body })));
    expect((await failureOf(NotFoundError, calls.DELETE(client))).status).toBe(404);
    expect((await failureOf(NotFoundError, calls.GET(client))).status).toBe(404);
  }
});

test("the message says what may have answered", async () => {
  const client = connect(await serve(() => ({ ...page, status: 404 })));
  const { message } = await failureOf(ProtocolError, calls.DELETE(client));
  expect(message).toContain("a 404 without an error of the service, which does not mean that the record does not exist");
  expect(message).toContain("Check that baseUrl is the service");
});
