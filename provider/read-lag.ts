import { setTimeout as sleep } from "node:timers/promises";
import type { Wait } from "../api";
import type { ServiceClock } from "./service-clock";
import { type Properties, stringOf } from "./values";

/**
 * State property with the time of the stack's last write to the record, according to the service's clock. The engine hides properties that
 * begin with two underscores.
 */
export const writtenProperty = "__written";

/** The first and the longest pause between consecutive attempts, in milliseconds. */
const [firstPauseMs, maxPauseMs] = [500, 5_000];
const pauseGrowth = 1.5;
const reportedAgainMs = 2_000;

/**
 * The time until the service's responses show a write. If several resources wait at the same time, the provider reports the wait only once.
 */
export class ReadLag {
  readonly #ms: number;
  /** Times of the stack's writes, according to the service's clock, by resource type and id. */
  readonly #writes = new Map<string, string | undefined>();
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
   * Returns the milliseconds until the service's responses certainly show the last write to a record. Returns 0 if the state
   * does not contain the time of the write.
   *
   * @param sinceMs milliseconds since the request was sent. A response may show the data from the time of the request
   */
  leftMs(state: Properties, sinceMs = 0): number {
    const ageMs = this.clock.ageMs(Date.parse(stringOf(state[writtenProperty]) ?? "")) - sinceMs;
    // If the time in the state is invalid, `ageMs` is NaN and the comparison is false.
    return ageMs < this.#ms ? this.#ms - Math.max(0, ageMs) : 0;
  }

  /** @param written time of the stack's last write to the record, as in the state */
  noteWrite(kindName: string, id: string, written: string | undefined): void {
    this.#writes.set(`${kindName} ${id}`, written);
  }

  /** Whether the service's responses may not show the stack's last write to a record yet. */
  mayHideWrite(kindName: string, id: string): boolean {
    return this.leftMs({ [writtenProperty]: this.#writes.get(`${kindName} ${id}`) }) > 0;
  }

  describe(state: Properties): string {
    const seconds = Math.round(this.clock.ageMs(Date.parse(stringOf(state[writtenProperty]) ?? "")) / 1_000);
    return `the stack wrote the record ${seconds} s ago, and reads may lag for ${this.seconds} s (setting readLag)`;
  }

  /**
   * Returns the remaining milliseconds that the session waits for contradicting responses to agree. The wait begins when responses in the
   * session first contradict each other.
   */
  contradictionLeftMs(): number {
    this.#contradictedAt ??= performance.now();
    return Math.max(0, this.#contradictedAt + this.#ms - performance.now());
  }

  /**
   * Repeats a function until it returns a value or the time runs out.
   *
   * @param attempt function that returns undefined to request another attempt
   * @param leftMs function that returns the remaining milliseconds after an attempt
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
