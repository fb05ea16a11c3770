import type ts from "typescript";
import { withoutTypes, type Declaration } from "./declarations";
import type { ProgramSource } from "./program";
import { Reader, type ReaderOptions } from "./reader";
import { Symbols } from "./symbols";
import { anyMember, fixed, through, type Env, type Member, type Value } from "./value";

/** A node that is read, with the member that is read of an object. */
type ReadPlace = readonly [node: ts.Node, member: string | undefined];

/** A resource that a program declares. A declaration in a loop or function has one for each row or call. */
export interface Instance {
  declaration: Declaration;
  /** Absent if the program does not show it. */
  name: string | undefined;
  env: Env;
  /** Places that decide whether there is this resource. */
  places: readonly ReadPlace[];
}

/** The value that a loop gives to its variable, or the parts of a pair. */
type Row = Value | readonly Value[];

/** One run of the code around a declaration. */
interface Round {
  env: Env;
  places: readonly ReadPlace[];
}

/** A loop with more rounds is not followed. */
const maxRounds = 10_000;
const once: readonly Round[] = [{ env: new Map(), places: [] }];

/** The resources of ours that a program declares, each with the values of the loop variables and parameters around it. */
export class Instances {
  readonly symbols: Symbols;
  readonly all: readonly Instance[];
  /** Places that read a variable for a resource. */
  readonly visited = new Set<ts.Identifier>();
  readonly #named: ReadonlyMap<string, readonly Instance[]>;
  /** By loop and function. */
  readonly #rounds = new Map<ts.Node, readonly Round[]>();

  constructor(readonly source: ProgramSource) {
    this.symbols = new Symbols(source);
    this.all = source.declarations.flatMap((declaration) => this.#of(declaration));
    this.#named = Map.groupBy(this.all, ({ declaration, name }) => `${declaration.className} ${name}`);
  }

  find(className: string, name: string): readonly Instance[] {
    return this.#named.get(`${className} ${name}`)?.filter((one) => one.name === name) ?? [];
  }

  reader(env: Env, options: Pick<ReaderOptions, "trace" | "idOf"> = {}): Reader {
    const visited = options.trace && this.visited;
    return new Reader(this.source, this.symbols, { ...options, env, visited });
  }

  argumentsOf({ declaration, env }: Instance, reader = this.reader(env)): Value | undefined {
    const argument = declaration.node.arguments?.[1];
    return argument && reader.read(argument);
  }

  memberOf(instance: Instance, property: string, reader = this.reader(instance.env)): Member {
    const args = this.argumentsOf(instance, reader);
    return args?.how === "object" ? reader.member(args, property) : { how: "absent" };
  }

  #of(declaration: Declaration): Instance[] {
    return this.#roundsAt(declaration.node).map(({ env, places }): Instance => {
      const seen = [...places];
      const reader = this.reader(env, { trace: (node, member) => seen.push([node, member]) });
      const [first] = declaration.node.arguments ?? [];
      const name = first && reader.dataOf(reader.read(first));
      return { declaration, env, places: seen, name: typeof name === "string" ? name : undefined };
    });
  }

  /** The variables around a node, once for each time that it runs. */
  #roundsAt(node: ts.Node): readonly Round[] {
    const { ts: compiler } = this.source;
    let [inner, at] = [node, node.parent];
    const isRepeated = (): boolean =>
      compiler.isFunctionLike(at) || (compiler.isForOfStatement(at) && at.statement === inner) || compiler.isSourceFile(at);
    while (!isRepeated()) [inner, at] = [at, at.parent];
    // A function that calls itself runs as often as other code calls it.
    const known = compiler.isSourceFile(at) ? once : this.#rounds.get(at);
    if (known) return known;
    this.#rounds.set(at, once);
    const rounds = compiler.isForOfStatement(at) ? this.#roundsOf(at) : this.#callsOf(at as ts.SignatureDeclaration);
    const bounded = rounds.length > maxRounds ? once : rounds;
    this.#rounds.set(at, bounded);
    return bounded;
  }

  #roundsOf(loop: ts.ForOfStatement): readonly Round[] {
    const { initializer: list } = loop;
    const name = this.source.ts.isVariableDeclarationList(list) ? list.declarations[0]?.name : undefined;
    return this.#walked(loop, loop.expression, name ? [name] : []);
  }

  /** The rounds of a node that runs once for each row of a list. */
  #walked(node: ts.Node, list: ts.Expression, names: readonly ts.BindingName[]): readonly Round[] {
    return this.#roundsAt(node).flatMap((round): Round[] => {
      const reader = this.reader(round.env, { trace: () => undefined });
      const walk = this.#rowsOf(reader, list);
      if (!walk) return [round];
      return walk.rows.map((row, i): Round => {
        const index = fixed(list, "is a place in a list", { value: i });
        return { env: this.#bound(reader, round.env, names, [row, index]), places: [...round.places, walk.place] };
      });
    });
  }

  /** The values of a function's parameters: of a callback for each row, of a function with a name for each call. */
  #callsOf(callee: ts.SignatureDeclaration): readonly Round[] {
    const { ts: compiler } = this.source;
    const names = callee.parameters.map(({ name }) => name);
    let argument: ts.Node = callee;
    while (compiler.isParenthesizedExpression(argument.parent)) argument = argument.parent;
    const call = argument.parent;
    if (compiler.isCallExpression(call) && call.arguments[0] === argument) {
      const { expression: called } = call;
      const isWalk = compiler.isPropertyAccessExpression(called) && /^(map|forEach|flatMap)$/.test(called.name.text);
      if (isWalk) return this.#walked(call, called.expression, names);
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

  /** The calls of a function or class at the top level of a file, unless the program does something else with it, too. */
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

  /** The rows of a list, or the members of an object by `Object.entries` and its siblings. */
  #rowsOf(reader: Reader, list: ts.Expression): { rows: readonly Row[]; place: ReadPlace } | undefined {
    const { ts: compiler } = this.source;
    const node = withoutTypes(compiler, list);
    const [, how] = compiler.isCallExpression(node)
      ? (/^Object\.(entries|keys|values)$/.exec(node.expression.getText()) ?? [])
      : [];
    const table = compiler.isCallExpression(node) ? node.arguments[0] : undefined;
    if (how !== undefined && table) return this.#members(reader, reader.read(table), how);
    const value = reader.read(node);
    if (value.how !== "list" || value.items.some((item) => item.how === "fixed" && item.spread)) return undefined;
    if (value.uses?.some(({ symbol }) => this.#isFilled(symbol))) return undefined;
    return { rows: value.items.map((item) => through(item, value.uses)), place: [value.node, undefined] };
  }

  #isFilled(symbol: ts.Symbol): boolean {
    const { ts: compiler } = this.source;
    return this.symbols.references(symbol).some(({ parent }) => {
      return compiler.isPropertyAccessExpression(parent) && /^(push|unshift|splice)$/.test(parent.name.text);
    });
  }

  #members(reader: Reader, table: Value, how: string): { rows: readonly Row[]; place: ReadPlace } | undefined {
    if (table.how !== "object" || table.omitted) return undefined;
    const names = table.node.properties.map(({ name }) => reader.nameOf(name));
    if (names.includes(undefined) || new Set(names).size < names.length) return undefined;
    const rows = names.flatMap((name = ""): Row[] => {
      const member = reader.member(table, name);
      if (member.how !== "set") return [];
      const key = fixed(member.property.name ?? table.node, "is a key of a table", { value: name });
      const value = through(member.value, table.uses);
      return [how === "keys" ? key : how === "values" ? value : [key, value]];
    });
    return { rows, place: [table.node, anyMember] };
  }

  #bound(reader: Reader, env: Env, names: readonly ts.BindingName[], rows: readonly (Row | undefined)[]): Env {
    const found = new Map(env);
    for (const [i, name] of names.entries()) this.#bind(reader, found, name, rows[i]);
    return found;
  }

  #bind(reader: Reader, env: Map<ts.Symbol, Value>, name: ts.BindingName, row: Row | undefined): void {
    const { ts: compiler } = this.source;
    if (!row) return;
    if (compiler.isIdentifier(name)) {
      const symbol = this.symbols.of(name);
      if (symbol && "how" in row) env.set(symbol, row);
    } else if (compiler.isArrayBindingPattern(name)) {
      const list = "how" in row && row.how === "list" ? row.items.map((item) => through(item, row.uses)) : [];
      const parts = "how" in row ? list : row;
      for (const [i, one] of name.elements.entries()) {
        if (compiler.isBindingElement(one) && !one.initializer && !one.dotDotDotToken)
          this.#bind(reader, env, one.name, parts[i]);
      }
    } else if ("how" in row) for (const one of name.elements) this.#bindMember(reader, env, one, row);
  }

  #bindMember(reader: Reader, env: Map<ts.Symbol, Value>, element: ts.BindingElement, row: Value): void {
    const { ts: compiler } = this.source;
    const { name, propertyName, initializer, dotDotDotToken, parent } = element;
    if (dotDotDotToken) {
      const taken = parent.elements.flatMap((one) =>
        compiler.isBindingElement(one) && !one.dotDotDotToken ? [(one.propertyName ?? one.name).getText()] : [],
      );
      if (row.how === "object") this.#bind(reader, env, name, { ...row, omitted: taken });
      return;
    }
    const key = reader.nameOf(propertyName ?? (compiler.isIdentifier(name) ? name : undefined));
    const member = key === undefined ? undefined : reader.memberOf(row, key, name);
    this.#bind(reader, env, name, member?.how === "missing" && initializer ? reader.read(initializer) : member);
  }
}
