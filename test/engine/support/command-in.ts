import { runCommand } from "../../support/command";
import { plainEnv } from "../../support/process";
import type { Run } from "./stack";

/**
 * Runs the `endpoint-monitoring` command in any folder, in this process. Outside a project the settings are those of the environment,
 * and no engine starts.
 */
export function commandIn(folder: string, settings: NodeJS.ProcessEnv, ...args: string[]): Promise<Run> {
  return runCommand(args, { cwd: folder, env: plainEnv({ NO_COLOR: "1", ...settings }) });
}
