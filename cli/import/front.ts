import { readFileSync } from "node:fs";
import { projectFileIn } from "../engine/project-file";
import type { Project } from "../engine/project";
import type { Front } from "../front";
import { namesPlugin } from "../plugin-lines";
import type { ProgramSource } from "../edit/program";

/**
 * The front that a program has its resources from: that of most of its declarations; of one without any, the native plugin where the
 * project names it.
 */
export function frontOfProgram(source: ProgramSource | undefined, project: Pick<Project, "folder"> | undefined): Front {
  const declared = (source?.declarations ?? []).map(({ front }) => front);
  const native = declared.filter((front) => front === "native").length;
  if (declared.length > 0) return native * 2 > declared.length ? "native" : "dynamic";
  const file = project && projectFileIn(project.folder);
  return file !== undefined && namesPlugin(readFileSync(file, "utf8")) ? "native" : "dynamic";
}
