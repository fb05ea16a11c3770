import type ts from "typescript";
import { isObject, sameValue } from "../../provider/values";
import { withoutTypes, wrappersOf } from "./declarations";
import { Names } from "./names";
import { fixed, isLiteralType, isSpread, objectIn, through, unknown } from "./read";
import type { Env, Member, ObjectRead, Read, Trace } from "./read";
import type { Symbols } from "./symbols";
import type { TypeScript } from "./typescript";

/** Reads the expressions of a program. */
export class Reader {
  readonly names: Names;

  constructor(
    readonly compiler: TypeScript,
    symbols: Symbols,
    private readonly about: {
      env?: Env;
      trace?: Trace;
      /** What an expression that names a resource's id is worth, such as `office.id`. */
      idOf?: (node: ts.Expression) => string | undefined;
      /** Where resources are declared. */
      declared?: readonly ts.Node[];
    } = {},
  ) {
    this.names = new Names(this, symbols, about.env, about.trace);
  }

  /** @param before what the expression was worth at the last update, where that is known */
  read(expression: ts.Expression, before: unknown = unknown): Read {
    const { compiler } = this;
    const node = withoutTypes(compiler, expression);
    this.about.trace?.place(node);
    const plain = this.#plain(node);
    if (plain) {
      const types = wrappersOf(compiler, expression).flatMap((wrapper) => ("type" in wrapper ? [wrapper.type] : []));
      const isPinned = types.some((type) => isLiteralType(compiler, type));
      if (!isPinned) return { how: "plain", node, value: plain.value };
      return fixed(node, "has a type that allows nothing else", { value: plain.value, sure: true });
    }
    if (compiler.isArrayLiteralExpression(node)) return { how: "list", node, items: this.#items(node, before) };
    if (compiler.isObjectLiteralExpression(node)) return { how: "object", node, before };
    if (compiler.isIdentifier(node)) return this.names.variable(node, before);
    const id = this.about.idOf?.(node);
    if (id !== undefined) return fixed(node, "is the id of another resource", { value: id, sure: true });
    const named = this.names.expression(node, before);
    if (named) return named;
    const configurationKey = this.names.configurationKey(node);
    if (configurationKey === undefined) return fixed(node, "is worked out by an expression", { value: before });
    return fixed(node, `comes from the configuration (${configurationKey})`, { value: before, configurationKey });
  }

  /** What an object literal says of a member: the last that sets it, or that could. */
  member(object: ObjectRead, name: string, without?: ts.Node): Member {
    const { compiler } = this;
    const { node, before, omitted } = object;
    this.about.trace?.place(node, name);
    if (omitted?.includes(name)) return { how: "absent" };
    const was = isObject(before) && Object.hasOwn(before, name) ? before[name] : before === unknown ? unknown : undefined;
    const stays = (property: ts.Node, why: string): Member => ({ how: "fixed", read: fixed(property, why, { value: was }) });
    for (const [index, property] of [...node.properties.entries()].toReversed()) {
      if (property === without) continue;
      if (compiler.isSpreadAssignment(property)) {
        const brought = this.#brought(property, name, without);
        if (brought?.how === "absent") continue;
        return brought?.how === "set" ? brought : stays(property, "may come from what is spread there");
      }
      const key = this.nameOf(property.name);
      if (key === undefined) return stays(property, "may be set by a key in brackets");
      if (key !== name) continue;
      const set = { how: "set", owner: object, index, property } as const;
      if (compiler.isPropertyAssignment(property)) return { ...set, read: this.read(property.initializer, was) };
      if (!compiler.isShorthandPropertyAssignment(property)) return stays(property, "is a function");
      return { ...set, read: this.names.variable(property.name, was, property) };
    }
    return { how: "absent" };
  }

  /** Names of the members that an object literal plainly has, or a spread in it. */
  namesIn({ properties }: ts.ObjectLiteralExpression): string[] {
    const names = properties.flatMap((property) => {
      if (property.name) return this.nameOf(property.name) ?? [];
      const object = this.compiler.isSpreadAssignment(property) ? objectIn(this.read(property.expression)) : undefined;
      return object ? this.namesIn(object.node).filter((name) => object.omitted?.includes(name) !== true) : [];
    });
    return [...new Set(names)];
  }

  /** The name of a member; nothing for one in brackets. */
  nameOf(name: ts.PropertyName | undefined): string | undefined {
    if (!name || this.compiler.isComputedPropertyName(name)) return undefined;
    // A literal's `__proto__: x` sets no member.
    return name.text === "__proto__" ? undefined : name.text;
  }

  /** What an expression is worth; `unknown` where that is not known. */
  valueOf(read: Read): unknown {
    if (read.how === "plain" || read.how === "fixed") return read.value;
    if (read.how === "missing") return undefined;
    if (read.how === "named") return this.valueOf(read.of);
    if (read.how === "object") return this.#membersOf(read);
    const values = read.items.map((item) => this.valueOf(item));
    if (values.includes(unknown)) return unknown;
    return read.items.flatMap((item, i) =>
      isSpread(item) && Array.isArray(values[i]) ? (values[i] as unknown[]) : [values[i]],
    );
  }

  /** Whether an expression, and all that is in it, says plainly what it is worth, so that it may go. */
  isSure(read: Read): boolean {
    if (read.how === "fixed") return read.sure;
    if (read.how === "named") return this.isSure(read.of);
    if (read.how === "list") return read.items.every((item) => this.isSure(item));
    if (read.how !== "object") return true;
    return read.node.properties.every((property) => {
      if (!this.compiler.isPropertyAssignment(property) || this.nameOf(property.name) === undefined) return false;
      return this.isSure(this.read(property.initializer));
    });
  }

  /** What an expression says as data, with all that is not plain as its text: equal for programs that say the same. */
  outline(read: Read): unknown {
    if (read.how === "plain" && read.value !== undefined) return read.value;
    if (read.how === "plain" || read.how === "missing") return { undefined: true };
    if (read.how === "fixed") return { expression: this.#textOf(read.node) };
    if (read.how === "named") return this.outline(read.of);
    if (read.how === "list") return read.items.map((item) => this.outline(item));
    const members = read.node.properties.map((property, i): [string, unknown] => {
      const name = this.nameOf(property.name);
      if (name === undefined || !this.compiler.isPropertyAssignment(property))
        return [`${i}`, { expression: property.getText() }];
      return [name, this.outline(this.read(property.initializer))];
    });
    return Object.fromEntries(members);
  }

  /** The text of an expression without resources that are declared in it: what they say is no part of what it says. */
  #textOf(node: ts.Node): string {
    const file = node.getSourceFile();
    const inside = this.about.declared?.filter(
      (one) => one.getSourceFile() === file && one.pos >= node.pos && one.end <= node.end,
    );
    let [text, at] = ["", node.getStart()];
    for (const one of inside ?? []) {
      if (one.pos < at) continue;
      text += file.text.slice(at, one.getStart());
      at = one.end;
    }
    return text + file.text.slice(at, node.end);
  }

  #membersOf(read: ObjectRead): unknown {
    const members = this.namesIn(read.node).map((name): [string, unknown] => {
      const member = this.member(read, name);
      return [name, member.how === "absent" ? undefined : this.valueOf(member.read)];
    });
    if (members.some(([, value]) => value === unknown)) return unknown;
    // What is spread, or has a key in brackets, is known by what the whole was worth alone.
    const isOpen = read.node.properties.some(({ name }) => this.nameOf(name) === undefined);
    if (isOpen && !isObject(read.before)) return unknown;
    return { ...(isOpen && isObject(read.before) ? read.before : {}), ...Object.fromEntries(members) };
  }

  #plain(node: ts.Expression): { value: unknown } | undefined {
    const { compiler } = this;
    const { SyntaxKind } = compiler;
    if (compiler.isStringLiteralLike(node)) return { value: node.text };
    if (compiler.isTemplateExpression(node)) return this.#template(node);
    if (compiler.isNumericLiteral(node)) return { value: Number(node.text) };
    if (compiler.isPrefixUnaryExpression(node) && compiler.isNumericLiteral(node.operand)) {
      if (node.operator === SyntaxKind.MinusToken) return { value: -Number(node.operand.text) };
      if (node.operator === SyntaxKind.PlusToken) return { value: Number(node.operand.text) };
    }
    if (node.kind === SyntaxKind.TrueKeyword || node.kind === SyntaxKind.FalseKeyword) {
      return { value: node.kind === SyntaxKind.TrueKeyword };
    }
    if (node.kind === SyntaxKind.NullKeyword) return { value: null };
    return compiler.isIdentifier(node) && node.text === "undefined" ? { value: undefined } : undefined;
  }

  /** A template is plain text where the program shows all that goes into it. */
  #template({ head, templateSpans }: ts.TemplateExpression): { value: string } | undefined {
    let value = head.text;
    for (const { expression, literal } of templateSpans) {
      const part = this.read(expression);
      const shown = this.isSure(part) ? this.valueOf(part) : unknown;
      if (typeof shown !== "string" && typeof shown !== "number" && typeof shown !== "boolean") return undefined;
      value += `${shown}${literal.text}`;
    }
    return { value };
  }

  /** Elements of a list, each with what it was worth at the last update where the list still has what it had then. */
  #items({ elements }: ts.ArrayLiteralExpression, before: unknown): Read[] {
    const { compiler } = this;
    const was = this.#wasEach(elements, before);
    return elements.map((element, i) => {
      if (compiler.isOmittedExpression(element)) return fixed(element, "is a hole");
      if (!compiler.isSpreadElement(element)) return this.read(element, was?.[i] ?? unknown);
      const known = this.valueOf(this.read(element.expression, was?.[i] ?? unknown));
      return fixed(element, "is a list that is spread there", { value: Array.isArray(known) ? known : unknown, spread: true });
    });
  }

  #wasEach(elements: readonly ts.Expression[], before: unknown): unknown[] | undefined {
    const { compiler } = this;
    const spreads = elements.filter((element) => compiler.isSpreadElement(element)).length;
    if (!Array.isArray(before) || spreads > 1) return undefined;
    const count = before.length - (elements.length - spreads);
    if (count < 0 || (spreads === 0 && count !== 0)) return undefined;
    let at = 0;
    const was = elements.map((element): unknown =>
      compiler.isSpreadElement(element) ? before.slice(at, (at += count)) : (before[at++] as unknown),
    );
    // A program that has changed since does not say what it said then.
    const isSame = elements.every((element, i) => {
      const plain = this.#plain(withoutTypes(compiler, element));
      return !plain || sameValue(plain.value, was[i]);
    });
    return isSame ? was : undefined;
  }

  /** What a spread brings under a name; nothing where that is not known. */
  #brought(property: ts.SpreadAssignment, name: string, without?: ts.Node): Member | undefined {
    const whole = this.read(property.expression);
    const object = objectIn(whole);
    const member = object && this.member(object, name, without);
    if (member?.how !== "set") return member;
    return { ...member, read: { how: "named", node: property, of: member.read, uses: through(whole).uses } };
  }
}
