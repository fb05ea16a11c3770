import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { InterruptedError, UsageError } from "./command";
import type { Io } from "./io";

/** A run of the engine that has ended. */
export interface EngineRun {
  code: number;
  stdout: string;
  stderr: string;
  /** Whether Ctrl+C ended it. */
  interrupted: boolean;
  /** Whether it ended before it could wind up what was under way, its lock on the stack included. */
  cutOff: boolean;
}

/** What a run is given beside its arguments. */
export interface RunOptions {
  /** Told of each line that it prints. */
  onLine?: (line: string) => void;
  /** What it reads from standard input: a secret, which arguments would show to others on the machine. */
  input?: string;
}

/**
 * Runs the engine that is on the PATH in a folder, without questions and colours. Ctrl+C goes to it once, and it is waited for: it
 * winds up by itself.
 *
 * @throws UsageError where it could not be started, InterruptedError where the command was ended before
 */
export async function runEngine(
  io: Io,
  folder: string,
  args: readonly string[],
  { onLine = () => undefined, input }: RunOptions = {},
): Promise<EngineRun> {
  if (io.signal?.aborted) throw new InterruptedError("Interrupted.");
  let interrupted = false;
  let child: ChildProcessWithoutNullStreams | undefined;
  // Before it starts: there is no moment in which Ctrl+C would end this command alone.
  const stop = io.onInterrupt((signal) => {
    interrupted = true;
    child?.kill(signal);
  });
  try {
    child = start(io, folder, args);
    return await ended(child, onLine, input, () => interrupted);
  } finally {
    stop();
  }
}

function start(io: Io, folder: string, args: readonly string[]): ChildProcessWithoutNullStreams {
  // With this one a preview in JSON would be a stream of events.
  const { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: _streaming, ...env } = io.env;
  // In a group of its own, else a terminal would send it a Ctrl+C beside ours, and the second one ends it hard.
  return spawn("pulumi", [...args, "--non-interactive", "--color", "never"], {
    cwd: folder,
    env,
    detached: process.platform !== "win32",
    stdio: ["pipe", "pipe", "pipe"],
  });
}

/** The engine's own words about a failed run, without its progress. */
export function engineError(what: string, run: EngineRun): Error {
  if (run.interrupted) return interruption(`${what}: interrupted.`, run);
  const said = saidBy(run);
  const reason = said.length > 0 ? [...new Set(said)].join("; ") : `pulumi ended with ${run.code}: ${run.stderr.trim()}`;
  return new UsageError(`${what}: ${reason}`, "work");
}

/** Errors that the engine printed. */
function saidBy(run: EngineRun): string[] {
  return `${run.stderr}\n${run.stdout}`
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("error: "))
    .map((line) => line.replace(/^error: /, ""));
}

/**
 * What the engine printed as JSON, where it is of the shape that is asked for.
 *
 * @param what a failure is told with
 * @throws UsageError with the engine's own words where it failed, InterruptedError
 */
export function jsonOf<T>(what: string, run: EngineRun, isRight: (printed: unknown) => printed is T): T {
  if (run.code !== 0 || run.interrupted) throw engineError(what, run);
  const printed = parsed(run.stdout);
  if (isRight(printed)) return printed;
  throw new UsageError(`${what}: it printed something else than is asked for (${run.stdout.trim().slice(0, 80)})`, "work");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What is said of a run that Ctrl+C ended: what became of the engine, and of its lock. */
export function interruption(said: string, { cutOff }: EngineRun): InterruptedError {
  const engine = cutOff
    ? "The engine ended at once: if the stack is locked now, `pulumi cancel` frees it."
    : "The engine has wound up what was under way.";
  return new InterruptedError(`${said} ${engine}`);
}

/** Waits for an engine that was started. @throws UsageError where it could not be */
function ended(
  child: ChildProcessWithoutNullStreams,
  onLine: (line: string) => void,
  input: string | undefined,
  isInterrupted: () => boolean,
): Promise<EngineRun> {
  // One that ends before it has read is told by its own exit code.
  child.stdin.on("error", () => undefined).end(input);
  const [stdout, stderr] = [collect(child.stdout, onLine), collect(child.stderr, onLine)];
  return new Promise((resolveRun, reject) => {
    child.on("error", (error) => reject(new UsageError(whyNotStarted(error), "work")));
    child.on("close", (code, signal) => {
      const said = { stdout: stdout.join(""), stderr: stderr.join("") };
      resolveRun({ code: code ?? 1, ...said, interrupted: isInterrupted(), cutOff: signal !== null });
    });
  });
}

function whyNotStarted(error: NodeJS.ErrnoException): string {
  return error.code === "ENOENT"
    ? "The Pulumi engine is not on PATH. Install it: https://www.pulumi.com/docs/install/, or `npm install --save-dev pulumi`"
    : `The Pulumi engine did not start (${error.message})`;
}

function collect(stream: NodeJS.ReadableStream, onLine: (line: string) => void): string[] {
  const chunks: string[] = [];
  let rest = "";
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    chunks.push(chunk);
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
  return chunks;
}
