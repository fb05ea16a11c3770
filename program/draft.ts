import { importedAs } from "./bindings";
import { importLines, withImports, type Import } from "./imports";
import { lineEndOf, type Style } from "./style";
import type { ExistingProgram } from "./existing-program";

/** A program file to which new statements are added. Existing statements do not change. */
export class Draft {
  readonly #before: string | undefined;
  readonly #taken: Set<string>;
  readonly #imports = new Map<string, { namespace?: string; names: Map<string, string> }>();
  readonly #statements: string[] = [];

  constructor(
    private readonly program: ExistingProgram,
    readonly path: string,
    declared: readonly string[],
  ) {
    this.#before = program.text(path);
    this.#taken = new Set([...program.names(path), ...declared]);
  }

  name(module: string, exported: string): string {
    const existing = this.#importedAs(module, exported);
    if (existing !== undefined) return existing;
    const { names } = this.#importOf(module);
    const local = names.get(exported) ?? this.declare(exported);
    names.set(exported, local);
    return local;
  }

  namespace(module: string, preferred: string, member: string): string {
    const existing = this.#importedAs(module, member);
    if (existing?.endsWith(`.${member}`)) return existing.slice(0, -member.length - 1);
    const wanted = this.#importOf(module);
    return (wanted.namespace ??= this.declare(preferred));
  }

  load(module: string): void {
    this.#importOf(module);
  }

  add(statement: string): void {
    this.#statements.push(statement);
  }

  addExported(variable: string, value: string, semicolon: string): void {
    this.add(`export const ${variable} = ${value}${semicolon}`);
  }

  /** Returns the content of the file. New statements follow the style of the program. */
  text(style: Style): string {
    const statements = this.#statements.join("\n\n");
    const modules = [...this.#imports].toSorted(
      ([a], [b]) => Number(a.startsWith(".")) - Number(b.startsWith(".")) || (a < b ? -1 : 1),
    );
    const imports = modules.map(([from, { namespace, names }]): Import => {
      const sorted = [...names].toSorted(([a], [b]) => (a < b ? -1 : 1));
      return { from, namespace, names: new Map(sorted.map(([name, local]) => [local, name])) };
    });
    const { source } = this.program.place;
    if (this.#before !== undefined && source) {
      return appended(withImports(source.ts, this.#before, this.path, imports), statements);
    }
    const lines = imports.flatMap((needed) => importLines(needed, style)).join("\n");
    return `${[lines, statements].filter((part) => part !== "").join("\n\n")}\n`.replaceAll("\n", style.eol);
  }

  #importedAs(module: string, exported: string): string | undefined {
    const { source } = this.program.place;
    const file = source?.file(this.path);
    return source && file ? importedAs(source.ts, file, module, exported) : undefined;
  }

  #importOf(module: string): { namespace?: string; names: Map<string, string> } {
    let existing = this.#imports.get(module);
    if (!existing) this.#imports.set(module, (existing = { names: new Map() }));
    return existing;
  }

  /** Reserves an unused name at the top level, such as `config_2` if the file already uses `config`. */
  declare(preferred: string): string {
    let name = preferred;
    for (let i = 2; this.#taken.has(name); i += 1) name = `${preferred}_${i}`;
    this.#taken.add(name);
    return name;
  }
}

/** Appends statements to a source text after a blank line, with the line ends of the source text. */
export function appended(text: string, statements: string): string {
  const eol = lineEndOf(text);
  const added = statements.replace(/^(\r?\n)+|\s+$/g, "").replace(/\r?\n/g, eol);
  if (added === "") return text;
  if (/^\uFEFF?\s*$/.test(text)) return `${text.startsWith("\uFEFF") ? "\uFEFF" : ""}${added}${eol}`;
  if (!text.endsWith("\n")) return `${text}${eol}${eol}${added}`;
  return `${text}${/\n[ \t]*\r?\n$/.test(text) ? "" : eol}${added}${eol}`;
}
