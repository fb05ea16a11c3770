import type { Wait } from "../api";

/** A stream of text that a command writes to: standard output or standard error. */
export interface TextStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  /** Width of the terminal. One that does not know its width returns 0. */
  readonly columns?: number;
}

/** Time, and what is done again and again as it passes. */
export interface Clock {
  /** Milliseconds since some moment. */
  now(): number;
  /** Calls a listener every so many milliseconds, which keeps no process from ending. @returns a function that ends the calls */
  every(ms: number, listener: () => void): () => void;
  /** Day and time. @defaultValue those of this machine */
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

/** Shows what happens while a command works: waits for the service, its answers, and notes. */
export interface Watcher {
  wait(wait: Wait): void;
  answer(): void;
  note(text: string): void;
}

/** The process as a command sees it: streams, environment, folder, signals. Several commands may run in one process, each with its own. */
export interface Io {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  /** Read when it is asked for alone. */
  readonly stdin: NodeJS.ReadableStream;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** Folder that the command runs in, and that relative paths start from: an absolute path. */
  readonly cwd: string;
  /**
   * Calls a listener at each Ctrl+C (SIGINT) and SIGTERM. Such a signal ends the process at once while nobody listens.
   *
   * @returns a function that ends the calls
   */
  onInterrupt(listener: (signal: NodeJS.Signals) => void): () => void;
  /** Measures progress. @defaultValue the time of this machine */
  readonly clock?: Clock;
  /** Aborted when such a signal ends the command: its requests end, and it begins nothing more. */
  readonly signal?: AbortSignal;
  /** Absent where nobody watches, as in a policy pack. */
  readonly watcher?: Watcher;
}

/** Returns the same process with other members. It is no copy: standard input is still read when it is asked for alone. */
export function ioWith(io: Io, own: Partial<Io>): Io {
  return Object.assign(Object.create(io) as Io, own);
}

const open = new WeakMap<Io, (() => Promise<void>)[]>();

/** Notes what is to be closed when the command ends, however it ends. */
export function closeAtEnd(io: Io, close: () => Promise<void>): void {
  open.set(io, [...(open.get(io) ?? []), close]);
}

export async function closeAll(io: Io): Promise<void> {
  const closing = open.get(io) ?? [];
  open.delete(io);
  await Promise.all(closing.map((close) => close()));
}

/** Shows which stacks a command works on. @param why how they were chosen */
export function reportStacks({ watcher }: Io, names: readonly string[], why: string): void {
  watcher?.note(`${names.length === 1 ? "Stack" : "Stacks"} ${names.join(", ")} (${why})`);
}

/** Calls a listener at the first interrupt alone. @returns a function that ends the wait */
export function onFirstInterrupt(io: Io, listener: () => void): () => void {
  const stop = io.onInterrupt(() => {
    stop();
    listener();
  });
  return stop;
}
