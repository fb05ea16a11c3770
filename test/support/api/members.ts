/** Bodies of openapi.json and of the wire schemas in the same form, so that tests can compare them. */
import { z } from "zod";
import { type DocumentedSchema, resolved } from "./document";

/** A request determines required members and accepted values. A response may contain any value. */
type Side = "request" | "answer";

/** Each member of a body by its path, such as `searchSort[].sort`. The body itself has no path. */
export type Members = Record<string, string>;
type Entries = [path: string, words: string][];

const join = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);

function words(type: string, values: readonly unknown[] = [], required = false, sensitive = false): string {
  const of = values.length > 0 ? ` of ${values.join("|")}` : "";
  return `${type}${of}${required ? ", required" : ""}${sensitive ? ", sensitive" : ""}`;
}

/** Returns the members of a body in the API document. A union has the members of all its alternatives. */
export function membersOfDocument(body: DocumentedSchema, side: Side): Members {
  const strict = side === "request";
  const member = (path: string, schema: DocumentedSchema, required = false): Entries => {
    // A member that may be null lists its schema and null.
    const { anyOf: [nullable = schema] = [] } = schema;
    const { type, oneOf = [], properties, required: names = [], items, ...rest } = { ...resolved(nullable), ...schema };
    const values = rest.enum ?? rest.examples ?? (rest.const === undefined ? [] : [rest.const]);
    const say = (word: string): Entries => [[path, words(word, strict ? values : [], strict && required, rest["x-sensitive"])]];
    if (path.endsWith("_links")) return say("object");
    if (items) return [...say("array"), ...member(`${path}[]`, items)];
    if (oneOf.length > 0) return [...say("object"), ...oneOf.flatMap((variant) => member(path, variant))];
    if (properties) {
      const inner = Object.entries(properties).flatMap(([name, memberSchema]) =>
        member(join(path, name), memberSchema, names.includes(name)),
      );
      return [...say("object"), ...inner];
    }
    if (type === "object") return say("map<any>");
    if (values.length > 0) return say(typeof values[0]);
    const [word = "any"] = [type].flat();
    return say(!strict && word === "integer" ? "number" : word);
  };
  return Object.fromEntries(member("", body));
}

/** The parts of zod's JSON schema that are used here. */
const jsonSchema = z.object({
  // A union has no type, or several.
  type: z.string().catch("any"),
  enum: z.array(z.unknown()).optional(),
  /** Known values of an open list. */
  knownWords: z.array(z.string()).optional(),
  const: z.unknown().optional(),
  sensitive: z.boolean().optional(),
  required: z.array(z.string()).default([]),
  additionalProperties: z.unknown().optional(),
  get properties() {
    return z.record(z.string(), jsonSchema).optional();
  },
  get items() {
    return jsonSchema.optional();
  },
});
type JsonSchema = z.output<typeof jsonSchema>;

/** Returns members by path. An object that drops unknown members is a "closed object" in a response. */
export function membersOfSchema(schema: z.ZodType, side: Side): Members {
  const strict = side === "request";
  const member = (path: string, json: JsonSchema, required: boolean): Entries => {
    const values = json.enum ?? json.knownWords ?? (json.const === undefined ? [] : [json.const]);
    const say = (type: string): Entries => [[path, words(type, values, strict && required, json.sensitive)]];
    if (path.endsWith("_links")) return say("object");
    if (json.items) return [...say("array"), ...member(`${path}[]`, json.items, false)];
    if (json.type !== "object") return say(json.type);
    if (!json.properties) return say("map<any>");
    const inner = Object.entries(json.properties).flatMap(([name, memberSchema]) =>
      member(join(path, name), memberSchema, json.required.includes(name)),
    );
    return [...say(!strict && json.additionalProperties === undefined ? "closed object" : "object"), ...inner];
  };
  return Object.fromEntries(member("", jsonSchemaOf(schema), false));
}

/** Returns the paths of required members at any depth, except links. */
export function requiredIn(schema: z.ZodType): string[] {
  const paths = (path: string, json: JsonSchema): string[] => {
    if (path.endsWith("_links")) return [];
    const inner = Object.entries(json.properties ?? {}).flatMap(([name, memberSchema]) =>
      paths(join(path, name), memberSchema),
    );
    return [...json.required.map((name) => join(path, name)), ...inner, ...(json.items ? paths(`${path}[]`, json.items) : [])];
  };
  return paths("", jsonSchemaOf(schema));
}

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return jsonSchema.parse(z.toJSONSchema(schema, { io: "input" }));
}
