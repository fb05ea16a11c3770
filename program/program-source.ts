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

/** Maximum number of files and characters of a program. A larger folder is probably not a program. */
const limits = { files: 5_000, characters: 64_000_000 };

/** Folders to skip: installed packages and compiled files. The program's folders with a leading dot are also skipped. */
const skippedFolders = new Set(["node_modules", "dist"]);

/** Extensions of a program's files, in the order that applies to imports without an extension. */
const extensions = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"];

/** The TypeScript source of a Pulumi program, and its declarations of this package's resources. */
export class ProgramSource {
  readonly #parsed = new Map<string, ts.SourceFile>();
  /** Contents of the JSON and YAML files that the program reads. */
  readonly #data = new Map<string, string | undefined>();
  readonly #modules = new Map<string, readonly string[]>();
  #declarations: readonly Declaration[] | undefined;

  private constructor(
    readonly folder: string,
    readonly ts: TypeScript,
    /** Content of every file, including the byte order mark and line ends. Paths contain `/` on every operating system. */
    readonly texts: ReadonlyMap<string, string>,
  ) {}

  /**
   * Reads the TypeScript files below a project's folder. Skips declarations (.d.ts), packages, `dist`, folders with a leading dot, and
   * links.
   *
   * @param javascript whether to read JavaScript files. In a TypeScript program, a compiler may have written the JavaScript files. Default:
   * false
   * @throws UsageError if the compiler is missing, or if the folder contains too many files or characters
   */
  static async read(folder: string, { javascript = false } = {}): Promise<ProgramSource> {
    const compiler = await loadTypeScript(folder);
    return new ProgramSource(folder, compiler, textsBelow(folder, javascript));
  }

  /** Creates a program from a map of paths to file contents, without reading files. */
  static async of(folder: string, texts: Readonly<Record<string, string>>): Promise<ProgramSource> {
    return new ProgramSource(folder, await loadTypeScript(folder), new Map(Object.entries(texts)));
  }

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

  /** Returns the path of the JSON or YAML file that an expression refers to, if it refers to exactly one file. */
  dataFile(node: ts.Node): string | undefined {
    const names = [...node.getText().matchAll(/["'`]([^"'`]+\.(?:json|ya?ml))["'`]/g)].map(([, named = ""]) => named);
    const [name] = names;
    if (name === undefined || names.length > 1) return undefined;
    const folder = posix.dirname(node.getSourceFile().fileName);
    const paths = [posix.join(folder, name), posix.normalize(name)].filter((path) => !path.startsWith(".."));
    return paths.find((path) => this.text(path) !== undefined);
  }

  /** Counts how often the program refers to a data file. If the program refers to a file twice, other code may also read the file. */
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

  modulesOf(path: string): readonly string[] {
    const text = this.#modules.has(path) ? undefined : this.text(path);
    if (text !== undefined) this.#modules.set(path, modulesIn(this.ts, text));
    return this.#modules.get(path) ?? [];
  }

  /**
   * Returns the file that a relative import loads.
   *
   * @param isThere function that decides whether a file exists, now or after the import
   */
  resolve(from: string, specifier: string, isThere = (path: string): boolean => this.texts.has(path)): string | undefined {
    if (!/^\.{1,2}(\/|$)/.test(specifier) || isData(specifier)) return undefined;
    const path = posix.join(posix.dirname(from), specifier);
    const bare = path.replace(/\.[cm]?[jt]sx?$/, "");
    const candidates = extensions.flatMap((end) => [`${path}.${end}`, `${bare}.${end}`, posix.join(path, `index.${end}`)]);
    return [path, ...candidates].find(isThere);
  }

  /** Declarations of this package's resources, in the order of files and positions. */
  get declarations(): readonly Declaration[] {
    this.#declarations ??= [...this.texts].flatMap(([path, text]) => {
      // Most files of a large program do not use this package, so the compiler does not parse these files.
      const file = text.includes(packageName) ? this.file(path) : undefined;
      return file ? declarationsIn(this.ts, file) : [];
    });
    return this.#declarations;
  }

  /**
   * Returns all declarations of the resource `name` with the class `className`. A resource may have several declarations, for example in
   * functions or in other projects.
   */
  find(className: string, name: string): Declaration[] {
    return this.declarations.filter((declaration) => declaration.className === className && declaration.name === name);
  }

  at({ file, line, column }: Position): Declaration | undefined {
    return this.declarations.find(({ position: at }) => at.file === file && at.line === line && at.column === column);
  }
}

/** Returns the text of a data file, unless the file is missing, too large or not text. */
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
        `${folder} has more than ${limits.files} TypeScript files, or more than ${limits.characters / 1e6} MB of TypeScript code. ` +
          "Run the command in the folder of the Pulumi program",
        "work",
      );
    }
    const text = readText(join(folder, path));
    if (text !== undefined) texts.set(path, text);
  }
  return texts;
}

/** Returns the text of a UTF-8 file with its byte order mark, because an edit must keep the mark. */
function readText(path: string): string | undefined {
  const bytes = readFileSync(path);
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

function* pathsBelow(folder: string, below: string, javascript: boolean): Generator<string> {
  const entries = readdirSync(join(folder, below), { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isFile() && isSource(entry.name, javascript)) yield path;
    else if (entry.isDirectory() && !skippedFolders.has(entry.name) && !entry.name.startsWith("."))
      yield* pathsBelow(folder, path, javascript);
  }
}
