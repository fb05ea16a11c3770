/** Compares the schemas of tag operations with the vendor's client models in tags-models.json. */
import { z } from "zod";
import * as schemas from "../../support/api/schemas";
import { parseAnswer, parseErrorBody } from "../../../api/parse";
import { allOperations, operations } from "../../../api/schemas";
import { readFixture } from "../../support/api/fixtures";

const models = z
  .object({
    enums: z.record(z.string(), z.array(z.string())),
    models: z.record(z.string(), z.object({ fields: z.record(z.string(), z.object({ readOnly: z.boolean().optional() })) })),
    operations: z.array(
      z.object({
        operationId: z.string(),
        method: z.string(),
        path: z.string(),
        query: z.record(z.string(), z.string()),
        requestBody: z.object({ model: z.string() }).optional(),
        success: z.object({ status: z.number(), model: z.string().nullable() }),
      }),
    ),
  })
  .parse(readFixture("tags-models.json"));

const ours = Object.values(operations.tags);

test.each(models.operations)(
  "the schema of the operation $operationId has the documented method, path, query, body and status",
  ({ method, path, query, requestBody, success }) => {
    const operation = ours.find((candidate) => candidate.method === method && candidate.path === path);
    expect(operation).toMatchObject({ status: success.status, repeatable: method !== "POST", writes: method !== "GET" });
    expect(Object.keys(operation?.query.shape ?? {}).toSorted()).toEqual(Object.keys(query).toSorted());
    expect(operation?.body !== undefined).toBe(requestBody !== undefined);
    expect(operation?.response !== undefined).toBe(success.model !== null);
  },
);

test("the schemas cover all documented tag operations", () => expect(ours).toHaveLength(models.operations.length));

const sorted = (values: readonly string[]): string[] => values.toSorted((a, b) => a.localeCompare(b));

test.each<[string, readonly string[]]>([
  ["TagMatchType", schemas.matchType.options],
  ["TagFilterMode", schemas.filterMode.options],
  ["TagFilterScope", schemas.tagFilterScope.options],
  ["AccessType", schemas.tagAccessType.options],
  ["AssignmentType", schemas.tagAssignmentType.options],
  ["ObjectType", schemas.tagObjectType.options],
  ["Type", schemas.tagType.options],
  ["TagFilterKey_default", schemas.tagFilterKeys],
])("the enumeration %s has the documented values", (name, values) =>
  expect(sorted(values)).toEqual(sorted(models.enums[name] ?? [])),
);

const fieldsOf = (model: string, written = false): string[] =>
  Object.entries(models.models[model]?.fields ?? {})
    .filter(([, { readOnly }]) => !(written && readOnly))
    .map(([name]) => name)
    .toSorted();

test.each([
  ["TagInfo", schemas.tagRequest, true],
  ["TagFilter", schemas.tagFilter, true],
  ["Assignment", schemas.tagAssignment, true],
  ["Tag", schemas.tag, false],
  ["Tags", schemas.tags, false],
  ["BulkTagAssignment", schemas.assignedTag, false],
  ["BulkTagAssignments", schemas.assignedTags, false],
  ["BulkTagResponse", schemas.bulkTagResponse, false],
])("the schema of %s has the documented members", (model, schema, written) =>
  expect(Object.keys(schema.shape).toSorted()).toEqual(fieldsOf(model, written)),
);

const { interactions } = z
  .object({
    interactions: z.array(
      z.object({
        seq: z.number(),
        request: z.object({ method: z.string(), path: z.string() }),
        response: z.object({ status: z.number(), headers: z.record(z.string(), z.string()), body: z.unknown().optional() }),
      }),
    ),
  })
  .parse(readFixture("recorded-tags.json"));

test.each(interactions)(
  "the schema accepts the recorded tag response $seq",
  ({ request, response: { status, headers, body } }) => {
    const operation = allOperations().find(
      ({ method, path }) => method === request.method && new RegExp(`^${path.replace("{id}", "[^/]+")}$`).test(request.path),
    );
    if (!operation) throw new Error("no such operation");
    const answer = { status, contentType: headers["content-type"] ?? "", text: body === undefined ? "" : JSON.stringify(body) };
    const isRead = (key: string, value: unknown): unknown =>
      key === "aid" && typeof value === "number" ? String(value) : (value ?? undefined);
    const expected: unknown = body === undefined ? undefined : JSON.parse(JSON.stringify(body), isRead);
    const target = { method: "GET", path: "/", redact: String } as const;
    expect(status >= 400 ? parseErrorBody(answer) : parseAnswer(operation, target, answer).data).toEqual(expected);
  },
);
