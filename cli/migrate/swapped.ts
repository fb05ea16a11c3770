import type ts from "typescript";
import { withoutTypes } from "../edit/declarations";
import type { ProgramSource } from "../edit/program";
import type { Symbols } from "../edit/symbols";
import type { TypeScript } from "../edit/typescript";

/** The declaration of a constant with its value, also of one that is taken from something: `const { office } = labels`. */
export function holdingDeclaration(
  compiler: TypeScript,
  { valueDeclaration: at }: ts.Symbol,
): ts.VariableDeclaration | undefined {
  const whole = at && compiler.isBindingElement(at) ? at.parent.parent : at;
  if (!whole || !compiler.isVariableDeclaration(whole) || !compiler.isVariableStatement(whole.parent.parent)) return undefined;
  return (whole.parent.flags & compiler.NodeFlags.Const) === 0 ? undefined : whole;
}

/** The values that a parameter gets: one for each call of its function. Nothing where something else is done with the function. */
export function parameterOf(
  { ts: compiler }: ProgramSource,
  symbols: Symbols,
  { valueDeclaration: parameter }: ts.Symbol,
): { values: ts.Expression[] } | undefined {
  if (!parameter || !compiler.isParameter(parameter) || parameter.dotDotDotToken || parameter.initializer) return undefined;
  const callee = parameter.parent;
  const holder = compiler.isVariableDeclaration(callee.parent) ? callee.parent : callee;
  const name = "name" in holder ? (holder.name as ts.Node | undefined) : undefined;
  const symbol = name && compiler.isIdentifier(name) ? symbols.of(name) : undefined;
  if (!symbol) return undefined;
  const index = callee.parameters.indexOf(parameter);
  const values = symbols.references(symbol).map((node): ts.Expression | undefined => {
    const call = node.parent;
    if (!compiler.isCallExpression(call) || call.expression !== node) return undefined;
    const value = call.arguments.some((one) => compiler.isSpreadElement(one)) ? undefined : call.arguments[index];
    return value && withoutTypes(compiler, value);
  });
  return values.some((one) => one === undefined) ? undefined : { values: values.flatMap((one) => one ?? []) };
}
