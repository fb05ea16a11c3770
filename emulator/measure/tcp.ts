import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { TargetAddress } from "./targets";

/** The results of a series of connects. Times are milliseconds; they are absent when no probe got through. */
export interface ProbeFigures {
  readonly sent: number;
  readonly received: number;
  /** Percent of the probes without a connection. */
  readonly loss: number;
  readonly minLatency?: number;
  readonly avgLatency?: number;
  readonly maxLatency?: number;
  /** Mean absolute deviation from the average: what the samples' numbers are. */
  readonly jitter?: number;
  /** This machine's address of the connections. */
  readonly sourceIp?: string;
  /** The reason why the last lost probe was lost. */
  readonly error?: string;
}

/** Probes in a round. */
const probes = 10;
const probeLimitMs = 1000;
/**
 * From the start of a probe to that of the next one. Probes without a pause fill the few places that a simple server has for
 * connections it has not accepted yet, and what the system drops then is no loss of the network.
 */
const probeSpacingMs = 25;
/** No probe starts later than this after the first. */
const roundLimitMs = 4000;

/** Connects a few times, evenly spaced, each connection ended at once. @throws when `end` is aborted */
export async function probe({ address }: TargetAddress, port: number, end: AbortSignal): Promise<ProbeFigures> {
  const times: number[] = [];
  const started = performance.now();
  let [sent, before] = [0, Number.NEGATIVE_INFINITY];
  let sourceIp: string | undefined;
  let error: string | undefined;
  while (sent < probes && performance.now() - started < roundLimitMs) {
    end.throwIfAborted();
    // After the one before and not by a plan: probes that are late would come all at once.
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

/** An established connection. The caller ends it. @throws when it fails or `end` is aborted first */
export async function openConnection(address: string, port: number, end: AbortSignal): Promise<Socket> {
  const socket = connect({ host: address, port, noDelay: true });
  // The reader or writer reports later errors.
  socket.on("error", () => undefined);
  try {
    await once(socket, "connect", { signal: end });
    return socket;
  } catch (failure) {
    socket.destroy();
    throw failure;
  }
}

/** Describes a failure; `timedOut` if time was up. */
export function reasonOf(failure: unknown, timedOut: string): string {
  // Not `instanceof Error`: errors of node's core may come from another realm.
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

/** To a thousandth: a loopback connect takes less than a tenth of a millisecond. */
function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
