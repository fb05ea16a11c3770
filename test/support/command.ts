import { Readable } from "node:stream";
import type { Clock, Io, TextStream } from "../../engine/io";
import { main } from "../../cli/run";
import { lineOf, plainEnv } from "./process";

/** A finished command. */
export interface CommandRun {
  code: number;
  stdout: string;
  stderr: string;
  /** Both outputs in order. */
  text: string;
}

export interface CommandSettings {
  /** @defaultValue a folder without a project: the root */
  cwd?: string;
  /** The whole environment. @defaultValue this process's environment without the user's settings */
  env?: NodeJS.ProcessEnv;
  stdin?: string;
  /** Whether both outputs are a terminal. */
  isTTY?: boolean;
  columns?: number;
  /** Clock for progress. @defaultValue a clock that stands still */
  clock?: Clock;
}

const stillClock: Clock = { now: () => 0, every: () => () => undefined };

/** A running command. */
export interface StartedCommand {
  /** Sends a signal, as Ctrl+C does. @throws if no listener waits for it, because it would end a process at once */
  interrupt(signal?: NodeJS.Signals): void;
  /** Returns the first complete line on standard output that matches. */
  line(fits?: (line: string) => boolean): Promise<string>;
  ended: Promise<CommandRun>;
  /** Returns its output so far on both streams. */
  printed(): string;
  /** Returns the number of current listeners for a signal. */
  listeners(): number;
}

/** Runs the `endpoint-monitoring` command in this process, from the sources. */
export function runCommand(args: readonly string[], options?: CommandSettings): Promise<CommandRun> {
  return startCommand(args, options).ended;
}

/** Starts the command in this process without waiting. */
export function startCommand(args: readonly string[], options: CommandSettings = {}): StartedCommand {
  const { cwd = "/", env = plainEnv(), stdin } = options;
  const output = { stdout: "", stderr: "", text: "" };
  const changed = new Set<() => void>();
  const stream = (name: "stdout" | "stderr"): TextStream => ({
    isTTY: options.isTTY,
    columns: options.columns,
    write(text) {
      output[name] += text;
      output.text += text;
      for (const listener of changed) listener();
    },
  });
  const listeners = new Set<(signal: NodeJS.Signals) => void>();
  const io: Io = {
    stdout: stream("stdout"),
    stderr: stream("stderr"),
    get stdin() {
      // An open standard input keeps the process alive, and a closed one fails. No command may open it unnecessarily.
      if (stdin === undefined) throw new Error("Standard input is opened, and nothing was given");
      return Object.assign(Readable.from([Buffer.from(stdin)]), { isTTY: options.isTTY });
    },
    env,
    cwd,
    clock: options.clock ?? stillClock,
    onInterrupt(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const ended = main(args, io).then((code) => ({ code, ...output }));
  return {
    interrupt(signal = "SIGINT") {
      if (listeners.size === 0) throw new Error(`Nobody waits for ${signal}: it would end the process`);
      for (const listener of listeners) listener(signal);
    },
    line: (fits = () => true) => lineOf(() => output, changed, ended, fits),
    ended,
    printed: () => output.text,
    listeners: () => listeners.size,
  };
}

/** Returns a command's process interface for tests that ignore its output. */
export function silentIo(env: NodeJS.ProcessEnv = {}): Io {
  const nowhere: TextStream = { write: () => true };
  return { stdout: nowhere, stderr: nowhere, stdin: Readable.from([]), env, cwd: "/", onInterrupt: () => () => undefined };
}
