import type { Wait } from "../api";

/** Standard output or standard error of a command. */
export interface TextStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  /** Width of the terminal, in characters. Some terminals return 0. */
  readonly columns?: number;
}

/** Measures time and repeats calls. Tests pass a clock that the test controls. */
export interface Clock {
  /** Milliseconds since an arbitrary moment. */
  now(): number;
  /**
   * Calls a listener repeatedly at the given interval. The timer of `every` does not keep the process alive.
   *
   * @returns a function that stops the calls
   */
  every(ms: number, listener: () => void): () => void;
  /**
   * Returns the date and time.
   *
   * @defaultValue this machine's clock
   */
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

/** Shows the progress of a command to the user: waits for the service, received responses, and notes. */
export interface Watcher {
  wait(wait: Wait): void;
  answer(): void;
  note(text: string): void;
}

/**
 * The process as a command sees it: streams, environment, folder and signals. Several commands with different `Io` objects may
 * run in the same Node process.
 */
export interface Io {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  /** Standard input. The first access to `stdin` opens the stream. */
  readonly stdin: NodeJS.ReadableStream;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** Absolute path of the command's working folder, which is the base of relative paths. */
  readonly cwd: string;
  /**
   * Calls a listener at each Ctrl+C (SIGINT) and SIGTERM. Without a listener, a signal ends the process.
   *
   * @returns a function that stops the calls
   */
  onInterrupt(listener: (signal: NodeJS.Signals) => void): () => void;
  /** @defaultValue this machine's clock */
  readonly clock?: Clock;
  /**
   * Signal that is aborted when the user interrupts the command. After an interrupt, the command aborts its requests and starts
   * no new requests.
   */
  readonly signal?: AbortSignal;
  /** Shows the progress of the command; undefined in a policy pack. */
  readonly watcher?: Watcher;
}

/**
 * Returns an `Io` object with changed members. The result inherits all other members from `io`, because a copy of the members
 * would open standard input.
 */
export function ioWith(io: Io, members: Partial<Io>): Io {
  return Object.assign(Object.create(io) as Io, members);
}

const open = new WeakMap<Io, (() => Promise<void>)[]>();

/** Registers a function that runs at the end of the command, even after a failure. */
export function closeAtEnd(io: Io, close: () => Promise<void>): void {
  open.set(io, [...(open.get(io) ?? []), close]);
}

export async function closeAll(io: Io): Promise<void> {
  const closing = open.get(io) ?? [];
  open.delete(io);
  await Promise.all(closing.map((close) => close()));
}

/** Shows which stacks a command works on. */
export function reportStacks({ watcher }: Io, names: readonly string[], why: string): void {
  watcher?.note(`${names.length === 1 ? "Stack" : "Stacks"} ${names.join(", ")} (${why})`);
}

/**
 * Calls a listener at the first interrupt only.
 *
 * @returns a function that stops listening
 */
export function onFirstInterrupt(io: Io, listener: () => void): () => void {
  const stop = io.onInterrupt(() => {
    stop();
    listener();
  });
  return stop;
}
