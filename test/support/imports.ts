import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative } from "node:path";
import ts from "typescript";

export const repository = join(__dirname, "../..");

/** The modules of the package: the folders that the build compiles. */
export const publishedModules: readonly string[] = (
  JSON.parse(readFileSync(join(repository, "tsconfig.build.json"), "utf8")) as { include: string[] }
).include;

/** One import of a file. */
export interface Import {
  readonly file: string;
  /** A file of the repository without its suffix, or a module specifier. */
  readonly target: string;
  readonly internal: boolean;
  /** Not present at run time. */
  readonly typeOnly: boolean;
  /** Loaded only when a function is called. */
  readonly lazy: boolean;
}

/** Returns the sources of a module: TypeScript, ES modules, and scripts without a suffix. */
export function sourcesOf(module: string): string[] {
  return readdirSync(join(repository, module), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?:\.ts|\.mjs|\.cjs|^[\w-]+)$/.test(entry.name))
    .map((entry) => relative(repository, join(entry.parentPath, entry.name)))
    .toSorted();
}

export function importsOf(file: string, text = readFileSync(join(repository, file), "utf8")): Import[] {
  const kind = file.endsWith(".ts") ? ts.ScriptKind.TS : ts.ScriptKind.JS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const imports: Import[] = [];

  const add = (specifier: ts.Node | undefined, how: { typeOnly?: boolean; lazy?: boolean } = {}): void => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return;
    const internal = specifier.text.startsWith(".");
    const path = posix.join(posix.dirname(file), specifier.text).replace(/(\/index)?(\.[cm]?[jt]s)?\/?$/, "");
    const { typeOnly = false, lazy = false } = how;
    imports.push({ file, target: internal ? path : specifier.text, internal, typeOnly, lazy });
  };

  const visit = (node: ts.Node, lazy: boolean): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, { typeOnly: isTypeImport(node.importClause) });
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, { typeOnly: isTypeExport(node) });
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, { typeOnly: true, lazy });
    else if (ts.isExternalModuleReference(node)) add(node.expression);
    else if (ts.isCallExpression(node) && loads(node)) add(node.arguments[0], { lazy });
    ts.forEachChild(node, (child) => visit(child, lazy || ts.isFunctionLike(node)));
  };
  visit(source, false);
  return imports;
}

function isTypeImport(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const named = clause.namedBindings;
  return !clause.name && !!named && ts.isNamedImports(named) && named.elements.every((element) => element.isTypeOnly);
}

function isTypeExport({ isTypeOnly, exportClause }: ts.ExportDeclaration): boolean {
  return isTypeOnly || (!!exportClause && ts.isNamedExports(exportClause) && exportClause.elements.every((e) => e.isTypeOnly));
}

/**
 * Whether a call loads a package: `import(x)`, `require(x)`, `….resolve(x)`, and a call of a function from `createRequire`.
 */
function loads({ expression, arguments: [first] }: ts.CallExpression): boolean {
  if (expression.kind === ts.SyntaxKind.ImportKeyword) return true;
  if (!first || !ts.isStringLiteralLike(first)) return false;
  const name = expression.getText();
  if (name === "require") return true;
  return /^(?:@[\w-]+\/)?[\w-]+\/[\w./-]+$|^@[\w-]+\/[\w-]+$/.test(first.text) && /(?:resolve|require|sdk)\w*$/i.test(name);
}

/** Returns the package of a module specifier: `@pulumi/pulumi` for `@pulumi/pulumi/proto`. */
export function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}
