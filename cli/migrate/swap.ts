import type ts from "typescript";
import { importedAs, isMember } from "../edit/bindings";
import { packageModules, withoutTypes } from "../edit/declarations";
import type { ProgramSource } from "../edit/program";
import { Refusal } from "../edit/value";
import type { Symbols } from "../edit/symbols";
import { holdingDeclaration, parameterOf } from "./swapped";

/** A piece of text that is replaced. */
export interface TextReplacement {
  readonly node: ts.Node;
  readonly text: string;
}

/** What has to be changed for an expression to name other things. */
export interface Swap {
  readonly replacements: readonly TextReplacement[];
  /** Variables that are changed where they are declared: nothing else may use them. */
  readonly changed: readonly ts.Symbol[];
  /** Parts of the program in which such a variable may be used. */
  readonly within: readonly ts.Node[];
}

/** Variables that stand for each other in more steps than a person would write. */
const deepest = 20;

/** Has expressions name other variables, such as `officeTag.id` for `office.id`, also where constants and parameters lie between. */
export class Swapper {
  constructor(
    private readonly source: ProgramSource,
    private readonly symbols: Symbols,
    /** New name by variable. */
    private readonly names: ReadonlyMap<ts.Symbol, string>,
    /** Class of what they hold, and of what is named instead: for types. */
    private readonly classes: { readonly from: string; readonly to: string },
  ) {}

  /** What has to be changed in an expression. @throws Refusal where it names something else, or nothing that could be followed */
  swap(expression: ts.Expression): Swap {
    const found: MutableSwap = { replacements: [], changed: [], within: [expression] };
    this.#swapAll(expression, found);
    return found;
  }

  /** A list has to name something in every item. */
  #swapAll(expression: ts.Expression, found: MutableSwap): void {
    const { ts: compiler } = this.source;
    const node = withoutTypes(compiler, expression);
    const parts = compiler.isArrayLiteralExpression(node) ? node.elements : [node];
    for (const part of parts) {
      if (this.#visit(part, found, 0) > 0) continue;
      if (compiler.isStringLiteralLike(part)) throw new Refusal("has an id in it that the program does not declare", part);
      throw new Refusal("is worked out in a way that cannot be followed", part);
    }
  }

  /** @returns how many names were replaced */
  #visit(node: ts.Node, found: MutableSwap, depth: number): number {
    const { ts: compiler } = this.source;
    if (compiler.isIdentifier(node)) return isMember(compiler, node) ? 0 : this.#visitName(node, found, depth);
    let hits = 0;
    compiler.forEachChild(node, (child) => {
      hits += this.#visit(child, found, depth);
    });
    return hits;
  }

  #visitName(node: ts.Identifier, found: MutableSwap, depth: number): number {
    const { ts: compiler } = this.source;
    const symbol = this.symbols.of(node);
    if (!symbol || depth > deepest) return 0;
    const { parent } = node;
    const name = this.names.get(symbol);
    if (name !== undefined) {
      const isShort = compiler.isShorthandPropertyAssignment(parent);
      found.replacements.push({ node, text: isShort ? `${node.text}: ${name}` : name });
      return 1;
    }
    if (compiler.isPropertyAccessExpression(parent) && parent.expression === node) {
      const exported = this.symbols.exportOf(symbol, parent.name.text);
      const member = exported && this.names.get(exported);
      if (member !== undefined) return found.replacements.push({ node: parent.name, text: member }) && 1;
    }
    if (found.changed.includes(symbol)) return 1;
    return this.#visitBetween(symbol, found, depth + 1);
  }

  /** A constant or parameter between the expression and what it names: it is changed where it gets its value. */
  #visitBetween(symbol: ts.Symbol, found: MutableSwap, depth: number): number {
    const { ts: compiler } = this.source;
    const declaration = holdingDeclaration(compiler, symbol);
    const values = declaration?.initializer
      ? [declaration.initializer]
      : parameterOf(this.source, this.symbols, symbol)?.values;
    if (!values || values.length === 0) return 0;
    const tried: MutableSwap = { replacements: [], changed: [...found.changed, symbol], within: [] };
    for (const value of values) if (this.#visit(value, tried, depth) === 0) return 0;
    const own = symbol.valueDeclaration;
    const typed = declaration ?? (own && compiler.isParameter(own) ? own : undefined);
    if (typed?.type) this.#retype(typed.type, tried);
    found.replacements.push(...tried.replacements);
    found.within.push(...tried.within, ...values);
    found.changed.splice(0, found.changed.length, ...tried.changed);
    return 1;
  }

  /** A type that names the class: `Label[]`. */
  #retype(type: ts.Node, found: MutableSwap): void {
    const { ts: compiler } = this.source;
    const file = type.getSourceFile();
    const own = importedAs(compiler, file, packageModules, this.classes.from);
    const visit = (node: ts.Node): void => {
      if (own !== undefined && node.getText() === own && (compiler.isIdentifier(node) || compiler.isQualifiedName(node))) {
        const to = importedAs(compiler, file, packageModules, this.classes.to);
        if (to === undefined) throw new Refusal(`has a type that names ${own}, in a file without ${this.classes.to}`, node);
        found.replacements.push({ node, text: to });
      } else compiler.forEachChild(node, visit);
    };
    visit(type);
  }

  /** The first use of a changed variable outside of what is changed with it. */
  otherUse({ changed }: Swap, within: readonly ts.Node[]): ts.Identifier | undefined {
    const isWithin = (node: ts.Node): boolean =>
      within.some((one) => one.getSourceFile() === node.getSourceFile() && node.pos >= one.pos && node.end <= one.end);
    return changed.flatMap((symbol) => this.symbols.references(symbol)).find((node) => !isWithin(node));
  }
}

interface MutableSwap {
  replacements: TextReplacement[];
  changed: ts.Symbol[];
  within: ts.Node[];
}
