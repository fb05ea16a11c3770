/**
 * Generates the schema of the native plugin, `plugin/schema.json`, with the resources of the registry and the functions of the
 * SDK. Descriptions come from the SDK's JSDoc. The script reads only sources, so it works before a build. `npm run generate`
 * runs this script, and `--check` reports an outdated schema.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { SchemaTypes } from "./schema-types.mjs";
import { deprecations } from "./words.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

/** Returns the example of a class or function. The shortcodes around an example limit it to one language. */
const exampleOf = (checker, symbol) => {
  const tag = symbol.getJsDocTags(checker).find(({ name }) => name === "example");
  if (!tag) return "";
  const code = ts
    .displayPartsToString(tag.text)
    .trim()
    .replace(/^```ts$/m, "```typescript");
  return `\n\n{{% examples %}}\n{{% example %}}\n## Example Usage\n\n${code}\n\n{{% /example %}}\n{{% /examples %}}\n`;
};

function resourceOf(kind, { types, checker, exported, defaults, alias }) {
  const symbol = exported.get(kind.name);
  const args = new Map(
    types
      .propertiesOf(checker.getDeclaredTypeOfSymbol(exported.get(`${kind.name}Args`)))
      .map((member) => [member.name, member]),
  );
  const outputs = new Map(types.propertiesOf(checker.getDeclaredTypeOfSymbol(symbol)).map((member) => [member.name, member]));
  const names = Object.keys(kind.schema.shape);
  const property = (name, symbols, shape) => ({
    ...types.property(symbols.get(name), { path: [kind.name, name], zod: shape[name] }),
    ...(kind.secrets.includes(name) && { secret: true }),
    ...(Object.hasOwn(deprecations, name) && { deprecationMessage: deprecations[name] }),
  });
  // The schema has no `default` values, because SDKs would send them like values of the program. The plugin's check adds
  // default values, which the descriptions name.
  const inputs = Object.fromEntries(
    names.map((name) => [
      name,
      { ...property(name, args, kind.schema.shape), ...(kind.createOnly.includes(name) && { willReplaceOnChanges: true }) },
    ]),
  );
  const kept = names.filter((name) => !kind.providerOptions.includes(name));
  const further = Object.keys(kind.outputSchema.shape).filter((name) => !kept.includes(name));
  const outputOf = ({ willReplaceOnChanges: _replaces, ...known }) => known;
  const isOptional = (schema) => schema.safeParse(undefined).success;
  return {
    description: types.textOf(symbol) + exampleOf(checker, symbol),
    properties: {
      ...Object.fromEntries(kept.map((name) => [name, outputOf(inputs[name])])),
      ...Object.fromEntries(further.map((name) => [name, property(name, outputs, kind.outputSchema.shape)])),
    },
    required: [
      ...kept.filter((name) => name in defaults || !isOptional(kind.schema.shape[name])),
      ...further.filter((name) => !isOptional(kind.outputSchema.shape[name])),
    ],
    inputProperties: inputs,
    requiredInputs: names.filter((name) => !isOptional(kind.schema.shape[name])),
    ...(kind.origin !== undefined && { listInputs: listInputs(inputs) }),
    aliases: [{ type: alias }],
  };
}

/** Returns the inputs of a list request. Without these inputs in the schema, `pulumi do TYPE list` does not work. */
function listInputs({ accountGroupId: { type } }) {
  return {
    type: "object",
    properties: { accountGroupId: { type, description: "Account group (`aid`) of the records. Default: the provider's." } },
  };
}

/** Returns the schema of a function. The result is a member named `result`, because a function's result must be an object. */
function functionOf(symbol, { types, checker, secret }) {
  const type = checker.getTypeOfSymbol(symbol);
  const [given, result] = checker.getTypeArguments(type);
  const { name } = symbol;
  const base = name.charAt(0).toUpperCase() + name.slice(1);
  const members = types.propertiesOf(given);
  const answer = types.type(result, { path: [base, "Result"] });
  return {
    description: types.textOf(symbol) + exampleOf(checker, symbol),
    inputs: {
      type: "object",
      properties: Object.fromEntries(
        members.map((member) => [member.name, types.property(member, { path: [base, member.name] })]),
      ),
      required: members.filter((member) => types.isRequired(given, member)).map((member) => member.name),
    },
    outputs: {
      type: "object",
      properties: {
        result: {
          ...(type.symbol.name === "FetchAll" ? { type: "array", items: answer } : answer),
          description: "Result of the function.",
          ...(secret && { secret: true }),
        },
      },
      required: ["result"],
    },
  };
}

export function schemaText() {
  const require = createRequire(import.meta.url);
  require("../../test/setup/typescript.cjs");
  const { registry } = require("../../provider/registry.ts");
  const { defaultsOf } = require("../../provider/check.ts");
  const { settings } = require("../../api/setting-names.ts");
  const { packageName, nativeToken, typeToken } = require("../../sdk/token.ts");
  const functions = require("../../sdk/functions/index.ts");
  const { isSecretAnswer } = require("../../sdk/functions/define.ts");
  const { functionNames } = require("../../plugin/invoke.ts");
  const { nativePackageName } = require("../release/native-package.ts");
  const { schemaAddresses } = require("../release/addresses.ts");
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

  const config = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config;
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const program = ts.createProgram([join(root, "sdk/index.ts")], options);
  const checker = program.getTypeChecker();
  const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(join(root, "sdk/index.ts"))));
  const exported = new Map(
    symbols.map((symbol) => [symbol.name, symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol]),
  );
  const types = new SchemaTypes(checker, nativeToken);

  const variables = Object.fromEntries(
    Object.entries(settings).map(([name, { env, meaning, secret }]) => [
      name,
      { type: "string", description: meaning, ...(secret && { secret: true }), defaultInfo: { environment: [env] } },
    ]),
  );
  const resources = Object.values(registry).map((kind) => [
    nativeToken(kind.name),
    resourceOf(kind, { types, checker, exported, defaults: defaultsOf(kind), alias: typeToken(kind.name) }),
  ]);
  const calls = functionNames(functions).map((name) => [
    nativeToken(name),
    functionOf(exported.get(name), { types, checker, secret: isSecretAnswer(functions[name]) }),
  ]);
  const sorted = (entries) => Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const schema = {
    name: packageName,
    displayName: "Endpoint Monitoring",
    version: manifest.version,
    description: manifest.description,
    // Pulumi's registry groups packages by their keywords.
    keywords: [...manifest.keywords, "category/monitoring", "kind/native"],
    license: manifest.license,
    publisher: manifest.author,
    // Only a release has the URLs of its repository.
    ...schemaAddresses(manifest),
    config: { variables: withoutDefaults(variables) },
    provider: {
      description: "Settings of a provider. An omitted setting comes from the environment.",
      inputProperties: variables,
    },
    types: sorted([...types.defined]),
    resources: sorted(resources),
    functions: sorted(calls),
    // Package managers can install these SDKs, because each SDK has a go.mod and this package's version.
    meta: { supportPack: true },
    language: {
      nodejs: { packageName: nativePackageName, respectSchemaVersion: true },
      python: { packageName: "pulumi_endpoint_monitoring", pyproject: { enabled: true }, respectSchemaVersion: true },
      csharp: {
        namespaces: { [packageName]: "EndpointMonitoring" },
        packageReferences: { Pulumi: "3.*" },
        respectSchemaVersion: true,
      },
      go: { respectSchemaVersion: true, generateResourceContainerTypes: true },
      java: {
        buildFiles: "gradle",
        dependencies: { "com.google.code.findbugs:jsr305": "3.0.2", "com.pulumi:pulumi": "1.16.0" },
      },
    },
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

/** Returns configuration variables without default values, because only the stack sets them. */
function withoutDefaults(variables) {
  return Object.fromEntries(
    Object.entries(variables).map(([name, variable]) => [name, { ...variable, defaultInfo: undefined }]),
  );
}

if (import.meta.main) {
  const path = join(root, "plugin/schema.json");
  const text = schemaText();
  const isStale = !existsSync(path) || readFileSync(path, "utf8") !== text;
  if (process.argv.includes("--check")) {
    if (isStale) console.error("plugin/schema.json is out of date: run `npm run generate`");
    process.exitCode = isStale ? 1 : 0;
  } else if (isStale) writeFileSync(path, text);
}
