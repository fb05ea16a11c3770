import type { Wait } from "../api";

/** A stream of text that a command writes to: standard output or standard error. */
export interface TextStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  /** Width of the terminal in characters. Some terminals return 0. */
  readonly columns?: number;
}

/** Measures time and repeats calls. Tests pass a clock of their own. */
export interface Clock {
  /** Milliseconds since an arbitrary moment. */
  now(): number;
  /** Calls a listener at an interval, without keeping the process alive. @returns a function that ends the calls */
  every(ms: number, listener: () => void): () => void;
  /** Returns the date and time. @defaultValue the time of this machine */
  date?(): Date;
}

export function dateOf({ clock }: Pick<Io, "clock">): Date {
  return clock?.date?.() ?? new Date();
}

export const systemClock: Clock = {
  now: () => performance.now(),
  every(ms, listener) {
    const timer = setInterval(listener, ms).unref();
    return () => clearInterval(timer);
  },
};

/** Shows progress: waits for the service, received answers, and notes. */
export interface Watcher {
  wait(wait: Wait): void;
  answer(): void;
  note(text: string): void;
}

/** The process as a command sees it: streams, environment, folder, signals. Several commands may run in one process, each with its own. */
export interface Io {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  /** Opened at the first access. */
  readonly stdin: NodeJS.ReadableStream;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** Absolute path of the command's working folder. Relative paths start from it. */
  readonly cwd: string;
  /**
   * Calls a listener at each Ctrl+C (SIGINT) and SIGTERM. Without a listener, such a signal ends the process at once.
   *
   * @returns a function that ends the calls
   */
  onInterrupt(listener: (signal: NodeJS.Signals) => void): () => void;
  /** Clock for progress. @defaultValue the time of this machine */
  readonly clock?: Clock;
  /** Aborted when a signal ends the command: its requests end, and it starts no others. */
  readonly signal?: AbortSignal;
  /** Absent if nothing shows progress, as in a policy pack. */
  readonly watcher?: Watcher;
}

/**
 * Returns the same process with other members. It uses the process as its prototype, because a copy would open standard input.
 */
export function ioWith(io: Io, members: Partial<Io>): Io {
  return Object.assign(Object.create(io) as Io, members);
}

const open = new WeakMap<Io, (() => Promise<void>)[]>();

/** Registers a function that runs when the command ends, even after a failure. */
export function closeAtEnd(io: Io, close: () => Promise<void>): void {
  open.set(io, [...(open.get(io) ?? []), close]);
}

export async function closeAll(io: Io): Promise<void> {
  const closing = open.get(io) ?? [];
  open.delete(io);
  await Promise.all(closing.map((close) => close()));
}

/** Shows which stacks a command works on. @param why the rule that chose them */
export function reportStacks({ watcher }: Io, names: readonly string[], why: string): void {
  watcher?.note(`${names.length === 1 ? "Stack" : "Stacks"} ${names.join(", ")} (${why})`);
}

/** Calls a listener at the first interrupt only. @returns a function that ends the wait */
export function onFirstInterrupt(io: Io, listener: () => void): () => void {
  const stop = io.onInterrupt(() => {
    stop();
    listener();
  });
  return stop;
}
