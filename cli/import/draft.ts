import { importedAs } from "../edit/bindings";
import { importLines, withImports, type Import } from "../edit/imports";
import { lineEndOf, type Style } from "../edit/style";
import type { Program } from "./program";

/** A file of the program that gets more statements: those that are there stay as they are. */
export class Draft {
  readonly #before: string | undefined;
  readonly #taken: Set<string>;
  readonly #imports = new Map<string, { namespace?: string; names: Map<string, string> }>();
  readonly #statements: string[] = [];

  /** @param own names that the new statements declare */
  constructor(
    private readonly program: Program,
    readonly path: string,
    own: readonly string[],
  ) {
    this.#before = program.text(path);
    this.#taken = new Set([...program.names(path), ...own]);
  }

  /** Imports an export of a module, and returns its local name. @param otherwise the local name if its own is taken */
  name(module: string, exported: string, otherwise: string): string {
    const there = this.#importedAs(module, exported);
    if (there !== undefined) return there;
    const { names } = this.#importOf(module);
    const local = names.get(exported) ?? this.#free(exported, otherwise);
    names.set(exported, local);
    return local;
  }

  /** Imports a whole module, and returns its local name. */
  namespace(module: string, preferred: string, member: string): string {
    const there = this.#importedAs(module, member);
    if (there?.endsWith(`.${member}`)) return there.slice(0, -member.length - 1);
    const wanted = this.#importOf(module);
    return (wanted.namespace ??= this.#free(preferred, `${preferred}Sdk`));
  }

  /** Loads a module for what it does. */
  load(module: string): void {
    this.#importOf(module);
  }

  /** A name at the top level that is free, and is not from now on. */
  declare(preferred: string, otherwise: string): string {
    return this.#free(preferred, otherwise);
  }

  add(statement: string): void {
    this.#statements.push(statement);
  }

  /** A constant that other files can import. */
  addExported(variable: string, value: string, semicolon: string, comment = ""): void {
    const { syntax } = this.program.place;
    // A file that sets its exports as a whole has given up the short name.
    const exports = this.#before?.includes("module.exports") ? "module.exports" : "exports";
    if (syntax === "import") this.add(`${comment}export const ${variable} = ${value}${semicolon}`);
    else this.add(`${comment}const ${variable} = ${value}${semicolon}\n${exports}.${variable} = ${variable}${semicolon}`);
  }

  /** The whole text, in the style of the program. What is there of the file stays as it is. */
  text(style: Style): string {
    const statements = this.#statements.join("\n\n");
    const modules = [...this.#imports].toSorted(
      ([a], [b]) => Number(a.startsWith(".")) - Number(b.startsWith(".")) || (a < b ? -1 : 1),
    );
    const imports = modules.map(([from, { namespace, names }]): Import => {
      const sorted = [...names].toSorted(([a], [b]) => (a < b ? -1 : 1));
      return { from, namespace, names: sorted.map(([name, as]) => (name === as ? name : { name, as })) };
    });
    const { source, syntax } = this.program.place;
    if (this.#before !== undefined && source) {
      return appended(withImports(source.ts, this.#before, this.path, imports, syntax), statements);
    }
    const lines = imports.flatMap((one) => importLines(one, syntax, style)).join("\n");
    return `${[lines, statements].filter((part) => part !== "").join("\n\n")}\n`.replaceAll("\n", style.eol);
  }

  #importedAs(module: string, exported: string): string | undefined {
    const { source } = this.program.place;
    const file = source?.file(this.path);
    return source && file ? importedAs(source.ts, file, module, exported) : undefined;
  }

  #importOf(module: string): { namespace?: string; names: Map<string, string> } {
    let found = this.#imports.get(module);
    if (!found) this.#imports.set(module, (found = { names: new Map() }));
    return found;
  }

  #free(preferred: string, otherwise: string): string {
    let name = preferred;
    for (let i = 1; this.#taken.has(name); i += 1) name = i === 1 ? otherwise : `${otherwise}_${i}`;
    this.#taken.add(name);
    return name;
  }
}

/**
 * A text with statements after its last line, a blank line between. Line ends are those of the text; one that ended without a
 * line end still does.
 */
export function appended(text: string, statements: string): string {
  const eol = lineEndOf(text);
  const added = statements.replace(/^(\r?\n)+|\s+$/g, "").replace(/\r?\n/g, eol);
  if (added === "") return text;
  if (/^\uFEFF?\s*$/.test(text)) return `${text.startsWith("\uFEFF") ? "\uFEFF" : ""}${added}${eol}`;
  if (!text.endsWith("\n")) return `${text}${eol}${eol}${added}`;
  return `${text}${/\n[ \t]*\r?\n$/.test(text) ? "" : eol}${added}${eol}`;
}
