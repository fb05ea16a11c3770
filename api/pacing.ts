import { setTimeout as sleep } from "node:timers/promises";

/** Header names of one rate limit (shared/api/README.md, Rate limits). */
export interface LimitHeaders {
  limit: string;
  remaining: string;
  reset: string;
}

export const organizationLimit: LimitHeaders = {
  limit: "x-organization-rate-limit-limit",
  remaining: "x-organization-rate-limit-remaining",
  reset: "x-organization-rate-limit-reset",
};

export const instantLimit: LimitHeaders = {
  limit: "x-instant-test-rate-limit-limit",
  remaining: "x-instant-test-rate-limit-remaining",
  reset: "x-instant-test-rate-limit-reset",
};

/** Longest we believe a window to be: a reset further away than this is taken for a wrong clock. */
const longestWindow = 5 * 60_000;

/**
 * Keeps a client within a request budget that others share, so that 429 is rare. It learns from the headers of every answer
 * how many requests remain and when the window ends, and lets no more out than remain; before the first answer it knows of no
 * limit. Times are measured against the `Date` of the answers, so a wrong local clock does not matter.
 */
export class RateGovernor {
  #limit = Infinity;
  #remaining = Infinity;
  /** Local time in ms at which the window ends. */
  #resetAt = 0;
  #inFlight = 0;

  constructor(
    private readonly headers: LimitHeaders,
    private readonly now: () => number = Date.now,
  ) {}

  /** Waits until a request may go out, and counts it as under way: call `release` when it has been answered or failed. */
  async acquire(): Promise<void> {
    for (;;) {
      if (this.now() >= this.#resetAt) this.#remaining = this.#limit;
      if (this.#remaining - this.#inFlight > 0) break;
      // Nothing is known to remain: wait for the window to end, but look again as answers under way come in.
      await sleep(Math.max(50, Math.min(this.#resetAt - this.now(), 1_000)));
    }
    this.#inFlight += 1;
  }

  /** Ends a request; with the headers of its answer the budget is brought up to date. */
  release(headers?: Record<string, string | string[] | undefined>): void {
    this.#inFlight -= 1;
    if (!headers) return;
    const [limit, remaining, reset] = [this.headers.limit, this.headers.remaining, this.headers.reset].map((name) =>
      numberOf(headers[name]),
    );
    if (limit !== undefined) this.#limit = Math.max(1, limit);
    if (remaining === undefined || reset === undefined) return;
    const resetAt = this.#local(reset * 1_000, headers["date"]);
    if (resetAt - this.now() > longestWindow) return;
    // Answers overtake each other: within one window the least that was reported counts.
    const sameWindow = Math.abs(resetAt - this.#resetAt) < 2_000;
    this.#remaining = sameWindow ? Math.min(this.#remaining, remaining) : remaining;
    this.#resetAt = sameWindow ? Math.max(this.#resetAt, resetAt) : resetAt;
  }

  /** After a 429: nothing goes out until the window ends, or for `wait` milliseconds where the service said so. */
  block(wait = Math.max(this.#resetAt - this.now(), 1_000)): void {
    this.#remaining = 0;
    this.#resetAt = this.now() + wait;
  }

  /** A time of the server's clock as local time. */
  #local(serverTime: number, date: string | string[] | undefined): number {
    return this.now() + (serverTime - serverNow(date, this.now()));
  }
}

/**
 * How many milliseconds `Retry-After` asks to wait, capped; it holds seconds or a date.
 *
 * @returns undefined where the answer has none
 */
export function retryAfter(headers: Record<string, string | string[] | undefined>): number | undefined {
  const given = headers["retry-after"];
  if (typeof given !== "string") return undefined;
  const wait = (numberOf(given) ?? NaN) * 1_000;
  const asked = Number.isNaN(wait) ? Date.parse(given) - serverNow(headers["date"], Date.now()) : wait;
  return Number.isNaN(asked) ? undefined : Math.min(Math.max(asked, 0), longestWindow);
}

/** The server's clock as `Date` tells it, else the local one. `Date` has whole seconds, so waits come out up to one longer. */
function serverNow(date: string | string[] | undefined, localNow: number): number {
  const told = typeof date === "string" ? Date.parse(date) : NaN;
  return Number.isNaN(told) ? localNow : told;
}

function numberOf(value: string | string[] | undefined): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : NaN;
  return Number.isFinite(number) ? number : undefined;
}
