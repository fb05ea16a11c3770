import type ts from "typescript";
import type { Kind } from "../../provider/kind";
import { registry } from "../../provider/registry";
import type { Position } from "../engine/state";
import { type Front, frontModules, fronts } from "../front";
import { bindingsOf, type Bindings } from "./bindings";
import type { TypeScript } from "./typescript";

/** The package that programs import, and the modules of it that have our classes. */
export const packageName = frontModules.dynamic;
export const packageModules: readonly string[] = Object.values(frontModules);

/** A `new ClassName(…)` of one of our classes in a program. */
export interface Declaration {
  /** Class by its own name, whatever the file calls it. */
  className: string;
  kind: Kind;
  front: Front;
  /** Name of the resource. Absent if it is no literal. */
  name?: string;
  /** Place of the `new`: what the engine reports of a resource. */
  position: Position;
  /** The `x` of `const x = new …` at the top level of its file. */
  variable?: string;
  /** Whether other files can import that constant under its name. */
  exported: boolean;
  node: ts.NewExpression;
}

const kinds: ReadonlyMap<string, Kind> = new Map(Object.values(registry).map((kind) => [kind.name, kind]));

export function declarationsIn(compiler: TypeScript, path: string, file: ts.SourceFile): Declaration[] {
  const bindings = fronts.map((front) => ({ front, ...bindingsOf(compiler, file, frontModules[front]) }));
  if (bindings.every(({ names, namespaces }) => names.size === 0 && namespaces.size === 0)) return [];
  const declarations: Declaration[] = [];
  const visit = (node: ts.Node): void => {
    const found = compiler.isNewExpression(node) ? classOf(compiler, node.expression, bindings) : undefined;
    const kind = kinds.get(found?.className ?? "");
    if (found && kind && compiler.isNewExpression(node)) {
      const variable = variableOf(compiler, node);
      declarations.push({
        ...found,
        kind,
        name: nameIn(compiler, node),
        position: positionOf(path, file, node),
        ...(variable === undefined ? {} : { variable }),
        exported: variable !== undefined && isExported(file, variable),
        node,
      });
    }
    compiler.forEachChild(node, visit);
  };
  visit(file);
  return declarations;
}

/** Returns the position at which a node begins. Columns count UTF-16 units, as the engine's do. */
export function positionOf(path: string, file: ts.SourceFile, node: ts.Node): Position {
  const { line, character } = file.getLineAndCharacterOfPosition(node.getStart(file));
  return { file: path, line: line + 1, column: character + 1 };
}

/** Returns the expression inside parentheses, `as …`, `satisfies …`, `<T>…` and `…!`. */
export function withoutTypes(compiler: TypeScript, node: ts.Expression): ts.Expression {
  return isWrapper(compiler, node) ? withoutTypes(compiler, node.expression) : node;
}

type Wrapper = ts.ParenthesizedExpression | ts.AsExpression | ts.SatisfiesExpression | ts.TypeAssertion | ts.NonNullExpression;

/** Whether an expression is parentheses or a type around another expression. */
export function isWrapper(compiler: TypeScript, node: ts.Node): node is Wrapper {
  return (
    compiler.isParenthesizedExpression(node) ||
    compiler.isAsExpression(node) ||
    compiler.isSatisfiesExpression(node) ||
    compiler.isTypeAssertionExpression(node) ||
    compiler.isNonNullExpression(node)
  );
}

function classOf(
  compiler: TypeScript,
  expression: ts.Expression,
  bindings: readonly (Bindings & { front: Front })[],
): Pick<Declaration, "className" | "front"> | undefined {
  for (const { front, names, namespaces } of bindings) {
    let className: string | undefined;
    if (compiler.isIdentifier(expression)) className = names.get(expression.text);
    else if (compiler.isPropertyAccessExpression(expression) && compiler.isIdentifier(expression.expression)) {
      if (namespaces.has(expression.expression.text)) className = expression.name.text;
    }
    if (className !== undefined) return { className, front };
  }
  return undefined;
}

function nameIn(compiler: TypeScript, node: ts.NewExpression): string | undefined {
  const [first] = node.arguments ?? [];
  const name = first && withoutTypes(compiler, first);
  return name && compiler.isStringLiteralLike(name) ? name.text : undefined;
}

function variableOf(compiler: TypeScript, node: ts.NewExpression): string | undefined {
  let declaration: ts.Node = node.parent;
  while (isWrapper(compiler, declaration)) declaration = declaration.parent;
  if (!compiler.isVariableDeclaration(declaration) || !compiler.isIdentifier(declaration.name)) return undefined;
  const list = declaration.parent;
  const isTopLevel = compiler.isVariableStatement(list.parent) && compiler.isSourceFile(list.parent.parent);
  return isTopLevel && (list.flags & compiler.NodeFlags.Const) !== 0 ? declaration.name.text : undefined;
}

function isExported(file: ts.SourceFile, variable: string): boolean {
  const name = variable.replaceAll("$", "\\$");
  const listed = `[^{}]*(?<![\\w$.:]\\s*)${name}(?=\\s*[,}])[^{}]*\\}`;
  const statements = [
    `export\\s+const\\s+${name}\\b`,
    `\\bexports\\.${name}\\s*=\\s*${name}\\b`,
    `\\b(?:export|exports\\s*=)\\s*\\{${listed}`,
  ];
  return new RegExp(statements.join("|")).test(file.text);
}
