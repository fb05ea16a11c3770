import type ts from "typescript";
import { bindingsOf } from "./bindings";
import { withoutTypes } from "./declarations";
import type { ProgramSource } from "./program";
import type { Symbols } from "./symbols";
import type { TypeScript } from "./typescript";
import { anyMember, fixed, through, unknown, type Env, type Member, type ObjectValue, type Trace, type Value } from "./value";

/** Constants that refer to each other: more steps than a person would write. */
const deepest = 100;
const computed = "is worked out by an expression";
const variable = "is a variable";

export interface ReaderOptions {
  env?: Env;
  /** Reports each place that is read, and with `visited` each variable. */
  trace?: Trace;
  visited?: Set<ts.Identifier>;
  /** Returns the id for an expression such as `office.id`. */
  idOf?: (node: ts.Expression) => string | undefined;
}

/** Finds where the value of an expression is written: literals, members, spreads, constants, and the variables of `env`. */
export class Reader {
  readonly #compiler: TypeScript;
  #depth = 0;

  constructor(
    private readonly source: ProgramSource,
    private readonly symbols: Symbols,
    private readonly options: ReaderOptions = {},
  ) {
    this.#compiler = source.ts;
  }

  read(expression: ts.Expression): Value {
    const compiler = this.#compiler;
    const node = withoutTypes(compiler, expression);
    this.options.trace?.(node);
    const plain = this.#plain(node);
    if (plain) return { how: "plain", node, value: plain.value };
    if (compiler.isArrayLiteralExpression(node)) return { how: "list", node, items: this.#items(node) };
    if (compiler.isObjectLiteralExpression(node)) return { how: "object", node };
    if (compiler.isIdentifier(node)) return this.variable(node);
    const id = this.options.idOf?.(node);
    if (id !== undefined) return fixed(node, "is the id of another resource", { value: id });
    return this.#named(node) ?? this.#configured(node) ?? fixed(node, computed);
  }

  /** The value of a member of an object literal: the last member or spread that sets it. @param without a property to skip */
  member(object: ObjectValue, name: string, without?: ts.Node): Member {
    const compiler = this.#compiler;
    this.options.trace?.(object.node, name);
    if (object.omitted?.includes(name)) return { how: "absent" };
    const stays = (property: ts.Node, why: string): Member => ({ how: "fixed", value: fixed(property, why) });
    for (const [index, property] of [...object.node.properties.entries()].toReversed()) {
      if (property === without) continue;
      if (compiler.isSpreadAssignment(property)) {
        const whole = this.read(property.expression);
        const brought = whole.how === "object" ? this.member(whole, name, without) : undefined;
        if (brought?.how === "absent") continue;
        if (brought?.how === "set") return { ...brought, value: through(brought.value, whole.uses) };
        return stays(property, "may come from what is spread there");
      }
      const key = this.nameOf(property.name);
      if (key === undefined) return stays(property, "may be set by a key in brackets");
      if (key !== name) continue;
      const set = { how: "set", owner: object, index, property } as const;
      if (compiler.isPropertyAssignment(property)) return { ...set, value: this.read(property.initializer) };
      if (!compiler.isShorthandPropertyAssignment(property)) return stays(property, "is a function");
      return { ...set, value: this.variable(property.name, property) };
    }
    return { how: "absent" };
  }

  memberOf(whole: Value, name: string, node: ts.Node): Value | undefined {
    if (whole.how === "fixed" && whole.why !== variable)
      return fixed(node, whole.configurationKey === undefined ? whole.why : computed);
    if (whole.how !== "object") return undefined;
    const member = this.member(whole, name);
    if (member.how === "fixed") return { ...member.value, node };
    if (member.how === "absent") return { how: "missing", node, object: whole, name, uses: whole.uses };
    return through(member.value, whole.uses);
  }

  /** Reads a variable. @param node the expression that reads it @param member the only member that is read of it */
  variable(name: ts.Identifier, node: ts.Node = name, member?: string): Value {
    const symbol = this.symbols.of(name);
    const value = symbol && this.#depth < deepest ? this.#meaning(symbol) : undefined;
    if (!symbol || !value) return fixed(node, node === name ? variable : "is a variable's, in shorthand");
    this.options.visited?.add(name);
    if (this.options.trace) this.#report(value, this.options.trace);
    if (value.how === "fixed") return { ...value, node };
    return through(value, [{ symbol, ...(member === undefined ? {} : { member }) }]);
  }

  /** Names of the members that an object literal shows, with those of spreads. */
  namesIn({ node, omitted }: ObjectValue): string[] {
    const names = node.properties.flatMap((property) => {
      if (property.name) return this.nameOf(property.name) ?? [];
      const spread = this.#compiler.isSpreadAssignment(property) ? this.read(property.expression) : undefined;
      return spread?.how === "object" ? this.namesIn(spread) : [];
    });
    return [...new Set(names)].filter((name) => omitted?.includes(name) !== true);
  }

  /** The name of a member, unless it is in brackets. */
  nameOf(name: ts.PropertyName | undefined): string | undefined {
    if (!name || this.#compiler.isComputedPropertyName(name)) return undefined;
    // `__proto__: x` in a literal sets no member.
    return name.text === "__proto__" ? undefined : name.text;
  }

  /** The value as data, or `unknown` if the program does not show all of it. */
  dataOf(value: Value): unknown {
    if (value.how === "plain" || value.how === "fixed") return value.value;
    if (value.how === "missing") return undefined;
    if (value.how === "list") {
      const parts = value.items.map((item) => ({ item, data: this.dataOf(item) }));
      if (parts.some(({ data }) => data === unknown)) return unknown;
      return parts.flatMap(({ item, data }) => (item.how === "fixed" && item.spread ? (data as unknown[]) : [data]));
    }
    this.options.trace?.(value.node, anyMember);
    const isOpen = value.node.properties.some(
      (one) => this.nameOf(one.name) === undefined && !this.#compiler.isSpreadAssignment(one),
    );
    const members = this.namesIn(value).map((name): [string, unknown] => {
      const member = this.member(value, name);
      return [name, member.how === "absent" ? undefined : this.dataOf(member.value)];
    });
    return isOpen || members.some(([, data]) => data === unknown) || this.#hasOpenSpread(value)
      ? unknown
      : Object.fromEntries(members);
  }

  #hasOpenSpread({ node }: ObjectValue): boolean {
    return node.properties.some((one) => {
      if (!this.#compiler.isSpreadAssignment(one)) return false;
      const spread = this.read(one.expression);
      return spread.how !== "object" || this.#hasOpenSpread(spread);
    });
  }

  /** `defaults.interval`, `site.interval ?? 60` and `JSON.parse(readFileSync("sites.json", "utf8"))`. */
  #named(node: ts.Expression): Value | undefined {
    const compiler = this.#compiler;
    if (compiler.isPropertyAccessExpression(node) && compiler.isIdentifier(node.name)) {
      const { expression, name } = node;
      if (!compiler.isIdentifier(expression)) return this.memberOf(this.read(expression), name.text, node);
      const module = this.symbols.of(expression);
      const exported = module && this.symbols.exportOf(module, name.text);
      const value = exported && this.#meaning(exported);
      if (value) return fixed(node, "is a constant of another file", { value: this.dataOf(value) });
      return this.memberOf(this.variable(expression, expression, name.text), name.text, node);
    }
    if (compiler.isBinaryExpression(node) && node.operatorToken.kind === compiler.SyntaxKind.QuestionQuestionToken) {
      const first = this.read(node.left);
      if (first.how === "fixed" && first.configurationKey !== undefined) return first;
      const data = this.dataOf(first);
      return data === unknown ? undefined : data === undefined || data === null ? this.read(node.right) : first;
    }
    const isParsed = compiler.isCallExpression(node) && node.expression.getText() === "JSON.parse";
    return isParsed ? this.#json(node) : undefined;
  }

  /** The content of a JSON file that an expression names. */
  #json(node: ts.Node): Value | undefined {
    const path = this.source.dataFile(node);
    const root = path === undefined ? undefined : this.source.file(path)?.statements[0];
    if (path === undefined || !root || !this.#compiler.isExpressionStatement(root)) return undefined;
    if (this.source.timesNamed(path) > 1) return fixed(node, `comes from ${path}, which the program names more than once`);
    return this.read(root.expression);
  }

  #configured(node: ts.Expression): Value | undefined {
    const key = this.#configurationKey(node);
    return key === undefined ? undefined : fixed(node, `comes from the configuration (${key})`, { configurationKey: key });
  }

  /** The key of `config.require("key")` and its siblings, with its namespace unless that is the project's. */
  #configurationKey(node: ts.Expression): string | undefined {
    const compiler = this.#compiler;
    if (!compiler.isCallExpression(node) || !compiler.isPropertyAccessExpression(node.expression)) return undefined;
    const { expression: called, name } = node.expression;
    const [key] = node.arguments;
    if (!/^(get|require)(Secret)?(Boolean|Number)?$/.test(name.text) || !key || !compiler.isStringLiteralLike(key)) {
      return undefined;
    }
    const declaration = compiler.isIdentifier(called) ? this.symbols.of(called)?.valueDeclaration : undefined;
    const initializer = declaration && compiler.isVariableDeclaration(declaration) ? declaration.initializer : called;
    const made = initializer && withoutTypes(compiler, initializer);
    if (!made || !compiler.isNewExpression(made) || !isConfig(compiler, made.expression)) return undefined;
    const [namespace] = made.arguments ?? [];
    if (!namespace) return key.text;
    return compiler.isStringLiteralLike(namespace) ? `${namespace.text}:${key.text}` : undefined;
  }

  /** The value of a constant, of `interval` in `const { interval } = defaults`, or of a variable of `env`. */
  #meaning(symbol: ts.Symbol): Value | undefined {
    const bound = this.options.env?.get(symbol);
    if (bound) return bound;
    const compiler = this.#compiler;
    const [declaration, ...others] = symbol.declarations ?? [];
    if (!declaration || others.length > 0) return undefined;
    if (compiler.isImportClause(declaration) || compiler.isNamespaceImport(declaration))
      return this.#json(importOf(declaration));
    const isTaken = compiler.isBindingElement(declaration);
    const whole = isTaken ? declaration.parent.parent : declaration;
    if (!compiler.isVariableDeclaration(whole) || !whole.initializer) return undefined;
    if ((whole.parent.flags & compiler.NodeFlags.Const) === 0) return undefined;
    this.#depth += 1;
    try {
      const { initializer } = whole;
      const isRequired = compiler.isCallExpression(initializer) && initializer.expression.getText() === "require";
      if (!isTaken) return (isRequired ? this.#json(initializer) : undefined) ?? this.read(initializer);
      const { parent, name, propertyName, dotDotDotToken, initializer: otherwise } = declaration;
      if (!compiler.isObjectBindingPattern(parent) || !compiler.isIdentifier(name) || dotDotDotToken || otherwise)
        return undefined;
      const key = this.nameOf(propertyName && !compiler.isComputedPropertyName(propertyName) ? propertyName : name);
      return key === undefined ? undefined : this.memberOf(this.read(initializer), key, name);
    } finally {
      this.#depth -= 1;
    }
  }

  /** Reports what was read before, such as the items that a loop walks. */
  #report(value: Value, trace: Trace): void {
    if (value.how === "missing") trace(value.object.node, value.name);
    else trace(value.node);
    if (value.how === "list") for (const item of value.items) this.#report(item, trace);
  }

  #plain(node: ts.Expression): { value: unknown } | undefined {
    const compiler = this.#compiler;
    const { SyntaxKind } = compiler;
    if (compiler.isStringLiteralLike(node)) return { value: node.text };
    if (compiler.isTemplateExpression(node)) return this.#template(node);
    if (compiler.isNumericLiteral(node)) return { value: Number(node.text) };
    if (compiler.isPrefixUnaryExpression(node) && compiler.isNumericLiteral(node.operand)) {
      if (node.operator === SyntaxKind.MinusToken) return { value: -Number(node.operand.text) };
      if (node.operator === SyntaxKind.PlusToken) return { value: Number(node.operand.text) };
    }
    if (node.kind === SyntaxKind.TrueKeyword) return { value: true };
    if (node.kind === SyntaxKind.FalseKeyword) return { value: false };
    if (node.kind === SyntaxKind.NullKeyword) return { value: null };
    return compiler.isIdentifier(node) && node.text === "undefined" ? { value: undefined } : undefined;
  }

  /** A template is plain text if the program shows all that goes into it. */
  #template({ head, templateSpans }: ts.TemplateExpression): { value: string } | undefined {
    let text = head.text;
    for (const { expression, literal } of templateSpans) {
      const data = this.dataOf(this.read(expression));
      if (typeof data !== "string" && typeof data !== "number" && typeof data !== "boolean") return undefined;
      text += `${data}${literal.text}`;
    }
    return { value: text };
  }

  #items({ elements }: ts.ArrayLiteralExpression): Value[] {
    const compiler = this.#compiler;
    return elements.map((element) => {
      if (compiler.isOmittedExpression(element)) return fixed(element, "is a hole");
      if (!compiler.isSpreadElement(element)) return this.read(element);
      const data = this.dataOf(this.read(element.expression));
      return fixed(element, "is a list that is spread there", { value: Array.isArray(data) ? data : unknown, spread: true });
    });
  }
}

function importOf(node: ts.ImportClause | ts.NamespaceImport): ts.Node {
  return "namedBindings" in node ? node.parent : node.parent.parent;
}

function isConfig(compiler: TypeScript, node: ts.Expression): boolean {
  const { names, namespaces } = bindingsOf(compiler, node.getSourceFile(), "@pulumi/pulumi");
  if (compiler.isIdentifier(node)) return names.get(node.text) === "Config";
  return compiler.isPropertyAccessExpression(node) && node.name.text === "Config" && namespaces.has(node.expression.getText());
}
