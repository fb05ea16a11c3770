/** Names of the headers that report a rate limit (docs/service/requests.md, Rate limits). */
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

/** A rate limit, as reported in the headers of a response. */
export interface RateLimit {
  /** Number of requests that the rate limit allows per window. */
  limit: number | undefined;
  /** Number of requests that remain in the current window. */
  remaining: number;
  /** End of the current window in ms since 1970, on the service's clock. */
  reset: number;
}

/**
 * Reads a rate limit from the headers of a response. Returns undefined if the headers lack the remaining requests or the end of
 * the window.
 */
export function rateLimitOf(headers: HttpHeaders, names: LimitHeaders): RateLimit | undefined {
  const [limit, remaining, reset] = [names.limit, names.remaining, names.reset].map((name) => numberOf(headers[name]));
  return remaining === undefined || reset === undefined ? undefined : { limit, remaining, reset: reset * 1_000 };
}

/** Reads the service's time from a response's `Date` header, in ms since 1970. */
export function dateOf(headers: HttpHeaders): number | undefined {
  const date = typeof headers["date"] === "string" ? Date.parse(headers["date"]) : NaN;
  return Number.isNaN(date) ? undefined : date;
}

export type HttpHeaders = Record<string, string | string[] | undefined>;

/**
 * Longest plausible rate limit window, in ms. The documented window is one minute. If the time until the reset exceeds `maxWindowMs`, a
 * clock is wrong.
 */
const maxWindowMs = 75_000;

/** Share of a window's requests that the client sends without pacing: 30 of 240 requests per minute. */
const smallChangeShare = 1 / 8;
/**
 * Share of the remaining requests that a client may send without pacing. A client leaves the rest of the requests to other
 * clients.
 */
const burstShare = 1 / 4;
/** Share of a window's requests that the client reserves for clients without pacing. */
const reserveShare = 1 / 100;
/** Maximum number of concurrent requests until the first response reports the request budget. */
const maxProbes = 4;

export interface Timers {
  set(run: () => void, ms: number): object;
  clear(timer: object | undefined): void;
}

const systemTimers: Timers = {
  set: (run, ms) => setTimeout(run, ms),
  clear: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
};

/**
 * Keeps this client within a request budget that it shares with other clients. In each rate limit window, the client sends some requests
 * immediately, and spreads its further requests over the remaining time. With this pacing, the service rarely returns status 429, and every
 * client gets a share of the budget. Times are relative to the `Date` header, so a wrong local clock does no harm.
 */
export class RateGovernor {
  #limit = Infinity;
  #remaining = Infinity;
  /** End of the rate limit window on the monotonic clock, in ms. */
  #resetAt = 0;
  #inFlight = 0;
  #probed = false;
  /** Number of requests that the client may still send without pacing; unlimited before the first response. */
  #burst = Infinity;
  /** Earliest time of the next paced request on the monotonic clock, in ms. */
  #nextAt = 0;
  /** Whether the budget of the current window is an assumption, because no response has reported the window yet. */
  #isFresh = true;
  /** Functions that start the waiting requests, in the order of the `acquire` calls. */
  readonly #waiting: (() => void)[] = [];
  #timer: object | undefined;

  constructor(
    private readonly headers: LimitHeaders,
    private readonly now: () => number = () => performance.now(),
    private readonly timers: Timers = systemTimers,
  ) {}

  /**
   * Waits until the request budget allows a request. Requests start in the order of the `acquire` calls. The caller must call
   * `release` at the end of the request.
   *
   * @param onWait called once if the request has to wait, with the expected wait in ms
   * @throws the signal's reason, if the signal ends the wait
   */
  async acquire(onWait?: (ms: number) => void, signal?: AbortSignal): Promise<void> {
    if (this.#waiting.length === 0 && this.#wait() === 0) {
      this.#take();
      return;
    }
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = (): void => {
      const at = this.#waiting.indexOf(resolve);
      // If `#waiting` no longer contains the request, it started before the abort.
      if (at === -1) return;
      this.#waiting.splice(at, 1);
      // If no other requests wait, `#wake` only clears the timer.
      this.#wake();
      reject(signal?.reason);
    };
    this.#waiting.push(resolve);
    signal?.addEventListener("abort", abort, { once: true });
    this.#wake();
    const ms = this.#wait();
    if (this.#waiting.includes(resolve) && Number.isFinite(ms)) onWait?.(ms);
    await promise.finally(() => signal?.removeEventListener("abort", abort));
  }

  /** Records the end of a request, and updates the budget from the response's headers. */
  release(headers?: HttpHeaders): void {
    this.#inFlight -= 1;
    this.#probed = true;
    if (headers) this.#learn(headers);
    this.#wake();
  }

  /** After status 429, blocks all requests for `waitMs` milliseconds, by default until the rate limit window ends. */
  block(waitMs = Math.max(this.#resetAt - this.now(), 1_000)): void {
    this.#remaining = 0;
    this.#isFresh = false;
    this.#resetAt = this.now() + waitMs;
    this.#wake();
  }

  #learn(headers: HttpHeaders): void {
    const limit = numberOf(headers[this.headers.limit]);
    if (limit !== undefined) this.#limit = Math.max(1, limit);
    const reported = rateLimitOf(headers, this.headers);
    if (!reported) return;
    const { remaining, reset } = reported;
    const resetAt = this.#local(reset, headers);
    if (resetAt - this.now() > maxWindowMs) return;
    // Responses may arrive out of order. A response from an earlier rate limit window is ignored. If several responses come
    // from the same rate limit window, the smallest number of remaining requests counts.
    if (resetAt < this.#resetAt - 2_000) return;
    const sameWindow = Math.abs(resetAt - this.#resetAt) < 2_000;
    if (this.#burst === Infinity || (!sameWindow && !this.#isFresh)) this.#startWindow(remaining);
    this.#isFresh = false;
    this.#remaining = sameWindow ? Math.min(this.#remaining, remaining) : remaining;
    this.#resetAt = sameWindow ? Math.max(this.#resetAt, resetAt) : resetAt;
  }

  #startWindow(remaining: number): void {
    const limit = Number.isFinite(this.#limit) ? this.#limit : remaining;
    this.#burst = Math.max(1, Math.ceil(limit * smallChangeShare), Math.floor(remaining * burstShare));
    this.#nextAt = 0;
  }

  /** Returns the milliseconds until the client may send a request; Infinity if the client must first receive a response. */
  #wait(): number {
    const now = this.now();
    if (!this.#isFresh && now >= this.#resetAt) {
      this.#isFresh = true;
      this.#remaining = this.#limit;
      this.#startWindow(this.#limit);
    }
    if (this.#limit === Infinity && this.#remaining === Infinity) {
      return this.#probed || this.#inFlight < maxProbes ? 0 : Infinity;
    }
    const left = this.#remaining - this.#inFlight;
    // The end of a new rate limit window is unknown until the first response of the window.
    if (this.#isFresh) return left > 0 && (this.#burst > 0 || this.#inFlight === 0) ? 0 : Infinity;
    const untilReset = Math.min(this.#resetAt - now, maxWindowMs);
    if (left <= 0) return untilReset;
    if (this.#burst > 0) return 0;
    if (left <= this.#reserve) return untilReset;
    return Math.max(0, this.#nextAt - now);
  }

  get #reserve(): number {
    return Number.isFinite(this.#limit) ? Math.floor(this.#limit * reserveShare) : 0;
  }

  #take(): void {
    if (this.#burst > 0) this.#burst -= 1;
    else if (!this.#isFresh) {
      const left = Math.max(1, this.#remaining - this.#inFlight - this.#reserve);
      this.#nextAt = Math.max(this.now(), this.#nextAt) + (this.#resetAt - this.now()) / left;
    }
    this.#inFlight += 1;
  }

  /** Starts the waiting requests that the budget allows, and sets a timer for the next request. */
  #wake(): void {
    this.timers.clear(this.#timer);
    this.#timer = undefined;
    let wait = 0;
    while (this.#waiting.length > 0 && (wait = this.#wait()) === 0) {
      this.#take();
      this.#waiting.shift()?.();
    }
    if (this.#waiting.length > 0 && Number.isFinite(wait)) this.#timer = this.timers.set(() => this.#wake(), Math.ceil(wait));
  }

  /** Converts a time on the server's clock to the local monotonic clock. */
  #local(serverTime: number, headers: HttpHeaders): number {
    return this.now() + (serverTime - serverNow(headers));
  }
}

/**
 * Returns the wait that the `Retry-After` header requests, in ms. The `Retry-After` header contains either seconds or a date. The returned
 * wait is at most `maxWindowMs`.
 *
 * @returns undefined if the response has no `Retry-After` header
 */
export function retryAfter(headers: HttpHeaders): number | undefined {
  const header = headers["retry-after"];
  if (typeof header !== "string") return undefined;
  const wait = (numberOf(header) ?? NaN) * 1_000;
  const asked = Number.isNaN(wait) ? Date.parse(header) - serverNow(headers) : wait;
  return Number.isNaN(asked) ? undefined : Math.min(Math.max(asked, 0), maxWindowMs);
}

/** Returns the time on the server's clock, or this machine's time if the response lacks a `Date` header. */
function serverNow(headers: HttpHeaders): number {
  return dateOf(headers) ?? Date.now();
}

function numberOf(value: string | string[] | undefined): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : NaN;
  return Number.isFinite(number) ? number : undefined;
}
