import type { Answer } from "../api";

/** Largest difference between the clocks of the service's machines, in ms. */
const toleranceMs = 5_000;

/**
 * The service's clock, according to the dates of its answers. This machine's clock may be wrong, so only its intervals count.
 */
export class ServiceClock {
  /** Largest difference between an answer's date and `performance.now()` at its arrival, in milliseconds. */
  #offsetMs: number | undefined;
  readonly #startedAt = performance.now();

  observe({ date }: Pick<Answer, "date">): void {
    if (date === undefined) return;
    this.#offsetMs = Math.max(this.#offsetMs ?? -Infinity, date - performance.now());
  }

  /**
   * Returns the earliest time that the service's clock may show, in milliseconds since 1970. Answers have dates in whole
   * seconds, so the clock may be up to a second ahead. Returns undefined until an answer had a date.
   */
  earliest(): number | undefined {
    return this.#offsetMs === undefined ? undefined : this.#offsetMs + performance.now();
  }

  /**
   * Returns the latest time that the service's clock may show, in milliseconds since 1970. Before the first answer with a
   * date, returns this machine's time.
   */
  latest(): number {
    const earliest = this.earliest();
    return earliest === undefined ? Date.now() : earliest + 1_000;
  }

  latestText(): string {
    return new Date(this.latest()).toISOString();
  }

  /** Whether a record's time is certainly before a result of `earliest`. */
  isBefore(time: string | undefined, moment: number | undefined): boolean {
    // An invalid time gives NaN, which is not less than any number.
    return moment !== undefined && Date.parse(time ?? "") < moment - toleranceMs;
  }

  /**
   * Returns the minimum age of a result of `latest`, in milliseconds. If the service's clock was wrong, the result is the age
   * of this process.
   */
  ageMs(time: number): number {
    const ageMs = (this.earliest() ?? Date.now()) - time;
    return ageMs < -toleranceMs ? performance.now() - this.#startedAt : Math.max(0, ageMs);
  }
}
