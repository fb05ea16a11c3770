import { readFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { UsageError } from "../command";
import type { Project } from "../engine/project";
import { isProjectFolder, projectFileIn } from "../engine/project-file";
import { type Front, frontModules } from "../front";
import { namedPlugin, pluginLines, pluginPath, withoutPlugin, withPlugin } from "../plugin-lines";
import type { FileEdit } from "../source/accepted";
import { moveFile, type Unmoved } from "../source/fronts";
import { ProgramSource } from "../source/program";
import { compiledBy, isJavaScript } from "../source/tsconfig";
import { mistakeIn } from "../source/typescript";

/** What a move to a front edits, and what it leaves. */
export interface FrontPlan {
  readonly source: ProgramSource;
  readonly program: readonly FileEdit[];
  /** The project file with or without the entry for the plugin. */
  readonly projectFile: FileEdit | undefined;
  readonly left: readonly Unmoved[];
  /** Path of what compiles the program, where that has to be done before the engine sees the edits. */
  readonly compiledBy: string | undefined;
  /** Whether the entry for the plugin stays for now, because state has resources of it. */
  readonly keepsPlugin: boolean;
}

/** @param isNeeded whether a stack has resources of the plugin, asked where the project file names it and the program does not need it */
export async function planFront(project: Project, to: Front, isNeeded: () => Promise<boolean>): Promise<FrontPlan> {
  const { folder, programFile, tsconfig } = project;
  const compiled = await compiledBy(programFile, folder, tsconfig);
  const source = await ProgramSource.read(folder, { javascript: isJavaScript(programFile) && compiled === undefined });
  const foreign = foreignFolders(folder, source);
  const program: FileEdit[] = [];
  const left: Unmoved[] = [];
  const loaded = loadedFiles(source, relative(folder, programFile).split(sep).join("/"));
  const declares = new Set(source.declarations.map(({ position }) => position.file));
  let stays = false;
  for (const [path, text] of source.texts) {
    if (!text.includes("endpoint-monitoring") || foreign.some((one) => path.startsWith(`${one}/`))) continue;
    const file = source.file(path);
    if (!file) continue;
    const moved = moveFile(source, file, to);
    const isOfProgram = loaded === undefined || loaded.has(path) || declares.has(path);
    if (moved.edit && isOfProgram) {
      const broken = mistakeIn(source.ts, path, moved.edit.before);
      if (broken)
        throw new UsageError(
          `${path}:${broken.line}:${broken.column} is no valid program. Correct it, then run this again`,
          "work",
        );
      program.push(moved.edit);
    } else if (moved.edit) left.push(notLoaded(path, moved.edit, to));
    else if (moved.left.length > 0) stays ||= to === "dynamic" && isOfProgram;
    if (isOfProgram) left.push(...moved.left);
  }
  left.push(...outside(source, folder, loaded));
  const { projectFile, keepsPlugin } = await projectEdit(project, to, left, async () => stays || (await isNeeded()));
  return { source, program, projectFile, left, compiledBy: compiled && relative(folder, compiled), keepsPlugin };
}

/** The files that a program loads, as far as their text shows; nothing where it starts with another, such as a compiled one. */
function loadedFiles(source: ProgramSource, start: string): ReadonlySet<string> | undefined {
  if (!source.texts.has(start)) return undefined;
  const found = new Set<string>();
  const visit = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    for (const specifier of source.modulesOf(path)) {
      const to = source.resolve(path, specifier);
      if (to !== undefined) visit(to);
    }
  };
  visit(start);
  return found;
}

/** Folders of other projects below this one: their programs are theirs. */
function foreignFolders(folder: string, { texts }: ProgramSource): string[] {
  const folders = new Set<string>();
  for (const path of texts.keys()) {
    for (let at = dirname(path); at !== "."; at = dirname(at)) folders.add(at);
  }
  return [...folders].filter((one) => isProjectFolder(join(folder, one)));
}

function notLoaded(path: string, { before }: FileEdit, to: Front): Unmoved {
  const line = before.split("\n").findIndex((text) => text.includes("pulumi-endpoint-monitoring")) + 1;
  return {
    position: { file: path, line, column: 1 },
    reason: "is in a file that the program does not load, such as a test or a script",
    advice: `import from ${frontModules[to]} there if it is about the program's resources`,
  };
}

/** Files of the program that lie outside of the project's folder: other programs may load them. */
function outside(source: ProgramSource, folder: string, loaded: ReadonlySet<string> = new Set(source.texts.keys())): Unmoved[] {
  return [...loaded].flatMap((path) => {
    const file = source.file(path);
    return source.modulesOf(path).flatMap((specifier): Unmoved[] => {
      const target = join(dirname(join(folder, path)), specifier);
      if (!file || !specifier.startsWith(".") || !relative(folder, target).startsWith("..")) return [];
      const line = file.text.split("\n").findIndex((text) => text.includes(specifier)) + 1;
      return [
        {
          position: { file: path, line, column: 1 },
          reason: `loads ${relative(folder, target).split(sep).join("/")}, outside of the project, which is left as it is`,
          advice: "what it declares stays as it is and works; edit it by hand once every project that loads it may move",
        },
      ];
    });
  });
}

async function projectEdit(
  { folder, programFolder }: Project,
  to: Front,
  left: Unmoved[],
  isNeeded: () => Promise<boolean>,
): Promise<Pick<FrontPlan, "projectFile" | "keepsPlugin">> {
  const full = projectFileIn(folder);
  if (full === undefined) return { projectFile: undefined, keepsPlugin: false };
  const before = readFileSync(full, "utf8");
  const file = basename(full);
  const named = namedPlugin(before);
  const path = pluginPath(folder, programFolder);
  const isOurs = named?.path?.endsWith("pulumi-endpoint-monitoring/plugin") === true;
  if (to === "dynamic") {
    if (!isOurs) return { projectFile: undefined, keepsPlugin: false };
    if (await isNeeded()) return { projectFile: undefined, keepsPlugin: true };
  }
  const edit = to === "native" ? withPlugin(before, path) : withoutPlugin(before);
  if ("text" in edit) {
    const projectFile = edit.text === before ? undefined : { path: file, before, after: edit.text };
    return { projectFile, keepsPlugin: false };
  }
  if (to === "native") {
    // Without them nothing works: nothing is written.
    throw new UsageError(
      `${file}:${edit.line} ${edit.reason}. Add these lines by hand, then run this again:\n\n${pluginLines(path)}`,
      "work",
    );
  }
  const position = { file, line: edit.line, column: 1 };
  left.push({ position, reason: edit.reason, advice: "take the entry for the plugin out by hand" });
  return { projectFile: undefined, keepsPlugin: false };
}
