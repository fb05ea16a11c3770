import type { Wait } from "../api";

/** A stream of text that a command writes to: standard output or standard error. */
export interface TextStream {
  write(text: string): unknown;
  /** Whether it is a terminal. */
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

/** Day and time for a command. */
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

/** What a command has of the process it runs in. Several commands may run in one process, each with its own. */
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
  /** What progress is measured by. @defaultValue the time of this machine */
  readonly clock?: Clock;
  /** Aborted when such a signal ends the command: its requests end, and it begins nothing more. */
  readonly signal?: AbortSignal;
}

/** What commands have open, until they end. */
const open = new WeakMap<Io, (() => Promise<void>)[]>();

/** Notes what is to be closed when the command ends, however it ends. */
export function closeAtEnd(io: Io, close: () => Promise<void>): void {
  open.set(io, [...(open.get(io) ?? []), close]);
}

/** Closes what a command has open. */
export async function closeAll(io: Io): Promise<void> {
  const closing = open.get(io) ?? [];
  open.delete(io);
  await Promise.all(closing.map((close) => close()));
}

/** Listeners to a command's waits for the service. */
const waitListeners = new WeakMap<Io, (wait: Wait) => void>();

/** Calls a listener at every wait for the service that a command has from now on. */
export function onWait(io: Io, listener: (wait: Wait) => void): void {
  waitListeners.set(io, listener);
}

/** A wait for the service begins. */
export function reportWait(io: Io, wait: Wait): void {
  waitListeners.get(io)?.(wait);
}

/** Listeners to the answers that a command gets from the service. */
const answerListeners = new WeakMap<Io, () => void>();

/** Calls a listener at every answer of the service that a command gets from now on. */
export function onAnswer(io: Io, listener: () => void): void {
  answerListeners.set(io, listener);
}

/** The service has answered. */
export function reportAnswer(io: Io): void {
  answerListeners.get(io)?.();
}

/** Listeners to the stacks that a command works on. */
const stackListeners = new WeakMap<Io, (text: string) => void>();

/** Calls a listener when a command has found the stacks that it works on. */
export function onStacks(io: Io, listener: (text: string) => void): void {
  stackListeners.set(io, listener);
}

/** A command works on these stacks. @param why how they were chosen */
export function reportStacks(io: Io, names: readonly string[], why: string): void {
  stackListeners.get(io)?.(`${names.length === 1 ? "Stack" : "Stacks"} ${names.join(", ")} (${why})`);
}

/** Calls a listener at the first interrupt alone. @returns a function that ends the wait */
export function onFirstInterrupt(io: Io, listener: () => void): () => void {
  const stop = io.onInterrupt(() => {
    stop();
    listener();
  });
  return stop;
}
