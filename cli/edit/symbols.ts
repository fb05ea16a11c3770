import type ts from "typescript";
import type { ProgramSource } from "./program";
import { isMember } from "./bindings";
import { isJson } from "./typescript";

/** Resolves the names of a program across its files by the compiler's binder. Types are not computed. */
export class Symbols {
  readonly #checker: ts.TypeChecker;
  readonly #byText = new Map<string, ts.Identifier[]>();
  readonly #references = new Map<ts.Symbol, readonly ts.Identifier[]>();

  constructor(private readonly source: ProgramSource) {
    const program = programOf(source);
    this.#checker = program.getTypeChecker();
    for (const path of source.texts.keys()) if (!isJson(path)) this.#collect(path);
  }

  /** The variable, function or class that an identifier means, in whatever file it is declared; nothing for what has no declaration. */
  of(node: ts.Identifier): ts.Symbol | undefined {
    const { ts: compiler } = this.source;
    const found = compiler.isShorthandPropertyAssignment(node.parent)
      ? this.#checker.getShorthandAssignmentValueSymbol(node.parent)
      : compiler.isExportSpecifier(node.parent)
        ? this.#checker.getExportSpecifierLocalTargetSymbol(node.parent)
        : this.#checker.getSymbolAtLocation(node);
    return found && this.#original(found);
  }

  /** Resolves an export of a module: `office` of `all.office`. */
  exportOf(module: ts.Symbol, name: string): ts.Symbol | undefined {
    if ((module.flags & this.source.ts.SymbolFlags.Module) === 0) return undefined;
    const found = this.#checker.tryGetMemberInModuleExports(name, module);
    return found && this.#original(found);
  }

  /** Finds every identifier that uses a name, in all files. Declarations and imports do not count. */
  references(symbol: ts.Symbol): readonly ts.Identifier[] {
    const known = this.#references.get(symbol);
    if (known) return known;
    const named = this.#byText.get(symbol.name) ?? [];
    const aliases = named.flatMap(({ parent }) =>
      this.source.ts.isImportSpecifier(parent) && parent.propertyName?.text === symbol.name ? [parent.name.text] : [],
    );
    const candidates = [...named, ...[...new Set(aliases)].flatMap((alias) => this.#byText.get(alias) ?? [])];
    const found = candidates.filter((node) => isUse(this.source, node) && this.of(node) === symbol);
    this.#references.set(symbol, found);
    return found;
  }

  /** Every expression that reads a name, with those that go by a whole module: `labels.office` for `office`. */
  uses(symbol: ts.Symbol): readonly ts.Expression[] {
    const { ts: compiler, texts } = this.source;
    const found: ts.Expression[] = [...this.references(symbol)];
    const visit = (node: ts.Node): void => {
      if (
        compiler.isPropertyAccessExpression(node) &&
        compiler.isIdentifier(node.expression) &&
        node.name.text === symbol.name
      ) {
        const module = this.of(node.expression);
        if (module && this.exportOf(module, symbol.name) === symbol) found.push(node);
      }
      compiler.forEachChild(node, visit);
    };
    for (const [path, text] of texts) {
      const file = text.includes(`.${symbol.name}`) ? this.source.file(path) : undefined;
      if (file) visit(file);
    }
    return found;
  }

  /** Whether a file has a name at all, at whatever depth: declared or used. */
  isUsed(path: string, name: string): boolean {
    return this.#in(path, name).length > 0;
  }

  /** Whether a name means one thing everywhere in a file. */
  isUnique(path: string, name: string): boolean {
    const nodes = this.#in(path, name);
    return (
      nodes.length > 0 && new Set(nodes.map((node) => this.#checker.getSymbolAtLocation(node) && this.of(node))).size === 1
    );
  }

  /** Whether code that cannot be followed may read a constant: it is exported, and not just imported by name. */
  escapes(symbol: ts.Symbol): boolean {
    const { ts: compiler, texts } = this.source;
    const statement = symbol.valueDeclaration?.parent.parent;
    if (!statement || !compiler.isVariableStatement(statement)) return false;
    if (!statement.modifiers?.some(({ kind }) => kind === compiler.SyntaxKind.ExportKeyword)) return false;
    const { fileName } = statement.getSourceFile();
    const loads = [...texts.keys()].map((from) => this.#loadsOf(from, fileName));
    // A file that nothing imports is the entry, whose exports are outputs of the stack, or is loaded by another program.
    return loads.every(({ all }) => all === 0) || loads.some(({ all, byName }) => all > byName);
  }

  /** Counts how often a file loads another one, and how often it imports nothing but names of it. */
  #loadsOf(from: string, path: string): { all: number; byName: number } {
    const { source } = this;
    const { ts: compiler } = source;
    const all = source.modulesOf(from).filter((module) => source.resolve(from, module) === path);
    const byName = source.file(from)?.statements.filter((one) => {
      if (!compiler.isImportDeclaration(one) || !compiler.isStringLiteral(one.moduleSpecifier)) return false;
      const bindings = one.importClause?.namedBindings;
      return bindings && compiler.isNamedImports(bindings) && all.includes(one.moduleSpecifier.text);
    });
    return { all: all.length, byName: all.length === 0 ? 0 : (byName?.length ?? 0) };
  }

  #original(symbol: ts.Symbol): ts.Symbol {
    if ((symbol.flags & this.source.ts.SymbolFlags.Alias) === 0) return symbol;
    const original = this.#checker.getAliasedSymbol(symbol);
    return original.declarations?.length ? original : symbol;
  }

  #in(path: string, name: string): ts.Identifier[] {
    const named = this.#byText.get(name) ?? [];
    return named.filter((node) => node.getSourceFile().fileName === path && !isMember(this.source.ts, node));
  }

  #collect(path: string): void {
    const { ts: compiler } = this.source;
    const visit = (node: ts.Node): void => {
      if (compiler.isIdentifier(node) && (!isMember(compiler, node) || compiler.isImportSpecifier(node.parent))) {
        const same = this.#byText.get(node.text);
        if (same) same.push(node);
        else this.#byText.set(node.text, [node]);
      }
      compiler.forEachChild(node, visit);
    };
    const file = this.source.file(path);
    if (file) visit(file);
  }
}

/** Whether an identifier uses a variable, and does not declare or import it. */
function isUse({ ts: compiler }: ProgramSource, node: ts.Identifier): boolean {
  const { parent } = node;
  if (compiler.isImportSpecifier(parent)) return false;
  if (compiler.isExportSpecifier(parent) || compiler.isShorthandPropertyAssignment(parent)) return true;
  return !("name" in parent && parent.name === node);
}

/** The program for the compiler: its own files alone. What packages declare is not looked at. */
function programOf(source: ProgramSource): ts.Program {
  const { ts: compiler } = source;
  const options: ts.CompilerOptions = {
    noLib: true,
    types: [],
    allowJs: true,
    target: compiler.ScriptTarget.Latest,
    module: compiler.ModuleKind.ESNext,
    jsx: compiler.JsxEmit.Preserve,
  };
  const host: ts.CompilerHost = {
    fileExists: (path) => source.texts.has(path),
    readFile: (path) => source.texts.get(path),
    getSourceFile: (path) => source.file(path),
    getDefaultLibFileName: () => "lib.d.ts",
    writeFile: () => undefined,
    getCurrentDirectory: () => "",
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    resolveModuleNameLiterals: (literals, from) =>
      literals.map(({ text }) => {
        const path = source.resolve(from, text);
        const extension = /\.[cm]?[jt]sx?$/.exec(path ?? "")?.[0] ?? ".ts";
        return { resolvedModule: path === undefined ? undefined : { resolvedFileName: path, extension } };
      }),
  };
  return compiler.createProgram({ rootNames: [...source.texts.keys()].filter((path) => !isJson(path)), options, host });
}
