import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const root = join(__dirname, "../../fixtures/service");

export function readFixture(name: string): unknown {
  return JSON.parse(readFileSync(join(root, name), "utf8"));
}

/** Names of all JSON bodies under `examples/`, without the suffix: `labels.get.response`, `assembled/errors.404.response`. */
export const exampleNames: readonly string[] = readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".json"))
  .map((name) => name.replace(/\.json$/, ""))
  .toSorted();

export const example = (name: string): unknown => readFixture(`examples/${name}.json`);

const told = {
  name: z.string(),
  type: z.string(),
  required: z.boolean().optional(),
  enum: z.string().optional(),
  knownValues: z.array(z.string()).optional(),
  const: z.string().optional(),
  sensitive: z.boolean().optional(),
};
const field = z.object({ ...told, itemFields: z.array(z.object(told)).optional() });
/** A member of a body in the API document: in a model or, without a model, in the operation itself. */
export type Field = z.output<typeof field>;

/** The parts of models.json that the tests use. */
export const models = z
  .object({
    resources: z.record(
      z.string(),
      z.object({ fields: z.array(z.object({ name: z.string(), create: z.string(), update: z.string() })) }),
    ),
    enums: z.record(z.string(), z.object({ values: z.array(z.union([z.string(), z.number()])) })),
    unions: z.record(z.string(), z.object({ oneOf: z.array(z.string()) })),
    models: z.record(
      z.string(),
      z.object({
        fields: z.array(field),
        discriminator: z.object({ mapping: z.record(z.string(), z.string()) }).optional(),
      }),
    ),
  })
  .parse(readFixture("models.json"));

const body = { model: z.string().nullable(), fields: z.array(field).optional() };
const parameter = z.object({
  name: z.string(),
  type: z.string(),
  enum: z.array(z.string()).optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
});

/** The parts of operations.json that the tests use. */
export const documented = z
  .object({
    operations: z.array(
      z.object({
        id: z.string(),
        method: z.string(),
        path: z.string(),
        publicPath: z.string().optional(),
        pathParams: z.array(z.object({ name: z.string() })),
        query: z.array(parameter),
        request: z.object({ ...body, contentTypes: z.array(z.string()) }).nullable(),
        success: z.object({ ...body, status: z.number() }),
        rateLimit: z.string().optional(),
        auth: z.string(),
        permission: z.string().nullable(),
      }),
    ),
  })
  .parse(readFixture("operations.json")).operations;

/** The parts of recorded-labels.json that the tests use: answers of the live service. */
export const recorded = z
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
