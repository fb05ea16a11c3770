import type { Answer } from "../api";

/** Largest difference between the clocks of the service's machines, in milliseconds. */
const toleranceMs = 5_000;

/**
 * Determines the service's time from the `Date` headers of its responses. The clock of this machine may be wrong, so the class only uses
 * that clock to measure intervals.
 */
export class ServiceClock {
  /** Largest difference between the date of a response and `performance.now()` when the response arrived, in milliseconds. */
  #offsetMs: number | undefined;
  readonly #startedAt = performance.now();

  observe({ date }: Pick<Answer, "date">): void {
    if (date === undefined) return;
    this.#offsetMs = Math.max(this.#offsetMs ?? -Infinity, date - performance.now());
  }

  /**
   * Returns the earliest possible time of the service's clock, in milliseconds since 1970. The actual time may be up to a second later,
   * because the dates of responses have whole seconds. Returns undefined if no response with a date has arrived.
   */
  earliest(): number | undefined {
    return this.#offsetMs === undefined ? undefined : this.#offsetMs + performance.now();
  }

  /**
   * Returns the latest possible time of the service's clock, in milliseconds since 1970. Before the first response with a date, returns
   * this machine's time.
   */
  latest(): number {
    const earliest = this.earliest();
    return earliest === undefined ? Date.now() : earliest + 1_000;
  }

  latestText(): string {
    return new Date(this.latest()).toISOString();
  }

  /** Whether a record's time is certainly before a time that `earliest` returned. */
  isBefore(time: string | undefined, moment: number | undefined): boolean {
    // If the time is invalid, `Date.parse` returns NaN and the comparison is false.
    return moment !== undefined && Date.parse(time ?? "") < moment - toleranceMs;
  }

  /**
   * Returns the minimum age, in milliseconds, of a time that `latest` returned. If the time is in the future, a clock was wrong, so the
   * method returns the age of this process.
   */
  ageMs(time: number): number {
    const ageMs = (this.earliest() ?? Date.now()) - time;
    return ageMs < -toleranceMs ? performance.now() - this.#startedAt : Math.max(0, ageMs);
  }
}
