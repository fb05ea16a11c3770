/**
 * Writes the native front of the sdk, `sdk/native`: each class and function of the sdk again, with its documentation, as what the native
 * plugin provides. It reads the sources alone, so that a new kind compiles at once. `npm run generate` runs it after code.mjs;
 * `node tools/docs/native.mjs --check` lists the modules that are out of date.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import ts from "typescript";

const folder = join(dirname(fileURLToPath(import.meta.url)), "../../sdk");
const header = "// Written by `npm run generate` from the dynamic front; change it there.\n";

const sourceOf = (path) => ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);

/** The modules that an index exports with `export * from`. */
function exportedModules(index) {
  return sourceOf(index).statements.flatMap((statement) =>
    ts.isExportDeclaration(statement) && !statement.isTypeOnly && !statement.exportClause
      ? [join(dirname(index), `${statement.moduleSpecifier.text}.ts`)]
      : [],
  );
}

/** The documentation of a statement, as it is in the source. */
function docOf(statement) {
  const text = statement.getSourceFile().text;
  const comments = ts.getLeadingCommentRanges(text, statement.getFullStart()) ?? [];
  const doc = comments.map(({ pos, end }) => text.slice(pos, end)).findLast((comment) => comment.startsWith("/**"));
  return doc === undefined ? "" : `${doc}\n`;
}

function classes() {
  return exportedModules(join(folder, "index.ts")).flatMap((path) =>
    !existsSync(path)
      ? []
      : sourceOf(path).statements.flatMap((statement) => {
          const base = ts.isClassDeclaration(statement)
            ? statement.heritageClauses?.[0]?.types[0]?.expression.getText()
            : undefined;
          return base === "Resource" ? [{ name: statement.name.text, doc: docOf(statement) }] : [];
        }),
  );
}

/** Functions that have a form that gives an output, and these forms. */
function functions() {
  const all = exportedModules(join(folder, "functions/index.ts")).flatMap((path) =>
    sourceOf(path).statements.flatMap((statement) => {
      const [declaration] =
        ts.isVariableStatement(statement) && isExported(statement) ? statement.declarationList.declarations : [];
      const type = declaration?.type;
      if (!type || !ts.isTypeReferenceNode(type) || !/^Fetch(All|Output)?$/.test(type.typeName.getText())) return [];
      const [args, result] = type.typeArguments.map((argument) => argument.getText());
      const shape = type.typeName.getText();
      const { text } = declaration.name;
      return [{ name: text, doc: docOf(statement), args, shape, result, form: formOf(declaration.initializer.getText()) }];
    }),
  );
  return all.filter(({ name }) => name.endsWith("Output") || all.some((other) => other.name === `${name}Output`));
}

/** How the output form of a function differs from that of others. */
function formOf(initializer) {
  if (initializer.startsWith("outputOfTest")) return "plain: plainTest";
  return /\bsecret: true\b/.test(initializer) ? "secret: true" : "";
}

const isExported = (statement) => statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

const resourcesModule = (all) => `${header}import * as dynamic from "../index";

${all
  .map(
    ({ name, doc }) => `${doc}export class ${name} extends dynamic.${name} {
  /** @internal */
  static override readonly isNative: boolean = true;
}
`,
  )
  .join("\n")}`;

function functionsModule(all) {
  return `${header}import type * as sdk from "../index";
import { plainTest } from "../functions/of-test";
import { invoking, invokingAll, invokingOutput, type NativeFetch, type NativeFetchAll, type NativeFetchOutput } from "./invoke";

// Types alone: a function below takes the place of the one of the same name.
export type * from "../index";

${all
  .map(({ name, doc, shape, form, ...types }) => {
    const [args, result] = [types.args, types.result].map((type) => type.replaceAll(/\b[A-Z]\w+/g, "sdk.$&"));
    if (shape === "FetchAll")
      return `${doc}export const ${name}: NativeFetchAll<${args}, ${result}> = invokingAll("${name}");\n`;
    if (shape !== "FetchOutput") return `${doc}export const ${name}: NativeFetch<${args}, ${result}> = invoking("${name}");\n`;
    const given = [`"${name.replace(/Output$/, "")}"`, ...(form === "" ? [] : [`{ ${form} }`])];
    return `${doc}export const ${name}: NativeFetchOutput<${args}, ${result}> = invokingOutput(${given.join(", ")});\n`;
  })
  .join("\n")}`;
}

/** The settings of a provider: text, or a number of seconds. */
const providerArgsModule = (settings) => `${header}import type * as pulumi from "@pulumi/pulumi";

/** Settings of a {@link Provider}. One that is omitted comes from the environment, not from the stack's configuration. */
export interface ProviderArgs {
${Object.entries(settings)
  .map(
    ([name, { meaning, secret }]) =>
      `  /** ${meaning}${secret ? " Secret." : ""} */\n  ${name}?: pulumi.Input<${meaning.startsWith("Seconds") ? "number" : "string"}> | undefined;\n`,
  )
  .join("")}}

/** Settings that are always secret. */
export const secretSettings = [${Object.entries(settings)
  .filter(([, { secret }]) => secret)
  .map(([name]) => `"${name}"`)
  .join(", ")}] as const;
`;

const indexModule = (resources) => `${header}export * from "./functions";
export { ${resources.map(({ name }) => name).join(", ")} } from "./resources";
export type { NativeFetch, NativeFetchAll, NativeFetchOutput } from "./invoke";
export { Provider } from "./provider";
export type { ProviderArgs } from "./provider-args";
`;

/** The text of each module, by its path from this folder. */
export async function nativeModules(settings) {
  const [resources, calls] = [classes(), functions()];
  const modules = {
    "../sdk/native/functions.ts": functionsModule(calls),
    "../sdk/native/index.ts": indexModule(resources),
    "../sdk/native/provider-args.ts": providerArgsModule(settings),
    "../sdk/native/resources.ts": resourcesModule(resources),
  };
  const formatted = Object.entries(modules).map(async ([path, text]) => [
    path,
    await format(text, { parser: "typescript", printWidth: 128 }),
  ]);
  return Object.fromEntries(await Promise.all(formatted));
}

if (import.meta.main) {
  const require = createRequire(import.meta.url);
  require("../../test/setup/typescript.cjs");
  const { settings } = require("../../api/setting-names.ts");
  const here = join(dirname(fileURLToPath(import.meta.url)), "../../docs");
  const modules = Object.entries(await nativeModules(settings)).map(([name, text]) => [join(here, name), name, text]);
  const stale = modules.filter(([path, , text]) => !existsSync(path) || readFileSync(path, "utf8") !== text);
  if (process.argv.includes("--check")) {
    for (const [, name] of stale) console.error(`${name.replace("../", "")} is out of date: run \`npm run generate\``);
    process.exitCode = stale.length > 0 ? 1 : 0;
  } else for (const [path, , text] of stale) writeFileSync(path, text);
}
