import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { dirname, join } from "node:path";
import { ownFolder, ownManifest } from "../api/manifest";
import { parseJson } from "../common/files";
import type { Io } from "./io";
import { leastOf } from "../api/versions";
import { InterruptedError, UsageError } from "../common/errors";

export interface EngineRun {
  code: number;
  stdout: string;
  stderr: string;
  interrupted: boolean;
  /** Whether a signal ended the engine. If a signal ended the engine, the stack may still be locked. */
  cutOff: boolean;
}

export interface RunOptions {
  onLine?: (line: string) => void;
  /**
   * Whether the result contains the engine's standard output. The output of a large update needs hundreds of megabytes of memory.
   *
   * @defaultValue true
   */
  keepsOutput?: boolean;
  /**
   * Text for the engine's standard input, such as a secret. Other users of the machine can see a process's arguments, so
   * arguments must not contain secrets.
   */
  input?: string;
  env?: NodeJS.ProcessEnv;
}

/**
 * Environment variable that makes the engine write the state only before it exits. By default, the engine writes the whole
 * state after each resource, which takes a long time for large stacks. If `PULUMI_SKIP_CHECKPOINTS` is set and the engine is
 * killed, all state changes are lost. Set `PULUMI_SKIP_CHECKPOINTS` only for operations that can be repeated.
 */
export const writesStateOnce = { PULUMI_SKIP_CHECKPOINTS: "true" };

/**
 * Runs the `pulumi` executable on the PATH without prompts and colors. The command forwards interrupts to the engine, and
 * waits for the engine to exit.
 *
 * @throws UsageError if the engine cannot be started, InterruptedError after an earlier interrupt
 */
export async function runEngine(
  io: Io,
  folder: string,
  args: readonly string[],
  { onLine, keepsOutput = true, input, env: variables }: RunOptions = {},
): Promise<EngineRun> {
  if (io.signal?.aborted) throw new InterruptedError("Interrupted.");
  let interrupted = false;
  let child: ChildProcessWithoutNullStreams | undefined;
  // The listener is added before the engine starts, because Ctrl+C would otherwise end this command while the engine
  // continues.
  const stop = io.onInterrupt((signal) => {
    interrupted = true;
    child?.kill(signal);
  });
  try {
    // The engine must not receive `PULUMI_ENABLE_STREAMING_JSON_PREVIEW`, which makes the engine print a preview as a stream of
    // events.
    const { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: _streaming, ...env } = io.env;
    child = spawn("pulumi", [...args, "--non-interactive", "--color", "never"], {
      cwd: folder,
      // The value `off` disables the preview lines about agents, because the command counts the affected agents itself.
      env: { ...compileCache(), ...engineOfClone(), ...env, ENDPOINT_MONITORING_PREVIEW_REACH: "off", ...variables },
      // The engine runs in a separate process group, because a terminal sends Ctrl+C to all processes of a group. In a shared
      // process group, the engine would receive two interrupts, and the second interrupt ends the engine immediately.
      detached: process.platform !== "win32",
      stdio: ["pipe", "pipe", "pipe"],
    });
    const [stdout, stderr] = [collect(child.stdout, keepsOutput, onLine), collect(child.stderr, true, onLine)];
    const { code, cutOff } = await ended(child, input);
    return { code, cutOff, interrupted, stdout: stdout(), stderr: stderr() };
  } finally {
    stop();
  }
}

/** Returns the environment variable that makes the program and the provider use this command's cache of compiled code. */
function compileCache(): NodeJS.ProcessEnv {
  // `NODE_COMPILE_CACHE` contains the parent folder, because Node adds a subfolder with its version number.
  const folder = getCompileCacheDir?.();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

/**
 * In a clone of the repository, returns the engine's version for the npm launcher. Without a version, the npm launcher could download a
 * different engine.
 */
function engineOfClone(): NodeJS.ProcessEnv {
  const file = join(ownFolder(), "tools/engine/find.mjs");
  if (!existsSync(file)) return {};
  return { PULUMI_VERSION: /ENGINE_VERSION = "([^"]+)"/.exec(readFileSync(file, "utf8"))?.[1] };
}

/** @throws UsageError if the engine did not start */
function ended(child: ChildProcessWithoutNullStreams, input: string | undefined): Promise<Pick<EngineRun, "code" | "cutOff">> {
  // Errors of the input stream are ignored. If the engine exits before it reads the input, the exit code reports the failure.
  child.stdin.on("error", () => undefined).end(input);
  return new Promise((resolve, reject) => {
    child.on("error", ({ code, message }: NodeJS.ErrnoException) => {
      const missing =
        "The Pulumi engine is not on PATH. Install it: https://www.pulumi.com/docs/install/, or `npm install --save-dev pulumi`";
      reject(new UsageError(code === "ENOENT" ? missing : `The Pulumi engine did not start (${message})`, "work"));
    });
    child.on("close", (code, signal) => resolve({ code: code ?? 1, cutOff: signal !== null }));
  });
}

/**
 * Reads a stream.
 *
 * @returns a function that returns the stream's text, or an empty string if `isKept` is false
 */
function collect(stream: NodeJS.ReadableStream, isKept: boolean, onLine?: (line: string) => void): () => string {
  let chunks: string[] = [];
  let rest = "";
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    if (isKept) chunks.push(chunk);
    if (onLine === undefined) return;
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
  return () => {
    if (rest !== "") onLine?.(rest);
    const text = chunks.join("");
    chunks = [];
    return text;
  };
}

export function engineError(what: string, run: EngineRun): Error {
  if (run.interrupted) return interruption(`${what}: interrupted.`, run);
  return new UsageError(`${what}: ${reasonOfRun(run)}`, "work");
}

/**
 * Returns the text after each `error: ` in the engine's output. If the engine fails before an operation begins, the output
 * contains `error: ` lines instead of events.
 */
export function reasonOfRun({ code, stdout, stderr }: EngineRun): string {
  const errors = `${stderr}\n${stdout}`.split("\n").flatMap((line) => /^\s*error: (.*)/.exec(line)?.[1]?.trim() ?? []);
  return errors.length > 0 ? [...new Set(errors)].join("; ") : `pulumi exited with code ${code}: ${stderr.trim()}`;
}

/** Returns the error for an engine run that Ctrl+C ended. The message reports whether the stack may still be locked. */
export function interruption(message: string, { cutOff }: EngineRun): InterruptedError {
  const engine = cutOff
    ? "The engine stopped immediately. If the stack is locked now, run `pulumi cancel`."
    : "The engine finished its pending operations first.";
  return new InterruptedError(`${message} ${engine}`);
}

/**
 * Returns the JSON that the engine printed.
 *
 * @param what beginning of the error message
 * @throws UsageError if the engine failed or printed unexpected JSON; InterruptedError after an interrupt
 */
export function jsonOf<T>(what: string, run: EngineRun, isExpected: (printed: unknown) => printed is T): T {
  if (run.code !== 0 || run.interrupted) throw engineError(what, run);
  const printed = parseJson(run.stdout);
  if (isExpected(printed)) return printed;
  throw new UsageError(`${what}: unexpected output (${run.stdout.trim().slice(0, 80)})`, "work");
}

/**
 * Maximum total length of the `--target` arguments of an engine run, in characters. Windows limits command lines to 32,767
 * characters.
 */
const maxTargetCharacters = process.platform === "win32" ? 24_000 : 400_000;

/**
 * Distributes the values of `--target` over several engine runs, because the length of a command line is limited. The targets
 * of a group stay in the same run.
 */
export function inRuns(groups: readonly (readonly string[])[], maxCharacters = maxTargetCharacters): string[][] {
  const runs: string[][] = [];
  let length = Infinity;
  for (const group of groups) {
    const added = group.reduce((sum, urn) => sum + urn.length + "--target ''  ".length, 0);
    if (length + added > maxCharacters) {
      runs.push([]);
      length = 0;
    }
    for (const urn of group) runs.at(-1)?.push(urn);
    length += added;
  }
  return runs.map((run) => [...new Set(run)]);
}

export function targetArguments(urns: readonly string[]): string[] {
  return urns.flatMap((urn) => ["--target", urn]);
}

/** Returns the oldest supported version of the engine. Unsupported older versions would read every record during an import from a file. */
export function leastEngine(): string {
  return leastOf(ownManifest().peerDependencies["@pulumi/pulumi"] ?? "");
}
