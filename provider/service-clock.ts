import type { Answer } from "../api";

/** Largest difference, in ms, between the clocks of the service's machines. */
const toleranceMs = 5_000;

/**
 * The clock of the service, as the dates of its answers show it. The clock of this machine may be wrong, so only its steady part is used:
 * the time between two moments.
 */
export class ServiceClock {
  /** Largest difference, in ms, between the date of an answer and the time of its arrival by `performance.now()`. */
  #offsetMs: number | undefined;
  readonly #startedAt = performance.now();

  observe({ date }: Pick<Answer, "date">): void {
    if (date === undefined) return;
    this.#offsetMs = Math.max(this.#offsetMs ?? -Infinity, date - performance.now());
  }

  /**
   * Returns the time that the service's clock shows at least, in ms since 1970. It may show up to a second more, since dates are whole
   * seconds, cut off. Undefined until an answer had a date.
   */
  earliest(): number | undefined {
    return this.#offsetMs === undefined ? undefined : this.#offsetMs + performance.now();
  }

  /** Returns the time that the service's clock shows at most, in ms since 1970: this machine's time if no answer had a date. */
  latest(): number {
    const earliest = this.earliest();
    return earliest === undefined ? Date.now() : earliest + 1_000;
  }

  /** Returns the same as text, for a state. */
  latestText(): string {
    return new Date(this.latest()).toISOString();
  }

  /** Whether a time that a record has is certainly before a moment that `earliest` returned. */
  isBefore(time: string | undefined, moment: number | undefined): boolean {
    // An invalid time is not before any moment.
    return moment !== undefined && Date.parse(time ?? "") < moment - toleranceMs;
  }

  /**
   * Returns the age in ms of a time that `latest` returned, in this process or in another: at most the true age. A time in the future was
   * taken from a clock that was wrong, before this process began.
   */
  ageMs(time: number): number {
    const ageMs = (this.earliest() ?? Date.now()) - time;
    return ageMs < -toleranceMs ? performance.now() - this.#startedAt : Math.max(0, ageMs);
  }
}
