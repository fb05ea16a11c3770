/**
 * Generates `api/generated`: an interface with JSDoc for each type of `api/schemas`, and the client's functions. The compiler's
 * own declarations would show zod's types without JSDoc. `npm run generate` runs this script. `node tools/docs/types.mjs
 * --check` lists outdated files.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import ts from "typescript";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const folder = join(root, "api/generated");
const schemas = join(root, "api/schemas");

const config = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config;
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
const program = ts.createProgram([join(schemas, "index.ts")], options);
const checker = program.getTypeChecker();

const generated = "// `npm run generate` writes this file from the schemas in api/schemas.";
const capital = (name) => name[0].toUpperCase() + name.slice(1);
const propertiesOf = (type) => checker.getPropertiesOfType(type);
const textOf = (symbol) => ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();

/** All named types with their file, JSDoc and type. References to a type with several names use its first name. */
const named = program
  .getSourceFiles()
  .filter(({ fileName }) => dirname(fileName) === schemas)
  .flatMap((file) => file.statements.filter(isOfSchema).map((alias) => namedType(alias, basename(file.fileName, ".ts"))));
const names = new Map(named.toReversed().map((one) => [one.type, one]));

/** Whether a statement has the form `export type X = z.output<typeof x>` for an object. */
function isOfSchema(statement) {
  if (!ts.isTypeAliasDeclaration(statement) || !/^z\.(output|input)<typeof \w+>$/.test(statement.type.getText())) return false;
  return !checker.getTypeAtLocation(statement.name).isUnion();
}

function namedType(alias, file) {
  const [query] = alias.type.typeArguments;
  const meaning = textOf(checker.getSymbolAtLocation(alias.name)) || textOf(checker.getSymbolAtLocation(query.exprName));
  return { name: alias.name.text, file, meaning, type: checker.getTypeAtLocation(alias.name) };
}

/** Objects that several schemas spread. Each object with enough members becomes an interface that other interfaces extend. */
const shapes = program
  .getSourceFiles()
  .filter(({ fileName }) => dirname(fileName) === schemas)
  .flatMap((file) =>
    file.statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) => declarationList.declarations),
  )
  .filter(({ initializer }) => initializer && ts.isObjectLiteralExpression(initializer))
  .flatMap((declaration) => shapeOf(declaration));

function shapeOf(declaration) {
  const members = propertiesOf(checker.getTypeAtLocation(declaration.name));
  if (!members.every((member) => textOf(member) && checker.getPropertyOfType(checker.getTypeOfSymbol(member), "_zod")))
    return [];
  const symbol = checker.getSymbolAtLocation(declaration.name);
  const file = basename(declaration.getSourceFile().fileName, ".ts");
  return [{ name: `${capital(symbol.name)}Members`, file, meaning: textOf(symbol), members }];
}

class Writer {
  imports = new Map();
  constructor(file) {
    this.file = file;
  }

  use(type) {
    const found = names.get(type);
    return found ? this.name(found) : this.write(type);
  }

  /** Returns the name of a type. A type from another file is imported. */
  name({ name, file }) {
    if (file !== this.file) this.imports.set(file, (this.imports.get(file) ?? new Set()).add(name));
    return name;
  }

  write(type) {
    if (type.isUnion()) return this.union(type);
    if (checker.isArrayType(type)) {
      const item = this.use(checker.getTypeArguments(type)[0]);
      return /[|&]/.test(item.replaceAll(/\{.*\}/gs, "")) ? `(${item})[]` : `${item}[]`;
    }
    if (type.flags & ts.TypeFlags.Object) return this.object(type);
    return checker.typeToString(type);
  }

  union(type) {
    const parts = type.types.filter((part) => !(part.flags & ts.TypeFlags.Undefined));
    const booleans = parts.filter((part) => part.flags & ts.TypeFlags.BooleanLiteral);
    const others = parts
      .filter((part) => !booleans.includes(part))
      .toSorted(inOrder)
      .map((part) => this.use(part));
    return [...(booleans.length > 0 ? ["boolean"] : []), ...others].join(" | ");
  }

  /** Returns the type of an object with its known members. An object without known members becomes an open record. */
  object(type) {
    const members = propertiesOf(type);
    if (members.length > 0) return `{\n${members.map((member) => this.member(member)).join("\n")}\n}`;
    const index = checker.getIndexInfosOfType(type)[0];
    return index ? `Record<string, ${this.use(index.type)}>` : "object";
  }

  member(symbol) {
    const meaning = textOf(symbol);
    if (!meaning) undocumented.push(`${this.file}: ${symbol.name}`);
    const own = checker.getTypeOfSymbol(symbol);
    const type = checker.getPropertyOfType(own, "_zod") ? zodType(own, "output") : own;
    const isOptional = symbol.flags & ts.SymbolFlags.Optional || (type !== own && mayBeUndefined(type));
    return `${doc(meaning)}${symbol.name}${isOptional ? "?" : ""}: ${this.use(type)};`;
  }

  /** Returns an interface that extends base interfaces and declares the remaining members. */
  interface({ name, meaning, members, texts, bases }) {
    const held = new Set(bases.flatMap((base) => base.texts));
    const own = members.filter((_, at) => !held.has(texts[at]));
    const heads = bases.map((base) => this.name(base)).join(", ");
    const body = own.map((member) => this.member(member)).join("\n");
    return `${doc(meaning)}export interface ${name} ${heads && `extends ${heads} `}{\n${body}\n}\n`;
  }

  head() {
    return [...this.imports]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(
        ([file, used]) => `import type { ${[...used].toSorted((a, b) => a.localeCompare(b)).join(", ")} } from "./${file}";\n`,
      )
      .join("");
  }
}

const undocumented = [];
const mayBeUndefined = (type) => type.isUnion() && type.types.some((part) => part.flags & ts.TypeFlags.Undefined);

/** Compares the members of a union, because the compiler's order depends on unrelated code. */
function inOrder(a, b) {
  if (!a.isLiteral() || !b.isLiteral()) return 0;
  return typeof a.value === "number" ? a.value - b.value : a.value.localeCompare(b.value);
}

function doc(text) {
  if (!text) return "";
  const lines = text.split("\n");
  return lines.length === 1 ? `/** ${text} */\n` : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}

function recordsFile(file) {
  const writer = new Writer(file);
  const texts = interfaces.filter((one) => one.file === file).map((one) => writer.interface(one));
  return fileOf(writer, texts.join("\n"));
}

/** Minimum number of members that a shared object needs to become an interface. */
const fewest = 4;

/** Returns all interfaces with their own members and with the interfaces that they extend. */
function interfacesOf() {
  const texts = (members) => members.map((member) => new Writer("").member(member));
  const records = named.map((one) => ({ ...one, members: propertiesOf(one.type) }));
  const all = [...records, ...shapes].map((one) => ({ ...one, texts: texts(one.members) }));
  const candidates = all.filter((one) => one.members.length >= fewest).toSorted((a, b) => b.members.length - a.members.length);
  for (const one of all) {
    const rest = new Set(one.texts);
    one.bases = [];
    for (const base of candidates) {
      if (base.members.length >= one.members.length || !base.texts.every((text) => rest.has(text))) continue;
      one.bases.push(base);
      for (const text of base.texts) rest.delete(text);
    }
  }
  const extended = new Set(all.flatMap(({ bases }) => bases));
  return all.filter((one) => "type" in one || extended.has(one));
}

const fileOf = (writer, text) => `${generated}\n${writer.head()}\n${text}`;

function clientFiles() {
  const areas = propertiesOf(operationsType());
  const writer = new Writer("client");
  const fields = areas.map(
    (area) => `${doc(`Operations of \`client.${area.name}\`.`)}readonly ${area.name}: ${writer.name(callsOf(area))};`,
  );
  const meaning =
    "A typed client with one member for each area of the API, and one function for each operation: `client.labels.get({ path: { id } })`.";
  const close = `${doc("Closes all connections after the pending requests have been answered.")}close(): Promise<void>;`;
  const client = `${doc(meaning)}export interface Client {\n${fields.join("\n")}\n${close}\n}\n`;
  return { client: fileOf(writer, client), ...Object.fromEntries(areas.map((area) => [callsOf(area).file, callsFile(area)])) };
}

const words = (name) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
const callsOf = ({ name }) => ({ name: `${capital(name)}Calls`, file: `${words(name).replaceAll(" ", "-")}-calls` });

/** Returns the file with the functions of an area. */
function callsFile(area) {
  const { name, file } = callsOf(area);
  const writer = new Writer(file);
  const calls = propertiesOf(checker.getTypeOfSymbol(area)).map((call) => callOf(writer, call));
  return fileOf(writer, `${doc(`Operations of \`client.${area.name}\`.`)}export interface ${name} {\n${calls.join("\n")}\n}\n`);
}

function operationsType() {
  const module = checker.getSymbolAtLocation(program.getSourceFile(join(schemas, "operations.ts")));
  const operations = checker.getExportsOfModule(module).find(({ name }) => name === "operations");
  return checker.getTypeOfSymbol(operations);
}

function callOf(writer, operation) {
  const [path, query, body, response] = ["path", "query", "body", "response"].map((name) => typeOf(operation, name));
  const parameters = [...path.value.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string;`);
  const parts = [
    ...(parameters.length > 0 ? [`path: { ${parameters.join(" ")} };`] : []),
    `query?: ${writer.use(zodType(query, "output"))};`,
    ...bodyOf(writer, body),
    "signal?: AbortSignal;",
  ];
  const optional = parts.every((part) => /^\w+\?:/.test(part)) ? "?" : "";
  const answer = response.flags & ts.TypeFlags.Undefined ? "undefined" : writer.use(zodType(response, "output"));
  const meaning = [`\`${methodOf(operation)} ${path.value}\``, textOf(operation)].filter((text) => text !== "").join("\n\n");
  return `${doc(meaning)}readonly ${operation.name}: (request${optional}: { ${parts.join("\n")} }) => Promise<${answer}>;`;
}

function bodyOf(writer, schema) {
  if (schema.flags & ts.TypeFlags.Undefined) return [];
  const given = zodType(schema, "input");
  return [`body${mayBeUndefined(given) ? "?" : ""}: ${writer.use(zodType(schema, "output"))};`];
}

const zodType = (schema, side) => typeOf(checker.getPropertyOfType(schema, "_zod"), side);
const typeOf = (symbol, member) => checker.getTypeOfSymbol(checker.getPropertyOfType(checker.getTypeOfSymbol(symbol), member));

/** Returns the HTTP method of an operation. POST operations that only read share their definition. */
function methodOf({ valueDeclaration }) {
  const [definition] = valueDeclaration.initializer.arguments;
  return definition.properties.find((property) => property.name?.text === "method")?.initializer.text ?? "POST";
}

const interfaces = interfacesOf();
const files = [...new Set(interfaces.map(({ file }) => file))];
const written = { ...Object.fromEntries(files.map((file) => [file, recordsFile(file)])), ...clientFiles() };
written["index"] = `${generated}\n${Object.keys(written)
  .toSorted((a, b) => a.localeCompare(b))
  .map((file) => `export type * from "./${file}";\n`)
  .join("")}`;

if (undocumented.length > 0) {
  console.error(`These members have no JSDoc in api/schemas:\n${[...new Set(undocumented)].join("\n")}`);
  process.exitCode = 1;
}
const formatted = await Promise.all(
  Object.entries(written).map(async ([file, text]) => [
    join(folder, `${file}.ts`),
    await format(text, { parser: "typescript", printWidth: 128 }),
  ]),
);
const stale = formatted.filter(([path, text]) => !existsSync(path) || readFileSync(path, "utf8") !== text);
const foreign = readdirSync(folder).filter((name) => name.endsWith(".ts") && !(basename(name, ".ts") in written));
if (process.argv.includes("--check")) {
  for (const name of [...stale.map(([path]) => basename(path)), ...foreign]) {
    console.error(`api/generated/${name} is out of date: run \`npm run generate\``);
    process.exitCode = 1;
  }
} else {
  for (const [path, text] of stale) writeFileSync(path, text);
  for (const name of foreign) rmSync(join(folder, name));
  console.log(`${formatted.length} files, ${stale.length} written`);
}
