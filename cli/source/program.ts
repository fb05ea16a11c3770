import { isUtf8 } from "node:buffer";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import type ts from "typescript";
import { UsageError } from "../command";
import type { Position } from "../engine/state";
import { declarationsIn, packageName, type Declaration } from "./declarations";
import { Scope } from "./scope";
import { loadTypeScript, type TypeScript } from "./typescript";

/** Bounds on what is read: a program beyond them is no program but a folder of other things. */
const limits = { files: 5_000, characters: 64_000_000 };

/** Folders of packages and of what compilers write; folders with a leading dot are left out, too. */
const leftOut = new Set(["node_modules", "dist"]);

/** The TypeScript source of a Pulumi program: its files, and where they declare resources of ours. */
export class ProgramSource {
  readonly #parsed = new Map<string, ts.SourceFile>();
  readonly #scopes = new Map<string, Scope>();
  #declarations: readonly Declaration[] | undefined;

  private constructor(
    /** Folder of the project. */
    readonly folder: string,
    readonly ts: TypeScript,
    /** Text of every file, byte order mark and line ends included, by path from the folder, with `/` everywhere. */
    readonly texts: ReadonlyMap<string, string>,
  ) {}

  /**
   * Reads every .ts, .tsx, .mts and .cts file below a project's folder: not declarations (.d.ts), packages, `dist`, folders with a
   * leading dot, and nothing behind links.
   *
   * @param javascript whether the program is JavaScript, so that such files are read, too: of any other program they may be what
   *   the compiler wrote. Default: false
   * @throws UsageError where the compiler is missing, or the folder holds more than a program could
   */
  static async read(folder: string, { javascript = false } = {}): Promise<ProgramSource> {
    const compiler = await loadTypeScript(folder);
    return new ProgramSource(folder, compiler, textsBelow(folder, javascript));
  }

  /** A program of files that are at hand, by path from the folder. Nothing is read. */
  static async of(folder: string, texts: Readonly<Record<string, string>>): Promise<ProgramSource> {
    return new ProgramSource(folder, await loadTypeScript(folder), new Map(Object.entries(texts)));
  }

  /** Syntax of a file; nothing for one that is not there. */
  file(path: string): ts.SourceFile | undefined {
    const text = this.texts.get(path);
    if (text === undefined) return undefined;
    const parsed = this.#parsed.get(path) ?? parse(this.ts, path, text);
    this.#parsed.set(path, parsed);
    return parsed;
  }

  /** Where a file is no program, `3:17`: line and column; nothing where it is one, or is not there. */
  syntaxErrorIn(path: string): string | undefined {
    const text = this.texts.get(path);
    if (text === undefined) return undefined;
    const { diagnostics = [] } = this.ts.transpileModule(text, { fileName: path, reportDiagnostics: true });
    const first = diagnostics.find(({ start }) => start !== undefined);
    const at = first?.file?.getLineAndCharacterOfPosition(first.start ?? 0);
    return at && `${at.line + 1}:${at.character + 1}`;
  }

  /** Names of a file; nothing for one that is not there. */
  scope(path: string): Scope | undefined {
    const file = this.file(path);
    if (!file) return undefined;
    const scope = this.#scopes.get(path) ?? new Scope(this.ts, file);
    this.#scopes.set(path, scope);
    return scope;
  }

  /** The file that a relative import means; nothing for a package, and for a file that is not there. */
  resolve(from: string, specifier: string): string | undefined {
    if (!/^\.{1,2}(\/|$)/.test(specifier)) return undefined;
    const path = posix.join(posix.dirname(from), specifier);
    const stem = path.replace(/\.([cm]?)js$/, ".$1ts");
    return [path, stem, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find((one) => this.texts.has(one));
  }

  /** Every declaration of a resource of ours, in order of files and places. */
  get declarations(): readonly Declaration[] {
    this.#declarations ??= [...this.texts].flatMap(([path, text]) => {
      // Most files of a large program have nothing of ours: they are not parsed.
      const file = text.includes(packageName) ? this.file(path) : undefined;
      return file ? declarationsIn(this.ts, path, file) : [];
    });
    return this.#declarations;
  }

  /** Declarations of a class under a resource name; several where functions, or other projects below the folder, have it too. */
  find(className: string, name: string): Declaration[] {
    return this.declarations.filter((one) => one.className === className && one.name === name);
  }

  /** The declaration whose `new` stands at a place, as the engine reports places. */
  at({ file, line, column }: Position): Declaration | undefined {
    return this.declarations.find(({ position: at }) => at.file === file && at.line === line && at.column === column);
  }
}

/**
 * Parses a file: syntax only. A text that is no TypeScript gives a tree with holes.
 *
 * @throws UsageError for a text that is nested deeper than the compiler can read
 */
export function parse(compiler: TypeScript, path: string, text: string): ts.SourceFile {
  try {
    return compiler.createSourceFile(path, text, compiler.ScriptTarget.Latest, true);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(
      `${path} is nested deeper than the TypeScript compiler can read. Correct it, or move it out of the program's folder`,
      "work",
    );
  }
}

function textsBelow(folder: string, javascript: boolean): Map<string, string> {
  const texts = new Map<string, string>();
  let characters = 0;
  for (const path of pathsBelow(folder, "", javascript)) {
    characters += statSync(join(folder, path)).size;
    if (texts.size >= limits.files || characters > limits.characters) {
      throw new UsageError(
        `${folder} holds more TypeScript than a program would: over ${limits.files} files, or ${limits.characters / 1e6} MB. ` +
          "Run the command in the folder of the Pulumi program",
        "work",
      );
    }
    const text = readText(join(folder, path));
    if (text !== undefined) texts.set(path, text);
  }
  return texts;
}

/** Text as it is, byte order mark included: what is written back must have it. Nothing for a file that is no UTF-8. */
function readText(path: string): string | undefined {
  const bytes = readFileSync(path);
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

function* pathsBelow(folder: string, below: string, javascript: boolean): Generator<string> {
  const entries = readdirSync(join(folder, below), { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isFile() && isSource(entry.name, javascript)) yield path;
    else if (entry.isDirectory() && !leftOut.has(entry.name) && !entry.name.startsWith("."))
      yield* pathsBelow(folder, path, javascript);
  }
}

/**
 * Whether a file of that name is a source of a program. A half-written temporary file of ours has a leading dot.
 *
 * @param javascript whether one in JavaScript is
 */
export function isSource(name: string, javascript: boolean): boolean {
  const isOne = javascript ? /\.[cm]?[jt]sx?$/ : /\.[cm]?tsx?$/;
  return isOne.test(name) && !/\.d(\.\w+)?\.[cm]?ts$/.test(name) && !name.startsWith(".");
}
