import type ts from "typescript";
import type { Kind } from "../provider/kind";
import { registry } from "../provider/registry";
import type { Position } from "../common/position";
import { type Front, frontModules, fronts } from "./front";
import { bindingsOf, exportRead } from "./bindings";
import { nodesIn, type TypeScript } from "./typescript";

export const packageName = frontModules.dynamic;
export const packageModules: readonly string[] = Object.values(frontModules);

/** An expression `new ClassName(…)` that declares a resource of this package. */
export interface Declaration {
  /** The name of the resource class in this package. The program may import the class under another name. */
  className: string;
  kind: Kind;
  front: Front;
  /** Name of the resource, if the name is a literal. */
  name?: string;
  /** Position of the `new` keyword, which the engine reports as the position of the resource. */
  position: Position;
  /** The name `x` in `const x = new …` at the top level of the file. */
  variable?: string;
  /** Whether other files can import the constant by its name. */
  exported: boolean;
  node: ts.NewExpression;
}

const kinds: ReadonlyMap<string, Kind> = new Map(Object.values(registry).map((kind) => [kind.name, kind]));

export function declarationsIn(compiler: TypeScript, file: ts.SourceFile): Declaration[] {
  const bindings = fronts.map((front) => ({ front, ...bindingsOf(compiler, file, frontModules[front]) }));
  if (bindings.every(({ names, namespaces }) => names.size === 0 && namespaces.size === 0)) return [];
  const declarations: Declaration[] = [];
  for (const node of nodesIn(compiler, file)) {
    if (!compiler.isNewExpression(node)) continue;
    for (const { front, ...names } of bindings) {
      const kind = kinds.get(exportRead(compiler, names, node.expression) ?? "");
      if (!kind) continue;
      const variable = variableOf(compiler, node);
      declarations.push({
        className: kind.name,
        front,
        kind,
        name: nameIn(compiler, node),
        position: positionOf(node),
        ...(variable === undefined ? {} : { variable }),
        exported: variable !== undefined && isExported(file, variable),
        node,
      });
    }
  }
  return declarations;
}

/** Returns the position of a node. Columns count UTF-16 units, as in the engine. */
export function positionOf(node: ts.Node): Position {
  const file = node.getSourceFile();
  const { line, character } = file.getLineAndCharacterOfPosition(node.getStart(file));
  return { file: file.fileName, line: line + 1, column: character + 1 };
}

export function placeText({ file, line, column }: Position): string {
  return `${file}:${line}:${column}`;
}

/** Returns the expression inside parentheses, `as …`, `satisfies …`, `<T>…` and `…!`. */
export function withoutTypes(compiler: TypeScript, node: ts.Expression): ts.Expression {
  return isWrapper(compiler, node) ? withoutTypes(compiler, node.expression) : node;
}

type Wrapper = ts.ParenthesizedExpression | ts.AsExpression | ts.SatisfiesExpression | ts.TypeAssertion | ts.NonNullExpression;

export function isWrapper(compiler: TypeScript, node: ts.Node): node is Wrapper {
  return (
    compiler.isParenthesizedExpression(node) ||
    compiler.isAsExpression(node) ||
    compiler.isSatisfiesExpression(node) ||
    compiler.isTypeAssertionExpression(node) ||
    compiler.isNonNullExpression(node)
  );
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
