import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Run } from "./stack";

const repository = join(__dirname, "../../..");

/** Runs the `endpoint-monitoring` command in any folder. Outside a project the settings are those of the environment, and no engine starts. */
export function commandIn(folder: string, settings: NodeJS.ProcessEnv, ...args: string[]): Promise<Run> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PULUMI|ENDPOINT_MONITORING)_/.test(name));
  const child = spawn(process.execPath, [join(repository, "dist/cli/main.js"), ...args], {
    cwd: folder,
    env: {
      ...Object.fromEntries(inherited),
      NO_COLOR: "1",
      NODE_COMPILE_CACHE: join(repository, "node_modules/.cache/compile"),
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on("error", reject).on("close", (code) => resolve({ code, stdout, stderr, text: stdout + stderr }));
  });
}
