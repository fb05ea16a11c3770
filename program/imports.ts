import type ts from "typescript";
import { bindingsOf, declaredNames, isRequire, type Bindings } from "./bindings";
import { parse } from "./typescript";
import { styleOf, usual, type Style } from "./style";
import { modulesIn, type TypeScript } from "./typescript";
import { UsageError } from "../common/errors";

/** An import of names or of a whole module. An import without names and without `namespace` only loads the module. */
export interface Import {
  from: string;
  names?: Bindings["names"];
  /** A name for the whole module: `import * as pulumi from …`. */
  namespace?: string;
}

/**
 * Adds missing imports to the text of a file. Existing lines do not change.
 *
 * @throws UsageError if the file uses an imported name for another declaration
 */
export function withImports(compiler: TypeScript, text: string, path: string, imports: readonly Import[]): string {
  const file = parse(compiler, path, text);
  const style = styleOf(compiler, file);
  const lacking = imports.flatMap((needed) => missing(compiler, file, needed));
  const taken = declaredNames(compiler, file);
  for (const name of lacking.flatMap(({ names = new Map(), namespace = [] }) => [...names.keys()].concat(namespace))) {
    if (taken.has(name))
      throw new UsageError(
        `${path} cannot import ${name}, because the file already declares this name. Rename the existing declaration`,
        "work",
      );
  }
  const lines = lacking.flatMap((needed) => importLines(needed, style));
  return lines.length === 0 ? text : inserted(compiler, file, lines.join(style.eol), style.eol);
}

function missing(compiler: TypeScript, file: ts.SourceFile, { from, names: wanted = new Map(), namespace }: Import): Import[] {
  const had = bindingsOf(compiler, file, from);
  const names = new Map([...wanted].filter(([local, name]) => had.names.get(local) !== name));
  const isWhole = namespace !== undefined && !had.namespaces.has(namespace);
  const isOnlyLoaded = wanted.size === 0 && namespace === undefined && !modulesIn(compiler, file.text).includes(from);
  if (names.size === 0 && !isWhole && !isOnlyLoaded) return [];
  return [{ from, names, namespace: isWhole ? namespace : undefined }];
}

export function importLines({ from, names = new Map(), namespace }: Import, style: Style = usual): string[] {
  const { quote, semicolon } = style;
  const module = `${quote}${from}${quote}`;
  const written = [...names].map(([local, name]) => (local === name ? name : `${name} as ${local}`));
  const whole = namespace === undefined ? [] : [`* as ${namespace}`];
  const parts = written.length === 0 ? whole : [...whole, `{ ${written.join(", ")} }`];
  if (parts.length === 0) return [`import ${module}${semicolon}`];
  return parts.map((part) => `import ${part} from ${module}${semicolon}`);
}

/**
 * Inserts lines after the last import or directive. In a file without imports and directives, the lines come before the first statement.
 */
function inserted(compiler: TypeScript, file: ts.SourceFile, lines: string, eol: string): string {
  const { text, statements } = file;
  const last = statements.findLast((statement) => isHead(compiler, statement));
  if (!last) return afterHeader(compiler, text, lines, eol);
  const end = compiler.getTrailingCommentRanges(text, last.end)?.at(-1)?.end ?? last.end;
  const space = /^[ \t]*(?=\r?\n|$)/.exec(text.slice(end));
  if (space) return spliced(text, end + space[0].length, `${eol}${lines}`);
  // The line of the last import also contains code after the import, so the new lines need a line break at both ends.
  return spliced(text, last.end, `${eol}${lines}${eol}`);
}

function isHead(compiler: TypeScript, node: ts.Statement): boolean {
  if (compiler.isImportEqualsDeclaration(node)) return compiler.isExternalModuleReference(node.moduleReference);
  if (compiler.isExpressionStatement(node)) {
    return compiler.isStringLiteral(node.expression) || isRequire(compiler, node.expression);
  }
  const declarations = compiler.isVariableStatement(node) ? node.declarationList.declarations : [];
  return compiler.isImportDeclaration(node) || declarations.some(({ initializer }) => isRequire(compiler, initializer));
}

/** Comments before a blank line describe the file, so these comments stay above the new lines. */
function afterHeader(compiler: TypeScript, text: string, lines: string, eol: string): string {
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  const from = start + (compiler.getShebang(text.slice(start))?.length ?? 0);
  const apart = compiler
    .getLeadingCommentRanges(text, from)
    ?.findLast(({ end }) => /^[ \t]*(\r?\n[ \t]*(?=\r?\n)|\r?\n?$)/.test(text.slice(end)));
  const at = apart?.end ?? from;
  const isEmpty = text.slice(at).trim() === "";
  if (at > start) return spliced(text, at, `${eol}${eol}${lines}${isEmpty && text.length === at ? eol : ""}`);
  return spliced(text, at, `${lines}${eol}${isEmpty ? "" : eol}`);
}

function spliced(text: string, at: number, added: string): string {
  return text.slice(0, at) + added + text.slice(at);
}
