import { join } from "node:path";
import type ts from "typescript";
import type { SourceEdit } from "./source-edit";
import type { ProgramSource } from "./program-source";
import { isData } from "./typescript";

interface TypeMistake {
  file: string;
  start: number;
  text: string;
}

/** The compiler options of `@pulumi/pulumi` for a program without a tsconfig.json. */
function defaultOptions({ ScriptTarget, ModuleKind, ModuleResolutionKind }: typeof ts): ts.CompilerOptions {
  return { target: ScriptTarget.ES2020, module: ModuleKind.CommonJS, moduleResolution: ModuleResolutionKind.Node10 };
}

export class Compilation {
  #last: ts.Program | undefined;

  /**
   * @param entry full path of the program's entry file
   * @param options compiler options in the project's tsconfig.json
   */
  constructor(
    private readonly source: ProgramSource,
    private readonly entry: string,
    private readonly options = defaultOptions(source.ts),
  ) {}

  mistakes(edits: readonly SourceEdit[]): TypeMistake[] {
    if (edits.every(({ path }) => isData(path))) return [];
    const typeMistakes = this.#compile(edits, edits);
    const before = typeMistakes.length === 0 ? [] : this.#compile(edits, []);
    const known = Map.groupBy(before, ({ file, text }) => `${file} ${text}`);
    return typeMistakes.filter(({ file, text }) => known.get(`${file} ${text}`)?.pop() === undefined);
  }

  #compile(edits: readonly SourceEdit[], applied: readonly SourceEdit[]): TypeMistake[] {
    const { ts: compiler, folder } = this.source;
    const options = { ...this.options, noEmit: true, skipLibCheck: true, incremental: false, composite: false };
    const texts = new Map(applied.map(({ path, after }) => [join(folder, path), after]));
    const host = compiler.createCompilerHost(options);
    const readFile = host.readFile.bind(host);
    host.readFile = (path) => texts.get(path) ?? readFile(path);
    const edited = edits.map(({ path }) => join(folder, path)).filter((path) => /\.[cm]?tsx?$/.test(path));
    const rootNames = [...new Set([this.entry, ...edited])];
    const program = compiler.createProgram({ rootNames, options, host, oldProgram: this.#last });
    this.#last = program;
    const files = program.getSourceFiles().filter(({ fileName }) => {
      return fileName.startsWith(`${folder}/`) && !fileName.includes("/node_modules/") && !fileName.endsWith(".d.ts");
    });
    return files.flatMap((file) =>
      program.getSemanticDiagnostics(file).map(({ start = 0, messageText }) => ({
        file: file.fileName.slice(folder.length + 1),
        start,
        text: compiler.flattenDiagnosticMessageText(messageText, " ").replace(/\s+/g, " "),
      })),
    );
  }
}
