import type ts from "typescript";
import { nodesIn, type TypeScript } from "./typescript";

export interface Style {
  quote: '"' | "'";
  semicolon: ";" | "";
  indent: string;
  eol: string;
}

export const usual: Style = { quote: '"', semicolon: ";", indent: "  ", eol: "\n" };

const known = new WeakMap<ts.SourceFile, Style>();

export function styleOf(compiler: TypeScript, file: ts.SourceFile): Style {
  const cached = known.get(file);
  if (cached) return cached;
  const { text } = file;
  const nodes = nodesIn(compiler, file);
  const mostly = (candidates: readonly ts.Node[], is: (node: ts.Node) => boolean): boolean =>
    candidates.filter(is).length * 2 > candidates.length;
  const ends = nodes.filter((node) => endsWithSemicolon(compiler, node));
  const style = {
    quote: mostly(nodes.filter(compiler.isStringLiteral), (node) => text[node.getStart(file)] === "'") ? "'" : usual.quote,
    semicolon: mostly(ends, (node) => text[node.end - 1] !== ";") ? "" : usual.semicolon,
    indent: /^(\t| {2,8})(?=[^\s*])/m.exec(text)?.[1] ?? usual.indent,
    eol: lineEndOf(text),
  } as const;
  known.set(file, style);
  return style;
}

export function lineEndOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? "\n";
}

function endsWithSemicolon(compiler: TypeScript, node: ts.Node): boolean {
  return (
    compiler.isVariableStatement(node) ||
    compiler.isExpressionStatement(node) ||
    compiler.isImportDeclaration(node) ||
    compiler.isExportAssignment(node) ||
    compiler.isReturnStatement(node)
  );
}
