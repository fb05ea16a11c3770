import type ts from "typescript";
import { isMember } from "./bindings";
import type { TypeScript } from "./typescript";

/** A constant at the top level of a file. */
export interface Constant {
  name: string;
  declaration: ts.VariableDeclaration;
  initializer: ts.Expression;
  /** How often the file names it elsewhere. */
  uses: number;
  exported: boolean;
}

/** The names of a file: which constants it has, and how often it uses them. */
export class Scope {
  readonly #uses = new Map<string, number>();
  readonly #constants = new Map<string, Constant>();
  /** Names that are declared more than once, in whatever function: what a use of one means depends on where it stands. */
  readonly #declared = new Map<string, number>();

  constructor(
    private readonly compiler: TypeScript,
    readonly file: ts.SourceFile,
  ) {
    this.#visit(file);
    for (const statement of file.statements) if (compiler.isVariableStatement(statement)) this.#add(statement);
  }

  /** The constant that a name means, wherever in the file it stands; nothing for a name of something else, or of several things. */
  constant(name: string): Constant | undefined {
    const found = this.#constants.get(name);
    return found && this.isUnique(name) ? { ...found, uses: (this.#uses.get(name) ?? 0) - 1 } : undefined;
  }

  /** Whether the file has a name at all, at whatever depth: declared or used. */
  isUsed(name: string): boolean {
    return this.#uses.has(name);
  }

  /** Whether a name is declared just once in the file, at whatever depth. */
  isUnique(name: string): boolean {
    return this.#declared.get(name) === 1;
  }

  #add(statement: ts.VariableStatement): void {
    const { declarationList: list } = statement;
    if ((list.flags & this.compiler.NodeFlags.Const) === 0) return;
    const exported = statement.modifiers?.some(({ kind }) => kind === this.compiler.SyntaxKind.ExportKeyword) === true;
    for (const declaration of list.declarations) {
      const { name, initializer } = declaration;
      if (!initializer || !this.compiler.isIdentifier(name)) continue;
      this.#constants.set(name.text, { name: name.text, declaration, initializer, uses: 0, exported });
    }
  }

  #visit(node: ts.Node): void {
    if (this.compiler.isIdentifier(node) && !isMember(this.compiler, node)) {
      this.#uses.set(node.text, (this.#uses.get(node.text) ?? 0) + 1);
      if (this.#isDeclaration(node)) this.#declared.set(node.text, (this.#declared.get(node.text) ?? 0) + 1);
    }
    this.compiler.forEachChild(node, (child) => this.#visit(child));
  }

  #isDeclaration(node: ts.Identifier): boolean {
    const { compiler } = this;
    const { parent } = node;
    if (compiler.isExportSpecifier(parent) || compiler.isShorthandPropertyAssignment(parent)) return false;
    return "name" in parent && parent.name === node && !compiler.isPropertyAccessExpression(parent);
  }
}
