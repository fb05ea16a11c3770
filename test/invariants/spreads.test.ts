/**
 * A call accepts about 120,000 arguments, but the service's lists may be longer. Spreading such a list into a call throws a
 * RangeError.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { publishedModules, repository, sourcesOf } from "../support/imports";

/** Calls that spread a list of limited length. */
const short = {
  text: "lines of one paragraph",
  work: "values that a check needs",
  run: "columns of a row, or words of a command",
  git: "words of a command",
  fetch: "arguments of the function",
  emit: "arguments of the function",
  "#add": "the places of a declaration, a pair each",
} as const;

function isRest(list: ts.Expression): boolean {
  if (!ts.isIdentifier(list)) return false;
  for (let node: ts.Node = list; node; node = node.parent) {
    const isParameter = ({ dotDotDotToken, name }: ts.ParameterDeclaration): boolean =>
      dotDotDotToken !== undefined && ts.isIdentifier(name) && name.text === list.text;
    if (ts.isFunctionLike(node) && node.parameters.some(isParameter)) return true;
  }
  return false;
}

/** Returns each call of a source that spreads a list, except a list of arguments, as callee and position. */
function spreadsIn(file: string, text: string): { callee: string; at: string }[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const spreads: { callee: string; at: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const lists = (node.arguments ?? []).filter((argument) => ts.isSpreadElement(argument) && !isRest(argument.expression));
      const callee = ts.isPropertyAccessExpression(node.expression) ? node.expression.name.text : node.expression.getText();
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      if (lists.length > 0) spreads.push({ callee, at: `${file}:${line + 1}` });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return spreads;
}

test("no published module spreads a list of unlimited length into a function call", () => {
  const spreads = publishedModules
    .flatMap(sourcesOf)
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => spreadsIn(file, readFileSync(join(repository, file), "utf8")));
  expect(spreads.filter(({ callee }) => !Object.hasOwn(short, callee))).toEqual([]);
  expect(new Set(spreads.map(({ callee }) => callee))).toEqual(new Set(Object.keys(short)));
});

test.each(["a.push(...b)", "Math.max(...b)", "f(1, ...b.c)", "new Set(...b)", "(...c: 1[]) => a.push(...b)"])(
  "the spread check reports a list of unlimited length in %s",
  (text) => expect(spreadsIn("a.ts", text)).toHaveLength(1),
);

test.each(["[...b]", "({ ...b })", "(...b: 1[]) => a.push(...b)"])(
  "the spread check ignores the harmless spread in %s",
  (text) => expect(spreadsIn("a.ts", text)).toEqual([]),
);
