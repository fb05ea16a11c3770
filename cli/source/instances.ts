import type ts from "typescript";
import { withoutTypes, type Declaration } from "./declarations";
import type { ProgramSource } from "./program";
import { fixed, isSpread, objectIn, through, type Env, type Named, type Read, type Trace } from "./read";
import { Reader } from "./reader";
import { Symbols } from "./symbols";

/** A place of a program; of an object, with a member of it. */
type Place = readonly [node: ts.Node, member: string | undefined];

/** A resource that a program declares: one of a declaration, or one for each round of the loop that it stands in. */
export interface Instance {
  declaration: Declaration;
  /** Absent where the program does not show it. */
  name: string | undefined;
  env: Env;
  /** Places that decide whether there is this resource. */
  places: readonly Place[];
}

/** What a loop gives in one round: a value, or the parts of a pair. */
type Item = Read | readonly Read[];

interface Walk {
  items: readonly Item[];
  place: Place;
}

interface Round {
  env: Env;
  places: readonly Place[];
}

/** More resources than a program would declare by loops: beyond, a loop is taken for one that cannot be followed. */
const mostRounds = 10_000;
/** What stands for a walk over the members of an object. */
export const anyMember = "*";

/** The resources of ours that a program declares, as far as its text shows them. */
export class Instances {
  readonly symbols: Symbols;
  readonly all: readonly Instance[];
  /** Places that read a variable for a resource. */
  readonly visited = new Set<ts.Identifier>();

  readonly #declared: readonly ts.Node[];
  readonly #named: ReadonlyMap<string, readonly Instance[]>;
  /** By loop and function. */
  readonly #rounds = new Map<ts.Node, readonly Round[]>();

  constructor(readonly source: ProgramSource) {
    this.symbols = new Symbols(source);
    this.#declared = source.declarations.map(({ node }) => node);
    this.all = source.declarations.flatMap((declaration) => this.#of(declaration));
    this.#named = Map.groupBy(this.all, ({ declaration, name }) => `${declaration.className} ${name}`);
  }

  /** Resources of a class under a name. */
  find(className: string, name: string): readonly Instance[] {
    return this.#named.get(`${className} ${name}`)?.filter((one) => one.name === name) ?? [];
  }

  reader(env: Env, more: { trace?: Trace["place"]; idOf?: (node: ts.Expression) => string | undefined } = {}): Reader {
    const trace = more.trace && { place: more.trace, name: (node: ts.Identifier) => this.visited.add(node) };
    return new Reader(this.source.ts, this.symbols, { env, trace, idOf: more.idOf, declared: this.#declared });
  }

  #of(declaration: Declaration): Instance[] {
    return this.#roundsAt(declaration.node).map(({ env, places }): Instance => {
      const seen = [...places];
      const reader = this.reader(env, { trace: (node, member) => seen.push([node, member]) });
      const [first] = declaration.node.arguments ?? [];
      const read = first && reader.read(first);
      const name = read && reader.isSure(read) ? reader.valueOf(read) : undefined;
      return { declaration, env, places: seen, name: typeof name === "string" ? name : undefined };
    });
  }

  /** What the variables around a node stand for, once for each time that it runs. */
  #roundsAt(node: ts.Node): readonly Round[] {
    const { ts: compiler } = this.source;
    let [inner, at] = [node, node.parent];
    const isRepeated = (): boolean =>
      compiler.isFunctionLike(at) || (compiler.isForOfStatement(at) && at.statement === inner) || compiler.isSourceFile(at);
    while (!isRepeated()) [inner, at] = [at, at.parent];
    const once: readonly Round[] = [{ env: new Map(), places: [] }];
    // A function that calls itself runs as often as it is called from elsewhere, as far as the text shows.
    const known = this.#rounds.get(at) ?? (compiler.isSourceFile(at) ? once : undefined);
    if (known) return known;
    this.#rounds.set(at, once);
    const rounds = compiler.isForOfStatement(at) ? this.#roundsOf(at) : this.#callsOf(at as ts.SignatureDeclaration);
    const bounded = rounds.length > mostRounds ? once : rounds;
    this.#rounds.set(at, bounded);
    return bounded;
  }

  #roundsOf(loop: ts.ForOfStatement): readonly Round[] {
    const { initializer: list } = loop;
    const name = this.source.ts.isVariableDeclarationList(list) ? list.declarations[0]?.name : undefined;
    return this.#walked(loop, loop.expression, name ? [name] : []);
  }

  /** The rounds of a node that runs once for each item of a list. */
  #walked(node: ts.Node, list: ts.Expression, names: readonly ts.BindingName[]): readonly Round[] {
    return this.#roundsAt(node).flatMap((round): Round[] => {
      const reader = this.reader(round.env, { trace: () => undefined });
      const walk = this.#walk(reader, list);
      if (!walk) return [round];
      return walk.items.map((item, i): Round => {
        const index = fixed(list, "is a place in a list", { value: i, sure: true });
        return { env: this.#bound(reader, round.env, names, [item, index]), places: [...round.places, walk.place] };
      });
    });
  }

  /** What a function's parameters stand for: a callback's for each item, those of one with a name for each call. */
  #callsOf(callee: ts.SignatureDeclaration): readonly Round[] {
    const { ts: compiler } = this.source;
    const names = callee.parameters.map(({ name }) => name);
    let argument: ts.Node = callee;
    while (compiler.isParenthesizedExpression(argument.parent)) argument = argument.parent;
    const call = argument.parent;
    if (
      compiler.isCallExpression(call) &&
      call.arguments[0] === argument &&
      compiler.isPropertyAccessExpression(call.expression)
    ) {
      const { name, expression } = call.expression;
      if (/^(map|forEach|flatMap)$/.test(name.text)) return this.#walked(call, expression, names);
    }
    const calls = this.#callsByName(callee);
    if (!calls) return this.#roundsAt(callee);
    return calls.flatMap((one) =>
      this.#roundsAt(one).map(({ env, places }): Round => {
        const reader = this.reader(env, { trace: () => undefined });
        const values = (one.arguments ?? []).map((value) => reader.read(value));
        return { places, env: this.#bound(reader, env, names, values) };
      }),
    );
  }

  /** The calls of a function, or of a class, of the top level of a file; nothing where something else is done with it, too. */
  #callsByName(callee: ts.SignatureDeclaration): (ts.CallExpression | ts.NewExpression)[] | undefined {
    const { ts: compiler } = this.source;
    const owner = compiler.isConstructorDeclaration(callee) ? callee.parent : callee;
    const named = compiler.isVariableDeclaration(owner.parent) ? owner.parent : owner;
    const statement = named === owner ? owner : owner.parent.parent.parent;
    if (!compiler.isSourceFile(statement.parent) || !("name" in named)) return undefined;
    const { name } = named as { name?: ts.Node };
    const symbol = name && compiler.isIdentifier(name) ? this.symbols.of(name) : undefined;
    const references = symbol ? this.symbols.references(symbol) : [];
    const calls = references.flatMap((node) => {
      const { parent } = node;
      if (!compiler.isCallExpression(parent) && !compiler.isNewExpression(parent)) return [];
      return parent.expression === node && !parent.arguments?.some((one) => compiler.isSpreadElement(one)) ? [parent] : [];
    });
    return calls.length > 0 && calls.length === references.length ? calls : undefined;
  }

  /** What a loop walks: the items of a list, or the members of an object by `Object.entries` and its siblings. */
  #walk(reader: Reader, list: ts.Expression): Walk | undefined {
    const { ts: compiler } = this.source;
    const node = withoutTypes(compiler, list);
    if (compiler.isCallExpression(node)) {
      const [, how] = /^Object\.(entries|keys|values)$/.exec(node.expression.getText()) ?? [];
      const [table] = node.arguments;
      return how !== undefined && table ? this.#members(reader, table, how) : undefined;
    }
    const read = reader.read(node);
    const { end } = through(read);
    if (end.how !== "list" || end.items.some(isSpread)) return undefined;
    return { items: end.items.map((item) => passed(read, item, node)), place: [end.node, undefined] };
  }

  #members(reader: Reader, table: ts.Expression, how: string): Walk | undefined {
    const read = reader.read(table);
    const object = objectIn(read);
    if (!object || object.omitted) return undefined;
    const names = object.node.properties.map(({ name }) => reader.nameOf(name));
    if (names.includes(undefined) || new Set(names).size < names.length) return undefined;
    const items = names.flatMap((name = ""): Item[] => {
      const member = reader.member(object, name);
      if (member.how !== "set") return [];
      const key = fixed(member.property.name ?? table, "is a key of a table", { value: name, sure: true });
      const value = passed(read, member.read, table);
      return [how === "keys" ? key : how === "values" ? value : [key, value]];
    });
    // A member more would be a resource more.
    return { items, place: [object.node, anyMember] };
  }

  #bound(reader: Reader, env: Env, names: readonly ts.BindingName[], items: readonly (Item | undefined)[]): Env {
    const found = new Map(env);
    for (const [i, name] of names.entries()) this.#bind(reader, found, name, items[i]);
    return found;
  }

  #bind(reader: Reader, env: Map<ts.Symbol, Read>, name: ts.BindingName, item: Item | undefined): void {
    const { ts: compiler } = this.source;
    if (!item) return;
    if (compiler.isIdentifier(name)) {
      const symbol = this.symbols.of(name);
      if (symbol && "how" in item) env.set(symbol, item);
      return;
    }
    if (compiler.isArrayBindingPattern(name)) {
      const { end } = "how" in item ? through(item) : { end: undefined };
      const parts = "how" in item ? (end?.how === "list" ? end.items.map((part) => passed(item, part, name)) : []) : item;
      for (const [i, element] of name.elements.entries()) {
        if (compiler.isBindingElement(element) && !element.initializer && !element.dotDotDotToken) {
          this.#bind(reader, env, element.name, parts[i]);
        }
      }
      return;
    }
    if ("how" in item) for (const element of name.elements) this.#bindMember(reader, env, element, name, item);
  }

  #bindMember(
    reader: Reader,
    env: Map<ts.Symbol, Read>,
    { name, propertyName, initializer, dotDotDotToken }: ts.BindingElement,
    pattern: ts.ObjectBindingPattern,
    item: Read,
  ): void {
    const { ts: compiler } = this.source;
    if (dotDotDotToken) {
      const object = objectIn(item);
      const taken = pattern.elements.flatMap((one) => (one.dotDotDotToken ? [] : [(one.propertyName ?? one.name).getText()]));
      if (object) this.#bind(reader, env, name, passed(item, { ...object, omitted: taken }, name));
      return;
    }
    const key = reader.nameOf(propertyName ?? (compiler.isIdentifier(name) ? name : undefined));
    const member = key === undefined ? undefined : reader.names.member(item, key, name);
    const isMissing = member !== undefined && through(member).end.how === "missing";
    this.#bind(reader, env, name, isMissing && initializer ? reader.read(initializer) : member);
  }
}

/** A part of something, which is read through the names on the way to the whole. */
function passed(whole: Read, part: Read, node: ts.Node): Read {
  if (part.how === "fixed") return part;
  const named: Named = { how: "named", node, of: part, uses: through(whole).uses };
  return named.uses.length > 0 ? named : part;
}
