import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { InterruptedError, UsageError } from "./command";

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

/** The engine's own words about a failed run, without its progress. */
export function engineError(what: string, run: EngineRun): Error {
  if (run.interrupted) return interruption(`${what}: interrupted.`, run);
  const said = `${run.stderr}\n${run.stdout}`
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("error: "))
    .map((line) => line.replace(/^error: /, ""));
  const reason = said.length > 0 ? [...new Set(said)].join("; ") : `pulumi ended with ${run.code}: ${run.stderr.trim()}`;
  return new UsageError(`${what}: ${reason}`, "work");
}

/** What is said of a run that Ctrl+C ended: what became of the engine, and of its lock. */
export function interruption(said: string, { cutOff }: EngineRun): InterruptedError {
  const engine = cutOff
    ? "The engine ended at once: if the stack is locked now, `pulumi cancel` frees it."
    : "The engine has wound up what was under way.";
  return new InterruptedError(`${said} ${engine}`);
}

/** Waits for an engine that was started. @throws UsageError where it could not be */
export function ended(
  child: ChildProcessWithoutNullStreams,
  onLine: (line: string) => void,
  input: string | undefined,
  isInterrupted: () => boolean,
): Promise<EngineRun> {
  // One that ends before it has read is told by its own exit code.
  child.stdin.on("error", () => undefined).end(input);
  const [stdout, stderr] = [collect(child.stdout, onLine), collect(child.stderr, onLine)];
  return new Promise((resolveRun, reject) => {
    child.on("error", (error) => reject(new UsageError(`The Pulumi engine did not start (${error.message})`, "work")));
    child.on("close", (code, signal) => {
      const said = { stdout: stdout.join(""), stderr: stderr.join("") };
      resolveRun({ code: code ?? 1, ...said, interrupted: isInterrupted(), cutOff: signal !== null });
    });
  });
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
