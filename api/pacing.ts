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

/** Longest we believe a window to be, in ms: it is a minute as stated. A reset further away is taken for a wrong clock. */
const longestWindow = 75_000;

/** Share of a budget that a small change takes, which goes out at once: 30 of the organisation's 240 requests a minute. */
const smallChange = 1 / 8;
/** Share of what remains that one client takes at once where that is more; the rest is for whoever else is at work. */
const burstShare = 1 / 4;
/** Share of a window that is left to those who do not pace themselves. */
const reserveShare = 1 / 100;
/** Requests that go out before anything is known of the budget. */
const probes = 4;

/**
 * Keeps a client within a request budget that others share, so that 429 is rare, and leaves them a share. It learns from the
 * headers of every answer how many requests remain and when the window ends. Of a window it takes a part at once, then spreads what
 * remains over the time that is left: where several clients do so each gets about the same, as all see the same remainder.
 * Times are measured against the `Date` of the answers, so a wrong local clock does not matter.
 */
export class RateGovernor {
  #limit = Infinity;
  #remaining = Infinity;
  /** Local time in ms at which the window ends. */
  #resetAt = 0;
  #inFlight = 0;
  /** Whether anything has come of a request yet. */
  #probed = false;
  /** Requests that may still go out at once in this window. Of nothing known it is endless. */
  #burst = Infinity;
  /** Local time in ms before which no more than the burst goes out. */
  #nextAt = 0;
  /** Whether the window has ended of which the last answer told. */
  #isFresh = true;
  /** Requests that wait for their turn: each is let go by its call. */
  readonly #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly headers: LimitHeaders,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Waits until a request may go out, and counts it as under way: call `release` when it has been answered or failed. Who comes
   * first goes first.
   *
   * @param onWait called once if it has to wait, with the ms that it will take as far as is known now
   * @throws the reason of the signal, when that ends the wait
   */
  async acquire(onWait?: (ms: number) => void, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.#waiting.length === 0 && this.#wait() === 0) {
      this.#take();
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = (): void => {
      const at = this.#waiting.indexOf(resolve);
      // It may have been let go in this very moment.
      if (at === -1) return;
      this.#waiting.splice(at, 1);
      // No timer stays for nobody.
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

  /** Ends a request; with the headers of its answer the budget is brought up to date. */
  release(headers?: HttpHeaders): void {
    this.#inFlight -= 1;
    this.#probed = true;
    if (headers) this.#learn(headers);
    this.#wake();
  }

  /** After a 429: nothing goes out until the window ends, or for `wait` milliseconds where the service said so. */
  block(wait = Math.max(this.#resetAt - this.now(), 1_000)): void {
    this.#remaining = 0;
    this.#isFresh = false;
    this.#resetAt = this.now() + wait;
    this.#wake();
  }

  #learn(headers: HttpHeaders): void {
    const limit = numberOf(headers[this.headers.limit]);
    if (limit !== undefined) this.#limit = Math.max(1, limit);
    const told = rateLimitOf(headers, this.headers);
    if (!told) return;
    const { remaining, reset } = told;
    const resetAt = this.#local(reset, headers);
    if (resetAt - this.now() > longestWindow) return;
    // Answers overtake each other: one of a window that has ended says nothing, and within one the least that was reported counts.
    if (resetAt < this.#resetAt - 2_000) return;
    const sameWindow = Math.abs(resetAt - this.#resetAt) < 2_000;
    if (this.#burst === Infinity || (!sameWindow && !this.#isFresh)) this.#startWindow(remaining);
    this.#isFresh = false;
    this.#remaining = sameWindow ? Math.min(this.#remaining, remaining) : remaining;
    this.#resetAt = sameWindow ? Math.max(this.#resetAt, resetAt) : resetAt;
  }

  #startWindow(remaining: number): void {
    const limit = Number.isFinite(this.#limit) ? this.#limit : remaining;
    this.#burst = Math.max(1, Math.ceil(limit * smallChange), Math.floor(remaining * burstShare));
    this.#nextAt = 0;
  }

  /** In how many ms a request may go out; Infinity where only an answer can tell. */
  #wait(): number {
    const now = this.now();
    if (!this.#isFresh && now >= this.#resetAt) {
      this.#isFresh = true;
      this.#remaining = this.#limit;
      this.#startWindow(this.#limit);
    }
    if (this.#limit === Infinity && this.#remaining === Infinity) {
      return this.#probed || this.#inFlight < probes ? 0 : Infinity;
    }
    const left = this.#remaining - this.#inFlight;
    // Of a window that has just begun no answer tells yet how long it is.
    if (this.#isFresh) return left > 0 && (this.#burst > 0 || this.#inFlight === 0) ? 0 : Infinity;
    if (left <= 0) return this.#resetAt - now;
    if (this.#burst > 0) return 0;
    if (left <= this.#reserve) return this.#resetAt - now;
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

  /** Lets those go whose turn has come, and comes back when the next one's has. */
  #wake(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    let wait = 0;
    while (this.#waiting.length > 0 && (wait = this.#wait()) === 0) {
      this.#take();
      this.#waiting.shift()?.();
    }
    if (this.#waiting.length > 0 && Number.isFinite(wait)) this.#timer = setTimeout(() => this.#wake(), Math.ceil(wait));
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
