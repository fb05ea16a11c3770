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

const model = z.object({
  fields: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      required: z.boolean(),
      enum: z.string().optional(),
      sensitive: z.boolean().optional(),
      knownValues: z.array(z.string()).optional(),
    }),
  ),
});
export type Model = z.output<typeof model>;

/** What the tests use of models.json. */
export const models = z
  .object({
    resources: z.record(
      z.string(),
      z.object({
        createModel: z.string().nullable().optional(),
        updateModel: z.string().nullable().optional(),
        readModel: z.string().nullable().optional(),
        fields: z.array(z.object({ name: z.string(), create: z.string(), update: z.string() })),
      }),
    ),
    enums: z.record(z.string(), z.object({ values: z.array(z.union([z.string(), z.number()])) })),
    models: z.record(z.string(), model),
  })
  .parse(readFixture("models.json"));

/** What the tests use of operations.json, by id. */
export const documented = new Map(
  z
    .object({
      operations: z.array(
        z.object({
          id: z.string(),
          method: z.string(),
          path: z.string(),
          pathParams: z.array(z.object({ name: z.string() })),
          query: z.array(z.object({ name: z.string() })),
          request: z.object({ contentTypes: z.array(z.string()) }).nullable(),
          success: z.object({ status: z.number(), model: z.string().nullable() }),
          rateLimit: z.string().optional(),
        }),
      ),
    })
    .parse(readFixture("operations.json"))
    .operations.map((operation) => [operation.id, operation]),
);

/** What the tests use of recorded-labels.json: answers of the live service. */
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
