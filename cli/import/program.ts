import { posix } from "node:path";
import type ts from "typescript";
import { importedKinds, type ImportedKind } from "../kinds";
import { declaredNames, importedAs } from "../edit/bindings";
import type { Declaration } from "../edit/declarations";
import { fileOf, type ProgramPlace } from "./place";
import type { Listed } from "./target";

/** The existing program: what it declares, which names it uses, and which of its files load which. */
export class Program {
  readonly #seen = new Map<ImportedKind, ReadonlySet<string>>();
  readonly #loads = new Map<string, readonly string[]>();
  /** Paths of the kinds' files, which may be about to be written. */
  readonly #written: ReadonlySet<string>;

  constructor(readonly place: ProgramPlace) {
    this.#written = new Set(importedKinds.map((of) => fileOf(place, of)));
  }

  text(path: string): string | undefined {
    return this.place.source?.texts.get(path);
  }

  /** Names that a file declares or imports at its top level. */
  names(path: string): ReadonlySet<string> {
    const { source } = this.place;
    const file = source?.file(path);
    return source && file ? declaredNames(source.ts, file) : new Set();
  }

  /** The declaration of a resource; the first one where functions or other projects have it too. */
  declarationOf(of: ImportedKind, name: string): Declaration | undefined {
    return this.place.source?.find(of.kind.name, name)[0];
  }

  declares(className: string, name: string): boolean {
    return (this.place.source?.find(className, name).length ?? 0) > 0;
  }

  /**
   * Whether the program has that name for something else than a record: its declaration has another name or id. One whose
   * arguments cannot be read is taken for the record's, since the name was made from it.
   */
  declaresAnother({ of, id, found }: Listed, name: string): boolean {
    const identity = Object.entries(found.inputs).filter(
      ([property, value]) => of.kind.identity.includes(property) || value === id,
    );
    const declarations = this.place.source?.find(of.kind.name, name) ?? [];
    return declarations.some((declaration) =>
      identity.some(([property, value]) => {
        const declared = this.#member(declaration, property);
        return (
          declared !== undefined && this.place.source?.ts.isStringLiteralLike(declared) === true && declared.text !== value
        );
      }),
    );
  }

  /** Whether a variable of a kind would meet one of that name, in its own file or in one that imports it. */
  isSeen(of: ImportedKind, variable: string): boolean {
    const seen = this.#seen.get(of) ?? this.#seenBy(of);
    this.#seen.set(of, seen);
    return seen.has(variable);
  }

  /** Configuration keys that a declaration takes secrets from, by property: `config.getSecret("key")`. */
  secretKeys(declaration: Declaration): Record<string, string> {
    const { source } = this.place;
    const [, args] = declaration.node.arguments ?? [];
    if (!source || !args || !source.ts.isObjectLiteralExpression(args)) return {};
    return Object.fromEntries(
      args.properties.flatMap((member): [string, string][] => {
        if (!source.ts.isPropertyAssignment(member) || !source.ts.isIdentifier(member.name)) return [];
        const key = /\.(?:get|require)Secret\(\s*(["'`])(?<key>.+?)\1/.exec(member.initializer.getText())?.groups?.["key"];
        return key === undefined ? [] : [[member.name.text, key]];
      }),
    );
  }

  /** Every key that the program reads from a configuration, as far as it is plainly written. */
  get keys(): ReadonlySet<string> {
    const texts = [...(this.place.source?.texts.values() ?? [])];
    const reads = /\.(?:get|require)(?:Secret)?(?:Boolean|Number|Object)?(?:<[^()]*>)?\(\s*(["'`])(?<key>.+?)\1/g;
    return new Set(texts.flatMap((text) => [...text.matchAll(reads)].flatMap(({ groups }) => groups?.["key"] ?? [])));
  }

  /** The constant of a file that holds the project's configuration: `const config = new pulumi.Config()`. */
  configIn(path: string): string | undefined {
    const { source } = this.place;
    const file = source?.file(path);
    if (!source || !file) return undefined;
    const config = importedAs(source.ts, file, "@pulumi/pulumi", "Config");
    if (config === undefined) return undefined;
    for (const statement of file.statements) {
      if (!source.ts.isVariableStatement(statement)) continue;
      for (const { name, initializer: made } of statement.declarationList.declarations) {
        if (!made || !source.ts.isNewExpression(made) || !source.ts.isIdentifier(name)) continue;
        if (made.expression.getText() === config && (made.arguments ?? []).length === 0) return name.text;
      }
    }
    return undefined;
  }

  /** Whether a file loads another one or is it. The entry loads every file once this import is done. */
  loads(from: string, to: string): boolean {
    if (from === this.place.entry) return true;
    const visited = new Set<string>();
    const visit = (path: string): boolean => {
      if (path === to) return true;
      if (visited.has(path)) return false;
      visited.add(path);
      return this.#loadedBy(path).some(visit);
    };
    return visit(from);
  }

  /** Whether a file now loads another directly. */
  isGuarded(from: string, to: string): boolean {
    return this.#loadedBy(from).includes(to);
  }

  /** Whether the program now loads a file, or starts with it. */
  isStarted(path: string): boolean {
    const { start = this.place.entry } = this.place;
    return path === start || this.#loadedBy(start).some((one) => one === path || this.loads(one, path));
  }

  /** Whether the entry now loads a file. */
  isLoaded(path: string): boolean {
    return this.#loadedBy(this.place.entry).some((one) => this.loads(one, path));
  }

  /** How a file imports a module that is a file of the program: as it does already, else by the path between the two. */
  specifier(from: string, to: string): string {
    const own = this.#specifiers(from).find((specifier) => this.#resolved(from, specifier) === to);
    if (own !== undefined) return own;
    const relative = posix.relative(posix.dirname(from), to);
    const path = relative.startsWith(".") ? relative : `./${relative}`;
    const { suffix } = this.place;
    // These are never left out.
    if (/\.[cm]js$/.test(path)) return path;
    if (/\.[cm]ts$/.test(path)) return suffix === ".ts" ? path : path.replace(/ts$/, "js");
    return path.replace(/\.[jt]sx?$/, "") + suffix;
  }

  #member(declaration: Declaration, property: string): ts.Expression | undefined {
    const compiler = this.place.source?.ts;
    const [, args] = declaration.node.arguments ?? [];
    if (!compiler || !args || !compiler.isObjectLiteralExpression(args)) return undefined;
    const member = args.properties.find((one) => one.name !== undefined && one.name.getText() === property);
    return member && compiler.isPropertyAssignment(member) ? member.initializer : undefined;
  }

  #seenBy(of: ImportedKind): ReadonlySet<string> {
    const importers = importedKinds.filter(({ kind }) => Object.values(kind.refersTo).includes(of.name));
    const names = [of, ...importers].flatMap((one) => [...this.names(fileOf(this.place, one))]);
    const targets = Object.values(of.kind.refersTo);
    const importable = new Set(importedKinds.filter(({ name }) => targets.includes(name)).map(({ kind }) => kind.name));
    const exported = (this.place.source?.declarations ?? []).filter((one) => one.exported && importable.has(one.className));
    return new Set([...names, ...exported.flatMap(({ variable }) => variable ?? [])]);
  }

  #loadedBy(path: string): readonly string[] {
    const known = this.#loads.get(path);
    if (known) return known;
    const found = this.#specifiers(path).flatMap((specifier) => this.#resolved(path, specifier) ?? []);
    this.#loads.set(path, found);
    return found;
  }

  #specifiers(path: string): readonly string[] {
    return this.place.source?.modulesOf(path) ?? [];
  }

  #resolved(from: string, specifier: string): string | undefined {
    return this.place.source?.resolve(from, specifier, (path) => this.text(path) !== undefined || this.#written.has(path));
  }
}

/** Advises how to have the program load a file. */
export function loadedWith(program: Program, path: string): string {
  const { entry, start = entry, syntax } = program.place;
  const module = JSON.stringify(program.specifier(start, start !== entry && program.isLoaded(path) ? entry : path));
  return `add ${syntax === "import" ? `import ${module}` : `require(${module})`} to ${start}`;
}
