import type ts from "typescript";
import type { ManagedResource } from "../engine/state";
import { bindingsOf, type Bindings } from "./bindings";
import { withoutTypes, type Declaration } from "./declarations";
import type { Import } from "./imports";
import { Expression } from "./literal";
import type { ProgramSource } from "./program";
import type { Symbols } from "./symbols";

export interface LocatedResource {
  resource: Pick<ManagedResource, "stack" | "kindName" | "id">;
  declaration: Declaration | undefined;
}

/** The expression for the id of a resource, and the imports that it needs. */
export interface Reference {
  expression: Expression;
  imports: Import[];
}

/** Translates between ids and the references to resources of a program, such as `office.id`. */
export class References {
  readonly #byNode: ReadonlyMap<ts.Node | undefined, LocatedResource[]>;
  readonly #byId: ReadonlyMap<string, LocatedResource[]>;

  constructor(
    private readonly source: ProgramSource,
    private readonly symbols: Symbols,
    located: readonly LocatedResource[],
  ) {
    this.#byNode = Map.groupBy(located, ({ declaration }) => declaration?.node);
    this.#byId = Map.groupBy(located, ({ resource }) => resource.id);
  }

  /** Returns the id in a stack for an expression such as `office.id`. */
  idOf(stack: string, node: ts.Expression): string | undefined {
    const { ts: compiler } = this.source;
    if (!compiler.isPropertyAccessExpression(node) || node.name.text !== "id") return undefined;
    const declared = this.#symbolOf(withoutTypes(compiler, node.expression))?.valueDeclaration;
    if (!declared || !compiler.isVariableDeclaration(declared) || !declared.initializer) return undefined;
    const held = this.#byNode.get(withoutTypes(compiler, declared.initializer)) ?? [];
    const found = held.filter(({ resource, declaration }) => resource.stack === stack && declaration?.variable !== undefined);
    return found.length === 1 ? found[0]?.resource.id : undefined;
  }

  /** Returns the expression for the id of a resource, for code behind a place of a file. Undefined if the file cannot name the resource. */
  to(id: string, of: { path: string; stack: string; kindName: string; from: number }): Reference | undefined {
    const found = this.#byId.get(id)?.find(({ resource, declaration }) => {
      return resource.stack === of.stack && resource.kindName === of.kindName && declaration?.variable !== undefined;
    })?.declaration;
    if (found?.variable === undefined) return undefined;
    const { variable, position, node, exported } = found;
    if (position.file !== of.path) return exported ? this.#imported(of.path, position.file, variable) : undefined;
    const isDeclared = node.end < of.from && this.symbols.isUnique(of.path, variable);
    return isDeclared ? { expression: new Expression(`${variable}.id`), imports: [] } : undefined;
  }

  #symbolOf(node: ts.Expression): ts.Symbol | undefined {
    const { ts: compiler } = this.source;
    if (compiler.isIdentifier(node)) return this.symbols.of(node);
    if (!compiler.isPropertyAccessExpression(node) || !compiler.isIdentifier(node.expression)) return undefined;
    const module = this.symbols.of(node.expression);
    return module && this.symbols.exportOf(module, node.name.text);
  }

  /** A variable of another file, which this one imports already, or from which it imports something. */
  #imported(path: string, from: string, variable: string): Reference | undefined {
    const specifier = this.source.modulesOf(path).find((one) => this.source.resolve(path, one) === from);
    const bindings = specifier === undefined ? undefined : this.#bindings(path, specifier);
    if (specifier === undefined || !bindings) return undefined;
    const isUnique = (name: string): boolean => this.symbols.isUnique(path, name);
    const local = [...bindings.names].find(([name, exported]) => exported === variable && isUnique(name))?.[0];
    const namespace = [...bindings.namespaces].find(isUnique);
    const name = local ?? (namespace === undefined ? undefined : `${namespace}.${variable}`);
    if (name !== undefined) return { expression: new Expression(`${name}.id`), imports: [] };
    if (this.symbols.isUsed(path, variable)) return undefined;
    return { expression: new Expression(`${variable}.id`), imports: [{ from: specifier, names: [variable] }] };
  }

  /** The names by which a file reads exports of another one. Undefined if it imports none at run time. */
  #bindings(path: string, specifier: string): Bindings | undefined {
    const file = this.source.file(path);
    const found = file && bindingsOf(this.source.ts, file, specifier);
    return found && found.names.size + found.namespaces.size > 0 ? found : undefined;
  }
}
