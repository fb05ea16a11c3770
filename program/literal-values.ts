import type ts from "typescript";
import type { TypeScript } from "./typescript";
import { fixed, unknown, type Value } from "./value";

interface ExpressionReader {
  read(expression: ts.Expression): Value;
  dataOf(value: Value): unknown;
}

export function literalValue(reader: ExpressionReader, compiler: TypeScript, node: ts.Expression): Value | undefined {
  const { SyntaxKind } = compiler;
  const plain = (value: unknown): Value => ({ how: "plain", node, value });
  if (compiler.isArrayLiteralExpression(node)) return { how: "list", node, items: itemsOf(reader, compiler, node) };
  if (compiler.isObjectLiteralExpression(node)) return { how: "object", node };
  if (compiler.isStringLiteralLike(node)) return plain(node.text);
  if (compiler.isNumericLiteral(node)) return plain(Number(node.text));
  if (compiler.isPrefixUnaryExpression(node) && compiler.isNumericLiteral(node.operand)) {
    if (node.operator === SyntaxKind.MinusToken) return plain(-Number(node.operand.text));
    if (node.operator === SyntaxKind.PlusToken) return plain(Number(node.operand.text));
  }
  if (node.kind === SyntaxKind.TrueKeyword) return plain(true);
  if (node.kind === SyntaxKind.FalseKeyword) return plain(false);
  if (node.kind === SyntaxKind.NullKeyword) return plain(null);
  if (compiler.isIdentifier(node)) return plain(undefined);
  const text = compiler.isTemplateExpression(node) ? templateText(reader, node) : undefined;
  return text === undefined ? undefined : plain(text);
}

function templateText(reader: ExpressionReader, { head, templateSpans }: ts.TemplateExpression): string | undefined {
  let text = head.text;
  for (const { expression, literal } of templateSpans) {
    const data = reader.dataOf(reader.read(expression));
    if (typeof data !== "string" && typeof data !== "number" && typeof data !== "boolean") return undefined;
    text += `${data}${literal.text}`;
  }
  return text;
}

function itemsOf(reader: ExpressionReader, compiler: TypeScript, { elements }: ts.ArrayLiteralExpression): Value[] {
  return elements.map((element) => {
    if (compiler.isOmittedExpression(element)) return fixed(element, "is a hole");
    if (!compiler.isSpreadElement(element)) return reader.read(element);
    const data = reader.dataOf(reader.read(element.expression));
    return fixed(element, "has items from a spread", { value: Array.isArray(data) ? data : unknown, spread: true });
  });
}
