import type ts from "typescript";
import { bindingsOf, exportRead, isRequire, isYamlRead } from "./bindings";
import { withoutTypes } from "./declarations";
import { literalValue } from "./literal-values";
import type { ProgramSource } from "./program-source";
import type { Symbols } from "./symbols";
import type { TypeScript } from "./typescript";
import { anyMember, fixed, isSpread, through, unknown, type Scope, type ObjectValue, type Trace, type Value } from "./value";

/** Maximum length of a chain of constants, because constants may refer to each other circularly. */
const maxDepth = 100;
const [computed, variable] = ["is computed by an expression", "is a variable"];

export interface ReaderOptions {
  env?: Scope;
  trace?: Trace;
  /** Returns the id of the resource in an expression such as `office.id`. */
  idOf?: (node: ts.Expression) => string | undefined;
}

/** Traces the value of an expression to its literal, through members, spreads, constants and variables. */
export class Reader {
  readonly #compiler: TypeScript;
  #depth = 0;

  constructor(
    readonly source: ProgramSource,
    private readonly symbols: Symbols,
    private readonly options: ReaderOptions = {},
  ) {
    this.#compiler = source.ts;
  }

  read(expression: ts.Expression): Value {
    const compiler = this.#compiler;
    const node = withoutTypes(compiler, expression);
    if (compiler.isIdentifier(node) && node.text !== "undefined") return this.variable(node);
    const id = this.options.idOf?.(node);
    if (id !== undefined) return fixed(node, "is the id of another resource", { value: id });
    const value = literalValue(this, this.#compiler, node);
    if (!value) return this.#named(node) ?? this.#configured(node) ?? fixed(node, computed);
    this.options.trace?.(node);
    return value;
  }

  /** Returns the value of a member. If several properties or spreads set the member, the last setting takes precedence. */
  member(object: ObjectValue, name: string, skipped?: ts.Node): Value {
    const compiler = this.#compiler;
    this.options.trace?.(object.node, name);
    const missing = { how: "missing", node: object.node, object, name } as const;
    if (object.omitted?.includes(name)) return missing;
    for (const [index, property] of [...object.node.properties.entries()].toReversed()) {
      if (property === skipped) continue;
      if (compiler.isSpreadAssignment(property)) {
        const whole = this.read(property.expression);
        const member = whole.how === "object" ? this.member(whole, name, skipped) : undefined;
        if (member?.how === "missing" && !member.set) continue;
        return member?.set ? through(member, whole.uses) : fixed(property, "may come from a spread");
      }
      const key = this.nameOf(property.name);
      if (key === undefined) return fixed(property, "may be set by a key in brackets");
      if (key !== name) continue;
      const set = { owner: object, index, property };
      if (compiler.isPropertyAssignment(property)) return { ...this.read(property.initializer), set };
      if (compiler.isShorthandPropertyAssignment(property)) return { ...this.variable(property.name, property), set };
      return fixed(property, "is a function");
    }
    return missing;
  }

  memberOf(whole: Value, name: string, node: ts.Node): Value | undefined {
    if (whole.how === "fixed" && whole.why !== variable)
      return fixed(node, whole.configurationKey === undefined ? whole.why : computed);
    if (whole.how !== "object") return undefined;
    const member = this.member(whole, name);
    return member.how === "fixed" && !member.set ? fixed(node, member.why) : through(member, whole.uses);
  }

  variable(name: ts.Identifier, node: ts.Node = name, member?: string): Value {
    const symbol = this.symbols.of(name);
    const value = symbol && this.#valueOf(symbol);
    if (!symbol || !value) return fixed(node, node === name ? variable : "is a shorthand for a variable");
    this.options.trace?.(name);
    if (this.options.trace) this.#report(value, this.options.trace);
    if (value.how === "fixed") return { ...value, node };
    return through(value, [{ symbol, ...(member === undefined ? {} : { member }) }]);
  }

  /** Returns the names of the visible members of an object literal, including members from spreads. */
  namesIn({ node, omitted }: ObjectValue): string[] {
    const names = node.properties.flatMap((property) => {
      if (property.name) return this.nameOf(property.name) ?? [];
      const spread = this.#compiler.isSpreadAssignment(property) ? this.read(property.expression) : undefined;
      return spread?.how === "object" ? this.namesIn(spread) : [];
    });
    return [...new Set(names)].filter((name) => omitted?.includes(name) !== true);
  }

  /** Returns the name of a member, unless the name is an expression in brackets. */
  nameOf(name: ts.PropertyName | undefined): string | undefined {
    if (!name || this.#compiler.isComputedPropertyName(name)) return undefined;
    // In an object literal, `__proto__: x` sets the prototype instead of defining a member.
    return name.text === "__proto__" ? undefined : name.text;
  }

  /** Returns a value as data, or `unknown` if the program computes any part of the value. */
  dataOf(value: Value): unknown {
    if (value.how === "plain" || value.how === "fixed") return value.value;
    if (value.how === "missing") return undefined;
    if (value.how === "list") {
      const parts = value.items.map((item) => ({ item, data: this.dataOf(item) }));
      if (parts.some(({ data }) => data === unknown)) return unknown;
      return parts.flatMap(({ item, data }) => (isSpread(item) ? (data as unknown[]) : [data]));
    }
    this.options.trace?.(value.node, anyMember);
    const members = this.namesIn(value).map((name): [string, unknown] => {
      return [name, this.dataOf(this.member(value, name))];
    });
    return this.#isOpen(value) || members.some(([, data]) => data === unknown) ? unknown : Object.fromEntries(members);
  }

  #isOpen({ node }: ObjectValue): boolean {
    return node.properties.some((property) => {
      if (!this.#compiler.isSpreadAssignment(property)) return this.nameOf(property.name) === undefined;
      const spread = this.read(property.expression);
      return spread.how !== "object" || this.#isOpen(spread);
    });
  }

  /** Reads expressions such as `defaults.interval`, `site.interval ?? 60` and `JSON.parse(readFileSync("sites.json", "utf8"))`. */
  #named(node: ts.Expression): Value | undefined {
    const compiler = this.#compiler;
    if (compiler.isPropertyAccessExpression(node) && compiler.isIdentifier(node.name)) {
      const { expression, name } = node;
      if (!compiler.isIdentifier(expression)) return this.memberOf(this.read(expression), name.text, node);
      const exported = this.symbols.of(node);
      const value = exported && this.#valueOf(exported);
      if (value) return fixed(node, "is a constant of another file", { value: this.dataOf(value) });
      return this.memberOf(this.variable(expression, expression, name.text), name.text, node);
    }
    if (compiler.isBinaryExpression(node) && node.operatorToken.kind === compiler.SyntaxKind.QuestionQuestionToken) {
      const first = this.read(node.left);
      if (first.how === "fixed" && first.configurationKey !== undefined) return first;
      const data = this.dataOf(first);
      return data === unknown ? undefined : data === undefined || data === null ? this.read(node.right) : first;
    }
    return compiler.isCallExpression(node) ? this.#called(node) : undefined;
  }

  /** Reads calls that load data files, and calls of text methods such as `name.replace(" ", "-")`. */
  #called(node: ts.CallExpression): Value | undefined {
    const compiler = this.#compiler;
    const { expression: called, arguments: values } = node;
    const [first] = values;
    if (compiler.isStringLiteral(called)) {
      return fixed(node, called.text, { value: first ? this.dataOf(this.read(first)) : unknown });
    }
    if (called.getText() === "JSON.parse" || isYamlRead(compiler, node)) return this.#json(node);
    if (!compiler.isPropertyAccessExpression(called)) return undefined;
    const [, method] = /^(replace|replaceAll|toLowerCase|toUpperCase|trim)$/.exec(called.name.text) ?? [];
    const [text, ...parameters] =
      method === undefined ? [] : [called.expression, ...values].map((part) => this.dataOf(this.read(part)));
    if (typeof text !== "string" || parameters.some((parameter) => typeof parameter !== "string")) return undefined;
    const change = text[method as "replace"] as (...by: unknown[]) => string;
    return fixed(node, computed, { value: change.apply(text, parameters) });
  }

  #json(node: ts.Node): Value | undefined {
    const path = this.source.dataFile(node);
    const root = path === undefined ? undefined : this.source.file(path)?.statements[0];
    if (path === undefined || !root || !this.#compiler.isExpressionStatement(root)) return undefined;
    if (this.source.timesNamed(path) > 1) return fixed(node, `comes from ${path}, which the program names more than once`);
    return this.read(root.expression);
  }

  /** Reads `config.require("key")` and similar calls. In `pulumi.Config`, a key in the project's own namespace has no prefix. */
  #configured(node: ts.Expression): Value | undefined {
    const compiler = this.#compiler;
    if (!compiler.isCallExpression(node) || !compiler.isPropertyAccessExpression(node.expression)) return undefined;
    const { expression: called, name } = node.expression;
    const [key] = node.arguments;
    const isRead = /^(get|require)(Secret)?(Boolean|Number)?$/.test(name.text);
    if (!isRead || !key || !compiler.isStringLiteralLike(key)) return undefined;
    const declaration = this.symbols.of(called)?.valueDeclaration;
    const initializer = declaration && compiler.isVariableDeclaration(declaration) ? declaration.initializer : called;
    const made = initializer && withoutTypes(compiler, initializer);
    if (!made || !compiler.isNewExpression(made)) return undefined;
    const bindings = bindingsOf(compiler, made.getSourceFile(), "@pulumi/pulumi");
    if (exportRead(compiler, bindings, made.expression) !== "Config") return undefined;
    const [namespace] = made.arguments ?? [];
    if (namespace && !compiler.isStringLiteralLike(namespace)) return undefined;
    const configurationKey = namespace ? `${namespace.text}:${key.text}` : key.text;
    return fixed(node, `comes from the configuration (${configurationKey})`, { configurationKey });
  }

  #valueOf({ declarations: [declaration, ...duplicates] = [] }: ts.Symbol): Value | undefined {
    if (!declaration || duplicates.length > 0 || this.#depth >= maxDepth) return undefined;
    this.#depth += 1;
    try {
      return this.#declaredValue(declaration);
    } finally {
      this.#depth -= 1;
    }
  }

  #declaredValue(declaration: ts.Node): Value | undefined {
    const compiler = this.#compiler;
    const bound = this.options.env?.get(declaration);
    if (bound) return bound;
    if (compiler.isBindingElement(declaration)) return this.#destructured(declaration);
    if (compiler.isImportClause(declaration)) return this.#json(declaration.parent);
    if (compiler.isNamespaceImport(declaration)) return this.#json(declaration.parent.parent);
    if (!compiler.isVariableDeclaration(declaration) || !declaration.initializer) return undefined;
    const { initializer, parent } = declaration;
    if ((parent.flags & compiler.NodeFlags.Const) === 0) return undefined;
    return (isRequire(compiler, initializer) ? this.#json(initializer) : undefined) ?? this.read(initializer);
  }

  /** Returns the part of a value that a destructuring pattern assigns to a name, such as `interval` in `{ interval }`. */
  #destructured({ parent, name, propertyName, initializer, dotDotDotToken: isRest }: ts.BindingElement): Value | undefined {
    const compiler = this.#compiler;
    const whole = this.#declaredValue(parent.parent);
    if (!whole) return undefined;
    if (compiler.isArrayBindingPattern(parent)) {
      const items = whole.how === "list" ? whole.items : whole.how === "fixed" ? whole.parts : undefined;
      const item = items?.[parent.elements.findIndex((element) => "name" in element && element.name === name)];
      return !item || items?.some(isSpread) || initializer || isRest ? undefined : through(item, whole.uses);
    }
    if (isRest) {
      const destructured = parent.elements.flatMap((element) =>
        element.name === name ? [] : (element.propertyName ?? element.name).getText(),
      );
      return whole.how === "object" ? { ...whole, omitted: [...(whole.omitted ?? []), ...destructured] } : undefined;
    }
    const key = this.nameOf(propertyName ?? (compiler.isIdentifier(name) ? name : undefined));
    const member = key === undefined ? undefined : this.memberOf(whole, key, name);
    return member?.how === "missing" && initializer ? this.read(initializer) : member;
  }

  /** Reports the nodes of a value to `trace`, because an earlier evaluation has already read the value. */
  #report(value: Value, trace: Trace): void {
    if (value.how === "missing") trace(value.object.node, value.name);
    else trace(value.node);
    if (value.how === "list") for (const item of value.items) this.#report(item, trace);
  }
}
