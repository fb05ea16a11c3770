import { type Io, ioWith, type Watcher } from "../engine/io";
import { InterruptedError } from "../common/errors";

export interface Interruptible {
  /**
   * Streams, environment and signals for the command. While the command listens for interrupts itself, an interrupt does not end the
   * command.
   */
  readonly io: Io;
  /** Waits until the command's work is done or an interrupt arrives. @throws InterruptedError */
  until<T>(work: Promise<T>): Promise<T>;
  end(): void;
}

/**
 * Lets an interrupt end a command immediately and cancel the command's requests. If a listener is active, such as a run of the engine, only
 * the listener receives the interrupt.
 *
 * @param out output object. The message about the interrupt ends with the sentence in `doneSoFar`
 */
export function interruptible(outer: Io, out: Watcher & { readonly doneSoFar: string }): Interruptible {
  const ending = new AbortController();
  const interrupted = Promise.withResolvers<never>();
  // If no caller awaits the promise, its rejection must not end the process.
  interrupted.promise.catch(() => undefined);
  const activeListeners = new Set<(signal: NodeJS.Signals) => void>();
  const unsubscribe = outer.onInterrupt((signal) => {
    if (activeListeners.size > 0) {
      for (const listener of activeListeners) listener(signal);
      return;
    }
    interrupted.reject(new InterruptedError(`Interrupted. ${out.doneSoFar}`));
    ending.abort();
  });
  const io = ioWith(outer, {
    watcher: out,
    signal: ending.signal,
    onInterrupt(listener) {
      activeListeners.add(listener);
      return () => void activeListeners.delete(listener);
    },
  });
  const end = (): void => {
    unsubscribe();
    ending.abort();
  };
  return { io, until: (work) => Promise.race([work, interrupted.promise]), end };
}
