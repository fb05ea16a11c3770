import type ts from "typescript";
import type { TypeScript } from "./typescript";

/**
 * Modules that a file, or a part of one, loads or passes on, as they are written, at whatever depth: with `import`, `export … from`, `import x =
 * require(…)`, `require(…)` and `import(…)`. Imports of types alone load nothing.
 */
export function modulesIn(compiler: TypeScript, file: ts.Node): string[] {
  const found: string[] = [];
  const add = (specifier: ts.Node | undefined): void => {
    if (specifier && compiler.isStringLiteralLike(specifier)) found.push(specifier.text);
  };
  const visit = (node: ts.Node): void => {
    if (compiler.isImportDeclaration(node)) {
      if (!node.importClause?.isTypeOnly) add(node.moduleSpecifier);
    } else if (compiler.isExportDeclaration(node)) {
      if (!node.isTypeOnly) add(node.moduleSpecifier);
    } else if (compiler.isImportEqualsDeclaration(node)) {
      const { moduleReference: reference, isTypeOnly } = node;
      if (!isTypeOnly && compiler.isExternalModuleReference(reference)) add(reference.expression);
    } else if (compiler.isCallExpression(node) && loads(compiler, node)) {
      add(node.arguments[0]);
    }
    compiler.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function loads(compiler: TypeScript, { expression }: ts.CallExpression): boolean {
  if (expression.kind === compiler.SyntaxKind.ImportKeyword) return true;
  return compiler.isIdentifier(expression) && expression.text === "require";
}
