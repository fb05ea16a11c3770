import type ts from "typescript";
import type { TypeScript } from "./typescript";

/** The names by which a file reads the exports of a module. */
export interface Bindings {
  /** Exported name by local name: `L` is `Label` after `import { Label as L }`. */
  names: Map<string, string>;
  /** Names that stand for the whole module: `em` after `import * as em`. */
  namespaces: Set<string>;
}

/** Finds the names that imports, and `require` at the top level, give to exports of a module. Imports of types do not count. */
export function bindingsOf(compiler: TypeScript, file: ts.SourceFile, module: string | readonly string[]): Bindings {
  const found: Bindings = { names: new Map(), namespaces: new Set() };
  for (const statement of file.statements) {
    if (compiler.isImportDeclaration(statement)) {
      if (isModule(compiler, statement.moduleSpecifier, module)) addClause(compiler, statement.importClause, found);
    } else if (compiler.isImportEqualsDeclaration(statement)) {
      const { moduleReference: reference, isTypeOnly, name } = statement;
      if (isTypeOnly || !compiler.isExternalModuleReference(reference)) continue;
      if (isModule(compiler, reference.expression, module)) found.namespaces.add(name.text);
    } else if (compiler.isVariableStatement(statement)) {
      for (const declaration of statement.declarationList.declarations) addRequire(compiler, declaration, module, found);
    }
  }
  return found;
}

/**
 * Returns the expression by which a file reads an export of a module: `Label`, `L`, `em.Label`.
 *
 * @param modules the module, or several that have the same exports
 */
export function importedAs(
  compiler: TypeScript,
  file: ts.SourceFile,
  modules: string | readonly string[],
  name: string,
): string | undefined {
  const { names, namespaces } = bindingsOf(compiler, file, modules);
  const locals = [...names].filter(([, exported]) => exported === name).map(([local]) => local);
  const [namespace] = namespaces;
  return locals.find((local) => local === name) ?? locals[0] ?? (namespace === undefined ? undefined : `${namespace}.${name}`);
}

/** Returns the name of the export that an expression reads: `Label` for `Label`, `L` and `em.Label`. */
export function exportRead(
  compiler: TypeScript,
  { names, namespaces }: Bindings,
  expression: ts.Expression,
): string | undefined {
  if (compiler.isIdentifier(expression)) return names.get(expression.text);
  if (!compiler.isPropertyAccessExpression(expression)) return undefined;
  return namespaces.has(expression.expression.getText()) ? expression.name.text : undefined;
}

/** Names that a file declares or imports at its top level, types included: nothing else there may have them. */
export function declaredNames(compiler: TypeScript, file: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if ("name" in node && node.name) visit(node.name as ts.Node);
    if (compiler.isIdentifier(node)) names.add(node.text);
    const holdsOthers =
      compiler.isVariableStatement(node) ||
      compiler.isVariableDeclarationList(node) ||
      compiler.isImportDeclaration(node) ||
      compiler.isImportClause(node) ||
      compiler.isNamedImportBindings(node) ||
      compiler.isObjectBindingPattern(node) ||
      compiler.isArrayBindingPattern(node);
    if (holdsOthers) compiler.forEachChild(node, (child) => (compiler.isIdentifier(child) ? undefined : visit(child)));
  };
  for (const statement of file.statements) visit(statement);
  return names;
}

/** Whether an identifier names a member of something, and no variable, type or function. */
export function isMember(compiler: TypeScript, node: ts.Identifier): boolean {
  const { parent } = node;
  if (compiler.isPropertyAccessExpression(parent) || compiler.isMetaProperty(parent)) return parent.name === node;
  if (compiler.isQualifiedName(parent)) return parent.right === node;
  if (compiler.isBindingElement(parent) || compiler.isImportSpecifier(parent)) return parent.propertyName === node;
  if (compiler.isExportSpecifier(parent)) return parent.name === node && parent.propertyName !== undefined;
  const isElement =
    compiler.isObjectLiteralElement(parent) || compiler.isClassElement(parent) || compiler.isTypeElement(parent);
  return isElement && parent.name === node && !compiler.isShorthandPropertyAssignment(parent);
}

function isModule(compiler: TypeScript, specifier: ts.Expression | undefined, modules: string | readonly string[]): boolean {
  return specifier !== undefined && compiler.isStringLiteralLike(specifier) && [modules].flat().includes(specifier.text);
}

function addClause(compiler: TypeScript, clause: ts.ImportClause | undefined, found: Bindings): void {
  if (!clause || clause.isTypeOnly) return;
  // The default export of a CommonJS module is the module.
  if (clause.name) found.namespaces.add(clause.name.text);
  if (!clause.namedBindings) return;
  if (compiler.isNamespaceImport(clause.namedBindings)) {
    found.namespaces.add(clause.namedBindings.name.text);
    return;
  }
  for (const { isTypeOnly, name, propertyName } of clause.namedBindings.elements) {
    if (!isTypeOnly) found.names.set(name.text, (propertyName ?? name).text);
  }
}

/** `const em = require("module")` and `const { Label, Label: L } = require("module")`. */
function addRequire(
  compiler: TypeScript,
  { name, initializer }: ts.VariableDeclaration,
  module: string | readonly string[],
  found: Bindings,
): void {
  if (!initializer || !compiler.isCallExpression(initializer) || initializer.expression.getText() !== "require") return;
  if (!isModule(compiler, initializer.arguments[0], module)) return;
  if (compiler.isIdentifier(name)) found.namespaces.add(name.text);
  if (!compiler.isObjectBindingPattern(name)) return;
  for (const { name: local, propertyName } of name.elements) {
    if (!compiler.isIdentifier(local)) continue;
    found.names.set(local.text, propertyName && compiler.isIdentifier(propertyName) ? propertyName.text : local.text);
  }
}
