/** Checks the native plugin's schema, which generates the SDKs of other languages, `pulumi do` and the help of editors. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { functionNames } from "../../plugin/invoke";
import { defaultsOf } from "../../provider/check";
import { type KindName, registry } from "../../provider/registry";
import * as functions from "../../sdk/functions";
import { isSecretAnswer } from "../../sdk/functions/define";
import { nativeToken, typeToken } from "../../sdk/token";
import { apiDocument } from "../support/api/document";

interface PropertySchema {
  type?: string;
  description?: string;
  secret?: boolean;
  willReplaceOnChanges?: boolean;
  deprecationMessage?: string;
  oneOf?: object[];
}
interface ObjectSchema {
  description?: string;
  enum?: { name: string; value: string; description?: string }[];
  properties: Record<string, PropertySchema>;
  required?: string[];
}
interface ResourceSchema extends ObjectSchema {
  description: string;
  inputProperties: Record<string, PropertySchema>;
  requiredInputs: string[];
  aliases: { type: string }[];
  listInputs?: ObjectSchema;
}
interface Schema {
  displayName: string;
  keywords: string[];
  publisher: string;
  license: string;
  types: Record<string, ObjectSchema>;
  resources: Record<string, ResourceSchema>;
  functions: Record<string, { description: string; inputs: ObjectSchema; outputs: ObjectSchema }>;
}

const text = readFileSync(join(__dirname, "../../plugin/schema.json"), "utf8");
const schema = JSON.parse(text) as Schema;
const calls: Readonly<Record<string, object>> = functions;
const kinds = Object.keys(registry) as KindName[];
const namesWith = (properties: Record<string, PropertySchema>, test: (property: PropertySchema) => unknown): string[] =>
  Object.keys(properties).filter((name) => test(properties[name] ?? {}));
const isDescribed = ({ description }: PropertySchema): boolean => (description ?? "").length > 5;
const example = /\{\{% example %\}\}\n## Example Usage\n\n```typescript\n[^]+?```\n\n\{\{% \/example %\}\}/;

it("the schema contains exactly the resource types in the registry", () => {
  expect(Object.keys(schema.resources)).toEqual(kinds.map((name) => nativeToken(registry[name].name)).toSorted());
  expect(Object.keys(schema.functions)).toEqual(functionNames(functions).map(nativeToken).toSorted());
});

describe.each(kinds)("schema of a %s", (name) => {
  const kind: (typeof registry)[KindName] = registry[name];
  const resource = schema.resources[nativeToken(kind.name)] as ResourceSchema;
  const declared = Object.keys(kind.schema.shape);

  it("the schema describes each property as input and as output", () => {
    const { inputProperties, properties } = resource;
    expect(Object.keys(inputProperties).toSorted()).toEqual(declared.toSorted());
    expect(namesWith(inputProperties, isDescribed)).toEqual(Object.keys(inputProperties));
    expect(namesWith(properties, isDescribed)).toEqual(Object.keys(properties));
    const outputs = declared.filter((property) => !kind.providerOptions.includes(property));
    expect(Object.keys(properties)).toEqual(expect.arrayContaining([...outputs, ...Object.keys(kind.outputSchema.shape)]));
    expect(resource.description).toMatch(example);
    expect(resource.aliases).toEqual([{ type: typeToken(kind.name) }]);
  });

  it("the schema marks secret properties, required properties and properties that cause a replacement", () => {
    const { inputProperties, properties } = resource;
    expect(namesWith(inputProperties, ({ secret }) => secret).toSorted()).toEqual(kind.secrets.toSorted());
    expect(namesWith(properties, ({ secret }) => secret).toSorted()).toEqual(kind.secrets.toSorted());
    expect(namesWith(inputProperties, (property) => property.willReplaceOnChanges).toSorted()).toEqual(
      kind.createOnly.toSorted(),
    );
    const required = Object.entries(kind.schema.shape).filter(([, property]) => !property.safeParse(undefined).success);
    expect(resource.requiredInputs.toSorted()).toEqual(required.map(([property]) => property).toSorted());
    expect(Object.keys(resource.listInputs?.properties ?? {})).toEqual(kind.origin === undefined ? [] : ["accountGroupId"]);
  });

  it("the schema shows defaults only in descriptions", () => {
    const constants = Object.entries(defaultsOf(kind)).filter(([, value]) =>
      ["string", "number", "boolean"].includes(typeof value),
    );
    for (const [property, value] of constants) {
      const { description = "", ...rest } = resource.inputProperties[property] ?? {};
      const named = typeof value === "string" ? `\`${value}\`` : String(value);
      expect(description).toContain(value === "" ? "If omitted" : `Default: ${named}`);
      expect(rest).not.toHaveProperty("default");
    }
  });
});

it.each(functionNames(functions))(
  "the schema describes the arguments and the result of the function %s with an example",
  (name) => {
    const call = schema.functions[nativeToken(name)];
    expect(call?.description).toMatch(example);
    const inputs = call?.inputs.properties ?? {};
    expect(namesWith(inputs, isDescribed)).toEqual(Object.keys(inputs));
    expect(call?.outputs.required).toEqual(["result"]);
    const secrets = namesWith(call?.outputs.properties ?? {}, ({ secret }) => secret);
    expect(secrets).toEqual(isSecretAnswer(calls[name] ?? {}) ? ["result"] : []);
  },
);

it("the schema describes each type and contains no unused types", () => {
  const used = new Set(Array.from(text.matchAll(/"\$ref": "#\/types\/([^"]+)"/g), ([, token = ""]) => token));
  expect([...used].toSorted()).toEqual(Object.keys(schema.types));
  const described = Object.values(schema.types).map(({ properties, enum: words, description }) =>
    words ? isDescribed({ description }) : namesWith(properties, isDescribed).length === Object.keys(properties).length,
  );
  expect(described).toEqual(described.map(() => true));
});

it("a property with an enumeration also accepts values that the schema does not list", () => {
  const ofTest = schema.resources[nativeToken("HttpServerTest")];
  const token = `${nativeToken("HttpServerTest")}AuthType`;
  expect(ofTest?.inputProperties["authType"]?.oneOf).toEqual([
    { type: "string" },
    { type: "string", $ref: `#/types/${token}` },
  ]);
  expect(ofTest?.inputProperties["authType"]?.description).toContain("One of `basic`, `ntlm`, `none`.");
  expect(schema.types[token]?.enum).toEqual([
    { name: "Basic", value: "basic", description: "HTTP basic authentication." },
    { name: "Ntlm", value: "ntlm", description: "NTLM authentication." },
    { name: "None", value: "none", description: "No authentication." },
  ]);
  // The selector has one form for each of its values.
  const selector = schema.types[`${nativeToken("AgentToServerTest")}AgentSelectorType`]?.enum ?? [];
  expect(selector.map(({ value }) => value).toSorted()).toEqual([
    "agent-labels",
    "agent-tags",
    "all-agents",
    "specific-agents",
  ]);
  const enums = Object.values(schema.types).flatMap(({ enum: words }) => (words ? [words] : []));
  expect(enums.length).toBeGreaterThan(25);
  for (const words of enums) {
    const names = words.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name))).toEqual([]);
    const explained = words.filter(({ description }) => description !== undefined).length;
    expect([0, words.length]).toContain(explained);
  }
});

it("the schema deprecates exactly the properties that the service deprecates", () => {
  const deprecated = new Set(
    Object.values(apiDocument.components.schemas).flatMap(({ properties = {} }) =>
      Object.keys(properties).filter((name) => properties[name]?.deprecated),
    ),
  );
  expect(deprecated.has("endpointAgentLabels")).toBe(true);
  const properties = Object.values(schema.resources).flatMap(({ inputProperties, properties: outputs }) => [
    ...Object.entries(inputProperties),
    ...Object.entries(outputs),
  ]);
  const named = (selected: typeof properties) => [...new Set(selected.map(([name]) => name))].toSorted();
  const marked = properties.filter(([, { deprecationMessage }]) => deprecationMessage !== undefined);
  expect(named(marked)).toEqual(named(properties.filter(([name]) => deprecated.has(name))));
});

it("the schema contains no URLs before a release", () => {
  const { keywords, publisher, license, displayName } = schema;
  expect(keywords).toEqual(expect.arrayContaining(["category/monitoring", "kind/native"]));
  const manifest = JSON.parse(readFileSync(join(__dirname, "../../package.json"), "utf8")) as Record<string, unknown>;
  expect({ publisher, license }).toEqual({ publisher: manifest["author"], license: manifest["license"] });
  expect(displayName).toBe("Endpoint Monitoring");
  for (const name of ["homepage", "repository", "pluginDownloadURL", "logoUrl"]) expect(schema).not.toHaveProperty(name);
});
