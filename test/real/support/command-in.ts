import { runCommand } from "../../support/command";
import { plainEnv } from "../../support/process";
import type { Run } from "./stack";

/**
 * Runs the `endpoint-monitoring` command in any folder, in this process. Outside a project it uses the environment's settings
 * and starts no engine.
 */
export function commandIn(folder: string, settings: NodeJS.ProcessEnv, ...args: string[]): Promise<Run> {
  return runCommand(args, { cwd: folder, env: plainEnv({ NO_COLOR: "1", ...settings }) });
}
