/**
 * Writes the reference pages from what the code says of itself: JSDoc and types of the classes and functions, facts of the
 * registry, the table of error codes, the table of settings, and the results of `npm run chaos`. `npm run docs` writes them, `node docs/generate.mjs --check` says which are
 * out of date.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { securityPage } from "./security.mjs";

const folder = dirname(fileURLToPath(import.meta.url));
const root = join(folder, "..");
const require = createRequire(import.meta.url);
const { registry } = require(join(root, "dist/provider/registry.js"));
const { defaultsOf } = require(join(root, "dist/provider/check.js"));
const { allOperations, environmentVariables, errorCodes, settings } = require(join(root, "dist/api/index.js"));

const { commands } = require(join(root, "dist/cli/commands.js"));

const config = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config;
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
const program = ts.createProgram([join(root, "sdk/index.ts")], options);
const checker = program.getTypeChecker();
const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(join(root, "sdk/index.ts"))));

const cell = (text) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map((text) => cell(text)).join(" | ")} |`).join("\n");
const generated = "<!-- Written by `npm run docs` from the code; change it there. -->";

/** The text of a JSDoc comment, without its tags. */
function textOf(symbol) {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
}

function tagOf(symbol, name) {
  const tag = symbol.getJsDocTags(checker).find((candidate) => candidate.name === name);
  return tag ? ts.displayPartsToString(tag.text) : "";
}

/** A type as a user would write it: without what every input and output may also be, and words spelled out. */
function typeOf(symbol) {
  return textOfType(checker.getNonNullableType(checker.getTypeOfSymbol(symbol)));
}

function textOfType(type) {
  const bare = valueOf(type);
  if (bare.isUnion()) return bare.types.map((member) => textOfType(member)).join(" | ").replace("false | true", "boolean");
  const element = elementOf(bare);
  if (!element) return checker.typeToString(bare, undefined, ts.TypeFormatFlags.NoTruncation);
  return valueOf(element).isUnion() ? `(${textOfType(element)})[]` : `${textOfType(element)}[]`;
}

/** What an input or output holds: the value among the promise and the output that may stand for it. */
function valueOf(type) {
  const known = checker.getNonNullableType(type);
  const name = known.symbol?.name;
  if (name === "OutputInstance") return valueOf(checker.getTypeArguments(known)[0]);
  if (known.aliasSymbol?.name === "Output" || known.aliasSymbol?.name === "Input") return valueOf(known.aliasTypeArguments[0]);
  if (!known.isUnion()) return known;
  const values = known.types.filter((member) => !["Promise", "OutputInstance"].includes(member.symbol?.name));
  if (values.length === known.types.length) return known;
  const held = known.types.find((member) => member.symbol?.name === "Promise");
  return valueOf(checker.getTypeArguments(held)[0]);
}

const elementOf = (type) => (checker.isArrayType(type) ? checker.getTypeArguments(type)[0] : undefined);

/** The members of the objects that a property holds, as paths with their symbols; none of what has no documented type of its own. */
function membersOf(path, symbol) {
  let type = valueOf(checker.getTypeOfSymbol(symbol));
  let place = path;
  for (let element = elementOf(type); element; element = elementOf(type)) {
    type = valueOf(element);
    place += "[]";
  }
  if (type.isUnion() || !type.symbol?.declarations?.some(ts.isInterfaceDeclaration)) return [];
  return checker.getPropertiesOfType(type).flatMap((member) => {
    const own = `${place}.${member.name}`;
    return [[own, member], ...membersOf(own, member)];
  });
}

/** Required arguments come first, those that all kinds share last. */
function rank(kind, name) {
  if (["accountGroupId", "adopt"].includes(name)) return 2;
  return kind.schema.shape[name].safeParse(undefined).success ? 1 : 0;
}

/** Identifiers as the service gives them, for examples. */
const exampleIds = { found: "0a3b9998-dc3a-4ff2-b50d-ac4a7cd986e1", label: "400000000000001", test: "281474976710706" };

function reading(kind) {
  if (kind.origin === undefined) return "";
  const id = kind.origin === "found" ? exampleIds.found : exampleIds[kind.reach.means];
  return `## Reading one that the program does not manage

\`\`\`ts
const found = ${kind.name}.get("found", "${id}");
\`\`\`

The program fails where no ${kind.noun} has this identifier. `;
}

function classPage(key, kind) {
  const symbol = exported.find(({ name }) => name === kind.name);
  const declared = exported.find(({ name }) => name === `${kind.name}Args`);
  const order = Object.keys(kind.schema.shape);
  const given = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(declared));
  const args = given.toSorted((a, b) => rank(kind, a.name) - rank(kind, b.name) || order.indexOf(a.name) - order.indexOf(b.name));
  const outputs = checker
    .getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol))
    .filter(({ name, declarations }) => !name.startsWith("__") && !args.some((arg) => arg.name === name) && declarations?.some((d) => !d.getSourceFile().fileName.includes("@pulumi")));
  const defaults = defaultsOf(kind);
  const required = (name) => {
    if (name in defaults) return `\`${JSON.stringify(defaults[name])}\``;
    return kind.schema.shape[name].safeParse(undefined).success ? "-" : "required";
  };
  const effect = (name) => {
    if (kind.providerOptions.includes(name)) return "nothing";
    if (kind.localOnly.includes(name)) return "is recorded";
    return kind.createOnly.includes(name) ? "**replaces**" : "updates";
  };
  const notes = (name) => (kind.writeOnly.includes(name) ? " *Never returned by the service.*" : "");
  return `${generated}

# ${kind.name}

${textOf(symbol)}

${tagOf(symbol, "example")}

## Arguments

${table(
  ["Property", "Type", "Default", "A change", "Meaning"],
  args.flatMap((arg) => [
    [`\`${arg.name}\``, `\`${typeOf(arg)}\``, required(arg.name), effect(arg.name), textOf(arg) + notes(arg.name)],
    ...membersOf(arg.name, arg).map(([path, member]) => [`\`${path}\``, `\`${typeOf(member)}\``, isOptional(member) ? "-" : "required", "", textOf(member)]),
  ]),
)}

${kind.createOnly.length > 1 ? `A replacement deletes the record and creates another: ${kind.replacementCost}.\n` : ""}
## Outputs

Every argument${kind.providerOptions.length > 0 ? ` but ${kind.providerOptions.map((name) => `\`${name}\``).join(" and ")}` : ""}, as the service holds it, and:

${table(
  ["Output", "Type", "Meaning"],
  outputs.flatMap((output) => [[output.name, output], ...membersOf(output.name, output)]).map(([path, output]) => [`\`${path}\``, `\`${typeOf(output)}\``, textOf(output)]),
)}

${reading(kind)}Provider: \`${key}\`; type token: \`pulumi-nodejs:dynamic/endpoint-monitoring:${kind.name}\`.
`;
}

const errorsPage = `${generated}

# Errors

Every error this package throws on purpose has a class, a \`code\` and, where the service answered, \`status\`, \`method\`,
\`path\` and \`requestId\`. Messages say what failed, why, and what to do; they never carry a secret, and they may change: decide
by class or code. \`outcomeUnknown\` is true where a write may have been carried out although it failed.

${table(
  ["Code", "Status", "Meaning", "What to do"],
  Object.entries(errorCodes).map(([code, { status, meaning, todo }]) => [`\`${code}\``, status, meaning, todo]),
)}
`;

const settingsPage = `${generated}

# Settings

Each setting is read from the stack's configuration first, then from the environment.

${table(
  ["Configuration", "Environment", "Meaning"],
  Object.entries(settings).map(([name, { env, secret, meaning }]) => [
    `\`endpoint-monitoring:${name}\`${secret ? " (secret)" : ""}`,
    `\`${env}\``,
    meaning,
  ]),
)}

The engine keeps the configuration of the last \`pulumi up\` in state, encrypted, and \`pulumi refresh\` and \`pulumi destroy\` use
that one: after a change of settings add \`--run-program\`. What comes from the environment is always that of now, and nothing of
it is kept.

## Of the environment alone

${table(
  ["Environment", "Meaning"],
  Object.entries(environmentVariables).map(([name, meaning]) => [`\`${name}\``, meaning]),
)}
`;

/** Whether an export is a function that asks: those that give an output are told with the plain ones. */
function isFunction(symbol) {
  return ["Fetch", "FetchAll"].includes(checker.getTypeOfSymbol(symbol).symbol?.name);
}

function functionSection(symbol) {
  const type = checker.getTypeOfSymbol(symbol);
  const [given, result] = checker.getTypeArguments(type);
  const paged = type.symbol.name === "FetchAll";
  const shown = (what) => checker.typeToString(what, undefined, ts.TypeFormatFlags.NoTruncation);
  const args = checker.getPropertiesOfType(given).toSorted((a, b) => isOptional(a) - isOptional(b) || isShared(a) - isShared(b));
  // Of arguments of which exactly one is given, each is missing in some of the members of the union.
  const oneOf = given.isUnion() ? args.filter((arg) => given.types.some((member) => isNever(member, arg.name))) : [];
  const need = (arg) => (oneOf.includes(arg) ? `one of ${oneOf.length}` : isOptional(arg) ? "-" : "required");
  const throws = symbol.getJsDocTags(checker).filter(({ name }) => name === "throws");
  const link = (text) => text.replaceAll(/\{@link (\w+)\}/g, "`$1`");
  return `## ${symbol.name}

${link(textOf(symbol))}

${tagOf(symbol, "example")}

Gives \`${shown(result)}${paged ? "[]" : ""}\`${paged ? ", and `.pages` the same page by page" : ""}.${throws.map((tag) => ` Throws ${ts.displayPartsToString(tag.text).replaceAll("\n", " ")}.`).join("")}
${args.length === 0 ? "" : `\n${table(["Argument", "", "Type", "Meaning"], args.map((arg) => [`\`${arg.name}\``, need(arg), `\`${shortTypeOf(arg)}\``, link(textOf(arg))]))}\n`}`;
}

const isShared = ({ name }) => name === "accountGroupId";
const isOptional = (symbol) => (symbol.flags & ts.SymbolFlags.Optional) !== 0;
const isNever = (type, name) => (checker.getNonNullableType(checker.getTypeOfSymbol(type.getProperty(name))).flags & ts.TypeFlags.Never) !== 0;

/** A type, the members of an object by name alone: what they may be is for the editor to show. */
function shortTypeOf(symbol) {
  const type = checker.getNonNullableType(checker.getTypeOfSymbol(symbol));
  const text = typeOf(symbol);
  const members = type.isUnion() ? [] : checker.getPropertiesOfType(type).map(({ name }) => name);
  return text.length > 100 && /^\{.*\}$/.test(text) ? `{ ${members.join(", ")} }` : text;
}

const functionsPage = `${generated}

# Functions

They ask the service while the program runs: in a preview, in an update, and in a script without an engine. Settings are those of
the stack, else those of the environment ([settings](settings.md)); all functions of a process share one client. Loading the package
loads no client, the first call does.

- Each function that reads has a form that takes outputs of resources and gives an output: \`getLabel\` and \`getLabelOutput\`. While what it asks
  about is yet to be created, its answer is unknown. Its second argument \`{ dependsOn }\` names resources that must be there first.
- A function whose answer comes in pages gives all rows, or as many as \`limit\` says. Its \`pages\` gives them page by page:
  \`for await (const page of getAgents.pages({ max: 100 }))\`.
- A mistake in the arguments is told before anything is sent, all of it at once; errors are those of [errors](errors.md).

${exported
  .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
  .filter((symbol) => isFunction(symbol))
  .map((symbol) => functionSection(symbol))
  .join("\n")}`;

const commandsPage = `${generated}

# Commands

\`npx endpoint-monitoring COMMAND\`, in the folder of a Pulumi project where the package is installed. Settings are those of the
stack, else those of the environment ([settings](settings.md)).

${table(
  ["Command", "What it does"],
  commands.map(({ name, summary }) => [`[\`${name}\`](#${name})`, summary]),
)}

- \`--json\` prints one object on one line of standard output: \`{ "data": … , "warnings": […] }\`, or \`{ "error": { "code", "message" } }\`.
  Progress, warnings and errors for people go to standard error.
- Exit codes: 0 done, 1 failed (also a mistake in the command line), 2 done and found what it looks for, as each command says, 130
  interrupted.
- Colours only on a terminal; \`NO_COLOR=1\` turns them off. Files are written whole or not at all.

${commands.map(({ name, help }) => `## ${name}\n\n\`\`\`text\n${help().trimEnd()}\n\`\`\`\n`).join("\n")}`;

const chaos = JSON.parse(readFileSync(join(root, "test/chaos/results.json"), "utf8"));

/** Seconds in the unit that people would take. */
const span = (seconds) => (seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`);
const figure = (number) => number.toLocaleString("en-US");
const isWhole = ({ atLeast, tried }) => tried >= atLeast;

const reliabilityPage = `<!-- Written by \`npm run docs\` from test/chaos/results.json, which \`npm run chaos\` writes. -->

# Reliability

What happens when the service, the network, a process or a person gets in the way: \`npm run chaos\` tries it, on the real Pulumi
engine and the emulator, with random cases that a seed repeats. These are the figures of one run${chaos.minutes === undefined ? "" : `, limited to ${chaos.minutes} minutes`}: seed ${chaos.seed}, ${span(chaos.seconds)}.${chaos.rows.every(isWhole) ? "" : "\nA row marked with * has fewer cases than a whole run, whose number the second column has."}

${table(
  ["Row", "Cases of a whole run", "Cases tried", "With an error reported", "Wrong", "Time"],
  chaos.rows.map((row) => [
    row.name + (isWhole(row) ? "" : " *"),
    figure(row.atLeast),
    figure(row.tried),
    figure(row.told),
    figure(row.wrong),
    span(row.seconds),
  ]),
)}

${chaos.rows
  .filter(({ what }) => what !== undefined)
  .map(({ name, what }) => `- **${name}**: ${what}.`)
  .join("\n")}

A case in which an error was reported counts as wrong if the documented steps ([recovery](recovery.md)) do not put it right.
\`npm run chaos -- --only ROW --seed N --count 1\` repeats a case.
`;

/** What the classes of the sdk know of their kinds: they load neither the provider nor its libraries. */
const classesModule = `/** Written by \`npm run docs\` from the registry; change the kinds there. */
export const classes = {
${Object.values(registry)
  .map((kind) => {
    const outputs = Object.keys({ ...kind.schema.shape, ...kind.outputSchema.shape }).filter((name) => !kind.providerOptions.includes(name));
    const words = (list) => (list.length === 0 ? "[]" : `[\n${list.map((word) => `      "${word}",\n`).join("")}    ]`);
    return `  ${kind.name}: {
    name: "${kind.name}",
    outputs: ${words(outputs)},
    secrets: [${kind.secrets.map((name) => `"${name}"`).join(", ")}],
    adoptsOnly: ${kind.origin === "found"},
  },
`;
  })
  .join("")}} as const;
`;

require(join(root, "test/setup/typescript.cjs"));
const { rows } = require(join(root, "acceptance/rows.ts"));

/** The emulator's page of differences: its table is that of the rows which `npm run acceptance` asks, the rest is written by hand. */
function differencesPage() {
  const page = readFileSync(join(root, "emulator/DIFFERENCES.md"), "utf8");
  const [start, end] = ["<!-- rows of acceptance/rows, written by `npm run docs`; change them there -->", "<!-- end of rows -->"];
  const listed = rows.filter((row) => row.listed ?? true);
  const lines = listed.map(({ topic, emulator, known }) => `| ${[topic, emulator, known].map((text) => cell(text)).join(" | ")} |`);
  const head = ["| topic | the emulator does | known of the service |", "|---|---|---|"];
  const [before, after] = [page.indexOf(start), page.indexOf(end)];
  if (before < 0 || after < before) throw new Error("emulator/DIFFERENCES.md lacks the marks between which its rows stand");
  return `${page.slice(0, before)}${[start, "", ...head, ...lines, "", ""].join("\n")}${page.slice(after)}`;
}

const pages = {
  "../sdk/classes.ts": classesModule,
  "../emulator/DIFFERENCES.md": differencesPage(),
  ...Object.fromEntries(Object.entries(registry).map(([key, kind]) => [`reference/${kind.name}.md`, classPage(key, kind)])),
  "commands.md": commandsPage,
  "errors.md": errorsPage,
  "functions.md": functionsPage,
  "security.md": securityPage({ generated, table, settings, operations: allOperations }),
  "reliability.md": reliabilityPage,
  "settings.md": settingsPage,
};

const stale = Object.entries(pages).filter(([name, text]) => !existsSync(join(folder, name)) || readFileSync(join(folder, name), "utf8") !== text);
if (process.argv.includes("--check")) {
  for (const [name] of stale) console.error(`docs/${name} is out of date: run \`npm run docs\``);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  mkdirSync(join(folder, "reference"), { recursive: true });
  for (const [name, text] of stale) writeFileSync(join(folder, name), text);
  console.log(`${Object.keys(pages).length} pages, ${stale.length} written`);
}
