/** Checks the schemas against independent sources: sample bodies and recorded responses. */
import { z } from "zod";
import * as schemas from "../support/api/schemas";
import { allOperations, type Operation } from "../../api/schemas";
import { checkBody, parseAnswer, parseErrorBody } from "../../api/parse";
import { documentedOperations } from "../support/kinds";
import { example, exampleNames, readFixture } from "../support/api/fixtures";

/** The parts of recorded-labels.json that the tests use: responses of the live service. */
const recorded = z
  .object({
    interactions: z.array(
      z.object({
        seq: z.number(),
        shows: z.string(),
        request: z.object({ method: z.string(), path: z.string() }),
        response: z.object({ status: z.number(), headers: z.record(z.string(), z.string()), body: z.unknown().optional() }),
      }),
    ),
  })
  .parse(readFixture("recorded-labels.json")).interactions;

const place = { method: "GET", path: "/", redact: String } as const;

describe("sample bodies", () => {
  const csv = "assembled/agents.transferBulk.csv.request";
  const parts = exampleNames.map((name) => {
    const [, id = "", kind = ""] = /^(?:assembled\/)?(.*)\.(request|response)$/.exec(name) ?? [];
    // Some names have a variant after the operation: `labels.create.minimal`.
    const operation = allOperations().find((candidate) => id === candidate.id || id.startsWith(`${candidate.id}.`));
    return { name, kind, operation: name === csv ? undefined : operation };
  });
  const cases = parts.flatMap(({ operation, ...rest }) => (operation ? [{ ...rest, operation }] : []));
  const named = (kind: string): [string, Operation][] =>
    cases.filter((sample) => sample.kind === kind).map(({ name, operation }) => [name, operation]);

  test.each(named("request"))("the client sends the request %s unchanged", (name, operation) => {
    const body = example(name);
    expect(checkBody(operation, place, body)).toEqual(body);
  });

  test.each(named("response"))("the client parses the response %s without losses", (name, operation) => {
    const text = JSON.stringify(example(name));
    // A null member is absent.
    const body: unknown = JSON.parse(text, (_key, value: unknown) => value ?? undefined);
    expect(parseAnswer(operation, place, { status: operation.status, contentType: "application/hal+json", text }).data).toEqual(
      body,
    );
  });

  test("each operation has sample bodies", () => {
    const has = (operation: Operation, kind: string): boolean =>
      cases.some((sample) => sample.operation === operation && sample.kind === kind);
    const without = documentedOperations.flatMap((operation) => [
      ...(operation.body && !has(operation, "request") ? [`${operation.id} request`] : []),
      ...(operation.response && !has(operation, "response") ? [`${operation.id} response`] : []),
    ]);
    expect(without).toEqual([]);
  });

  const ofKind = (kind: string): string[] => exampleNames.filter((name) => name.startsWith(`assembled/${kind}.`));

  test.each(ofKind("errors"))("the client parses the error body %s", (name) => {
    const body = example(name);
    // An `errors` of null is absent.
    const { errors, ...rest } = z.looseObject({ errors: z.unknown().optional() }).parse(body);
    expect(parseErrorBody({ status: 400, contentType: "application/problem+json", text: JSON.stringify(body) })).toEqual(
      errors === null ? rest : body,
    );
  });

  test.each(ofKind("agentSelectorConfig"))("the client parses the agent selector %s", (name) => {
    expect(schemas.agentSelectorConfig.parse(example(name))).toEqual(example(name));
  });

  test("the CSV sample of a bulk transfer begins with the header", () => {
    expect(example(csv)).toMatchObject({ lines: expect.arrayContaining([schemas.agentTransferCsvHeader]) });
  });

  test("the suite uses each sample body", () => {
    expect([ofKind("errors").length, ofKind("agentSelectorConfig").length]).toEqual([8, schemas.agentSelectorTypes.length]);
    const seen = [...cases.map(({ name }) => name), ...ofKind("errors"), ...ofKind("agentSelectorConfig"), csv];
    expect(seen.toSorted()).toEqual(exampleNames);
    expect(exampleNames.filter((name) => !name.startsWith("assembled/"))).toHaveLength(69);
  });
});

describe("recorded responses", () => {
  const patterns = allOperations().map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  }));

  test.each(recorded.map((recording) => [recording.seq, recording.shows, recording] as const))(
    "the client parses the recorded response %i: %s",
    (_seq, _shows, { request, response }) => {
      const match = patterns.find(
        ({ operation, pattern }) => operation.method === request.method && pattern.test(request.path),
      );
      if (!match) throw new Error("no such operation");
      const { status, headers, body } = response;
      const text = body === undefined ? "" : JSON.stringify(body);
      const answered = { status, contentType: headers["content-type"] ?? "", text };
      const refused = status >= 400;
      expect(status === match.operation.status).toBe(!refused);
      expect(refused ? parseErrorBody(answered) : parseAnswer(match.operation, place, answered).data).toEqual(body);
    },
  );
});
