import { posix } from "node:path";
import { importedKinds, type ImportedKind } from "../provider/imported-kinds";
import { declaredNames } from "./bindings";
import type { Declaration } from "./declarations";
import type { Front } from "./front";
import { fileOf, type ProgramPlace } from "./program-place";
import type { Properties } from "../provider/values";

interface Identified {
  readonly of: ImportedKind;
  readonly id: string;
  readonly record: { readonly inputs: Properties };
}

export class ExistingProgram {
  readonly #loads = new Map<string, readonly string[]>();
  /** Paths of the files that `endpoint-monitoring import` can write, one path for each resource type. */
  readonly #written: ReadonlySet<string>;
  #taken: ReadonlySet<string> | undefined;

  constructor(readonly place: ProgramPlace) {
    this.#written = new Set(importedKinds.map((of) => fileOf(place, of)));
  }

  /**
   * Returns the provider type that most of the program's declarations use.
   *
   * @param hasPlugin whether Pulumi.yaml names the native plugin. For a program without declarations, `hasPlugin` determines the result
   */
  front(hasPlugin: boolean): Front {
    const declarations = this.place.source?.declarations ?? [];
    const native = declarations.filter(({ front }) => front === "native").length;
    if (declarations.length > 0) return native * 2 > declarations.length ? "native" : "dynamic";
    return hasPlugin ? "native" : "dynamic";
  }

  text(path: string): string | undefined {
    return this.place.source?.texts.get(path);
  }

  names(path: string): ReadonlySet<string> {
    const { source } = this.place;
    const file = source?.file(path);
    return source && file ? declaredNames(source.ts, file) : new Set();
  }

  /** Whether a new variable would conflict with a name in the files that an import writes. */
  isTaken(variable: string): boolean {
    this.#taken ??= new Set([
      ...[...this.#written].flatMap((path) => [...this.names(path)]),
      ...(this.place.source?.declarations ?? []).flatMap((declaration) => (declaration.exported && declaration.variable) || []),
    ]);
    return this.#taken.has(variable);
  }

  /**
   * Returns all declarations of the resource `name` with the class `className`. A resource may have several declarations, for example in
   * functions or in other projects.
   */
  declarations(className: string, name: string): Declaration[] {
    return this.place.source?.find(className, name) ?? [];
  }

  /**
   * Whether the program uses a resource name for a different record.
   *
   * If the arguments of the declaration cannot be read, the result is false.
   */
  declaresAnother({ of, id, record }: Identified, name: string): boolean {
    const identity = Object.entries(record.inputs).filter(
      ([property, value]) => of.kind.identity.includes(property) || value === id,
    );
    return this.declarations(of.kind.name, name).some((declaration) => {
      const declared = this.#texts(declaration);
      return identity.some(([property, value]) => declared.has(property) && declared.get(property) !== value);
    });
  }

  /** Returns the configuration keys of a declaration's secrets, by property: `key` for `config.getSecret("key")`. */
  secretKeys({ node }: Declaration): Record<string, string> {
    const reads = node.getText().matchAll(/(\w+):\s*\w+\.(?:get|require)Secret\(\s*(["'`])(.+?)\2/g);
    return Object.fromEntries([...reads].map(([, property = "", , key = ""]) => [property, key]));
  }

  /** Returns the name of a file's configuration constant, such as `config` in `const config = new pulumi.Config()`. */
  configIn(path: string): string | undefined {
    return /^(?:export )?const (\w+) = new (?:\w+\.)?Config\(\)/m.exec(this.text(path) ?? "")?.[1];
  }

  /** Whether a file loads another file directly or indirectly. The result is also true if both paths are equal. */
  loads(from: string, to: string, visited = new Set<string>()): boolean {
    if (from === to) return true;
    if (visited.has(from)) return false;
    visited.add(from);
    return this.#loadedBy(from).some((path) => this.loads(path, to, visited));
  }

  /** Returns the module specifier for importing a file in another file. If the import already exists, the result is its specifier. */
  specifier(from: string, to: string): string {
    const existing = this.#specifiers(from).find((specifier) => this.#resolved(from, specifier) === to);
    if (existing !== undefined) return existing;
    const relative = posix.relative(posix.dirname(from), to);
    const path = relative.startsWith(".") ? relative : `./${relative}`;
    const { suffix } = this.place;
    // Imports of .mts and .cts files must contain the extension.
    if (/\.[cm]ts$/.test(path)) return suffix === ".ts" ? path : path.replace(/ts$/, "js");
    return path.replace(/\.tsx?$/, "") + suffix;
  }

  #texts({ node }: Declaration): Map<string, string> {
    const compiler = this.place.source?.ts;
    const args = node.arguments?.[1];
    if (!compiler || !args || !compiler.isObjectLiteralExpression(args)) return new Map();
    const members = args.properties.flatMap((member) => (compiler.isPropertyAssignment(member) ? [member] : []));
    return new Map(
      members.flatMap(({ name, initializer }) =>
        compiler.isStringLiteralLike(initializer) ? [[name.getText(), initializer.text] as const] : [],
      ),
    );
  }

  #loadedBy(path: string): readonly string[] {
    const known = this.#loads.get(path);
    if (known) return known;
    const paths = this.#specifiers(path).flatMap((specifier) => this.#resolved(path, specifier) ?? []);
    this.#loads.set(path, paths);
    return paths;
  }

  #specifiers(path: string): readonly string[] {
    return this.place.source?.modulesOf(path) ?? [];
  }

  #resolved(from: string, specifier: string): string | undefined {
    return this.place.source?.resolve(from, specifier, (path) => this.text(path) !== undefined || this.#written.has(path));
  }
}
