import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { ask, canAsk } from "../../ask";
import type { DevValues } from "./options";
import { Project } from "../../../engine/project";
import { projectFileIn, projectFolder } from "../../../engine/project-file";
import { run as runInit } from "../init/run";
import type { Invocation } from "../../command";
import { packageManagerOf } from "../init/package-manager";
import type { Io } from "../../../engine/io";
import { Output } from "../../report/output";
import { shellWord } from "../../../common/text";
import { UsageError } from "../../../common/errors";

/**
 * Opens the project in this folder, or creates a project. If only a parent folder contains a project, the user can choose that project or a
 * new project.
 *
 * @throws UsageError if the command cannot prompt the user, or if a new project would affect existing files
 */
export async function projectToRun(values: DevValues, invocation: Invocation): Promise<Project> {
  const { out, io } = invocation;
  if (projectFileIn(io.cwd) !== undefined) return Project.open(io);
  const above = projectFolder(io.cwd);
  if (above !== undefined && !values.here && (await choice(above, out, io)) === "run") return Project.open(io);
  await makeProject(values.port, invocation);
  return Project.open(io);
}

async function choice(above: string, out: Output, io: Io): Promise<"run" | "create"> {
  const fact = `${io.cwd} does not contain a Pulumi project, but ${above} does`;
  if (!out.json && canAsk(io)) {
    out.note(`${fact}.`);
    const answer = await ask(out, io, "Run the existing project, or create a project in this folder?", ["run", "create"]);
    if (answer !== undefined) return answer;
  }
  const { run } = packageManagerOf(io.cwd, io.env["npm_config_user_agent"]);
  const dev = `${run} endpoint-monitoring dev`;
  throw new UsageError(
    `${fact}. Use \`${dev} -C ${shellWord(relative(io.cwd, above))}\` to run the existing project, or \`${dev} --here\` to create a project in this folder`,
    "work",
  );
}

async function makeProject(port: string | undefined, invocation: Invocation): Promise<void> {
  const { out, io } = invocation;
  const unseen = { write: () => undefined };
  await runInit(
    { emulator: true, port },
    { ...invocation, out: new Output(false, { stdout: unseen, stderr: unseen, env: io.env }) },
  );
  out.note("Created a project: index.ts is its program");
  if (!isInstalled(io.cwd)) await installPackages(out, io);
}

/** Whether a program in a folder can load its packages. A user may have installed this package without the TypeScript compiler. */
function isInstalled(folder: string): boolean {
  const program = createRequire(join(folder, "_.js"));
  return ["typescript", "@pulumi/pulumi", "pulumi-endpoint-monitoring"].every((name) => {
    try {
      return program.resolve(`${name}/package.json`) !== "";
    } catch {
      return false;
    }
  });
}

async function installPackages(out: Output, io: Io): Promise<void> {
  const { install } = packageManagerOf(io.cwd, io.env["npm_config_user_agent"]);
  out.note(`Running ${install}…`);
  const child = spawn(install, { cwd: io.cwd, env: io.env, shell: true, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (printed += String(text)));
  const stop = io.onInterrupt(() => child.kill());
  const code = await new Promise<number | null>((resolve) => child.once("error", () => resolve(null)).once("close", resolve));
  stop();
  if (code === 0) return;
  throw new UsageError(
    `${install} failed, so the program's packages are missing. Solve the problem below, then run \`dev\` again:\n${printed.trim()}`,
    "work",
  );
}
