import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { onFirstInterrupt, type Io } from "../io";
import type { StackConfiguration } from "./configuration";
import { Monitor } from "./monitor";
import { loadProtocol } from "./protocol";

/** A program, and how it is run. */
export interface Program {
  readonly project: string;
  /** Folder that it runs in. */
  readonly folder: string;
  /** Full path of the file that it starts with. */
  readonly file: string;
  /** Arguments for Node. */
  readonly nodeArguments: readonly string[];
  /** Full path of its tsconfig.json, where Pulumi.yaml names one. */
  readonly tsconfig: string | undefined;
}

/** What came of a run. */
export interface Ran {
  readonly monitor: Monitor;
  /** What the program's runner reported, where the program failed. */
  readonly failure: string | undefined;
  readonly interrupted: boolean;
}

/** Exit code of the runner where it has reported what failed. */
const reported = 32;

/** Runs a program as a preview does, with something that only listens in place of the engine. */
export async function runProgram(program: Program, configuration: StackConfiguration, io: Io): Promise<Ran> {
  const protocol = loadProtocol(program.folder);
  const { monitor, address } = await Monitor.start(protocol, program.project, configuration.stack);
  try {
    const flags = {
      monitor: address,
      engine: address,
      project: program.project,
      stack: configuration.stack,
      pwd: program.folder,
      organization: "organization",
      parallel: "16",
    };
    const child = spawn(
      process.execPath,
      [
        ...program.nodeArguments,
        protocol.runner,
        ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]),
        "--dry-run",
        program.file,
      ],
      {
        cwd: program.folder,
        env: {
          ...io.env,
          PULUMI_CONFIG: JSON.stringify(configuration.values),
          PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(configuration.secrets),
          PULUMI_NODEJS_TYPESCRIPT: "true",
          ...(program.tsconfig !== undefined && { PULUMI_NODEJS_TSCONFIG_PATH: program.tsconfig }),
          ENDPOINT_MONITORING_VALIDATE: "true",
          NO_COLOR: "1",
          FORCE_COLOR: undefined,
        },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    const output: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output.push(chunk));
    let interrupted = false;
    const listenNoMore = onFirstInterrupt(io, () => {
      interrupted = true;
      child.kill("SIGKILL");
    });
    const code = await new Promise<number>((resolve, reject) => {
      child.once("error", reject).once("close", (exit) => resolve(exit ?? 1));
    }).finally(listenNoMore);
    if (code === 0) return { monitor, failure: undefined, interrupted };
    const text =
      code === reported ? monitor.errors.join("\n") : [...monitor.errors, Buffer.concat(output).toString()].join("\n");
    return { monitor, failure: readable(text) || `it ended with exit code ${code}`, interrupted };
  } finally {
    monitor.end();
  }
}

/** What a program's runner reports, without colors and without the calls that are not of the program. */
function readable(text: string): string {
  const lines = stripVTControlCharacters(text).split("\n");
  return lines
    .filter((line) => !/^\s+at .*(node:|[\\/]node_modules[\\/])/.test(line))
    .join("\n")
    .trim();
}
