import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { ownManifest } from "../../api/manifest";
import { InterruptedError, UsageError } from "../command";
import { parseJson } from "../files";
import type { Io } from "../io";
import { leastOf } from "../../api/versions";

export interface EngineRun {
  code: number;
  stdout: string;
  stderr: string;
  interrupted: boolean;
  /** Whether it ended before it could wind up what was under way, its lock on the stack included. */
  cutOff: boolean;
}

export interface RunOptions {
  /** Called with each line that the engine prints. */
  onLine?: (line: string) => void;
  /** Standard input of the engine: for a secret, which arguments would show to others on the machine. */
  input?: string;
  /** Further variables of the environment. */
  env?: NodeJS.ProcessEnv;
}

/**
 * Environment of an engine that writes its state once, at its end or after Ctrl+C, and not after each resource, which takes four times as
 * long for twice as many resources. Only for what can be repeated: a killed engine leaves the state as it was before.
 */
export const writesStateOnce = { PULUMI_SKIP_CHECKPOINTS: "true" };

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
  { onLine = () => undefined, input, env }: RunOptions = {},
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
    child = start(io, folder, args, env);
    return { ...(await ended(child, onLine, input)), interrupted };
  } finally {
    stop();
  }
}

function start(io: Io, folder: string, args: readonly string[], more?: NodeJS.ProcessEnv): ChildProcessWithoutNullStreams {
  // With this one a preview in JSON would be a stream of events.
  const { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: _streaming, ...env } = io.env;
  // In a group of its own, else a terminal would send it a Ctrl+C beside ours, and the second one ends it hard.
  return spawn("pulumi", [...args, "--non-interactive", "--color", "never"], {
    cwd: folder,
    // The commands count whom a change reaches themselves.
    env: { ...env, ENDPOINT_MONITORING_PREVIEW_REACH: "off", ...more },
    detached: process.platform !== "win32",
    stdio: ["pipe", "pipe", "pipe"],
  });
}

/** Waits for an engine that was started. @throws UsageError where it could not be */
function ended(
  child: ChildProcessWithoutNullStreams,
  onLine: (line: string) => void,
  input: string | undefined,
): Promise<Omit<EngineRun, "interrupted">> {
  // One that ends before it has read reports that by its exit code.
  child.stdin.on("error", () => undefined).end(input);
  const [stdout, stderr] = [collect(child.stdout, onLine), collect(child.stderr, onLine)];
  return new Promise((resolve, reject) => {
    child.on("error", (error) => reject(new UsageError(whyNotStarted(error), "work")));
    child.on("close", (code, signal) =>
      resolve({ code: code ?? 1, stdout: stdout.join(""), stderr: stderr.join(""), cutOff: signal !== null }),
    );
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

/** A failed run as an error with its reason; InterruptedError where Ctrl+C ended it. */
export function engineError(what: string, run: EngineRun): Error {
  if (run.interrupted) return interruption(`${what}: interrupted.`, run);
  return new UsageError(`${what}: ${reasonOfRun(run)}`, "work");
}

/** The text that the engine printed after `error: ` before it did anything. It prints no event for such an error. */
export function reasonOfRun({ code, stdout, stderr }: EngineRun): string {
  const errors = `${stderr}\n${stdout}`.split("\n").flatMap((line) => /^\s*error: (.*)/.exec(line)?.[1]?.trim() ?? []);
  return errors.length > 0 ? [...new Set(errors)].join("; ") : `pulumi ended with ${code}: ${stderr.trim()}`;
}

/** The error of a run that Ctrl+C ended, with what became of the engine and its lock. */
export function interruption(message: string, { cutOff }: EngineRun): InterruptedError {
  const engine = cutOff
    ? "The engine ended at once: if the stack is locked now, `pulumi cancel` frees it."
    : "The engine has wound up what was under way.";
  return new InterruptedError(`${message} ${engine}`);
}

/**
 * The JSON that a run printed.
 *
 * @param what begins the message of a failure
 * @throws UsageError where the run failed, or printed something of another shape; InterruptedError
 */
export function jsonOf<T>(what: string, run: EngineRun, isExpected: (printed: unknown) => printed is T): T {
  if (run.code !== 0 || run.interrupted) throw engineError(what, run);
  const printed = parseJson(run.stdout);
  if (isExpected(printed)) return printed;
  throw new UsageError(`${what}: it printed something else than is asked for (${run.stdout.trim().slice(0, 80)})`, "work");
}

/** Characters of targets in one run: operating systems bound a command line, Windows at 32,767 characters. */
const maxTargetCharacters = process.platform === "win32" ? 24_000 : 400_000;

/** Targets in as few runs as the length of a command line allows; those of one group stay together. */
export function inRuns(groups: readonly (readonly string[])[], maxCharacters = maxTargetCharacters): string[][] {
  const runs: string[][] = [];
  let length = Infinity;
  for (const group of groups) {
    const added = group.reduce((sum, urn) => sum + urn.length + "--target ''  ".length, 0);
    if (length + added > maxCharacters) {
      runs.push([]);
      length = 0;
    }
    runs.at(-1)?.push(...group);
    length += added;
  }
  return runs.map((run) => [...new Set(run)]);
}

export function targetArguments(urns: readonly string[]): string[] {
  return urns.flatMap((urn) => ["--target", urn]);
}

/** The first engine that imports from a file, inputs and outputs and all, and reads nothing: the one that this package asks for. */
export function leastEngine(): string {
  return leastOf(ownManifest().peerDependencies["@pulumi/pulumi"] ?? "");
}
