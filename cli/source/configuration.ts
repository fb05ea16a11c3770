import type ts from "typescript";
import { bindingsOf } from "./bindings";
import { withoutTypes } from "./declarations";
import type { Reader } from "./read";

/** A value that a program reads from the stack's configuration. */
export interface ConfigurationRead {
  /** The key, with its namespace where that is not the project's. */
  key: string;
}

/** `config.require("key")` and its siblings, with `const config = new pulumi.Config()`; nothing for anything else, and for parts of a value. */
export function configurationRead({ compiler, symbols }: Reader, node: ts.Expression): ConfigurationRead | undefined {
  if (!compiler.isCallExpression(node) || !compiler.isPropertyAccessExpression(node.expression)) return undefined;
  const { expression: called, name } = node.expression;
  const [first] = node.arguments;
  if (!/^(get|require)(Secret)?(Boolean|Number)?$/.test(name.text) || !first || !compiler.isStringLiteralLike(first))
    return undefined;
  const made = withoutTypes(compiler, initializerOf());
  if (!compiler.isNewExpression(made) || !isConfig(made)) return undefined;
  const namespace = made.arguments?.[0];
  if (!namespace) return { key: first.text };
  return compiler.isStringLiteralLike(namespace) ? { key: `${namespace.text}:${first.text}` } : undefined;

  function initializerOf(): ts.Expression {
    const declaration = compiler.isIdentifier(called) ? symbols.of(called)?.valueDeclaration : undefined;
    return (declaration && compiler.isVariableDeclaration(declaration) ? declaration.initializer : undefined) ?? called;
  }

  function isConfig({ expression }: ts.NewExpression): boolean {
    const { names, namespaces } = bindingsOf(compiler, expression.getSourceFile(), "@pulumi/pulumi");
    if (compiler.isIdentifier(expression)) return names.get(expression.text) === "Config";
    if (!compiler.isPropertyAccessExpression(expression) || expression.name.text !== "Config") return false;
    return namespaces.has(expression.expression.getText());
  }
}
