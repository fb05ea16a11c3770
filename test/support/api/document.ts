/** The API document of the vendor, and the facts in the vendor's documentation that the document lacks. */
import { readFixture } from "./fixtures";

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
interface Parameter {
  $ref?: string;
  name: string;
  in: "path" | "query";
  schema: DocumentedSchema;
}
interface DocumentedOperation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
  /** Authentication that differs from the document's. */
  security?: unknown;
}
interface ApiDocument {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, DocumentedSchema>; parameters: Record<string, Parameter> };
}

/** The API document of the vendor, openapi.json. */
export const apiDocument = readFixture("openapi.json") as ApiDocument;

function resolvedIn<T>(parts: Record<string, T>, reference: string | undefined, inline: T): T {
  if (reference === undefined) return inline;
  const target = parts[reference.split("/").at(-1) ?? ""];
  if (!target) throw new Error(`openapi.json has no ${reference}`);
  return target;
}

/** Returns the schema that a reference names, and any other schema unchanged. */
export const resolved = (schema: DocumentedSchema): DocumentedSchema =>
  resolvedIn(apiDocument.components.schemas, schema.$ref, schema);

/** Facts of the vendor's documentation that openapi.json lacks. */
const permissions: Record<string, string> = {
  "agents.transfer": "write access to the source and the target account group",
  "agents.transferBulk": "write access to the source and the target account group of every item",
  "tests.agentToServer.create": "account administrator role (regular users may not create tests)",
  "tests.httpServer.create": "account administrator role (regular users may not create tests)",
  "tests.dynamic.create": "account administrator role (regular users may not create tests)",
  "tests.agentToServer.instant": "Edit endpoint tests",
  "tests.httpServer.instant": "Edit endpoint tests",
  "tests.run": "Edit endpoint tests",
};
const instantLimit = new Set(["tests.agentToServer.instant", "tests.httpServer.instant", "tests.run"]);

/** The later spelling of a path is an operation of its own in openapi.json. */
const laterSpelling = ".public";
const listed = Object.entries(apiDocument.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation, id: operation.operationId })),
);

function parametersOf({ parameters = [] }: DocumentedOperation, place: Parameter["in"]) {
  const all = parameters.map((parameter) => resolvedIn(apiDocument.components.parameters, parameter.$ref, parameter));
  return all
    .filter((parameter) => parameter.in === place)
    .map(({ name, schema: { type, format, pattern, items = {} } }) => ({
      name,
      kind: pattern === undefined ? (format ?? String(type)) : "window",
      pattern,
      values: resolved(items).enum as string[] | undefined,
    }));
}

/** The operations in openapi.json. */
export const documented = listed
  .filter(({ id }) => !id.endsWith(laterSpelling))
  .map(({ id, path, method, operation }) => {
    const [status = "", success = {}] = Object.entries(operation.responses).find(([code]) => code.startsWith("2")) ?? [];
    const [[responseType, response] = []] = Object.entries(success.content ?? {});
    const requests = Object.entries(operation.requestBody?.content ?? {});
    return {
      id,
      method: method.toUpperCase(),
      path,
      alias: listed.find((other) => other.id === `${id}${laterSpelling}`)?.path,
      pathParams: parametersOf(operation, "path").map(({ name }) => name),
      query: parametersOf(operation, "query"),
      request: requests[0]?.[1].schema,
      requestTypes: requests.map(([type]) => type),
      status: Number(status),
      response: response?.schema,
      responseType,
      budget: instantLimit.has(id) ? "instant" : "organization",
      authenticated: operation.security === undefined,
      permission: permissions[id],
    };
  });

/** Returns the operation in openapi.json with the given id. */
export function documentedOperation(id: string): (typeof documented)[number] {
  const operation = documented.find((candidate) => candidate.id === id);
  if (!operation) throw new Error(`openapi.json has no operation ${id}`);
  return operation;
}
