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

/** A schema of openapi.json, with the keywords that the tests use. */
export interface DocumentedSchema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  examples?: unknown[];
  const?: unknown;
  default?: unknown;
  properties?: Record<string, DocumentedSchema>;
  required?: string[];
  items?: DocumentedSchema;
  allOf?: DocumentedSchema[];
  anyOf?: DocumentedSchema[];
  oneOf?: DocumentedSchema[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  deprecated?: boolean;
  "x-sensitive"?: boolean;
  "x-ui-max-length"?: number;
}
interface Content {
  content?: Record<string, { schema: DocumentedSchema }>;
}
interface ApiDocument {
  paths: Record<string, Record<string, { operationId: string; requestBody?: Content; responses: Record<string, Content> }>>;
  components: { schemas: Record<string, DocumentedSchema> };
}

/** The API document of the vendor, openapi.json. */
export const apiDocument = readFixture("openapi.json") as ApiDocument;

/** Returns the schema that a reference names, and any other schema unchanged. */
export function resolved(schema: DocumentedSchema): DocumentedSchema {
  const name = schema.$ref?.split("/").at(-1);
  if (name === undefined) return schema;
  const target = apiDocument.components.schemas[name];
  if (!target) throw new Error(`openapi.json has no schema ${name}`);
  return target;
}

const firstSchema = (body: Content | undefined): DocumentedSchema => Object.values(body?.content ?? {})[0]?.schema ?? {};

/** The schemas of an operation's request and of its response with the given status. */
export function documentedBodies(id: string, status: number): { request: DocumentedSchema; response: DocumentedSchema } {
  const operation = Object.values(apiDocument.paths)
    .flatMap((methods) => Object.values(methods))
    .find(({ operationId }) => operationId === id);
  return { request: firstSchema(operation?.requestBody), response: firstSchema(operation?.responses[status]) };
}

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
        request: z.object({ contentTypes: z.array(z.string()) }).nullable(),
        success: z.object({ model: z.string().nullable(), status: z.number() }),
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
