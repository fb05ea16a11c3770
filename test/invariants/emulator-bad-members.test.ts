import { z } from "zod";
import { allOperations, type Operation } from "../../api/schemas";
import {
  bodyBeyondDocument,
  bodyOf,
  idOf,
  kindCases,
  operationsOf,
  otherAreas,
  recordKinds,
  undocumented,
} from "../support/kinds";
import { areas, Bench, type Json, paths, fieldsOf } from "../emulator/support";

let bench: Bench;
/** Values for path parameters. */
let parameters: Record<string, string>;

beforeAll(async () => {
  bench = await Bench.start();
  const { body: page } = await bench.call("GET", "/v7/endpoint/agents");
  const { body: test } = await bench.call("POST", paths.httpServer, {
    body: { testName: "T", url: "https://www.example.com" },
  });
  const { body: dynamic } = await bench.call("POST", paths.dynamic, { body: { testName: "D", application: "zoom" } });
  for (const kind of otherKinds) {
    const { body } = await bench.call("POST", kindCases[kind].path, { body: bodyOf(kind, kindCases[kind].minimal) });
    recordIds.set(kindCases[kind].path, idOf(kind, body));
  }
  for (const { path, body: sent } of Object.values(otherAreas)) {
    const { body } = await bench.call("POST", path, { body: sent });
    recordIds.set(path, body.ruleId ?? body.id);
  }
  parameters = { agentId: page.agents[1].id, testId: test.testId, dynamicTestId: dynamic.testId };
});
afterAll(() => bench.close());

const collectionOf = (path: string): string => path.replace(/\/\{\w+\}$/, "");
const tried = new Set<string>(areas.map((area) => paths[area]));
/** Record types that bad-input.test.ts does not cover, with one record each, by the path of their list. */
const otherKinds = recordKinds.filter((kind) => !tried.has(kindCases[kind].path));
const recordIds = new Map<string, string>();
/** Operations with a JSON body that bad-input.test.ts does not cover. */
const others = allOperations().filter(({ body, bodyType, path }) => {
  return body !== undefined && bodyType === "application/json" && !tried.has(collectionOf(path));
});

const pathOf = ({ path }: Operation): string =>
  path.replace(
    /\{(\w+)\}/g,
    (_, name: string) =>
      recordIds.get(path.replace(/\/\{\w+\}.*$/, "")) ??
      parameters[path.includes("dynamic-tests") ? `dynamic${name[0]?.toUpperCase()}${name.slice(1)}` : name] ??
      "",
  );

/** Returns the object schema inside defaults and similar wrappers. */
function objectOf(schema: unknown): z.ZodObject {
  if (schema instanceof z.ZodObject) return schema;
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) return objectOf(schema.unwrap());
  throw new Error("no object schema");
}

/** Returns an invalid value for a member, by its schema. */
function wrongFor(schema: unknown): unknown {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) return wrongFor(schema.unwrap());
  if (schema instanceof z.ZodEnum) return "no-such-word";
  if (schema instanceof z.ZodString) return 5;
  return "wrong";
}

/** Returns members at two levels, with a body that is wrong only in that member. */
function wrongBodies(operation: Operation, valid: Json): { field: string; body: Json }[] {
  const { shape } = objectOf(operation.body);
  return Object.entries(shape).flatMap(([name, schema]) => {
    const ownCase = { field: name, body: { ...valid, [name]: wrongFor(schema) } };
    const inner =
      schema instanceof z.ZodOptional && schema.unwrap() instanceof z.ZodObject ? (schema.unwrap() as z.ZodObject).shape : {};
    const nested = Object.entries(inner).map(([member, of]) => ({
      field: `${name}.${member}`,
      body: { ...valid, [name]: { [member]: wrongFor(of) } },
    }));
    return [ownCase, ...nested];
  });
}

/** The smallest valid body of each operation. */
const valid: Record<string, Json> = {
  "agents.transfer": { toAid: "1002" },
  "agents.transferBulk": { transfers: [] },
  "tests.agentToServer.instant": { testName: "I", server: "www.example.com" },
  "tests.httpServer.instant": { testName: "I", url: "https://www.example.com" },
  ...Object.fromEntries(otherKinds.map((kind) => [operationsOf(kind).create.id, kindCases[kind].minimal])),
  ...Object.fromEntries(
    others.filter(({ id }) => undocumented.has(id)).map((operation) => [operation.id, bodyBeyondDocument(operation)]),
  ),
};

/** Whether a response names a field. Areas outside the API document have their own texts, which their recordings contain. */
function namesField({ id }: Operation, problem: Json, field: string): boolean {
  if (undocumented.has(id)) return [problem.detail, problem.title, ...(problem.errors ?? [])].some((text) => Boolean(text));
  return fieldsOf(problem).some((name) => name.startsWith(field));
}

/** The service's contents that invalid input could change. */
async function everything(): Promise<string> {
  const agent = await bench.call("GET", `/v7/endpoint/agents/${parameters["agentId"]}`);
  const collections = [...otherKinds.map((kind) => kindCases[kind]), ...Object.values(otherAreas)].map(
    ({ collection }) => collection,
  );
  const counts = ["agents", "agent-transfers", "labels", "http-server-tests", "agent-to-server-tests", ...collections].map(
    (name) => bench.stored(name),
  );
  return JSON.stringify([{ ...agent.body, lastSeen: 0 }, (await Promise.all(counts)).map((ids) => ids.length)]);
}

/** The last read contents. No case may change them, so each case compares with the previous one. */
let stored: string;
beforeAll(async () => {
  stored = await everything();
});
async function expectNothingChanged(): Promise<void> {
  const before = stored;
  stored = await everything();
  expect(stored).toBe(before);
}

it("the suite covers at least 15 operations with a JSON body", () => expect(others.length).toBeGreaterThanOrEqual(15));

describe.each(others.map((operation) => [operation.id, operation] as const))(
  "requests of the operation %s",
  (id, operation) => {
    const json = { "content-type": "application/json" };
    const deep = `{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`;

    const unreadable = [
      ["broken JSON", 400, { raw: '{"a":', headers: json }],
      ["an array", 400, { raw: "[]", headers: json }],
      ["null", 400, { raw: "null", headers: json }],
      ["another content type", 415, { raw: "<a/>", headers: { "content-type": "application/xml" } }],
      ["2 MB", 413, { raw: JSON.stringify({ padding: "x".repeat(2 * 1024 * 1024) }), headers: json }],
      ["deep nesting", 400, { raw: deep, headers: json }],
    ] as const;
    // All operations read bodies with one function, so each operation gets two of these bodies.
    const place = others.indexOf(operation) % 3;

    it.each(unreadable.filter((_, at) => at % 3 === place))(
      "the emulator rejects %s with status %i and changes nothing",
      async (_title, status, sent) => {
        const answer = await bench.call(operation.method, pathOf(operation), sent);
        expect(answer.status).toBe(status);
        const { status: bodyStatus = Number(answer.body.httpStatus), title = answer.body.errors?.[0] } = answer.body;
        expect([bodyStatus, typeof title]).toEqual([status, "string"]);
        await expectNothingChanged();
      },
    );

    it("the emulator reports each invalid member and changes nothing", async () => {
      const bodies = wrongBodies(operation, valid[id] ?? {});
      expect(bodies.length).toBeGreaterThan(0);
      for (const { field, body } of bodies) {
        const answer = await bench.call(operation.method, pathOf(operation), { body });
        expect({ field, status: answer.status }).toEqual({ field, status: 400 });
        expect(namesField(operation, answer.body, field.split(".")[0] ?? "")).toBe(true);
      }
      await expectNothingChanged();
    });

    it("the emulator reports each missing member", async () => {
      for (const name of Object.keys(valid[id] ?? {})) {
        const { [name]: _, ...rest } = valid[id];
        const answer = await bench.call(operation.method, pathOf(operation), { body: rest });
        expect([answer.status, namesField(operation, answer.body, name)]).toEqual([400, true]);
      }
      expect(true).toBe(true);
    });
  },
);
