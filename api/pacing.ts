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

/** What an answer says of one rate limit. */
export interface RateLimit {
  /** Requests of a window. */
  limit: number | undefined;
  /** Requests that the window still allows. */
  remaining: number;
  /** End of the window in ms since 1970, by the service's clock. */
  reset: number;
}

/** Reads what an answer says of a rate limit; nothing where it does not say what remains, and until when. */
export function rateLimitOf(headers: HttpHeaders, names: LimitHeaders): RateLimit | undefined {
  const [limit, remaining, reset] = [names.limit, names.remaining, names.reset].map((name) => numberOf(headers[name]));
  return remaining === undefined || reset === undefined ? undefined : { limit, remaining, reset: reset * 1_000 };
}

/** The service's clock as an answer tells it, in ms since 1970: whole seconds. */
export function dateOf(headers: HttpHeaders): number | undefined {
  const told = typeof headers["date"] === "string" ? Date.parse(headers["date"]) : NaN;
  return Number.isNaN(told) ? undefined : told;
}

/** Header fields of an answer, by their names in small letters. */
export type HttpHeaders = Record<string, string | string[] | undefined>;

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
  release(headers?: HttpHeaders): void {
    this.#inFlight -= 1;
    if (!headers) return;
    const limit = numberOf(headers[this.headers.limit]);
    if (limit !== undefined) this.#limit = Math.max(1, limit);
    const told = rateLimitOf(headers, this.headers);
    if (!told) return;
    const { remaining, reset } = told;
    const resetAt = this.#local(reset, headers);
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
  #local(serverTime: number, headers: HttpHeaders): number {
    return this.now() + (serverTime - serverNow(headers, this.now()));
  }
}

/**
 * How many milliseconds `Retry-After` asks to wait, capped; it holds seconds or a date.
 *
 * @returns undefined where the answer has none
 */
export function retryAfter(headers: HttpHeaders): number | undefined {
  const given = headers["retry-after"];
  if (typeof given !== "string") return undefined;
  const wait = (numberOf(given) ?? NaN) * 1_000;
  const asked = Number.isNaN(wait) ? Date.parse(given) - serverNow(headers, Date.now()) : wait;
  return Number.isNaN(asked) ? undefined : Math.min(Math.max(asked, 0), longestWindow);
}

/** The server's clock as `Date` tells it, else the local one. `Date` has whole seconds, so waits come out up to one longer. */
function serverNow(headers: HttpHeaders, localNow: number): number {
  return dateOf(headers) ?? localNow;
}

function numberOf(value: string | string[] | undefined): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : NaN;
  return Number.isFinite(number) ? number : undefined;
}
