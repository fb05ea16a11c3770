import MagicString from "magic-string";
import type ts from "typescript";
import { editItems } from "./container";
import { withImports, type Import, type Syntax } from "./imports";
import type { ProgramSource } from "./program";
import type { Change } from "./rewrite";
import { isJavaScript } from "./tsconfig";

export interface ChangedFile {
  text: string;
  /** Returns the new offset of an offset in the old text. */
  moved: (at: number) => number;
}

/** Makes the changes of one file, each once, all others of its text as they were. */
export function applied(
  source: ProgramSource,
  file: ts.SourceFile,
  changes: readonly Change[],
  imports: readonly Import[],
): ChangedFile {
  const edited = new MagicString(file.text);
  const items = changes.filter((one) => one.how === "items");
  for (const { node, text } of changes.filter((one) => one.how === "replace")) edited.update(node.getStart(), node.end, text);
  // An inner container is edited before the outer one.
  const containers = [...Map.groupBy(items, ({ node }) => node)].toSorted(([a], [b]) => b.pos - a.pos || a.end - b.end);
  for (const [container, own] of containers) {
    const dropped = own.flatMap((one) => one.dropped);
    const added = own.flatMap((one) => one.added);
    editItems(edited, container, dropped, added);
  }
  const text = withImports(source.ts, edited.toString(), file.fileName, merged(imports), syntaxOf(source, file));
  const above = text.length - edited.toString().length;
  return { text, moved: (at) => above + (at === 0 ? 0 : edited.slice(0, at).length) };
}

function merged(imports: readonly Import[]): Import[] {
  const modules = Map.groupBy(imports, ({ from }) => from);
  return [...modules].map(([from, all]) => ({ from, names: new Map(all.flatMap(({ names = [] }) => [...names])) }));
}

function syntaxOf({ ts: compiler }: ProgramSource, file: ts.SourceFile): Syntax {
  const isOfModules = file.statements.some((one) => compiler.isImportDeclaration(one));
  return !isOfModules && isJavaScript(file.fileName) ? "require" : "import";
}
