import type ts from "typescript";
import { bindingsOf } from "./bindings";
import { withoutTypes } from "./declarations";
import { fixed, isLiteralType, objectIn, through, unknown, type Env, type Read, type Trace } from "./read";
import type { Reader } from "./reader";
import type { Symbols } from "./symbols";

/** Constants that stand for each other, in a circle or through more than a person would write. */
const deepest = 100;

/** What the names in expressions stand for: constants, what a loop walks, arguments of calls, members of objects. */
export class Names {
  #depth = 0;

  constructor(
    private readonly reader: Reader,
    private readonly symbols: Symbols,
    private readonly env: Env = new Map(),
    private readonly trace?: Trace,
  ) {}

  /** What a variable stands for. @param node where it is read @param member the only one that is read of it */
  variable(name: ts.Identifier, before: unknown = unknown, node: ts.Node = name, member?: string): Read {
    const symbol = this.symbols.of(name);
    const of = symbol && this.#depth < deepest ? this.#meaning(symbol, before) : undefined;
    if (!symbol || !of) {
      return fixed(node, node === name ? "is a variable" : "is a variable's, in shorthand", { value: before });
    }
    this.trace?.name(name);
    this.#mark(of);
    if (of.how === "fixed") return { ...of, node };
    const { compiler } = this.reader;
    const declaration = symbol.valueDeclaration;
    const type = declaration && compiler.isVariableDeclaration(declaration) ? declaration.type : undefined;
    if (type && isLiteralType(compiler, type)) {
      const about = { value: this.reader.valueOf(of), sure: this.reader.isSure(of) };
      return fixed(node, `is the constant ${name.text}, whose type allows nothing else`, about);
    }
    return { how: "named", node, of, uses: [{ symbol, ...(member === undefined ? {} : { member }) }] };
  }

  /** A member of what another expression stands for; nothing where that is not known. @param node where it is read */
  member(whole: Read, name: string, node: ts.Node, before: unknown = unknown): Read | undefined {
    const object = objectIn(whole);
    if (!object) return undefined;
    const member = this.reader.member(object, name);
    if (member.how === "fixed") return { ...member.read, node, value: before };
    const { uses } = through(whole);
    return { how: "named", node, uses, of: member.how === "set" ? member.read : { how: "missing", node, object, name } };
  }

  /** `defaults.interval` and `site.interval ?? 60`; nothing for anything else. */
  expression(node: ts.Expression, before: unknown): Read | undefined {
    const { compiler } = this.reader;
    if (compiler.isPropertyAccessExpression(node) && compiler.isIdentifier(node.name)) {
      const { expression, name } = node;
      if (!compiler.isIdentifier(expression)) return this.member(this.reader.read(expression), name.text, node, before);
      const exported = this.#exported(expression, name.text);
      const whole = exported ?? this.variable(expression, unknown, expression, name.text);
      return exported ?? this.member(whole, name.text, node, before);
    }
    const isEither = compiler.isBinaryExpression(node) && node.operatorToken.kind === compiler.SyntaxKind.QuestionQuestionToken;
    return isEither ? this.#either(node, before) : undefined;
  }

  /** The key of `config.require("key")` and its siblings, with its namespace where that is not the project's. */
  configurationKey(node: ts.Expression): string | undefined {
    const { compiler } = this.reader;
    if (!compiler.isCallExpression(node) || !compiler.isPropertyAccessExpression(node.expression)) return undefined;
    const { expression: called, name } = node.expression;
    const [key] = node.arguments;
    if (!/^(get|require)(Secret)?(Boolean|Number)?$/.test(name.text) || !key || !compiler.isStringLiteralLike(key)) {
      return undefined;
    }
    const declaration = compiler.isIdentifier(called) ? this.symbols.of(called)?.valueDeclaration : undefined;
    const initializer = declaration && compiler.isVariableDeclaration(declaration) ? declaration.initializer : called;
    const made = initializer && withoutTypes(compiler, initializer);
    if (!made || !compiler.isNewExpression(made) || !this.#isConfig(made.expression)) return undefined;
    const [namespace] = made.arguments ?? [];
    if (!namespace) return key.text;
    return compiler.isStringLiteralLike(namespace) ? `${namespace.text}:${key.text}` : undefined;
  }

  #isConfig(node: ts.Expression): boolean {
    const { compiler } = this.reader;
    const { names, namespaces } = bindingsOf(compiler, node.getSourceFile(), "@pulumi/pulumi");
    if (compiler.isIdentifier(node)) return names.get(node.text) === "Config";
    return (
      compiler.isPropertyAccessExpression(node) && node.name.text === "Config" && namespaces.has(node.expression.getText())
    );
  }

  #meaning(symbol: ts.Symbol, before: unknown): Read | undefined {
    const bound = this.env.get(symbol);
    if (bound) return bound;
    const { compiler } = this.reader;
    const { valueDeclaration: declaration, declarations = [] } = symbol;
    if (!declaration || declarations.length !== 1) return undefined;
    const isTaken = compiler.isBindingElement(declaration);
    const whole = isTaken ? declaration.parent.parent : declaration;
    if (!compiler.isVariableDeclaration(whole) || !whole.initializer) return undefined;
    if ((whole.parent.flags & compiler.NodeFlags.Const) === 0) return undefined;
    this.#depth += 1;
    try {
      if (!isTaken) return this.reader.read(whole.initializer, before);
      const { parent, name, propertyName, dotDotDotToken, initializer } = declaration;
      // `interval` of `const { interval } = defaults`.
      const isPlain = compiler.isObjectBindingPattern(parent) && compiler.isIdentifier(name) && !dotDotDotToken && !initializer;
      const key = isPlain ? this.reader.nameOf(propertyName ?? name) : undefined;
      return key === undefined ? undefined : this.member(this.reader.read(whole.initializer), key, name, before);
    } finally {
      this.#depth -= 1;
    }
  }

  /** Reports what was read before, such as the items that a loop walks. */
  #mark(read: Read): void {
    if (read.how === "named") this.#mark(read.of);
    else if (read.how === "missing") this.trace?.place(read.object.node, read.name);
    else this.trace?.place(read.node);
    if (read.how === "list") for (const item of read.items) this.#mark(item);
  }

  /** The constant of another file, of `all.interval` after `import * as all`. */
  #exported(node: ts.Identifier, name: string): Read | undefined {
    const module = this.symbols.of(node);
    const symbol = module && this.symbols.exportOf(module, name);
    const of = symbol && this.#meaning(symbol, unknown);
    const about = of && { value: this.reader.valueOf(of), sure: this.reader.isSure(of) };
    return about && fixed(node.parent, "is a constant of another file", about);
  }

  #either({ left, right }: ts.BinaryExpression, before: unknown): Read | undefined {
    const first = this.reader.read(left);
    if (first.how === "fixed" && first.configurationKey !== undefined) return { ...first, value: before };
    const value = this.reader.isSure(first) ? this.reader.valueOf(first) : unknown;
    if (value === unknown) return undefined;
    return value === undefined || value === null ? this.reader.read(right, before) : first;
  }
}
