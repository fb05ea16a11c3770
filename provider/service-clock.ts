import type { Answer } from "../api";

/** Largest difference, in ms, between the clocks of the service's machines. */
const toleranceMs = 5_000;

/**
 * The service's clock, according to the dates of its answers. The clock of this machine may be wrong, so only the time between
 * two moments is used.
 */
export class ServiceClock {
  /** Largest difference, in ms, between an answer's date and its arrival by `performance.now()`. */
  #offsetMs: number | undefined;
  readonly #startedAt = performance.now();

  observe({ date }: Pick<Answer, "date">): void {
    if (date === undefined) return;
    this.#offsetMs = Math.max(this.#offsetMs ?? -Infinity, date - performance.now());
  }

  /**
   * Returns the earliest possible time of the service's clock, in ms since 1970. The true time may be up to a second later,
   * since dates are truncated to whole seconds. Undefined until an answer had a date.
   */
  earliest(): number | undefined {
    return this.#offsetMs === undefined ? undefined : this.#offsetMs + performance.now();
  }

  /**
   * Returns the latest possible time of the service's clock, in ms since 1970. Returns this machine's time if no answer had a
   * date.
   */
  latest(): number {
    const earliest = this.earliest();
    return earliest === undefined ? Date.now() : earliest + 1_000;
  }

  /** Returns {@link latest} as text, for a state. */
  latestText(): string {
    return new Date(this.latest()).toISOString();
  }

  /** Whether a record's time is certainly before a moment that `earliest` returned. */
  isBefore(time: string | undefined, moment: number | undefined): boolean {
    // An invalid time is not before any moment.
    return moment !== undefined && Date.parse(time ?? "") < moment - toleranceMs;
  }

  /**
   * Returns the age in ms of a time that `latest` returned, in this process or another. The result is at most the true age. A
   * time in the future was written while the service's clock was wrong.
   */
  ageMs(time: number): number {
    const ageMs = (this.earliest() ?? Date.now()) - time;
    return ageMs < -toleranceMs ? performance.now() - this.#startedAt : Math.max(0, ageMs);
  }
}
