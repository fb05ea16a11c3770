import { readFileSync } from "node:fs";
import type ts from "typescript";
import type { Finding } from "../common/finding";
import type { Position } from "../common/position";
import { withoutTypes } from "./declarations";
import { loadTypeScript, type TypeScript } from "./typescript";

/**
 * Returns the findings with the source positions of their properties. If the value of a property is not a literal, the finding keeps the
 * position of the declaration.
 */
export async function propertyPositions<T extends Pick<Finding, "property" | "position">>(
  findings: readonly T[],
  folder: string,
): Promise<T[]> {
  const compiler = await loadTypeScript(folder).catch(() => undefined);
  if (compiler === undefined) return [...findings];
  const sources = new Map<string, ts.SourceFile | undefined>();
  const sourceOf = (file: string): ts.SourceFile | undefined => {
    if (!sources.has(file)) sources.set(file, parsed(compiler, file));
    return sources.get(file);
  };
  return findings.map((finding) => {
    const source = finding.position && finding.property !== undefined ? sourceOf(finding.position.file) : undefined;
    const call = source && finding.position && callAt(compiler, source, finding.position);
    const node = call && nodeAt(compiler, call.arguments?.[1], partsOf(finding.property ?? ""));
    if (!source || !node) return finding;
    const { line, character } = source.getLineAndCharacterOfPosition(node.getStart());
    return { ...finding, position: { file: source.fileName, line: line + 1, column: character + 1 } };
  });
}

function parsed(compiler: TypeScript, file: string): ts.SourceFile | undefined {
  try {
    return compiler.createSourceFile(file, readFileSync(file, "utf8"), compiler.ScriptTarget.Latest, true);
  } catch {
    return undefined;
  }
}

function partsOf(path: string): string[] {
  return path.split(/[.[\]]+/).filter((part) => part !== "");
}

export function callAt(compiler: TypeScript, source: ts.SourceFile, { line, column }: Position): ts.NewExpression | undefined {
  // Without a source map, the position may be beyond the end of the source file.
  const start = source.getLineStarts()[line - 1];
  if (start === undefined) return undefined;
  const position = start + column - 1;
  const find = (node: ts.Node): ts.NewExpression | undefined => {
    if (compiler.isNewExpression(node) && node.getStart() === position) return node;
    return compiler.forEachChild(node, (child) => (child.pos <= position && position < child.end ? find(child) : undefined));
  };
  return find(source);
}

/**
 * Returns the node of a property. If part of the path is an expression that is not a literal, such as a variable, the result is that
 * expression. If a list item is missing, the result is the list.
 */
function nodeAt(compiler: TypeScript, node: ts.Expression | undefined, parts: readonly string[]): ts.Node | undefined {
  const [part, ...innerParts] = parts;
  if (node === undefined || part === undefined) return node;
  const from = withoutTypes(compiler, node);
  if (compiler.isArrayLiteralExpression(from)) return nodeAt(compiler, from.elements[Number(part)], innerParts) ?? from;
  if (!compiler.isObjectLiteralExpression(from)) return from;
  const property = from.properties.find(({ name }) => name !== undefined && textOf(compiler, name) === part);
  if (!property) return undefined;
  const isInner = innerParts.length > 0 && compiler.isPropertyAssignment(property);
  return isInner ? nodeAt(compiler, property.initializer, innerParts) : property;
}

function textOf(compiler: TypeScript, name: ts.PropertyName): string | undefined {
  return compiler.isIdentifier(name) || compiler.isStringLiteral(name) ? name.text : undefined;
}
