import { setTimeout as sleep } from "node:timers/promises";
import type { Wait } from "../api";
import type { ServiceClock } from "./service-clock";
import { type Properties, stringOf } from "./values";

/**
 * Name of the state property with the time of the stack's last create, adoption or update of the record, by the service's
 * clock. The engine does not show properties with such names.
 */
export const writtenProperty = "__written";

/** Milliseconds before the first repetition, and the longest pause between two attempts. */
const [firstPauseMs, maxPauseMs] = [500, 5_000];
/** Ratio of each pause to the previous one. */
const pauseGrowth = 1.5;
/**
 * Milliseconds between reports of waits. Another wait is reported only if it ends this much later than the last reported wait.
 */
const reportedAgainMs = 2_000;

/**
 * The time until the service's reads show a write, in one session. Every wait ends at a time that depends on a write or on the
 * first contradiction between two reads. So resources that wait at the same time or one after the other share one wait, which
 * is reported once.
 */
export class ReadLag {
  readonly #ms: number;
  #contradictedAt: number | undefined;
  #reportedUntil = 0;

  constructor(
    readonly seconds: number,
    private readonly clock: ServiceClock,
    private readonly onWait: ((wait: Wait) => void) | undefined,
  ) {
    this.#ms = seconds * 1_000;
  }

  /**
   * Returns the ms from a moment until reads show the last write of a state; 0 if they already do, or if the state has no time
   * of a write.
   *
   * @param sinceMs ms from that moment until now. An answer shows the service's data at the time of the request
   */
  leftMs(state: Properties, sinceMs = 0): number {
    const ageMs = this.clock.ageMs(Date.parse(stringOf(state[writtenProperty]) ?? "")) - sinceMs;
    // A damaged time does not have an age.
    return ageMs < this.#ms ? this.#ms - Math.max(0, ageMs) : 0;
  }

  /** Describes the age of a state's last write, as part of a sentence. */
  describe(state: Properties): string {
    const seconds = Math.round(this.clock.ageMs(Date.parse(stringOf(state[writtenProperty]) ?? "")) / 1_000);
    return `the stack wrote it ${seconds} s ago, and reads may lag for ${this.seconds} s (setting readLag)`;
  }

  /** Returns the remaining ms of the wait that begins with the session's first contradiction between two reads. */
  contradictionLeftMs(): number {
    this.#contradictedAt ??= performance.now();
    return Math.max(0, this.#contradictedAt + this.#ms - performance.now());
  }

  /**
   * Retries until an attempt succeeds or the time runs out.
   *
   * @param attempt returns undefined to be repeated
   * @param leftMs returns the remaining ms after an attempt
   * @param wait operation and reason, for the report of the wait
   */
  async repeat<T>(
    attempt: () => Promise<T | undefined>,
    leftMs: () => number,
    wait: Pick<Wait, "operation" | "reason">,
  ): Promise<T | undefined> {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * pauseGrowth, maxPauseMs)) {
      const result = await attempt();
      const ms = result === undefined ? leftMs() : 0;
      if (ms <= 0) return result;
      this.#report({ ...wait, ms });
      await sleep(Math.min(pauseMs, ms));
    }
  }

  #report(wait: Wait): void {
    const end = performance.now() + wait.ms;
    if (end < this.#reportedUntil + reportedAgainMs) return;
    this.#reportedUntil = end;
    this.onWait?.(wait);
  }
}
