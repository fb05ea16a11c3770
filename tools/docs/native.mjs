/**
 * Writes the classes and settings of `sdk/native`: each class of the sdk again, with its documentation, as a resource of the native
 * plugin. It reads the sources only, so that a new kind compiles at once. `npm run generate` runs it after code.mjs;
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

const resourcesModule = (all) => `${header}import * as dynamic from "../index";

// Types only: the exports below take the place of those with the same names.
export type * from "../index";

${all
  .map(
    ({ name, doc }) => `${doc}export class ${name} extends dynamic.${name} {
  /** @internal */
  static override readonly isNative: boolean = true;
}
`,
  )
  .join("\n")}`;

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

/** The text of each module, by its path from this folder. */
export async function nativeModules(settings) {
  const modules = {
    "../sdk/native/provider-args.ts": providerArgsModule(settings),
    "../sdk/native/resources.ts": resourcesModule(classes()),
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
