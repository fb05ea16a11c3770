import { type Io, ioWith, type Watcher } from "../engine/io";
import { InterruptedError } from "../common/errors";

/** A command that Ctrl+C, or SIGTERM, can end. */
export interface Interruptible {
  /** The process as the command sees it. While something listens to its interrupts, that winds up by itself, and the command goes on. */
  readonly io: Io;
  /** Waits for the command's work, until an interrupt ends the wait. @throws InterruptedError */
  until<T>(work: Promise<T>): Promise<T>;
  /** The command is over: ends the listening, and requests that nobody waits for. */
  end(): void;
}

/**
 * Has an interrupt end a command at once, whatever it waits for: the signal of its `io` ends its requests. The command is left to
 * what winds up by itself while there is such: a run of the engine, a verification that reports what it has by then.
 *
 * @param out shows what happens, and knows what the command has done so far, for the message
 */
export function interruptible(outer: Io, out: Watcher & { readonly doneSoFar: string }): Interruptible {
  const ending = new AbortController();
  const interrupted = Promise.withResolvers<never>();
  // Nobody may wait for it.
  interrupted.promise.catch(() => undefined);
  const windingUp = new Set<(signal: NodeJS.Signals) => void>();
  const unsubscribe = outer.onInterrupt((signal) => {
    if (windingUp.size > 0) {
      for (const listener of windingUp) listener(signal);
      return;
    }
    interrupted.reject(new InterruptedError(`Interrupted. ${out.doneSoFar}`));
    ending.abort();
  });
  const io = ioWith(outer, {
    watcher: out,
    signal: ending.signal,
    onInterrupt(listener) {
      windingUp.add(listener);
      return () => void windingUp.delete(listener);
    },
  });
  const end = (): void => {
    unsubscribe();
    ending.abort();
  };
  return { io, until: (work) => Promise.race([work, interrupted.promise]), end };
}
