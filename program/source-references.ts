import type ts from "typescript";
import type { AcceptedResource } from "./acceptance";
import { bindingsOf, importedAs } from "./bindings";
import { withoutTypes, type Declaration } from "./declarations";
import type { Import } from "./imports";
import { Expression } from "./literal";
import type { ProgramSource } from "./program-source";
import type { Symbols } from "./symbols";

type LocatedResource = readonly [resource: AcceptedResource, declaration: Declaration];

/** Converts record ids to expressions such as `office.id`, and such expressions to ids. */
export class SourceReferences {
  readonly #byNode: ReadonlyMap<ts.Node, LocatedResource[]>;
  readonly #byId: ReadonlyMap<string, LocatedResource[]>;

  constructor(
    private readonly source: ProgramSource,
    private readonly symbols: Symbols,
    declared: readonly LocatedResource[],
  ) {
    const named = declared.filter(([, { variable }]) => variable !== undefined);
    this.#byNode = Map.groupBy(named, ([, { node }]) => node);
    this.#byId = Map.groupBy(named, ([{ id }]) => id);
  }

  /** Returns the id of the resource in an expression such as `office.id`. The resource has a different id in each stack. */
  idOf(stack: string, node: ts.Expression): string | undefined {
    const { ts: compiler } = this.source;
    if (!compiler.isPropertyAccessExpression(node) || node.name.text !== "id") return undefined;
    const declared = this.symbols.of(withoutTypes(compiler, node.expression))?.valueDeclaration;
    if (!declared || !compiler.isVariableDeclaration(declared) || !declared.initializer) return undefined;
    const locatedHere = this.#byNode.get(withoutTypes(compiler, declared.initializer)) ?? [];
    const locatedInStack = locatedHere.filter(([resource]) => resource.stack === stack);
    return locatedInStack.length === 1 ? locatedInStack[0]?.[0].id : undefined;
  }

  /**
   * Returns an expression for the id of a resource.
   *
   * In the file that declares the resource, the expression is available only below the declaration.
   *
   * @param imports list to which the function adds the necessary import
   */
  to(
    id: string,
    { stack, kindName, places }: { stack: string; kindName: string; places: readonly ts.Node[] },
    imports: Import[],
  ): Expression | undefined {
    const declaration = this.#byId.get(id)?.find(([resource]) => resource.stack === stack && resource.kindName === kindName);
    const paths = new Set(places.map((place) => place.getSourceFile().fileName));
    const [path = ""] = paths;
    if (!declaration || paths.size > 1) return undefined;
    const [, { variable = "", position, node, exported }] = declaration;
    const isHere = position.file === path;
    const isNamed = isHere && places.every(({ pos }) => node.end < pos) && this.symbols.isUnique(path, variable);
    const name = isNamed ? variable : !isHere && exported ? this.#imported(path, position.file, variable, imports) : undefined;
    return name === undefined ? undefined : new Expression(`${name}.id`);
  }

  /** Returns the name of a variable from another file, if the program already imports that file. */
  #imported(path: string, from: string, variable: string, imports: Import[]): string | undefined {
    const { source, symbols } = this;
    const file = source.file(path);
    const specifier = source.modulesOf(path).find((module) => source.resolve(path, module) === from);
    if (!file || specifier === undefined) return undefined;
    const known = importedAs(source.ts, file, specifier, variable);
    if (known !== undefined) return symbols.isUnique(path, known.split(".")[0] ?? "") ? known : undefined;
    if (bindingsOf(source.ts, file, specifier).names.size === 0 || symbols.isUsed(path, variable)) return undefined;
    imports.push({ from: specifier, names: new Map([[variable, variable]]) });
    return variable;
  }
}
