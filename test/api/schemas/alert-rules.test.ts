/** Compares the schemas of alert rules and streams with the vendor's client models in alerts-models.json. */
import { z } from "zod";
import * as schemas from "../../support/api/schemas";
import { operations } from "../../../api/schemas";
import { readFixture } from "../../support/api/fixtures";

const models = z
  .object({
    enums: z.record(z.string(), z.array(z.unknown())),
    models: z.record(z.string(), z.object({ fields: z.record(z.string(), z.object({ readOnly: z.boolean().optional() })) })),
    operations: z.array(
      z.object({
        operationId: z.string(),
        method: z.string(),
        path: z.string(),
        query: z.record(z.string(), z.string()),
        requestBody: z.object({ model: z.string() }).optional(),
        success: z.object({ status: z.union([z.number(), z.string()]), model: z.string().optional() }),
      }),
    ),
  })
  .parse(readFixture("alerts-models.json"));

const ours = [...Object.values(operations.alertRules), ...Object.values(operations.streams)];
// The contracts do not cover alerts and suppression windows.
const theirs = models.operations.filter(({ path }) => /^\/v7\/(alerts\/rules|streams)/.test(path));

test.each(theirs)(
  "the schema of the operation $operationId has the documented method, path, query, body and status",
  ({ method, path, query, requestBody, success }) => {
    const operation = ours.find((candidate) => candidate.method === method && candidate.path === path);
    expect(operation).toMatchObject({ repeatable: method !== "POST", writes: method !== "GET" });
    expect(String(success.status)).toContain(String(operation?.status));
    expect(Object.keys(operation?.query.shape ?? {}).toSorted()).toEqual(Object.keys(query).toSorted());
    expect(operation?.body !== undefined).toBe(requestBody !== undefined);
    expect(operation?.response !== undefined).toBe(success.model !== undefined);
  },
);

test("the schemas cover all ten operations for alert rules and streams", () =>
  expect([ours.length, theirs.length]).toEqual([10, 10]));

const fieldsOf = (model: string): string[] => Object.keys(models.models[model]?.fields ?? {}).toSorted();
const writable = (model: string): string[] => fieldsOf(model).filter((name) => name !== "ruleId");
const membersOf = (schema: z.ZodObject): string[] => Object.keys(schema.shape).toSorted();

test.each([
  ["RuleDetailUpdate", schemas.alertRuleRequest],
  ["Stream", schemas.streamRequest],
])("the request schema contains exactly the writable members of %s", (model, schema) =>
  expect(membersOf(schema)).toEqual(writable(model)),
);

test.each([
  ["RuleDetail", schemas.alertRule],
  ["Rules", schemas.alertRules],
  ["GetStreamResponse", schemas.stream],
])("the response schema contains only documented members of %s", (model, schema) => {
  expect(fieldsOf(model)).toEqual(expect.arrayContaining(membersOf(schema)));
  expect(schema.safeParse({ ...samples[model], someday: [1] }).data).toMatchObject({ someday: [1] });
});

const samples: Record<string, object> = {
  RuleDetail: { ruleId: "1" },
  Rules: { alertRules: [] },
  GetStreamResponse: { id: "1" },
};

test("an update request for a stream accepts all but four members of a create request", () => {
  const unchangeable = ["dataModelVersion", "endpointType", "signal", "type"];
  expect(fieldsOf("Stream").filter((name) => !fieldsOf("PutStream").includes(name))).toEqual(unchangeable);
});

const request = (name: keyof typeof schemas.alertRuleRequest.shape): unknown => wordsOf(schemas.alertRuleRequest.shape[name]);
const ofStream = (name: keyof typeof schemas.streamRequest.shape): unknown => wordsOf(schemas.streamRequest.shape[name]);
function wordsOf(schema: z.ZodType): unknown {
  return schema instanceof z.ZodOptional && schema.unwrap() instanceof z.ZodEnum
    ? (schema.unwrap() as z.ZodEnum).options.map(String).toSorted()
    : undefined;
}

test.each([
  ["AlertGroupType", request("alertGroupType")],
  ["AlertDirection", request("direction")],
  ["AlertRoundsViolationMode", request("roundsViolatingMode")],
  ["SensitivityLevel", request("sensitivityLevel")],
  ["StreamType", ofStream("type")],
  ["Signal", ofStream("signal")],
  ["EndpointType", ofStream("endpointType")],
  ["DataModelVersion", ofStream("dataModelVersion")],
])("the enumeration %s has the documented values", (name, words) => expect(words).toEqual(models.enums[name]?.toSorted()));
