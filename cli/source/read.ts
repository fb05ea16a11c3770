import type ts from "typescript";
import { isObject, sameValue, stable } from "../../provider/values";
import { configurationRead, type ConfigurationRead } from "./configuration";
import { withoutTypes, wrappersOf } from "./declarations";
import type { Symbols } from "./symbols";
import type { TypeScript } from "./typescript";

/** The value of an expression that the program does not show. */
export const unknown = Symbol("unknown");

/** An expression of a program: what stands there, and what it says. */
export type Read =
  /** A plain value. */
  | { how: "plain"; node: ts.Expression; value: unknown }
  | { how: "list"; node: ts.ArrayLiteralExpression; items: readonly Read[] }
  | ObjectRead
  /** A member that is not there, in an object that could have it. */
  | { how: "missing"; node: ts.Node; object: ObjectRead; name: string }
  | Named
  /** Anything else: it stays as it is. */
  | Fixed;

export interface ObjectRead {
  how: "object";
  node: ts.ObjectLiteralExpression;
  /** What it was worth at the last update, where that is known. */
  before: unknown;
  /** Members that are not passed on, as in `{ name, ...rest }`. */
  omitted?: readonly string[];
}

/** A name, or a member of something with a name: what it says stands elsewhere. */
export interface Named {
  how: "named";
  node: ts.Node;
  of: Read;
  /** The names on the way there. */
  uses: readonly Use[];
}

/** A variable that an expression reads. */
export interface Use {
  symbol: ts.Symbol;
  /** The member that is read of it; absent where that is the whole. */
  member?: string;
}

export interface Fixed {
  how: "fixed";
  node: ts.Node;
  /** What it is worth; of a spread, all that it brings. */
  value: unknown;
  /** Whether the program shows its value, and not just what it was at the last update. */
  sure: boolean;
  /** Whether it is spread into the list that it stands in. */
  spread: boolean;
  /** Why it stays, after "it". */
  why: string;
  /** Where the stack's configuration says it. */
  configuration?: ConfigurationRead;
}

/** What an object literal says of one member. */
export type Member =
  | { how: "set"; owner: ObjectRead; index: number; property: ts.ObjectLiteralElementLike; read: Read }
  | { how: "absent" }
  | { how: "fixed"; read: Fixed };

/** What names stand for besides constants: variables of a loop, parameters of a function that is called. */
export type Env = ReadonlyMap<ts.Symbol, Read>;

/** What a reader reports of its way: each place that it reads, and the variables that it goes through. */
export interface Trace {
  /** @param member of an object: the member that is looked for */
  place: (node: ts.Node, member?: string) => void;
  name: (node: ts.Identifier) => void;
}

/** Constants that stand for each other in a circle, or through more than a person would write. */
const deepest = 100;

/** Reads the expressions of a program. */
export class Reader {
  #depth = 0;

  constructor(
    readonly compiler: TypeScript,
    readonly symbols: Symbols,
    private readonly about: {
      env?: Env;
      trace?: Trace;
      /** What an expression that names a resource's id is worth, such as `office.id`. */
      idOf?: (node: ts.Expression) => string | undefined;
      /** Where resources are declared. */
      declared?: readonly ts.Node[];
    } = {},
  ) {}

  /** @param before what the expression was worth at the last update, where that is known */
  read(expression: ts.Expression, before: unknown = unknown): Read {
    const { compiler } = this;
    const node = withoutTypes(compiler, expression);
    this.about.trace?.place(node);
    const plain = this.#plain(node);
    if (plain) {
      const pinned = wrappersOf(compiler, expression).some((wrapper) => "type" in wrapper && isLiteral(compiler, wrapper.type));
      return pinned
        ? fixed(node, "has a type that allows nothing else", { value: plain.value, sure: true })
        : { how: "plain", node, value: plain.value };
    }
    if (compiler.isArrayLiteralExpression(node)) return { how: "list", node, items: this.#items(node, before) };
    if (compiler.isObjectLiteralExpression(node)) return { how: "object", node, before };
    if (compiler.isIdentifier(node)) return this.#variable(node, node, before);
    return this.#byName(node, before) ?? this.#worked(node, before);
  }

  /** What an object literal says of a member: the last that sets it, or that could. */
  member(object: ObjectRead, name: string, without?: ts.Node): Member {
    const { compiler } = this;
    const { node, before, omitted } = object;
    this.about.trace?.place(node, name);
    if (omitted?.includes(name)) return { how: "absent" };
    const was = before === unknown ? unknown : isObject(before) && Object.hasOwn(before, name) ? before[name] : undefined;
    for (const [index, property] of [...node.properties.entries()].toReversed()) {
      if (property === without) continue;
      if (compiler.isSpreadAssignment(property)) {
        const brought = this.#brought(property, name, was, without);
        if (brought.how === "absent") continue;
        return brought;
      }
      const key = this.nameOf(property.name);
      if (key === undefined) {
        return { how: "fixed", read: fixed(property, "may be set by a key in brackets", { value: was }) };
      }
      if (key !== name) continue;
      if (compiler.isPropertyAssignment(property)) {
        return { how: "set", owner: object, index, property, read: this.read(property.initializer, was) };
      }
      if (!compiler.isShorthandPropertyAssignment(property)) {
        return { how: "fixed", read: fixed(property, "is a function", { value: was }) };
      }
      const read = this.#variable(property.name, property, was);
      const isVariable = read.how === "fixed" && read.why === variableReason;
      return { how: "set", owner: object, index, property, read: isVariable ? { ...read, why: shorthandReason } : read };
    }
    return { how: "absent" };
  }

  /** Names of the members that an object literal plainly has, or a spread in it. */
  namesIn({ properties }: ts.ObjectLiteralExpression): string[] {
    const names = properties.flatMap((property) => {
      if (property.name) return this.nameOf(property.name) ?? [];
      const { object } = this.compiler.isSpreadAssignment(property) ? this.objectIn(this.read(property.expression)) : {};
      return object ? this.namesIn(object.node).filter((name) => object.omitted?.includes(name) !== true) : [];
    });
    return [...new Set(names)];
  }

  /** The name of a member; nothing for one in brackets. */
  nameOf(name: ts.PropertyName | undefined): string | undefined {
    const { compiler } = this;
    if (!name || compiler.isComputedPropertyName(name)) return undefined;
    // A literal's `__proto__: x` sets no member.
    return name.text === "__proto__" ? undefined : name.text;
  }

  /** What an expression is worth; `unknown` where that is not known. */
  valueOf(read: Read): unknown {
    if (read.how === "plain" || read.how === "fixed") return read.value;
    if (read.how === "missing") return undefined;
    if (read.how === "named") return this.valueOf(read.of);
    if (read.how === "object") return this.#membersOf(read);
    const values = read.items.map((item) => ({ item, value: this.valueOf(item) }));
    if (values.some(({ value }) => value === unknown)) return unknown;
    return values.flatMap(({ item, value }) => (isSpread(item) && Array.isArray(value) ? (value as unknown[]) : [value]));
  }

  /** Whether an expression, and all that is in it, says plainly what it is worth, so that it may go. */
  isSure(read: Read): boolean {
    if (read.how === "plain" || read.how === "missing") return true;
    if (read.how === "fixed") return read.sure;
    if (read.how === "named") return this.isSure(read.of);
    if (read.how === "list") return read.items.every((item) => this.isSure(item));
    return read.node.properties.every((property) => {
      if (!this.compiler.isPropertyAssignment(property) || this.nameOf(property.name) === undefined) return false;
      return this.isSure(this.read(property.initializer, unknown));
    });
  }

  /** What an expression says as data, with all that is not plain as its text: equal for programs that say the same. */
  outline(read: Read): unknown {
    if (read.how === "plain") return read.value === undefined ? { undefined: true } : read.value;
    if (read.how === "fixed") return { expression: this.#textOf(read.node) };
    if (read.how === "missing") return { undefined: true };
    if (read.how === "named") return this.outline(read.of);
    if (read.how === "list") return read.items.map((item) => this.outline(item));
    return Object.fromEntries(
      read.node.properties.map((property, i) => {
        const name = this.nameOf(property.name);
        const isSet = name !== undefined && this.compiler.isPropertyAssignment(property);
        if (isSet) return [name, this.outline(this.read(property.initializer))];
        return [`${i}`, { expression: property.getText() }];
      }),
    );
  }

  /** The text of an expression without the arguments of resources that are declared in it: they are no part of what it says. */
  #textOf(node: ts.Node): string {
    const text = node.getText();
    const own = this.about.declared?.filter((one) => one.pos >= node.pos && one.end <= node.end) ?? [];
    const outer = own.filter(
      (one) =>
        one.getSourceFile() === node.getSourceFile() &&
        !own.some((other) => other !== one && other.pos <= one.pos && other.end >= one.end),
    );
    return outer.reduceRight(
      (all, one) => all.slice(0, one.getStart() - node.getStart()) + all.slice(one.end - node.getStart()),
      text,
    );
  }

  /** The object that an expression stands for, and the names on the way to it. */
  objectIn(read: Read): { object?: ObjectRead; uses: readonly Use[]; end: Read } {
    const { end, uses } = through(read);
    return { object: end.how === "object" ? end : undefined, uses, end };
  }

  #membersOf(read: ObjectRead): unknown {
    const members = this.namesIn(read.node).map((name): [string, unknown] => {
      const member = this.member(read, name);
      return [name, member.how === "absent" ? undefined : this.valueOf(member.read)];
    });
    if (members.some(([, value]) => value === unknown)) return unknown;
    // What is spread, or has a key in brackets, is told by what the whole was worth alone.
    const isOpen = read.node.properties.some(({ name }) => this.nameOf(name) === undefined);
    if (isOpen && !isObject(read.before)) return unknown;
    return { ...(isOpen && isObject(read.before) ? read.before : {}), ...Object.fromEntries(members) };
  }

  #plain(node: ts.Expression): { value: unknown } | undefined {
    const { compiler } = this;
    if (compiler.isStringLiteralLike(node)) return { value: node.text };
    if (compiler.isTemplateExpression(node)) return this.#template(node);
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
    const spreads = elements.filter((element) => compiler.isSpreadElement(element)).length;
    const was = this.#wasEach(elements, before, spreads);
    return elements.map((element, i) => {
      if (compiler.isOmittedExpression(element)) return fixed(element, "is a hole", {});
      if (!compiler.isSpreadElement(element)) return this.read(element, was?.[i] ?? unknown);
      const known = this.valueOf(this.read(element.expression, was?.[i] ?? unknown));
      return fixed(element, "is a list that is spread there", { value: Array.isArray(known) ? known : unknown, spread: true });
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

  /** What a variable stands for. @param node what is said to stand there */
  #variable(name: ts.Identifier, node: ts.Node, before: unknown, member?: string): Read {
    const symbol = this.symbols.of(name);
    const declaration = symbol?.valueDeclaration;
    const of = symbol && this.#depth < deepest ? this.#meaning(symbol, before) : undefined;
    if (!symbol || !of) return fixed(node, variableReason, { value: before });
    this.about.trace?.name(name);
    this.#mark(of);
    if (of.how === "fixed") return { ...of, node };
    const { compiler } = this;
    if (
      declaration &&
      compiler.isVariableDeclaration(declaration) &&
      declaration.type &&
      isLiteral(compiler, declaration.type)
    ) {
      const value = this.valueOf(of);
      return fixed(node, `is the constant ${name.text}, whose type allows nothing else`, { value, sure: this.isSure(of) });
    }
    return { how: "named", node, of, uses: [{ symbol, ...(member === undefined ? {} : { member }) }] };
  }

  #meaning(symbol: ts.Symbol, before: unknown): Read | undefined {
    const bound = this.about.env?.get(symbol);
    if (bound) return bound;
    const { compiler } = this;
    const declaration = symbol.valueDeclaration;
    if (!declaration || symbol.declarations?.length !== 1) return undefined;
    this.#depth += 1;
    try {
      if (compiler.isBindingElement(declaration)) return this.#taken(declaration, before);
      if (!compiler.isVariableDeclaration(declaration) || !declaration.initializer) return undefined;
      if (!isConstant(compiler, declaration)) return undefined;
      return this.read(declaration.initializer, before);
    } finally {
      this.#depth -= 1;
    }
  }

  /** Reports what was read before, such as the items that a loop walks. */
  #mark(read: Read): void {
    if (read.how === "named") this.#mark(read.of);
    else if (read.how === "missing") this.about.trace?.place(read.object.node, read.name);
    else this.about.trace?.place(read.node);
    if (read.how === "list") for (const item of read.items) this.#mark(item);
  }

  /** `interval` of `const { interval } = defaults`. */
  #taken({ parent, name, propertyName, dotDotDotToken, initializer }: ts.BindingElement, before: unknown): Read | undefined {
    const { compiler } = this;
    const { parent: whole } = parent;
    if (dotDotDotToken || initializer || !compiler.isObjectBindingPattern(parent) || !compiler.isIdentifier(name))
      return undefined;
    if (!compiler.isVariableDeclaration(whole) || !whole.initializer || !isConstant(compiler, whole)) return undefined;
    const key = this.nameOf(propertyName ?? name);
    return key === undefined ? undefined : this.memberOf(this.read(whole.initializer), key, name, before);
  }

  /** A member of what another expression stands for; nothing where that is not known. @param node where it is read */
  memberOf(whole: Read, name: string, node: ts.Node, before: unknown = unknown): Read | undefined {
    const { object, uses } = this.objectIn(whole);
    if (!object) return undefined;
    const member = this.member(object, name);
    if (member.how === "fixed") return { ...member.read, node, value: before };
    const isOpen = member.how === "absent" && object.node.properties.some((one) => this.compiler.isSpreadAssignment(one));
    if (isOpen) return undefined;
    return { how: "named", node, uses, of: member.how === "set" ? member.read : { how: "missing", node, object, name } };
  }

  /** `defaults.interval`, `site.interval ?? 60` and `office.id`. */
  #byName(node: ts.Expression, before: unknown): Read | undefined {
    const { compiler } = this;
    const id = this.about.idOf?.(node);
    if (id !== undefined) return fixed(node, "is the id of another resource", { value: id, sure: true });
    if (compiler.isPropertyAccessExpression(node) && compiler.isIdentifier(node.name)) {
      const { expression, name } = node;
      if (compiler.isIdentifier(expression)) {
        const exported = this.#exportOf(expression, name.text);
        if (exported) return exported;
        return this.memberOf(this.#variable(expression, expression, unknown, name.text), name.text, node, before);
      }
      return this.memberOf(this.read(expression), name.text, node, before);
    }
    if (!compiler.isBinaryExpression(node) || node.operatorToken.kind !== compiler.SyntaxKind.QuestionQuestionToken)
      return undefined;
    return this.#either(node, before);
  }

  /** The constant of another file, of `all.interval` after `import * as all`. */
  #exportOf(node: ts.Identifier, name: string): Read | undefined {
    const module = this.symbols.of(node);
    const symbol = module && this.symbols.exportOf(module, name);
    const of = symbol && this.#meaning(symbol, unknown);
    return of && fixed(node.parent, "is a constant of another file", { value: this.valueOf(of), sure: this.isSure(of) });
  }

  #either({ left, right }: ts.BinaryExpression, before: unknown): Read | undefined {
    const first = this.read(left);
    if (first.how === "fixed" && first.configuration) return { ...first, value: before };
    const value = this.isSure(first) ? this.valueOf(first) : unknown;
    if (value === unknown) return undefined;
    return value === undefined || value === null ? this.read(right, before) : first;
  }

  #worked(node: ts.Expression, before: unknown): Fixed {
    const configuration = configurationRead(this, node);
    const why = configuration ? `comes from the configuration (${configuration.key})` : "is worked out by an expression";
    return fixed(node, why, { value: before, ...(configuration && { configuration }) });
  }

  /** What a spread brings under a name. */
  #brought(property: ts.SpreadAssignment, name: string, was: unknown, without?: ts.Node): Member {
    const whole = this.read(property.expression);
    const { object, uses } = this.objectIn(whole);
    const unclear: Member = { how: "fixed", read: fixed(property, "may come from what is spread there", { value: was }) };
    if (!object) return unclear;
    const member = this.member(object, name, without);
    if (member.how === "absent") return member;
    if (member.how === "fixed") return unclear;
    return { ...member, read: { how: "named", node: property, of: member.read, uses } };
  }
}

const variableReason = "is a variable";
const shorthandReason = "is a variable's, in shorthand";

export function fixed(node: ts.Node, why: string, about: Partial<Omit<Fixed, "how" | "node" | "why">>): Fixed {
  return { value: unknown, sure: false, spread: false, ...about, how: "fixed", node, why };
}

export function isSpread(read: Read): read is Fixed {
  return read.how === "fixed" && read.spread;
}

/** What an expression comes to, and every name on the way. */
export function through(read: Read): { end: Exclude<Read, Named>; uses: readonly Use[] } {
  if (read.how !== "named") return { end: read, uses: [] };
  const { end, uses } = through(read.of);
  return { end, uses: [...read.uses, ...uses] };
}

export function isConstant(compiler: TypeScript, { parent }: ts.VariableDeclaration): boolean {
  return (parent.flags & compiler.NodeFlags.Const) !== 0;
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
