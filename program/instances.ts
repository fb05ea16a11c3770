import type ts from "typescript";
import type { AcceptedResource } from "./acceptance";
import { placeText, withoutTypes, type Declaration } from "./declarations";
import type { ProgramSource } from "./program-source";
import { Reader, type ReaderOptions } from "./reader";
import { Symbols } from "./symbols";
import { anyMember, fixed, isSpread, Refusal, through, type Scope, type Value } from "./value";

type ReadPlace = readonly [node: ts.Node, member?: string];

/** A resource that a program declares. In a loop or function, a declaration has one instance for each list item or call. */
export interface Instance extends Evaluation {
  declaration: Declaration;
  /** Name of the resource, if the program does not compute it. */
  name: string | undefined;
}

interface Evaluation {
  env: Scope;
  /** Nodes that determine whether the resource exists, such as the list of a loop. */
  places: readonly ReadPlace[];
}

/** Maximum number of evaluations of a loop or function. Above the maximum, the loop or function counts as one evaluation. */
const maxEvaluations = 10_000;
const once: readonly Evaluation[] = [{ env: new Map(), places: [] }];

export class Instances {
  readonly symbols: Symbols;
  readonly all: readonly Instance[];
  readonly #named: ReadonlyMap<string, readonly Instance[]>;
  readonly #evaluations = new Map<ts.Node, readonly Evaluation[]>();

  constructor(readonly source: ProgramSource) {
    this.symbols = new Symbols(source);
    this.all = source.declarations.flatMap((declaration) => this.#of(declaration));
    this.#named = Map.groupBy(this.all, ({ declaration, name }) => `${declaration.className} ${name}`);
  }

  /**
   * Finds the declaration of a resource by class and name. If several declarations match, the function uses the position from the last
   * update.
   *
   * If a program calls a function more than once, each declaration in the function has several instances.
   */
  locate({ kind, name, position }: Pick<AcceptedResource, "kind" | "name" | "position">): readonly Instance[] | Refusal {
    const named = this.#named.get(`${kind.name} ${name}`)?.filter((instance) => instance.name === name) ?? [];
    const seen = position && this.source.at(position);
    const atPosition = named.filter(({ declaration }) => declaration === seen);
    if (atPosition.length > 0) return atPosition;
    const declarations = [...new Set(named.map(({ declaration }) => declaration))];
    if (declarations.length === 1) return named;
    const [first] = declarations;
    if (first) {
      const places = declarations.map((declaration) => placeText(declaration.position)).join(", ");
      return new Refusal(`is declared in ${declarations.length} places (${places})`, first.node);
    }
    if (seen?.className === kind.name && this.at(seen.node).some((instance) => instance.name === undefined)) {
      return new Refusal("has a computed name: its declaration may declare several resources", seen.node);
    }
    const isForeign = position && !this.source.texts.has(position.file);
    const hint = position ? `; the last update saw it at ${placeText(position)}` : "";
    const why = `is not declared by a new ${kind.name}("${name}", …) in the program${hint}`;
    return new Refusal(isForeign ? `${why}, a file that is not part of the program` : why);
  }

  at(node: ts.Node): readonly Instance[] {
    return this.all.filter(({ declaration }) => declaration.node === node);
  }

  reader(env: Scope, options: Omit<ReaderOptions, "env"> = {}): Reader {
    return new Reader(this.source, this.symbols, { ...options, env });
  }

  argumentsOf({ declaration, env }: Instance, reader = this.reader(env)): Value | undefined {
    const argument = declaration.node.arguments?.[1];
    return argument && reader.read(argument);
  }

  memberOf(instance: Instance, property: string, reader = this.reader(instance.env)): Value | undefined {
    const args = this.argumentsOf(instance, reader);
    return args?.how === "object" ? reader.member(args, property) : undefined;
  }

  #of(declaration: Declaration): Instance[] {
    const [first] = declaration.node.arguments ?? [];
    return this.#evaluationsAt(declaration.node).map(({ env, places }): Instance => {
      const seen = [...places];
      const reader = this.reader(env, { trace: (...place) => seen.push(place) });
      const name = first && reader.dataOf(reader.read(first));
      return { declaration, env, places: seen, name: typeof name === "string" ? name : undefined };
    });
  }

  #evaluationsAt(node: ts.Node): readonly Evaluation[] {
    const { ts: compiler } = this.source;
    let [inner, at] = [node, node.parent];
    const isRepeated = (): boolean =>
      compiler.isFunctionLike(at) || (compiler.isForOfStatement(at) && at.statement === inner) || compiler.isSourceFile(at);
    while (!isRepeated()) [inner, at] = [at, at.parent];
    // A recursive call of a function does not count as another evaluation.
    const known = compiler.isSourceFile(at) ? once : this.#evaluations.get(at);
    if (known) return known;
    this.#evaluations.set(at, once);
    const evaluations = compiler.isForOfStatement(at)
      ? this.#evaluationsOfLoop(at)
      : this.#evaluationsOfFunction(at as ts.SignatureDeclaration);
    const bounded = evaluations.length > maxEvaluations ? once : evaluations;
    this.#evaluations.set(at, bounded);
    return bounded;
  }

  #evaluationsOfLoop(loop: ts.ForOfStatement): readonly Evaluation[] {
    const { initializer: list, expression } = loop;
    return this.#evaluationsByRow(loop, expression, this.source.ts.isVariableDeclarationList(list) ? list.declarations : []);
  }

  #evaluationsByRow(node: ts.Node, list: ts.Expression, declared: readonly ts.Node[]): readonly Evaluation[] {
    return this.#evaluationsAt(node).flatMap((evaluation): Evaluation[] => {
      const { reader, places } = this.#tracingReader(evaluation);
      const walk = this.#rowsOf(reader, list);
      if (!walk) return [evaluation];
      places.push(walk.place);
      return walk.rows.map((row, i): Evaluation => {
        const index = fixed(list, "is the index of a list item", { value: i });
        return { env: bound(evaluation.env, declared, [row, index]), places };
      });
    });
  }

  #tracingReader({ env, places: around }: Evaluation): { reader: Reader; places: ReadPlace[] } {
    const places = [...around];
    const trace = (node: ts.Node): void => void (this.source.ts.isIdentifier(node) && places.push([node]));
    return { places, reader: this.reader(env, { trace }) };
  }

  /**
   * Returns the evaluations of a function. A callback has one evaluation for each list item, and a named function has one evaluation for
   * each call.
   */
  #evaluationsOfFunction(callee: ts.SignatureDeclaration): readonly Evaluation[] {
    const { ts: compiler } = this.source;
    let argument: ts.Node = callee;
    while (compiler.isParenthesizedExpression(argument.parent)) argument = argument.parent;
    const call = argument.parent;
    if (compiler.isCallExpression(call) && call.arguments[0] === argument) {
      const { expression: called } = call;
      const isWalk = compiler.isPropertyAccessExpression(called) && /^(map|forEach|flatMap)$/.test(called.name.text);
      if (isWalk) return this.#evaluationsByRow(call, called.expression, callee.parameters);
    }
    const calls = this.#callsByName(callee);
    if (!calls) return this.#evaluationsAt(callee);
    return calls.flatMap((use) =>
      this.#evaluationsAt(use).map((evaluation): Evaluation => {
        const { reader, places } = this.#tracingReader(evaluation);
        const values = (use.arguments ?? []).map((value) => reader.read(value));
        return { places, env: bound(evaluation.env, callee.parameters, values) };
      }),
    );
  }

  /** Returns all calls of a function or class. Returns undefined if the program also uses the function or class in another way. */
  #callsByName(callee: ts.SignatureDeclaration): (ts.CallExpression | ts.NewExpression)[] | undefined {
    const { ts: compiler } = this.source;
    const owner = compiler.isConstructorDeclaration(callee) ? callee.parent : callee;
    const { name }: { name?: ts.Node } = compiler.isVariableDeclaration(owner.parent) ? owner.parent : owner;
    const symbol = name && this.symbols.of(name);
    const references = symbol ? this.symbols.references(symbol) : [];
    const calls = references.flatMap((node) => {
      const { parent } = node;
      if (!compiler.isCallExpression(parent) && !compiler.isNewExpression(parent)) return [];
      return parent.expression === node && !parent.arguments?.some((argument) => compiler.isSpreadElement(argument))
        ? [parent]
        : [];
    });
    return calls.length > 0 && calls.length === references.length ? calls : undefined;
  }

  #rowsOf(reader: Reader, list: ts.Expression): { rows: readonly Value[]; place: ReadPlace } | undefined {
    const { ts: compiler } = this.source;
    const node = withoutTypes(compiler, list);
    const [, how] = compiler.isCallExpression(node)
      ? (/^Object\.(entries|keys|values)$/.exec(node.expression.getText()) ?? [])
      : [];
    const table = compiler.isCallExpression(node) ? node.arguments[0] : undefined;
    if (how !== undefined && table) return this.#members(reader, reader.read(table), how);
    const value = reader.read(node);
    if (value.how !== "list" || value.items.some(isSpread) || value.uses?.some(({ symbol }) => this.#isFilled(symbol))) {
      return undefined;
    }
    return { rows: value.items.map((item) => through(item, value.uses)), place: [value.node] };
  }

  #isFilled(symbol: ts.Symbol): boolean {
    const { ts: compiler } = this.source;
    return this.symbols.references(symbol).some(({ parent }) => {
      return compiler.isPropertyAccessExpression(parent) && /^(push|unshift|splice)$/.test(parent.name.text);
    });
  }

  #members(reader: Reader, table: Value, how: string): { rows: readonly Value[]; place: ReadPlace } | undefined {
    if (table.how !== "object" || table.omitted) return undefined;
    const names = table.node.properties.map(({ name }) => reader.nameOf(name));
    if (names.includes(undefined) || new Set(names).size < names.length) return undefined;
    const rows = names.flatMap((name = ""): Value[] => {
      const member = reader.member(table, name);
      if (!member.set) return [];
      const key = fixed(member.set.property.name ?? table.node, "is a key of an object", { value: name });
      const value = through(member, table.uses);
      if (how !== "entries") return [how === "keys" ? key : value];
      return [fixed(table.node, "is an entry of an object", { parts: [key, value] })];
    });
    return { rows, place: [table.node, anyMember] };
  }
}

function bound(env: Scope, declared: readonly ts.Node[], values: readonly Value[]): Scope {
  const added = declared.flatMap((node, i): [ts.Node, Value][] => {
    const value = "dotDotDotToken" in node && node.dotDotDotToken ? undefined : values[i];
    return value ? [[node, value]] : [];
  });
  return new Map([...env, ...added]);
}
