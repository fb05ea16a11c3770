import type ts from "typescript";
import type { ProgramSource } from "./program-source";
import { isMember } from "./bindings";
import { isData, nodesIn } from "./typescript";

/** Resolves names across the files of a program, with the compiler's binder and without type checks. */
export class Symbols {
  readonly #checker: ts.TypeChecker;
  readonly #byText: ReadonlyMap<string, ts.Identifier[]>;
  readonly #references = new Map<ts.Symbol, readonly ts.Identifier[]>();

  constructor(private readonly source: ProgramSource) {
    const program = programOf(source);
    this.#checker = program.getTypeChecker();
    const files = [...source.texts.keys()].flatMap((path) => (isData(path) ? [] : (source.file(path) ?? [])));
    const nodes = files.flatMap((file) => nodesIn(source.ts, file));
    this.#byText = Map.groupBy(nodes.filter(source.ts.isIdentifier), ({ text }) => text);
  }

  /** Returns the symbol of an expression such as `office` or `labels.office`, even if another file declares it. */
  of(node: ts.Node): ts.Symbol | undefined {
    const { ts: compiler } = this.source;
    if (compiler.isPropertyAccessExpression(node) && compiler.isIdentifier(node.expression)) {
      const module = this.of(node.expression);
      const isModule = module && (module.flags & compiler.SymbolFlags.Module) !== 0;
      return isModule ? this.#original(this.#checker.tryGetMemberInModuleExports(node.name.text, module)) : undefined;
    }
    if (!compiler.isIdentifier(node)) return undefined;
    const { parent } = node;
    if (compiler.isShorthandPropertyAssignment(parent)) {
      return this.#original(this.#checker.getShorthandAssignmentValueSymbol(parent));
    }
    if (compiler.isExportSpecifier(parent)) return this.#original(this.#checker.getExportSpecifierLocalTargetSymbol(parent));
    return this.#original(this.#checker.getSymbolAtLocation(node));
  }

  /** Finds every identifier that refers to a symbol, across all files. The result excludes declarations and imports. */
  references(symbol: ts.Symbol): readonly ts.Identifier[] {
    const known = this.#references.get(symbol);
    if (known) return known;
    const named = this.#byText.get(symbol.name) ?? [];
    const aliases = named.flatMap(({ parent }) =>
      this.source.ts.isImportSpecifier(parent) && parent.propertyName?.text === symbol.name ? [parent.name.text] : [],
    );
    const candidates = [...named, ...[...new Set(aliases)].flatMap((alias) => this.#byText.get(alias) ?? [])];
    const uses = candidates.filter((node) => this.#isUse(node) && this.of(node) === symbol);
    this.#references.set(symbol, uses);
    return uses;
  }

  /** Whether any expression reads a symbol. For example, `labels.office` reads the export `office` of the module `labels`. */
  isRead(symbol: ts.Symbol): boolean {
    const named = this.#byText.get(symbol.name) ?? [];
    return this.references(symbol).length > 0 || named.some(({ parent }) => this.of(parent) === symbol);
  }

  isUsed(path: string, name: string): boolean {
    return this.#in(path, name).length > 0;
  }

  isUnique(path: string, name: string): boolean {
    return new Set(this.#in(path, name).map((node) => this.of(node))).size === 1;
  }

  /** Whether code outside of the traced program may read an exported constant. */
  escapes(symbol: ts.Symbol): boolean {
    const { ts: compiler, texts } = this.source;
    const statement = symbol.valueDeclaration?.parent.parent;
    const modifiers = statement && compiler.isVariableStatement(statement) ? statement.modifiers : undefined;
    if (!statement || !modifiers?.some(({ kind }) => kind === compiler.SyntaxKind.ExportKeyword)) return false;
    const { fileName } = statement.getSourceFile();
    const loads = [...texts.keys()].flatMap((from) => this.#loadsByName(from, fileName) ?? []);
    // If no file imports this file, it may be the start of a program, and code outside of the program may read its exports.
    return loads.length === 0 || loads.includes(false);
  }

  /** Whether a file imports another file only by names, and never as a whole module. */
  #loadsByName(from: string, path: string): boolean | undefined {
    const { source } = this;
    const { ts: compiler } = source;
    const loads = source.modulesOf(from).filter((module) => source.resolve(from, module) === path);
    if (loads.length === 0) return undefined;
    const byName = source.file(from)?.statements.filter((statement) => {
      if (!compiler.isImportDeclaration(statement) || !compiler.isStringLiteral(statement.moduleSpecifier)) return false;
      const bindings = statement.importClause?.namedBindings;
      return bindings && compiler.isNamedImports(bindings) && loads.includes(statement.moduleSpecifier.text);
    });
    return byName?.length === loads.length;
  }

  #original(symbol: ts.Symbol | undefined): ts.Symbol | undefined {
    if (!symbol || (symbol.flags & this.source.ts.SymbolFlags.Alias) === 0) return symbol;
    const original = this.#checker.getAliasedSymbol(symbol);
    return original.declarations?.length ? original : symbol;
  }

  #in(path: string, name: string): ts.Identifier[] {
    const named = this.#byText.get(name) ?? [];
    return named.filter((node) => node.getSourceFile().fileName === path && !isMember(this.source.ts, node));
  }

  #isUse(node: ts.Identifier): boolean {
    const { ts: compiler } = this.source;
    const { parent } = node;
    if (compiler.isImportSpecifier(parent) || isMember(compiler, node)) return false;
    if (compiler.isExportSpecifier(parent) || compiler.isShorthandPropertyAssignment(parent)) return true;
    return !("name" in parent && parent.name === node);
  }
}

/** Returns a compiler program that contains only the Pulumi program's files, without the declarations of packages. */
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
  return compiler.createProgram({ rootNames: [...source.texts.keys()].filter((path) => !isData(path)), options, host });
}
