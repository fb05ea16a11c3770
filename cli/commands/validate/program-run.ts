import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import type { Project } from "../../../engine/project";
import type { StackConfiguration } from "./configuration";
import { type ValidatedResource, startMonitor } from "./monitor";
import { loadProtocol } from "./protocol";

export interface ProgramRun {
  readonly declarations: readonly ValidatedResource[];
  /** Error report of the program's runner, or undefined if the program succeeded. */
  readonly failure: string | undefined;
}

/** Exit code of Pulumi's program runner after it has reported a failure. */
const reported = 32;

/**
 * Runs a program in the same way as a preview, but with a monitor in place of the engine.
 * @param onDeclaration function that is called for each resource, with the number of resources so far
 */
export async function runProgram(
  project: Project,
  configuration: StackConfiguration,
  onDeclaration: (count: number) => void,
): Promise<ProgramRun> {
  const { io, programFolder: folder, tsconfig } = project;
  const protocol = loadProtocol(folder);
  const monitor = await startMonitor(protocol, project.name, configuration.stack, onDeclaration);
  try {
    const flags = {
      monitor: monitor.address,
      engine: monitor.address,
      project: project.name,
      stack: configuration.stack,
      pwd: folder,
      organization: "organization",
      parallel: "16",
    };
    const child = spawn(
      process.execPath,
      [
        ...project.nodeArguments,
        protocol.runner,
        ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]),
        "--dry-run",
        project.programFile,
      ],
      {
        cwd: folder,
        env: {
          ...io.env,
          PULUMI_CONFIG: JSON.stringify(configuration.values),
          PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(configuration.secrets),
          PULUMI_NODEJS_TYPESCRIPT: String(project.compilesTypeScript),
          ...(tsconfig !== undefined && { PULUMI_NODEJS_TSCONFIG_PATH: tsconfig }),
          ENDPOINT_MONITORING_VALIDATE: "true",
          NO_COLOR: "1",
          FORCE_COLOR: undefined,
        },
        stdio: ["ignore", "pipe", "pipe"],
        // Ctrl+C ends both the command and the program.
        signal: io.signal,
        killSignal: "SIGKILL",
      },
    );
    const output: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output.push(chunk));
    const code = await new Promise<number>((resolve, reject) => {
      child.once("error", reject).once("close", (exit) => resolve(exit ?? 1));
    });
    const { declarations, errors } = monitor;
    if (code === 0) return { declarations, failure: undefined };
    const text = code === reported ? errors.join("\n") : [...errors, Buffer.concat(output).toString()].join("\n");
    return { declarations, failure: readable(text) || `it exited with code ${code}` };
  } finally {
    monitor.end();
  }
}

/** Removes colors, and stack frames outside of the program, from the runner's error report. */
function readable(text: string): string {
  const lines = stripVTControlCharacters(text).split("\n");
  return lines
    .filter((line) => !/^\s+at .*(node:|[\\/]node_modules[\\/])/.test(line))
    .join("\n")
    .trim();
}
