import type ts from "typescript";
import { withoutTypes, type Declaration } from "../edit/declarations";
import type { ProgramSource } from "../edit/program";
import { Refusal } from "../edit/value";
import type { Symbols } from "../edit/symbols";

/** What a declaration is part of: the statements that make it and hold it, and the names by which the program reaches it. */
export interface Holding {
  /** Statements that are there for declarations of its class alone, helpers and tables included. */
  readonly statements: ReadonlySet<ts.Statement>;
  /** Variables and functions that these statements declare. */
  readonly symbols: ReadonlySet<ts.Symbol>;
  /** Places that export such a name: `exports.office = office;`, or the name in a list of exports. */
  readonly exports: ReadonlySet<ts.Node>;
}

/** Constructors of containers, which may stand in a statement that holds declarations. */
const containers = new Set(["Map", "Set", "Array", "Object"]);

/** Finds out what belongs to the declarations of one class, so that they can be doubled or deleted with all that holds them. */
export class Holdings {
  constructor(
    private readonly source: ProgramSource,
    private readonly symbols: Symbols,
    /** All declarations of the class. */
    private readonly declarations: readonly Declaration[],
  ) {}

  /** What a declaration is part of. @throws Refusal where it is part of something else, too */
  of(declaration: Declaration): Holding {
    const found = { statements: new Set<ts.Statement>(), symbols: new Set<ts.Symbol>(), exports: new Set<ts.Node>() };
    this.#visit(declaration.node, found);
    return { ...found, statements: outermost(found.statements) };
  }

  #visit(node: ts.Expression, found: MutableHolding): void {
    const { ts: compiler } = this.source;
    const statement = this.#statementOf(node);
    if (found.statements.has(statement)) return;
    if (compiler.isReturnStatement(statement)) return this.#visitFunction(statement, found);
    this.#add(statement, found);
    if (compiler.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) this.#name(name, found);
      return;
    }
    if (!compiler.isExpressionStatement(statement)) throw new Refusal("stands in a statement of another sort", node);
    const root = this.#heldBy(statement.expression);
    if (root === undefined) return;
    const [declared] = this.symbols.of(root)?.declarations ?? [];
    const isVariable = declared !== undefined && compiler.isVariableDeclaration(declared);
    const holder = isVariable ? declared.parent.parent : undefined;
    if (!holder || !compiler.isVariableStatement(holder))
      throw new Refusal(`is kept in ${root.text}, which is no variable`, node);
    if (found.statements.has(holder)) return;
    this.#add(holder, found);
    for (const { name } of holder.declarationList.declarations) this.#name(name, found);
  }

  /** The variable that an expression puts something into: `labels` of `labels[name] = …` and `labels.push(…)`. */
  #heldBy(expression: ts.Expression): ts.Identifier | undefined {
    const { ts: compiler } = this.source;
    const node = withoutTypes(compiler, expression);
    let target: ts.Expression | undefined;
    if (compiler.isBinaryExpression(node) && node.operatorToken.kind === compiler.SyntaxKind.EqualsToken) target = node.left;
    else if (compiler.isCallExpression(node) && compiler.isPropertyAccessExpression(node.expression)) {
      if (/^(push|unshift|set|add)$/.test(node.expression.name.text)) target = node.expression.expression;
    }
    if (!target) return undefined;
    let root = withoutTypes(compiler, target);
    while (compiler.isPropertyAccessExpression(root) || compiler.isElementAccessExpression(root)) {
      root = withoutTypes(compiler, root.expression);
    }
    if (compiler.isIdentifier(root) && root.text !== "exports" && root.text !== "module") return root;
    throw new Refusal(`is kept in ${target.getText()}`, node);
  }

  /** A function that returns the declaration: what it is called for is the declaration, too. */
  #visitFunction(statement: ts.ReturnStatement, found: MutableHolding): void {
    const { ts: compiler } = this.source;
    let at: ts.Node = statement;
    while (!compiler.isFunctionLike(at)) at = at.parent;
    if (compiler.isArrowFunction(at) || compiler.isFunctionExpression(at)) return this.#visit(at, found);
    if (!compiler.isFunctionDeclaration(at) || !at.name) throw new Refusal("is returned by a method", statement);
    if (found.statements.has(at)) return;
    this.#add(at, found);
    this.#name(at.name, found);
  }

  /** The same for one that is returned by its name: where the function makes more, the name alone is what holds it. */
  #tryFunction(statement: ts.ReturnStatement, found: MutableHolding): void {
    const tried = { statements: new Set(found.statements), symbols: new Set(found.symbols), exports: new Set(found.exports) };
    try {
      this.#visitFunction(statement, tried);
    } catch (error) {
      if (error instanceof Refusal) return;
      throw error;
    }
    for (const one of tried.statements) found.statements.add(one);
    for (const one of tried.symbols) found.symbols.add(one);
    for (const one of tried.exports) found.exports.add(one);
  }

  #add(statement: ts.Statement, found: MutableHolding): void {
    this.#refuseOthers(statement);
    found.statements.add(statement);
  }

  /** Notes a name that holds the declaration, and follows what the program does with it. */
  #name(name: ts.BindingName, found: MutableHolding): void {
    const { ts: compiler } = this.source;
    const symbol = compiler.isIdentifier(name) ? this.symbols.of(name) : undefined;
    if (!symbol) throw new Refusal("is taken apart where it is made", name);
    if (found.symbols.has(symbol)) return;
    found.symbols.add(symbol);
    const calls = isFunctionName(this.source, name);
    for (const node of this.symbols.references(symbol)) {
      const exported = exportedBy(this.source, node);
      if (exported) found.exports.add(exported);
      else if (calls) {
        const { parent } = node;
        if (!compiler.isCallExpression(parent) || parent.expression !== node) {
          throw new Refusal(`is made by ${symbol.name}, which is passed on`, node);
        }
        this.#visit(parent, found);
      } else if (compiler.isReturnStatement(node.parent)) this.#tryFunction(node.parent, found);
    }
  }

  #statementOf(node: ts.Node): ts.Statement {
    const { ts: compiler } = this.source;
    let at: ts.Node = node;
    for (; ; at = at.parent) {
      if (compiler.isClassElement(at) && !compiler.isConstructorDeclaration(at)) {
        throw new Refusal("is a member of a class, or made by a method of one", node);
      }
      const { parent } = at;
      const holds = compiler.isBlock(parent) || compiler.isSourceFile(parent) || compiler.isModuleBlock(parent);
      // The children of such a node are statements.
      if (holds) return at as ts.Statement;
      if (compiler.isCaseOrDefaultClause(parent) || (compiler.isIfStatement(parent) && at !== parent.expression)) {
        throw new Refusal("stands in a branch without a block of its own", node);
      }
    }
  }

  /** @throws Refusal where a statement makes anything else than declarations of the class */
  #refuseOthers(statement: ts.Statement): void {
    const { ts: compiler } = this.source;
    const own = new Set<ts.Node>(this.declarations.map(({ node }) => node));
    const visit = (node: ts.Node): void => {
      const isOther = compiler.isNewExpression(node) && !own.has(node) && !containers.has(node.expression.getText());
      if (isOther) throw new Refusal(`is made together with new ${node.expression.getText()}`, node);
      compiler.forEachChild(node, visit);
    };
    visit(statement);
  }
}

interface MutableHolding {
  statements: Set<ts.Statement>;
  symbols: Set<ts.Symbol>;
  exports: Set<ts.Node>;
}

/** Whether a name is that of a function: what it is called for is looked at, not what it is. */
function isFunctionName({ ts: compiler }: ProgramSource, { parent }: ts.BindingName): boolean {
  if (compiler.isFunctionDeclaration(parent)) return true;
  const { initializer } = compiler.isVariableDeclaration(parent) ? parent : { initializer: undefined };
  const made = initializer && withoutTypes(compiler, initializer);
  return made !== undefined && (compiler.isArrowFunction(made) || compiler.isFunctionExpression(made));
}

/** Statements that stand in none of the others. */
function outermost(statements: ReadonlySet<ts.Statement>): Set<ts.Statement> {
  const isInside = (one: ts.Statement): boolean => {
    for (let at: ts.Node = one.parent; at; at = at.parent) if (statements.has(at as ts.Statement)) return true;
    return false;
  };
  return new Set([...statements].filter((one) => !isInside(one)));
}

/** What exports a name, where that is all it does: a statement, a specifier or a member of `module.exports = { … }`. */
function exportedBy({ ts: compiler }: ProgramSource, node: ts.Identifier): ts.Node | undefined {
  const { parent } = node;
  if (compiler.isExportSpecifier(parent)) return parent;
  const isExports = (one: ts.Expression): boolean => ["exports", "module.exports"].includes(one.getText());
  const isShort = compiler.isShorthandPropertyAssignment(parent);
  const member = isShort || (compiler.isPropertyAssignment(parent) && parent.initializer === node) ? parent : undefined;
  if (member) {
    const assigned = member.parent.parent;
    return compiler.isBinaryExpression(assigned) && isExports(assigned.left) ? member : undefined;
  }
  if (!compiler.isBinaryExpression(parent) || parent.right !== node || !compiler.isExpressionStatement(parent.parent)) {
    return undefined;
  }
  const { left } = parent;
  return compiler.isPropertyAccessExpression(left) && isExports(left.expression) ? parent.parent : undefined;
}
