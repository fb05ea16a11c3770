import { AbortedError, type AnswerTarget } from "./errors";
import { type Operation } from "./schemas";

/** One attempt of a request, as logs and waits report it. */
export interface RequestAttempt {
  operation: Operation;
  target: AnswerTarget;
  attempt: number;
  /** Ends the waits before it. */
  signal: AbortSignal | undefined;
}

/** Awaits a pause before a request. If a signal ends it, nothing was stored. */
export async function interruptible({ target, signal }: RequestAttempt, wait: Promise<void>): Promise<void> {
  await wait.catch((error: unknown) => {
    throw signal?.aborted ? new AbortedError(target, false, signal.reason) : error;
  });
}

/** Awaits a token, which other calls may wait for, too: the signal of this call ends its own wait alone. */
export async function untilAborted<T>(token: Promise<T>, target: AnswerTarget, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return token;
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(new AbortedError(target, false, signal.reason));
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  return Promise.race([promise, token]).finally(() => signal.removeEventListener("abort", abort));
}
