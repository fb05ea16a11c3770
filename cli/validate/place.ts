import { readFileSync } from "node:fs";
import type ts from "typescript";
import { loadTypeScript, type TypeScript } from "../source/typescript";
import type { Fault } from "./faults";
import type { Place } from "./monitor";

/**
 * The place of the property that a fault is about, where the program writes it in the call that declares the resource; else that of
 * the call.
 */
export async function propertyPlace({ place, path }: Fault, folder: string): Promise<Place | undefined> {
  if (place === undefined || path === "") return place;
  try {
    const compiler = await loadTypeScript(folder);
    const source = compiler.createSourceFile(place.file, readFileSync(place.file, "utf8"), compiler.ScriptTarget.Latest, true);
    const call = callAt(compiler, source, place);
    const node = call && nodeAt(compiler, call.arguments?.[1], partsOf(path));
    if (!node) return place;
    const { line, character } = source.getLineAndCharacterOfPosition(node.getStart());
    return { file: place.file, line: line + 1, column: character + 1 };
  } catch {
    // Without a compiler, or a source, the place of the call has to do.
    return place;
  }
}

/** `filters[0].key` as its parts. */
function partsOf(path: string): string[] {
  return path.split(/[.[\]]+/).filter((part) => part !== "");
}

/** The `new` that begins at a place. */
function callAt(compiler: TypeScript, source: ts.SourceFile, { line, column }: Place): ts.NewExpression | undefined {
  const position = source.getPositionOfLineAndCharacter(line - 1, column - 1);
  const find = (node: ts.Node): ts.NewExpression | undefined => {
    if (compiler.isNewExpression(node) && node.getStart() === position) return node;
    return compiler.forEachChild(node, (child) => (child.pos <= position && position < child.end ? find(child) : undefined));
  };
  return find(source);
}

/** The node of a property, as far as literals lead to it: a missing one is at the place of what it is missing in. */
function nodeAt(compiler: TypeScript, node: ts.Node | undefined, parts: readonly string[]): ts.Node | undefined {
  const [part, ...rest] = parts;
  if (node === undefined || part === undefined) return node;
  const from = bare(compiler, node);
  if (compiler.isArrayLiteralExpression(from)) return nodeAt(compiler, from.elements[Number(part)], rest) ?? from;
  if (!compiler.isObjectLiteralExpression(from)) return from;
  const property = from.properties.find(({ name }) => name !== undefined && textOf(compiler, name) === part);
  if (!property) return undefined;
  return rest.length > 0 && compiler.isPropertyAssignment(property) ? nodeAt(compiler, property.initializer, rest) : property;
}

/** An expression without brackets and type assertions around it. */
function bare(compiler: TypeScript, node: ts.Node): ts.Node {
  const isWrapped =
    compiler.isAsExpression(node) || compiler.isSatisfiesExpression(node) || compiler.isParenthesizedExpression(node);
  return isWrapped ? bare(compiler, node.expression) : node;
}

function textOf(compiler: TypeScript, name: ts.PropertyName): string | undefined {
  return compiler.isIdentifier(name) || compiler.isStringLiteral(name) ? name.text : undefined;
}
