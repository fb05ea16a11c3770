/** Header names of one rate limit (docs/service/requests.md, Rate limits). */
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

/** One rate limit, as an answer reports it. */
export interface RateLimit {
  /** Number of requests that a window allows. */
  limit: number | undefined;
  /** Number of requests that remain in the window. */
  remaining: number;
  /** End of the window in ms since 1970, on the service's clock. */
  reset: number;
}

/** Reads a rate limit from the headers of an answer; undefined without the remaining requests or the end of the window. */
export function rateLimitOf(headers: HttpHeaders, names: LimitHeaders): RateLimit | undefined {
  const [limit, remaining, reset] = [names.limit, names.remaining, names.reset].map((name) => numberOf(headers[name]));
  return remaining === undefined || reset === undefined ? undefined : { limit, remaining, reset: reset * 1_000 };
}

/** Reads the time on the service's clock from an answer, in ms since 1970, rounded to seconds. */
export function dateOf(headers: HttpHeaders): number | undefined {
  const date = typeof headers["date"] === "string" ? Date.parse(headers["date"]) : NaN;
  return Number.isNaN(date) ? undefined : date;
}

/** Headers of an answer by lower-case name. */
export type HttpHeaders = Record<string, string | string[] | undefined>;

/** Longest plausible window in ms. The documented window is a minute. A reset that is further away comes from a wrong clock. */
const maxWindowMs = 75_000;

/** Share of a window that is sent without pacing, enough for a small change: 30 of the organization's 240 requests per minute. */
const smallChangeShare = 1 / 8;
/**
 * Share of the remaining requests that one client sends without pacing, if that is more than the share of the window. Other
 * clients may use the rest.
 */
const burstShare = 1 / 4;
/** Share of a window that is reserved for clients without pacing. */
const reserveShare = 1 / 100;
/** Largest number of concurrent requests before the budget is known. */
const maxProbes = 4;

/** Timers that wake waiting requests. */
export interface Timers {
  set(run: () => void, ms: number): object;
  clear(timer: object | undefined): void;
}

const systemTimers: Timers = {
  set: (run, ms) => setTimeout(run, ms),
  // `set` returned this timer.
  clear: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
};

/**
 * Keeps a client within a request budget that it shares with other clients, so that a 429 is rare and each client gets a share.
 * The headers of each answer contain the remaining requests and the end of the window. The governor sends a part of each window
 * without pacing, then spreads the rest over the remaining time. Clients with the same rule get about the same share, since
 * they see the same number of remaining requests. Times are relative to the `Date` of the answers, and durations use a steady
 * clock, so a wrong or changed local clock does not matter.
 */
export class RateGovernor {
  #limit = Infinity;
  #remaining = Infinity;
  /** End of the window on the steady clock, in ms. */
  #resetAt = 0;
  #inFlight = 0;
  /** Whether any request has ended. */
  #probed = false;
  /** Number of requests that may still be sent without pacing in this window. Infinity before the first answer. */
  #burst = Infinity;
  /** Time on the steady clock, in ms, before which only the burst may be sent. */
  #nextAt = 0;
  /** Whether the window that the last answer reported has ended. */
  #isFresh = true;
  /** Waiting requests in the order of their calls. The start function of each request. */
  readonly #waiting: (() => void)[] = [];
  #timer: object | undefined;

  constructor(
    private readonly headers: LimitHeaders,
    private readonly now: () => number = () => performance.now(),
    private readonly timers: Timers = systemTimers,
  ) {}

  /**
   * Waits until a request may be sent, and counts it as pending. Call `release` when it has ended. Requests start in the order
   * of their calls.
   *
   * @param onWait called once if the request has to wait, with the expected ms
   * @throws the reason of the signal, if the signal ends the wait
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
      // The request may have started when the signal fired.
      if (at === -1) return;
      this.#waiting.splice(at, 1);
      // Without waiting requests, this clears the timer.
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

  /** Ends a request. Updates the budget with the headers of its answer. */
  release(headers?: HttpHeaders): void {
    this.#inFlight -= 1;
    this.#probed = true;
    if (headers) this.#learn(headers);
    this.#wake();
  }

  /** Blocks all requests after a 429 until the window ends, or for the service's `waitMs` milliseconds. */
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
    // Answers may arrive out of order. An answer from an earlier window is ignored, and within a window the smallest remainder
    // counts.
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

  /** Returns the ms until a request may be sent; Infinity if that depends on an answer. */
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
    // No answer has yet reported the end of a new window.
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

  /** Starts the waiting requests that may be sent, and sets a timer for the next one. */
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

  /** Converts a time on the server's clock to the steady clock. */
  #local(serverTime: number, headers: HttpHeaders): number {
    return this.now() + (serverTime - serverNow(headers));
  }
}

/**
 * Returns the wait in the `Retry-After` header in ms, at most the longest window. The header contains seconds or a date.
 *
 * @returns undefined if the answer has no such header
 */
export function retryAfter(headers: HttpHeaders): number | undefined {
  const header = headers["retry-after"];
  if (typeof header !== "string") return undefined;
  const wait = (numberOf(header) ?? NaN) * 1_000;
  const asked = Number.isNaN(wait) ? Date.parse(header) - serverNow(headers) : wait;
  return Number.isNaN(asked) ? undefined : Math.min(Math.max(asked, 0), maxWindowMs);
}

/**
 * Returns the time on the server's clock. `Date` is rounded to seconds, so waits may be a second longer. Without a date, this
 * machine's clock is used.
 */
function serverNow(headers: HttpHeaders): number {
  return dateOf(headers) ?? Date.now();
}

function numberOf(value: string | string[] | undefined): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : NaN;
  return Number.isFinite(number) ? number : undefined;
}
