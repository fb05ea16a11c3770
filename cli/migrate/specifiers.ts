import type MagicString from "magic-string";
import type ts from "typescript";
import type { ProgramSource } from "../edit/program";

/** A name that a file takes from another module: `office` of `import { office } from …`, or of `const { office } = require(…)`. */
export type Specifier = ts.ImportSpecifier | ts.BindingElement;

/** The names that a file takes from modules. */
export function specifiersIn({ ts: compiler }: ProgramSource, file: ts.SourceFile): Specifier[] {
  return file.statements.flatMap((statement): Specifier[] => {
    if (compiler.isImportDeclaration(statement)) {
      const bindings = statement.importClause?.namedBindings;
      return bindings && compiler.isNamedImports(bindings) ? [...bindings.elements] : [];
    }
    if (!compiler.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.flatMap(({ name, initializer }) => {
      if (!initializer || !compiler.isCallExpression(initializer) || initializer.expression.getText() !== "require") return [];
      return compiler.isObjectBindingPattern(name) ? [...name.elements] : [];
    });
  });
}

/** The specifier by which a file has a name. */
export function specifierOf(source: ProgramSource, file: ts.SourceFile, local: string): Specifier | undefined {
  return specifiersIn(source, file).find(({ name }) => source.ts.isIdentifier(name) && name.text === local);
}

/** Takes items out of lists in braces; a statement that imports nothing anymore goes whole. */
export function dropItems({ ts: compiler }: ProgramSource, edited: MagicString, dropped: ReadonlySet<ts.Node>): void {
  const lists = Map.groupBy(dropped, ({ parent }) => parent);
  for (const [list, own] of lists) {
    const items = itemsOf(list);
    if (own.length === items.length && !compiler.isObjectLiteralExpression(list)) {
      let statement: ts.Node = list;
      while (!compiler.isSourceFile(statement.parent)) statement = statement.parent;
      dropLines(edited, statement.getSourceFile().text, statement.getStart(), statement.end);
      continue;
    }
    const kept = items.filter((item) => !dropped.has(item));
    for (const [i, item] of items.entries()) {
      if (!dropped.has(item)) continue;
      const next = items[i + 1];
      const before = kept.findLast((one) => one.end <= item.pos);
      if (next) edited.remove(item.getStart(), next.getStart());
      else edited.remove(before?.end ?? item.getStart(), item.end);
    }
  }
}

function itemsOf(list: ts.Node): readonly ts.Node[] {
  if ("elements" in list) return list.elements as ts.NodeArray<ts.Node>;
  return "properties" in list ? (list.properties as ts.NodeArray<ts.Node>) : [];
}

/** Takes out a part of a text that begins and ends with lines, and the white space up to what comes next. */
export function dropLines(edited: MagicString, text: string, start: number, end: number): void {
  const next = end + (/^\s*/.exec(text.slice(end))?.[0].length ?? 0);
  if (next < text.length && !/^[)}\]]/.test(text.slice(next))) return void edited.remove(start, next);
  // Nothing comes after it: what is before it ends as this did.
  const before = start - (/\s*$/.exec(text.slice(0, start))?.[0].length ?? 0);
  edited.remove(before, end);
}
