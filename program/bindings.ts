import type ts from "typescript";
import type { TypeScript } from "./typescript";

export interface Bindings {
  /** Maps local names to exported names. After `import { Label as L }`, `L` maps to `Label`. */
  names: Map<string, string>;
  /** Local names for the whole module, such as `em` after `import * as em`. */
  namespaces: Set<string>;
}

/** Finds the local names that a file imports from a module. The function ignores type imports. */
export function bindingsOf(compiler: TypeScript, file: ts.SourceFile, module: string | readonly string[]): Bindings {
  const bound: Bindings = { names: new Map(), namespaces: new Set() };
  const isModule = (specifier?: ts.Expression): boolean =>
    specifier !== undefined && compiler.isStringLiteralLike(specifier) && [module].flat().includes(specifier.text);
  const bind = (name: ts.Identifier | ts.NamedImportBindings | ts.BindingPattern | undefined): void => {
    if (!name || compiler.isArrayBindingPattern(name)) return;
    if (compiler.isIdentifier(name)) bound.namespaces.add(name.text);
    else if (compiler.isNamespaceImport(name)) bound.namespaces.add(name.name.text);
    else {
      for (const { name: local, propertyName = local, ...element } of name.elements) {
        const isType = "isTypeOnly" in element && element.isTypeOnly;
        if (!isType && "text" in local && "text" in propertyName) bound.names.set(local.text, propertyName.text);
      }
    }
  };
  for (const statement of file.statements) {
    if (compiler.isImportDeclaration(statement)) {
      const { importClause: clause } = statement;
      if (!clause || clause.isTypeOnly || !isModule(statement.moduleSpecifier)) continue;
      // The default import of a CommonJS module is the whole module.
      bind(clause.name);
      bind(clause.namedBindings);
    } else if (compiler.isImportEqualsDeclaration(statement)) {
      const { moduleReference: reference, isTypeOnly, name } = statement;
      if (!isTypeOnly && compiler.isExternalModuleReference(reference) && isModule(reference.expression)) bind(name);
    } else if (compiler.isVariableStatement(statement)) {
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (isRequire(compiler, initializer) && isModule(initializer.arguments[0])) bind(name);
      }
    }
  }
  return bound;
}

export function isRequire(compiler: TypeScript, node: ts.Node | undefined): node is ts.CallExpression {
  return node !== undefined && compiler.isCallExpression(node) && node.expression.getText() === "require";
}

/** Whether a call parses YAML with default options. Other options would change the meaning of values in the YAML file. */
export function isYamlRead(compiler: TypeScript, call: ts.CallExpression): boolean {
  const {
    expression: called,
    arguments: [, options, ...extraArguments],
  } = call;
  if (extraArguments.length > 0 || (options && !/^\{\s*merge:\s*(true|false),?\s*\}$/.test(options.getText()))) return false;
  const packages = ["yaml", "js-yaml"];
  const owner = compiler.isPropertyAccessExpression(called) ? called.expression : undefined;
  const required = isRequire(compiler, owner) ? owner.arguments[0] : undefined;
  const isInline = required && compiler.isStringLiteralLike(required) && packages.includes(required.text);
  const bindings = bindingsOf(compiler, call.getSourceFile(), packages);
  const name = isInline && "name" in called ? (called.name as ts.Node).getText() : exportRead(compiler, bindings, called);
  return name === "parse" || name === "load";
}

/**
 * Returns the expression that refers to a module's export in a file: `Label`, `L` or `em.Label`.
 *
 * @param modules the module, or several modules with the same exports
 */
export function importedAs(
  compiler: TypeScript,
  file: ts.SourceFile,
  modules: string | readonly string[],
  name: string,
): string | undefined {
  const { names, namespaces } = bindingsOf(compiler, file, modules);
  const locals = [...names].flatMap(([local, exported]) => (exported === name ? [local] : []));
  const ways = [...locals, ...[...namespaces].map((namespace) => `${namespace}.${name}`)];
  return locals.includes(name) ? name : ways[0];
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

/** Returns all names at the top level of a file, because new declarations must not use these names. */
export function declaredNames(compiler: TypeScript, file: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if ("name" in node && node.name) visit(node.name as ts.Node);
    if (compiler.isIdentifier(node)) names.add(node.text);
    const containsNames =
      compiler.isVariableStatement(node) ||
      compiler.isVariableDeclarationList(node) ||
      compiler.isImportDeclaration(node) ||
      compiler.isImportClause(node) ||
      compiler.isNamedImportBindings(node) ||
      compiler.isObjectBindingPattern(node) ||
      compiler.isArrayBindingPattern(node);
    if (containsNames) compiler.forEachChild(node, (child) => (compiler.isIdentifier(child) ? undefined : visit(child)));
  };
  for (const statement of file.statements) visit(statement);
  return names;
}

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
