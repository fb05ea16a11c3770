import type ts from "typescript";
import { isObject, sameValue, stable } from "../../provider/values";
import { withoutTypes, wrappersOf } from "./declarations";
import type { Scope } from "./scope";
import type { TypeScript } from "./typescript";

/** The value of an expression that cannot be told from the program. */
export const untold = Symbol("untold");

/** An expression of a program: what stands there, and what it says. */
export type Read =
  /** A plain value. */
  | { how: "plain"; node: ts.Expression; value: unknown }
  | { how: "list"; node: ts.ArrayLiteralExpression; items: readonly Read[] }
  | { how: "object"; node: ts.ObjectLiteralExpression; before: unknown }
  /** The name of a constant that is used nowhere else: what it says stands there. */
  | { how: "constant"; node: ts.Expression; of: Read }
  /** Anything else: it stays as it is. */
  | Fixed;

export interface Fixed {
  how: "fixed";
  node: ts.Node;
  /** What it is worth; of a spread, all that it brings. */
  value: unknown;
  /** Whether its value is told by the program, and not by what the program said at the last update. */
  sure: boolean;
  /** Whether it is spread into the list that it stands in. */
  spread: boolean;
  /** Why it stays, after "it". */
  why: string;
}

/** What an object literal says of one member. */
export type Member =
  | { how: "set"; index: number; property: ts.PropertyAssignment; read: Read }
  | { how: "absent" }
  | { how: "fixed"; read: Fixed };

/** Reads the expressions of one file. */
export class Reader {
  constructor(
    readonly compiler: TypeScript,
    readonly scope: Scope,
    /** What an expression that names a resource's id is worth, such as `office.id`. */
    private readonly idOf: (node: ts.Expression) => string | undefined = () => undefined,
  ) {}

  /** @param before what the expression was worth at the last update, where that is known */
  read(expression: ts.Expression, before: unknown = untold): Read {
    const { compiler } = this;
    const node = withoutTypes(compiler, expression);
    const plain = this.#plain(node);
    if (plain) {
      const pinned = wrappersOf(compiler, expression).some((wrapper) => "type" in wrapper && isLiteral(compiler, wrapper.type));
      return pinned
        ? fixed(node, "has a type that allows nothing else", { value: plain.value, sure: true })
        : { how: "plain", node, value: plain.value };
    }
    if (compiler.isArrayLiteralExpression(node)) return { how: "list", node, items: this.#items(node, before) };
    if (compiler.isObjectLiteralExpression(node)) return { how: "object", node, before };
    if (compiler.isIdentifier(node)) return this.#constant(node, before);
    const id = this.idOf(node);
    return id === undefined
      ? fixed(node, "is worked out by an expression", { value: before })
      : fixed(node, "is the id of another resource", { value: id, sure: true });
  }

  /** What an object literal says of a member: the last that sets it, or that could. */
  member({ node, before }: Extract<Read, { how: "object" }>, name: string, without?: ts.Node): Member {
    const { compiler } = this;
    const was = before === untold ? untold : isObject(before) && Object.hasOwn(before, name) ? before[name] : undefined;
    for (const [index, property] of [...node.properties.entries()].toReversed()) {
      if (property === without) continue;
      if (compiler.isSpreadAssignment(property)) {
        if (this.#bringsNot(property.expression, name)) continue;
        return { how: "fixed", read: fixed(property, "may come from what is spread there", { value: was }) };
      }
      const key = this.nameOf(property.name);
      if (key === undefined) {
        return { how: "fixed", read: fixed(property, "may be set by a key in brackets", { value: was }) };
      }
      if (key !== name) continue;
      if (compiler.isPropertyAssignment(property)) {
        return { how: "set", index, property, read: this.read(property.initializer, was) };
      }
      const why = compiler.isShorthandPropertyAssignment(property) ? "is a variable's, in shorthand" : "is a function";
      return { how: "fixed", read: fixed(property, why, { value: was }) };
    }
    return { how: "absent" };
  }

  /** Names of the members that an object literal plainly has. */
  namesIn({ properties }: ts.ObjectLiteralExpression): string[] {
    return [...new Set(properties.flatMap((property) => (property.name ? (this.nameOf(property.name) ?? []) : [])))];
  }

  /** The name of a member; nothing for one in brackets. */
  nameOf(name: ts.PropertyName | undefined): string | undefined {
    const { compiler } = this;
    if (!name || compiler.isComputedPropertyName(name)) return undefined;
    // A literal's `__proto__: x` sets no member.
    return name.text === "__proto__" ? undefined : name.text;
  }

  /** What an expression is worth; `untold` where that is not known. */
  valueOf(read: Read): unknown {
    if (read.how === "plain" || read.how === "fixed") return read.value;
    if (read.how === "constant") return this.valueOf(read.of);
    if (read.how === "object") return this.#membersOf(read);
    const values = read.items.map((item) => ({ item, value: this.valueOf(item) }));
    if (values.some(({ value }) => value === untold)) return untold;
    return values.flatMap(({ item, value }) => (isSpread(item) && Array.isArray(value) ? (value as unknown[]) : [value]));
  }

  /** Whether an expression, and all that is in it, says plainly what it is worth, so that it may go. */
  isSure(read: Read): boolean {
    if (read.how === "plain") return true;
    if (read.how === "fixed") return read.sure;
    if (read.how === "constant") return this.isSure(read.of);
    if (read.how === "list") return read.items.every((item) => this.isSure(item));
    return read.node.properties.every((property) => {
      if (!this.compiler.isPropertyAssignment(property) || this.nameOf(property.name) === undefined) return false;
      return this.isSure(this.read(property.initializer, untold));
    });
  }

  /** What an expression says as data, with all that is not plain as its text: equal for programs that say the same. */
  outline(read: Read): unknown {
    if (read.how === "plain") return read.value === undefined ? { undefined: true } : read.value;
    if (read.how === "fixed") return { expression: read.node.getText(this.scope.file) };
    if (read.how === "constant") return this.outline(read.of);
    if (read.how === "list") return read.items.map((item) => this.outline(item));
    return Object.fromEntries(
      read.node.properties.map((property, i) => {
        const name = this.nameOf(property.name);
        const isSet = name !== undefined && this.compiler.isPropertyAssignment(property);
        if (isSet) return [name, this.outline(this.read(property.initializer))];
        return [`${i}`, { expression: property.getText(this.scope.file) }];
      }),
    );
  }

  #membersOf(read: Extract<Read, { how: "object" }>): unknown {
    const members = this.namesIn(read.node).map((name): [string, unknown] => {
      const member = this.member(read, name);
      return [name, member.how === "absent" ? undefined : this.valueOf(member.read)];
    });
    if (members.some(([, value]) => value === untold)) return untold;
    // What is spread, or has a key in brackets, is told by what the whole was worth alone.
    const isOpen = read.node.properties.some(({ name }) => this.nameOf(name) === undefined);
    if (isOpen && !isObject(read.before)) return untold;
    return { ...(isOpen && isObject(read.before) ? read.before : {}), ...Object.fromEntries(members) };
  }

  #plain(node: ts.Expression): { value: unknown } | undefined {
    const { compiler } = this;
    if (compiler.isStringLiteralLike(node)) return { value: node.text };
    if (compiler.isNumericLiteral(node)) return { value: Number(node.text) };
    if (compiler.isPrefixUnaryExpression(node) && compiler.isNumericLiteral(node.operand)) {
      if (node.operator === compiler.SyntaxKind.MinusToken) return { value: -Number(node.operand.text) };
      if (node.operator === compiler.SyntaxKind.PlusToken) return { value: Number(node.operand.text) };
    }
    if (node.kind === compiler.SyntaxKind.TrueKeyword) return { value: true };
    if (node.kind === compiler.SyntaxKind.FalseKeyword) return { value: false };
    if (node.kind === compiler.SyntaxKind.NullKeyword) return { value: null };
    return compiler.isIdentifier(node) && node.text === "undefined" ? { value: undefined } : undefined;
  }

  /** Elements of a list, each with what it was worth at the last update where the list still has what it had then. */
  #items({ elements }: ts.ArrayLiteralExpression, before: unknown): Read[] {
    const { compiler } = this;
    const spreads = elements.filter((element) => compiler.isSpreadElement(element)).length;
    const was = this.#wasEach(elements, before, spreads);
    return elements.map((element, i) => {
      if (compiler.isOmittedExpression(element)) return fixed(element, "is a hole", {});
      if (!compiler.isSpreadElement(element)) return this.read(element, was?.[i] ?? untold);
      const known = this.valueOf(this.read(element.expression, was?.[i] ?? untold));
      return fixed(element, "is a list that is spread there", { value: Array.isArray(known) ? known : untold, spread: true });
    });
  }

  #wasEach(elements: readonly ts.Expression[], before: unknown, spreads: number): unknown[] | undefined {
    if (!Array.isArray(before) || spreads > 1) return undefined;
    const count = before.length - (elements.length - spreads);
    if (count < 0 || (spreads === 0 && count !== 0)) return undefined;
    let at = 0;
    const was = elements.map((element): unknown => {
      if (this.compiler.isSpreadElement(element)) return before.slice(at, (at += count));
      return before[at++] as unknown;
    });
    // A program that has changed since is not told by what it said then.
    const isSame = elements.every((element, i) => {
      const plain = this.#plain(withoutTypes(this.compiler, element));
      return !plain || sameValue(plain.value, was[i]);
    });
    return isSame ? was : undefined;
  }

  #constant(node: ts.Identifier, before: unknown): Read {
    const constant = this.scope.constant(node.text);
    if (!constant) return fixed(node, "is a variable", { value: before });
    const of = this.read(constant.initializer, before);
    const told = { value: this.valueOf(of), sure: this.isSure(of) };
    const { name, uses, exported, declaration } = constant;
    if (exported) return fixed(node, `is the constant ${name}, which other files can import`, told);
    if (uses !== 1) return fixed(node, `is the constant ${name}, which is used elsewhere, too`, told);
    if (of.how === "fixed") return { ...of, node };
    if (declaration.type && isLiteral(this.compiler, declaration.type)) {
      return fixed(node, `is the constant ${name}, whose type allows nothing else`, told);
    }
    return { how: "constant", node, of };
  }

  /** Whether what is spread is plainly an object without a member. */
  #bringsNot(spread: ts.Expression, name: string): boolean {
    const node = withoutTypes(this.compiler, spread);
    const constant = this.compiler.isIdentifier(node) ? this.scope.constant(node.text)?.initializer : node;
    const literal = constant && withoutTypes(this.compiler, constant);
    if (!literal || !this.compiler.isObjectLiteralExpression(literal)) return false;
    return this.member({ how: "object", node: literal, before: untold }, name).how === "absent";
  }
}

export function fixed(node: ts.Node, why: string, about: Partial<Omit<Fixed, "how" | "node" | "why">>): Fixed {
  return { value: untold, sure: false, spread: false, ...about, how: "fixed", node, why };
}

export function isSpread(read: Read): read is Fixed {
  return read.how === "fixed" && read.spread;
}

/** Whether a type allows one value, or a few: a literal type, or a union of such. */
function isLiteral(compiler: TypeScript, type: ts.TypeNode): boolean {
  return (
    compiler.isLiteralTypeNode(type) || (compiler.isUnionTypeNode(type) && type.types.some((one) => isLiteral(compiler, one)))
  );
}

/** Whether two outlines are the same, whatever the order of members. */
export function sameOutline(a: unknown, b: unknown): boolean {
  return stable(a) === stable(b);
}
