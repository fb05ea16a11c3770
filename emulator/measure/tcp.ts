import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { TargetAddress } from "./targets";

/** The results of a series of connection attempts. All times are in milliseconds. */
export interface ProbeFigures {
  readonly sent: number;
  readonly received: number;
  /** Percentage of attempts without a connection. */
  readonly loss: number;
  readonly minLatency?: number;
  readonly avgLatency?: number;
  readonly maxLatency?: number;
  /** Mean absolute deviation from the average latency, as in the samples in the service's documentation. */
  readonly jitter?: number;
  readonly sourceIp?: string;
  readonly error?: string;
}

/** Number of connection attempts in a round. */
const probes = 10;
const probeLimitMs = 1000;
/**
 * Milliseconds between the starts of consecutive connection attempts.
 *
 * Without a pause, the attempts would fill a simple server's queue of unaccepted connections. The server would drop connection attempts,
 * and dropped attempts would count as packet loss.
 */
const probeSpacingMs = 25;
/** No connection attempt starts more than this many milliseconds after the first attempt. */
const roundLimitMs = 4000;

/**
 * Connects several times at equal intervals, and closes each connection immediately.
 *
 * @throws if `end` is aborted
 */
export async function probe({ address }: TargetAddress, port: number, end: AbortSignal): Promise<ProbeFigures> {
  const times: number[] = [];
  const started = performance.now();
  let [sent, before] = [0, Number.NEGATIVE_INFINITY];
  let sourceIp: string | undefined;
  let error: string | undefined;
  while (sent < probes && performance.now() - started < roundLimitMs) {
    end.throwIfAborted();
    // Each pause starts with the previous attempt, so that late attempts do not all start at once.
    const pause = before + probeSpacingMs - performance.now();
    if (pause > 0) await delay(pause, undefined, { signal: end });
    sent += 1;
    before = performance.now();
    try {
      const socket = await openConnection(address, port, AbortSignal.any([end, AbortSignal.timeout(probeLimitMs)]));
      times.push(performance.now() - before);
      sourceIp = socket.localAddress;
      socket.destroy();
    } catch (failure) {
      end.throwIfAborted();
      error = reasonOf(failure, `connect to ${address}:${port} took longer than ${probeLimitMs} ms`);
    }
  }
  const loss = rounded(((sent - times.length) / sent) * 100);
  return { sent, received: times.length, loss, ...statistics(times), sourceIp, error };
}

/**
 * Opens a connection, which the caller closes.
 *
 * @throws if the connection fails or `end` is aborted first
 */
export async function openConnection(address: string, port: number, end: AbortSignal): Promise<Socket> {
  const socket = connect({ host: address, port, noDelay: true });
  // The code that reads or writes the connection reports later errors.
  socket.on("error", () => undefined);
  try {
    await once(socket, "connect", { signal: end });
    return socket;
  } catch (failure) {
    socket.destroy();
    throw failure;
  }
}

export function reasonOf(failure: unknown, timedOut: string): string {
  // Errors from Node's core may come from another JavaScript realm, and `instanceof Error` does not recognize such errors.
  const { name, message = String(failure) } = textsOf(failure);
  return name === "AbortError" || name === "TimeoutError" ? timedOut : message;
}

function textsOf(failure: unknown): { name?: string; message?: string } {
  if (typeof failure !== "object" || failure === null) return {};
  return {
    ...("name" in failure && { name: String(failure.name) }),
    ...("message" in failure && { message: String(failure.message) }),
  };
}

function statistics(times: readonly number[]): Pick<ProbeFigures, "minLatency" | "avgLatency" | "maxLatency" | "jitter"> {
  if (times.length === 0) return {};
  const average = mean(times);
  return {
    minLatency: rounded(times.reduce((least, time) => Math.min(least, time))),
    avgLatency: rounded(average),
    maxLatency: rounded(times.reduce((most, time) => Math.max(most, time))),
    jitter: rounded(mean(times.map((time) => Math.abs(time - average)))),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Rounds to a thousandth of a millisecond, because a connection on loopback takes less than a millisecond. */
function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
