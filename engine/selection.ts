import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { homeOf } from "../provider/private-folder";
import { objectOf, stringOf } from "../provider/values";
import { parseJson } from "../common/files";
import { type StackChoice, projectFileIn } from "./project-file";

/** The stack that a user selected with `pulumi stack select`, from the engine's file. */
export interface Selection {
  /** Name as the engine stores it, such as `dev` or `organization/project/dev`. */
  readonly name: string;
  /** URL of the stack's backend. Unknown if an environment variable or an old engine selects the stack. */
  readonly backend: string | undefined;
}

/** Returns the selected stack of a project on this machine, without the engine. Returns undefined if no file names one. */
export function selectionOf(folder: string, project: string, env: Readonly<NodeJS.ProcessEnv>): Selection | undefined {
  const chosen = env["PULUMI_STACK"];
  if (chosen) return { name: chosen, backend: undefined };
  const projectFile = projectFileIn(folder);
  const home = pulumiHome(env);
  if (projectFile === undefined || home === undefined) return undefined;
  const key = createHash("sha1").update(projectFile).digest("hex");
  const { stack, stacks } = jsonIn(join(home, "workspaces", `${project}-${key}-workspace.json`));
  const current = env["PULUMI_BACKEND_URL"] || stringOf(jsonIn(join(home, "credentials.json"))["current"]) || "";
  const byBackend = objectOf(stacks);
  const [only, ...others] = Object.keys(byBackend);
  const backend = current in byBackend || others.length > 0 ? current : only;
  // Old engines store one name, newer engines one name for each backend.
  const old = stringOf(stack);
  const name = old ?? stringOf(byBackend[backend ?? ""]);
  return name ? { name, backend: old === undefined ? backend : undefined } : undefined;
}

/**
 * Returns the stack that a command probably uses, without the engine: the named stack, or the selected stack. The caller has the engine
 * confirm it.
 *
 * @returns undefined if only the engine's list shows the name under which it knows the stack
 */
export function probableStack(
  { folder, name: project, io }: { folder: string; name: string; io: { env: Readonly<NodeJS.ProcessEnv> } },
  wanted: string | undefined,
): StackChoice | undefined {
  if (wanted !== undefined) return isShort(wanted) ? { name: wanted, why: "as named" } : undefined;
  const selection = selectionOf(folder, project, io.env);
  if (selection === undefined) return undefined;
  const { name, backend } = selection;
  // Backends in folders and buckets have one organization. For Pulumi Cloud, the short name depends on the default organization.
  const prefix = `organization/${project}/`;
  const isInFolder = backend !== undefined && !/^https?:/.test(backend);
  const short = isInFolder && name.startsWith(prefix) ? name.slice(prefix.length) : name;
  return isShort(short) ? { name: short, why: "the selected one" } : undefined;
}

function isShort(name: string): boolean {
  return /^\w[\w.-]*$/.test(name);
}

/** Returns the engine's folder with selected stacks. Returns undefined for a user without a home folder. */
function pulumiHome(env: Readonly<NodeJS.ProcessEnv>): string | undefined {
  try {
    return env["PULUMI_HOME"] || join(homeOf(env), ".pulumi");
  } catch {
    return undefined;
  }
}

/** Returns the object in a JSON file. Returns an empty object if the file is missing or invalid. */
function jsonIn(file: string): Record<string, unknown> {
  try {
    return objectOf(parseJson(readFileSync(file, "utf8")));
  } catch {
    return {};
  }
}
