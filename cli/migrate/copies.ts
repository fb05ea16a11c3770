import MagicString from "magic-string";
import type ts from "typescript";
import { declaredNames, importedAs, isMember } from "../edit/bindings";
import { packageModules, type Declaration } from "../edit/declarations";
import type { FileEdit } from "../edit/accepted";
import type { Holding } from "./holding";
import { commentsIn } from "../edit/places";
import type { ProgramSource } from "../edit/program";
import { specifierOf } from "./specifiers";
import { lineEndOf } from "../edit/style";
import type { Symbols } from "../edit/symbols";

/** How declarations of one class are copied as ones of another. */
export interface Copying {
  /** Class of the originals, and of the copies, by their own names. */
  readonly from: string;
  readonly to: string;
  /** Name of a variable or function of a copy. @param isFree whether a name can be had */
  nameOf(original: string, isFree: (name: string) => boolean): string;
  /** Text of the arguments of a copy. */
  argumentsOf(declaration: Declaration): string;
}

/** Writes copies of declarations beside them, with all that holds them. Text that is there stays as it is. */
export class Copier {
  readonly #names = new Map<ts.Symbol, string>();

  constructor(
    private readonly source: ProgramSource,
    private readonly symbols: Symbols,
    private readonly copying: Copying,
    private readonly declarations: readonly Declaration[],
  ) {}

  /** The files with copies of what the holdings hold. */
  edits(holdings: readonly Holding[]): FileEdit[] {
    const statements = new Set(holdings.flatMap((one) => [...one.statements]));
    const exports = new Set(holdings.flatMap((one) => [...one.exports]));
    for (const symbol of holdings.flatMap((one) => [...one.symbols])) this.#name(symbol);
    const byFile = Map.groupBy([...statements, ...exports], (node) => node.getSourceFile());
    return [...byFile].map(([file, nodes]) => this.#edited(file, nodes, statements));
  }

  #edited(file: ts.SourceFile, nodes: readonly ts.Node[], statements: ReadonlySet<ts.Node>): FileEdit {
    const { ts: compiler } = this.source;
    const { text, fileName: path } = file;
    const className = this.#className(file);
    const edited = new MagicString(text);
    for (const node of new Set(nodes)) {
      const copy = this.#copy(node, className);
      if (statements.has(node) || compiler.isExpressionStatement(node)) {
        const { at, lead } = placeAfter(text, node);
        edited.appendLeft(at, lead + copy);
      } else edited.appendLeft(node.end, `, ${copy}`);
    }
    const isThere = importedAs(compiler, file, packageModules, this.copying.to) !== undefined;
    const original = importedAs(compiler, file, packageModules, this.copying.from);
    const specifier = original === undefined ? undefined : specifierOf(this.source, file, original);
    if (isThere || !specifier) return { path, before: text, after: edited.toString() };
    const isRequired = compiler.isBindingElement(specifier);
    const imported = className === this.copying.to ? className : `${this.copying.to}${isRequired ? ":" : " as"} ${className}`;
    edited.appendLeft(specifier.end, `, ${imported}`);
    return { path, before: text, after: edited.toString() };
  }

  /** What a file calls the class of the copies, once it has imported it. */
  #className(file: ts.SourceFile): string {
    const { ts: compiler } = this.source;
    const { to } = this.copying;
    const there = importedAs(compiler, file, packageModules, to);
    return there ?? (declaredNames(compiler, file).has(to) ? `${to}Resource` : to);
  }

  #name(symbol: ts.Symbol): void {
    if (this.#names.has(symbol)) return;
    const path = symbol.valueDeclaration?.getSourceFile().fileName ?? "";
    const taken = new Set(this.#names.values());
    const name = this.copying.nameOf(symbol.name, (one) => !taken.has(one) && !this.symbols.isUsed(path, one));
    this.#names.set(symbol, name);
  }

  #copy(node: ts.Node, className: string): string {
    const { ts: compiler } = this.source;
    const { text } = node.getSourceFile();
    const changes: { start: number; end: number; text: string }[] = [];
    const own = importedAs(compiler, node.getSourceFile(), packageModules, this.copying.from);
    const change = (one: ts.Node, as: string): void => void changes.push({ start: one.getStart(), end: one.end, text: as });
    const visit = (one: ts.Node): void => {
      const declaration = this.declarations.find((declared) => declared.node === one);
      if (declaration) return change(one, `new ${className}(${this.copying.argumentsOf(declaration)})`);
      if (own !== undefined && one.getText() === own && isName(compiler, one)) return change(one, className);
      if (compiler.isIdentifier(one)) return this.#rename(one, change);
      compiler.forEachChild(one, visit);
    };
    visit(node);
    let [copy, at] = ["", node.getStart()];
    for (const { start, end, text: as } of changes.toSorted((a, b) => a.start - b.start)) {
      copy += text.slice(at, start) + as;
      at = end;
    }
    return copy + text.slice(at, node.end);
  }

  #rename(node: ts.Identifier, change: (node: ts.Node, as: string) => void): void {
    const { ts: compiler } = this.source;
    const { parent } = node;
    // `exports.office = office`, `{ office: office }` and `export { office }` pass on the copy under its own name.
    const passed = this.#passedOn(node);
    if (passed !== undefined) return change(node, passed);
    if (isMember(compiler, node) || isExports(node)) return;
    const symbol = this.symbols.of(node);
    const name = symbol && this.#names.get(symbol);
    if (name === undefined) return;
    const isShort = compiler.isShorthandPropertyAssignment(parent) && !isExportsObject(compiler, parent.parent);
    change(node, isShort ? `${node.text}: ${name}` : name);
  }

  /** What a member is called by which a copy is exported. */
  #passedOn(node: ts.Identifier): string | undefined {
    const { ts: compiler } = this.source;
    const { parent } = node;
    let value: ts.Expression | undefined;
    if (compiler.isPropertyAssignment(parent) && parent.name === node && isExportsObject(compiler, parent.parent)) {
      value = parent.initializer;
    } else if (compiler.isPropertyAccessExpression(parent) && parent.name === node && isExports(parent.expression)) {
      value = compiler.isBinaryExpression(parent.parent) ? parent.parent.right : undefined;
    }
    const symbol = value && compiler.isIdentifier(value) && value.text === node.text ? this.symbols.of(value) : undefined;
    return symbol && this.#names.get(symbol);
  }
}

/** Where a copy of a statement goes, and the white space before it: as the statement has it, a blank line more where it is long. */
function placeAfter(text: string, node: ts.Node): { at: number; lead: string } {
  const eol = lineEndOf(text);
  const lineStart = text.lastIndexOf("\n", node.getStart()) + 1;
  const indent = /^[ \t]*/.exec(text.slice(lineStart))?.[0] ?? "";
  const lineEnd = text.indexOf("\n", node.end) < 0 ? text.length : text.indexOf("\n", node.end);
  // A comment behind the statement is its own.
  const comments = commentsIn(text, node.end, lineEnd);
  const at = comments.at(-1)?.end ?? node.end;
  const isLong = text.slice(node.getStart(), node.end).includes("\n");
  return { at: Math.min(at, lineEnd), lead: (isLong ? eol : "") + eol + indent };
}

/** Whether a node is a name, of whatever sort: `Label`, or `em.Label` in a type or an expression. */
function isName(compiler: ProgramSource["ts"], node: ts.Node): boolean {
  if (compiler.isIdentifier(node)) return !isMember(compiler, node);
  return compiler.isQualifiedName(node) || compiler.isPropertyAccessExpression(node);
}

function isExports(node: ts.Expression): boolean {
  return ["exports", "module.exports"].includes(node.getText());
}

function isExportsObject(compiler: ProgramSource["ts"], { parent }: ts.Node): boolean {
  return compiler.isBinaryExpression(parent) && isExports(parent.left);
}
