import { isUtf8 } from "node:buffer";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import type ts from "typescript";
import type { Position } from "../common/position";
import { isSource } from "../engine/program-entry";
import { declarationsIn, packageName, type Declaration } from "./declarations";
import { isData, loadTypeScript, modulesIn, parse, type TypeScript } from "./typescript";
import { parseYaml } from "./yaml-source";
import { UsageError } from "../common/errors";

/** Bounds on what is read: a program beyond them is no program but a folder of other things. */
const limits = { files: 5_000, characters: 64_000_000 };

/** Folders of packages and of what compilers write; folders with a leading dot are left out, too. */
const leftOut = new Set(["node_modules", "dist"]);

/** Extensions of a program's files, in the order in which imports without an extension look for them. */
const extensions = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"];

/** The TypeScript source of a Pulumi program: its files, and where they declare resources of ours. */
export class ProgramSource {
  readonly #parsed = new Map<string, ts.SourceFile>();
  /** Texts of JSON and YAML files that the program names. */
  readonly #data = new Map<string, string | undefined>();
  readonly #modules = new Map<string, readonly string[]>();
  #declarations: readonly Declaration[] | undefined;

  private constructor(
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
   * @throws UsageError if the compiler is missing, or the folder holds more than a program could
   */
  static async read(folder: string, { javascript = false } = {}): Promise<ProgramSource> {
    const compiler = await loadTypeScript(folder);
    return new ProgramSource(folder, compiler, textsBelow(folder, javascript));
  }

  /** A program of files that are at hand, by path from the folder. Nothing is read. */
  static async of(folder: string, texts: Readonly<Record<string, string>>): Promise<ProgramSource> {
    return new ProgramSource(folder, await loadTypeScript(folder), new Map(Object.entries(texts)));
  }

  /** The program with other texts of some files. */
  with(texts: Iterable<readonly [path: string, text: string]>): ProgramSource {
    const changed = new ProgramSource(this.folder, this.ts, new Map([...this.texts, ...texts]));
    for (const [path, file] of this.#parsed) if (changed.text(path) === file.text) changed.#parsed.set(path, file);
    return changed;
  }

  text(path: string): string | undefined {
    const text = this.texts.get(path);
    if (text !== undefined || !isData(path)) return text;
    if (!this.#data.has(path)) this.#data.set(path, readData(join(this.folder, path)));
    return this.#data.get(path);
  }

  /** The one JSON or YAML file that a part of the program names, by its path from that file or from the project's folder. */
  dataFile(node: ts.Node): string | undefined {
    const [name, ...others] = [...node.getText().matchAll(/["'`]([^"'`]+\.(?:json|ya?ml))["'`]/g)].map(
      ([, named = ""]) => named,
    );
    if (name === undefined || others.length > 0) return undefined;
    const folder = posix.dirname(node.getSourceFile().fileName);
    const paths = [posix.join(folder, name), posix.normalize(name)].filter((path) => !path.startsWith(".."));
    return paths.find((path) => this.text(path) !== undefined);
  }

  /** Counts how often the program names a data file of that name. If it does so twice, other code may read the values. */
  timesNamed(path: string): number {
    const pattern = new RegExp(`["'\`/]${posix.basename(path).replaceAll(".", "\\.")}["'\`]`, "g");
    return [...this.texts].reduce((sum, [from, text]) => sum + (isData(from) ? 0 : [...text.matchAll(pattern)].length), 0);
  }

  file(path: string): ts.SourceFile | undefined {
    const text = this.text(path);
    if (text === undefined) return undefined;
    const isYaml = /\.ya?ml$/.test(path);
    const parsed = this.#parsed.get(path) ?? (isYaml ? parseYaml : parse)(this.ts, path, text);
    if (parsed) this.#parsed.set(path, parsed);
    return parsed;
  }

  /** Modules that a file loads or passes on, as they are written. */
  modulesOf(path: string): readonly string[] {
    const text = this.#modules.has(path) ? undefined : this.text(path);
    if (text !== undefined) this.#modules.set(path, modulesIn(this.ts, text));
    return this.#modules.get(path) ?? [];
  }

  /**
   * The file that a relative import means; nothing for a package, and for a file that is not there.
   *
   * @param isThere whether there is a file: those that are about to be written count, too
   */
  resolve(from: string, specifier: string, isThere = (path: string): boolean => this.texts.has(path)): string | undefined {
    if (!/^\.{1,2}(\/|$)/.test(specifier) || isData(specifier)) return undefined;
    const path = posix.join(posix.dirname(from), specifier);
    const bare = path.replace(/\.[cm]?[jt]sx?$/, "");
    const candidates = extensions.flatMap((end) => [`${path}.${end}`, `${bare}.${end}`, posix.join(path, `index.${end}`)]);
    return [path, ...candidates].find(isThere);
  }

  /** Every declaration of a resource of ours, in order of files and places. */
  get declarations(): readonly Declaration[] {
    this.#declarations ??= [...this.texts].flatMap(([path, text]) => {
      // Most files of a large program have nothing of ours: they are not parsed.
      const file = text.includes(packageName) ? this.file(path) : undefined;
      return file ? declarationsIn(this.ts, file) : [];
    });
    return this.#declarations;
  }

  /** Declarations of a class under a resource name; several where functions, or other projects below the folder, have it too. */
  find(className: string, name: string): Declaration[] {
    return this.declarations.filter((declaration) => declaration.className === className && declaration.name === name);
  }

  at({ file, line, column }: Position): Declaration | undefined {
    return this.declarations.find(({ position: at }) => at.file === file && at.line === line && at.column === column);
  }
}

/** Text of a data file of a program; nothing for a file that is missing, too large or no text. */
function readData(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() && stats.size < limits.characters ? readText(path) : undefined;
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
