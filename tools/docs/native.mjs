/**
 * Generates the classes of `sdk/native`, which contains each SDK class as a resource of the native plugin. The script reads
 * only sources, so that a new resource type compiles at once. `npm run generate` runs this script. `node tools/docs/native.mjs
 * --check` fails if the module is outdated.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import ts from "typescript";

const folder = join(dirname(fileURLToPath(import.meta.url)), "../../sdk");
const header = "// `npm run generate` writes this file from the classes for dynamic resources.\n";

const sourceOf = (path) => ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);

/** Returns the modules that an index exports with `export * from`. */
function exportedModules(index) {
  return sourceOf(index).statements.flatMap((statement) =>
    ts.isExportDeclaration(statement) && !statement.isTypeOnly && !statement.exportClause
      ? [join(dirname(index), `${statement.moduleSpecifier.text}.ts`)]
      : [],
  );
}

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

const resourcesModule = (all) => `${header}import * as dynamic from "../../index";

// This line exports types only, because the classes below replace the exported classes of the same names.
export type * from "../../index";

${all
  .map(
    ({ name, doc }) => `${doc}export class ${name} extends dynamic.${name} {
  /** @internal */
  static override readonly isNative: boolean = true;
}
`,
  )
  .join("\n")}`;

const text = await format(resourcesModule(classes()), { parser: "typescript", printWidth: 128 });
const path = join(folder, "native/generated/resources.ts");
if (readFileSync(path, "utf8") !== text) {
  if (process.argv.includes("--check")) {
    console.error("sdk/native/generated/resources.ts is out of date: run `npm run generate`");
    process.exitCode = 1;
  } else writeFileSync(path, text);
}
