import type ts from "typescript";
import type { ManagedResource } from "../engine/state";
import { bindingsOf, importedAs } from "./bindings";
import { withoutTypes, type Declaration } from "./declarations";
import type { Import } from "./imports";
import { Expression } from "./literal";
import type { ProgramSource } from "./program";
import type { Symbols } from "./symbols";

export interface LocatedResource {
  resource: Pick<ManagedResource, "stack" | "kindName" | "id">;
  declaration: Declaration | undefined;
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
    const named = located.filter(({ declaration }) => declaration?.variable !== undefined);
    this.#byNode = Map.groupBy(named, ({ declaration }) => declaration?.node);
    this.#byId = Map.groupBy(named, ({ resource }) => resource.id);
  }

  /** Returns the id in a stack for an expression such as `office.id`. */
  idOf(stack: string, node: ts.Expression): string | undefined {
    const { ts: compiler } = this.source;
    if (!compiler.isPropertyAccessExpression(node) || node.name.text !== "id") return undefined;
    const declared = this.symbols.of(withoutTypes(compiler, node.expression))?.valueDeclaration;
    if (!declared || !compiler.isVariableDeclaration(declared) || !declared.initializer) return undefined;
    const held = this.#byNode.get(withoutTypes(compiler, declared.initializer)) ?? [];
    const [found, ...others] = held.filter(({ resource }) => resource.stack === stack);
    return others.length === 0 ? found?.resource.id : undefined;
  }

  /**
   * Returns the expression for the id of a resource, for code behind a place of a file. Undefined if the file cannot name the resource.
   *
   * @param imports gets the import that the expression needs
   */
  to(
    id: string,
    of: { path: string; stack: string; kindName: string; from: number },
    imports: Import[],
  ): Expression | undefined {
    const held = this.#byId.get(id)?.find(({ resource }) => resource.stack === of.stack && resource.kindName === of.kindName);
    const { variable = "", position, node, exported = false } = held?.declaration ?? {};
    if (!node || !position) return undefined;
    const isHere = position.file === of.path;
    const isNamed = isHere && node.end < of.from && this.symbols.isUnique(of.path, variable);
    const name = isNamed
      ? variable
      : !isHere && exported
        ? this.#imported(of.path, position.file, variable, imports)
        : undefined;
    return name === undefined ? undefined : new Expression(`${name}.id`);
  }

  /** A variable of another file, which this one imports already, or from which it imports something at run time. */
  #imported(path: string, from: string, variable: string, imports: Import[]): string | undefined {
    const { source, symbols } = this;
    const file = source.file(path);
    const specifier = source.modulesOf(path).find((one) => source.resolve(path, one) === from);
    if (!file || specifier === undefined) return undefined;
    const known = importedAs(source.ts, file, specifier, variable);
    if (known !== undefined) return symbols.isUnique(path, known.split(".")[0] ?? "") ? known : undefined;
    if (bindingsOf(source.ts, file, specifier).names.size === 0 || symbols.isUsed(path, variable)) return undefined;
    imports.push({ from: specifier, names: new Map([[variable, variable]]) });
    return variable;
  }
}
