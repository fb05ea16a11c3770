import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";

export const repository = join(__dirname, "../..");

/** The built `endpoint-monitoring` command, as arguments of Node. */
export const builtCommand = join(repository, "dist/cli/main.js");

/** A finished process. */
export interface Run {
  /** null if a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** Both outputs in order. */
  text: string;
}

/** A running process. */
export interface Started {
  pid: number;
  child: ChildProcess;
  /** Sends SIGKILL, or another signal, to this process only. */
  kill(signal?: NodeJS.Signals): void;
  /**
   * Returns the first complete line on standard output, or the next one that matches.
   *
   * @throws if the process ends without one
   */
  line(fits?: (line: string) => boolean): Promise<string>;
  /** Returns its output so far. */
  said(): Run;
  ended: Promise<Run>;
}

export interface ProcessSettings {
  cwd?: string;
  /** The whole environment. @defaultValue this process's environment without the user's settings: `plainEnv` */
  env?: NodeJS.ProcessEnv;
  /** Its standard input. */
  stdin?: string;
  /** Milliseconds after which it is killed and `ended` fails, so that no test waits for a hanging process. */
  bound?: number;
}

/** Returns this process's environment without settings of Pulumi, of this package or of colors. */
export function plainEnv(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const settings = /^(?:PULUMI|ENDPOINT_MONITORING)_|^(?:FORCE_COLOR|NO_COLOR)$/;
  const inherited = Object.entries(process.env).filter(([name]) => !settings.test(name));
  return { ...Object.fromEntries(inherited), PULUMI_SKIP_UPDATE_CHECK: "true", ENDPOINT_MONITORING_READ_LAG: "0", ...more };
}

/** Processes of this test file that have not ended. */
const running = new Set<ChildProcess>();

/** Starts a process. */
export function startProcess(command: string, args: readonly string[], options: ProcessSettings = {}): Started {
  const { cwd, env = plainEnv(), stdin, bound = 300_000 } = options;
  const stdio = [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"] as const;
  const child = spawn(command, [...args], { cwd, env, stdio: [...stdio] });
  running.add(child);
  const output: Run = { code: null, signal: null, stdout: "", stderr: "", text: "" };
  const changed = new Set<() => void>();
  const take = (stream: "stdout" | "stderr"): void => {
    child[stream]?.setEncoding("utf8").on("data", (text: string) => {
      output[stream] += text;
      output.text += text;
      for (const listener of changed) listener();
    });
  };
  take("stdout");
  take("stderr");
  child.stdin?.on("error", () => undefined).end(stdin);
  let hangs = false;
  const limit = setTimeout(() => {
    hangs = true;
    child.kill("SIGKILL");
  }, bound);
  const ended = new Promise<Run>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      Object.assign(output, { code, signal });
      if (hangs) reject(new Error(`${command} ${args.join(" ")} was still running after ${bound} ms:\n${output.text}`));
      else resolve(output);
    });
  }).finally(() => {
    clearTimeout(limit);
    running.delete(child);
  });
  // Prevents an unhandled rejection if no caller waits for it.
  ended.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    child,
    kill: (signal = "SIGKILL") => void child.kill(signal),
    line: (fits = () => true) => lineOf(() => output, changed, ended, fits),
    said: () => output,
    ended,
  };
}

/** Runs a process to its end. */
export function runProcess(command: string, args: readonly string[], options?: ProcessSettings): Promise<Run> {
  return startProcess(command, args, options).ended;
}

/** Runs a script, or a file, with this Node. */
export function runNode(args: readonly string[], options?: ProcessSettings): Promise<Run> {
  return runProcess(process.execPath, args, options);
}

/** Ends each process that a test left behind. */
export async function endAll(): Promise<void> {
  for (const child of running) {
    const gone = new Promise((resolve) => child.once("close", resolve));
    child.kill("SIGKILL");
    await gone;
  }
}

/** Waits for a complete line. */
export function lineOf(
  output: () => { stdout: string; text: string },
  changed: Set<() => void>,
  ended: Promise<unknown>,
  fits: (line: string) => boolean,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const line = output().stdout.split("\n").slice(0, -1).find(fits);
      if (line === undefined) return;
      changed.delete(look);
      resolve(line);
    };
    changed.add(look);
    ended.then(() => (look(), reject(new Error(`It ended without such a line:\n${output().text}`))), reject);
    look();
  });
}
