import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { homeOf } from "../provider/private-folder";
import { objectOf, stringOf } from "../provider/values";
import { parseJson } from "../common/files";
import type { Io } from "./io";
import type { Project } from "./project";
import { type StackChoice, projectFileIn } from "./project-file";

/** The stack that a user selected with `pulumi stack select`. */
export interface Selection {
  /** Name of the stack in the engine's file, such as `dev` or `organization/project/dev`. */
  readonly name: string;
  /** URL of the stack's backend; undefined if an environment variable or an old version of the engine selected the stack. */
  readonly backend: string | undefined;
}

/** The members of a project that determine the selected stack. */
export type SelectingProject = Pick<Project, "folder" | "name" | "backend"> & { io: Pick<Io, "env"> };

/** Reads the selected stack from the engine's files, which is faster than starting the engine. */
export function selectionOf({ folder, name: project, backend: url, io: { env } }: SelectingProject): Selection | undefined {
  const chosen = env["PULUMI_STACK"];
  if (chosen) return { name: chosen, backend: undefined };
  const projectFile = projectFileIn(folder);
  const home = pulumiHome(env);
  if (projectFile === undefined || home === undefined) return undefined;
  const key = createHash("sha1").update(projectFile).digest("hex");
  const { stack, stacks } = jsonIn(join(home, "workspaces", `${project}-${key}-workspace.json`));
  const byBackend = objectOf(stacks);
  const current = url || stringOf(jsonIn(join(home, "credentials.json"))["current"]);
  const [only, ...others] = Object.keys(byBackend);
  // Without a login, for example with PULUMI_ACCESS_TOKEN, the engine chooses the backend.
  const backend = current ? selectionKey(current) : others.length === 0 ? only : undefined;
  const selected = stringOf(byBackend[backend ?? ""]);
  if (selected) return { name: selected, backend };
  // Old versions of the engine store a single selected stack for all backends.
  const name = stringOf(stack);
  return name ? { name, backend: undefined } : undefined;
}

/** Returns a backend's key in the engine's file. The engine removes the slash at the end of a Pulumi Cloud URL. */
function selectionKey(url: string): string {
  return /^https?:/.test(url) ? url.replace(/\/$/, "") : url;
}

/**
 * Guesses the stack for a command without starting the engine. The caller must check whether the guessed stack exists and is
 * selected.
 *
 * @returns undefined if only the engine can determine the stack's name
 */
export function probableStack(project: SelectingProject, wanted: string | undefined): StackChoice | undefined {
  if (wanted !== undefined) return isShort(wanted) ? { name: wanted, why: "as named" } : undefined;
  const selection = selectionOf(project);
  if (selection === undefined) return undefined;
  const { name, backend } = selection;
  // In a backend such as a folder or a bucket, all stacks belong to the same organization, so a short stack name is unique. In
  // Pulumi Cloud, the meaning of a short stack name depends on the user's default organization.
  const prefix = `organization/${project.name}/`;
  const isInFolder = backend !== undefined && !/^https?:/.test(backend);
  const short = isInFolder && name.startsWith(prefix) ? name.slice(prefix.length) : name;
  return isShort(short) ? { name: short, why: "the selected one" } : undefined;
}

function isShort(name: string): boolean {
  return /^\w[\w.-]*$/.test(name);
}

function pulumiHome(env: Readonly<NodeJS.ProcessEnv>): string | undefined {
  try {
    return env["PULUMI_HOME"] || join(homeOf(env), ".pulumi");
  } catch {
    return undefined;
  }
}

/** Returns the object in a JSON file, or an empty object if the file is missing or invalid. */
function jsonIn(file: string): Record<string, unknown> {
  try {
    return objectOf(parseJson(readFileSync(file, "utf8")));
  } catch {
    return {};
  }
}
