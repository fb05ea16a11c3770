import type ts from "typescript";
import type { ManagedResource } from "../engine/state";
import { bindingsOf, type Bindings } from "./bindings";
import { withoutTypes, type Declaration } from "./declarations";
import type { Import } from "./imports";
import { Expression } from "./literal";
import type { ProgramSource } from "./program";

/** A resource with its declaration, where that is known. */
export interface Located {
  resource: Pick<ManagedResource, "stack" | "kindName" | "id">;
  declaration: Declaration | undefined;
}

/** How a program writes the id of a resource, and what it has to import for that. */
export interface Reference {
  expression: Expression;
  imports: Import[];
}

/** A file that another one imports something from. */
interface Module {
  specifier: string;
  file: string;
  bindings: Bindings;
}

/** How the files of a program refer to the resources they declare: `office.id`. */
export class References {
  readonly #byDeclaration: ReadonlyMap<Declaration | undefined, Located[]>;
  readonly #byId: ReadonlyMap<string, Located[]>;
  readonly #modulesOf = new Map<string, Module[]>();

  constructor(
    private readonly source: ProgramSource,
    located: readonly Located[],
  ) {
    this.#byDeclaration = Map.groupBy(located, ({ declaration }) => declaration);
    this.#byId = Map.groupBy(located, ({ resource }) => resource.id);
  }

  /** The id that an expression of a file stands for in a stack; nothing for an expression that is no id of a resource of ours. */
  idOf(path: string, stack: string, node: ts.Expression): string | undefined {
    const { ts: compiler } = this.source;
    if (!compiler.isPropertyAccessExpression(node) || node.name.text !== "id") return undefined;
    const declaration = this.#declarationOf(path, withoutTypes(compiler, node.expression));
    const found = declaration && this.#byDeclaration.get(declaration)?.filter(({ resource }) => resource.stack === stack);
    return found?.length === 1 ? found[0]?.resource.id : undefined;
  }

  /** How a file writes the id of a resource, from a place in it on; nothing where it cannot name the resource. */
  to(id: string, of: { path: string; stack: string; kindName: string; from: number }): Reference | undefined {
    for (const { resource, declaration } of this.#byId.get(id) ?? []) {
      if (resource.stack !== of.stack || resource.kindName !== of.kindName || declaration?.variable === undefined) continue;
      const { variable, position, node } = declaration;
      if (position.file !== of.path) return declaration.exported ? this.#imported(of.path, position.file, variable) : undefined;
      const isDeclared = node.end < of.from && this.source.scope(of.path)?.isUnique(variable) === true;
      return isDeclared ? { expression: new Expression(`${variable}.id`), imports: [] } : undefined;
    }
    return undefined;
  }

  #declarationOf(path: string, node: ts.Expression): Declaration | undefined {
    const { ts: compiler } = this.source;
    const scope = this.source.scope(path);
    if (compiler.isPropertyAccessExpression(node)) {
      const module = this.#modules(path).find(({ bindings }) => bindings.namespaces.has(node.expression.getText(scope?.file)));
      return this.#exported(module?.file, node.name.text);
    }
    if (!compiler.isIdentifier(node) || scope?.isUnique(node.text) !== true) return undefined;
    const own = this.source.declarations.find(({ position, variable }) => position.file === path && variable === node.text);
    if (own) return own;
    const module = this.#modules(path).find(({ bindings }) => bindings.names.has(node.text));
    return this.#exported(module?.file, module?.bindings.names.get(node.text));
  }

  #exported(path: string | undefined, name: string | undefined): Declaration | undefined {
    return this.source.declarations.find(
      ({ position, variable, exported }) => exported && position.file === path && variable === name,
    );
  }

  /** A variable of another file, which this one imports already, or from which it imports something. */
  #imported(path: string, from: string, variable: string): Reference | undefined {
    const scope = this.source.scope(path);
    const module = this.#modules(path).find((one) => one.file === from);
    if (!scope || !module) return undefined;
    const isUnique = (name: string): boolean => scope.isUnique(name);
    const local = [...module.bindings.names].find(([name, exported]) => exported === variable && isUnique(name))?.[0];
    const namespace = [...module.bindings.namespaces].find(isUnique);
    const name = local ?? (namespace === undefined ? undefined : `${namespace}.${variable}`);
    if (name !== undefined) return { expression: new Expression(`${name}.id`), imports: [] };
    if (scope.isUsed(variable)) return undefined;
    return { expression: new Expression(`${variable}.id`), imports: [{ from: module.specifier, names: [variable] }] };
  }

  /** The program's own files that a file imports something from at run time, each by what the file calls it. */
  #modules(path: string): Module[] {
    const modules = this.#modulesOf.get(path) ?? this.#findModules(path);
    this.#modulesOf.set(path, modules);
    return modules;
  }

  #findModules(path: string): Module[] {
    const { ts: compiler } = this.source;
    const file = this.source.file(path);
    const specifiers = (file?.statements ?? []).flatMap((statement) =>
      compiler.isImportDeclaration(statement) && compiler.isStringLiteral(statement.moduleSpecifier)
        ? [statement.moduleSpecifier.text]
        : [],
    );
    return [...new Set(specifiers)].flatMap((specifier) => {
      const target = this.source.resolve(path, specifier);
      if (!file || target === undefined) return [];
      const bindings = bindingsOf(compiler, file, specifier);
      return bindings.names.size + bindings.namespaces.size > 0 ? [{ specifier, file: target, bindings }] : [];
    });
  }
}
