import type { Operation } from "../api/schemas";
import type { EmulatorSettings } from "./settings";
import { Problem } from "./problem";

/**
 * Maximum number of instant-test requests per minute, in addition to the organization's limit (docs/service/requests.md, Rate
 * limits).
 */
const instantLimit = 24;

const windowMs = 60_000;

class Window {
  #end = 0;
  #used = 0;

  constructor(
    private readonly prefix: string,
    private readonly limit: number,
    private readonly now: () => number,
  ) {}

  /** @returns whether the rate limit allows one more request */
  take(): boolean {
    const now = this.now();
    // A new rate-limit window starts with the first request after the previous window, or after the clock was set back.
    if (now >= this.#end || this.#end - now > windowMs) {
      this.#end = now + windowMs;
      this.#used = 0;
    }
    if (this.#used >= this.limit) return false;
    this.#used += 1;
    return true;
  }

  state() {
    const over = this.now() >= this.#end;
    const end = over ? this.now() + windowMs : this.#end;
    return { limit: this.limit, remaining: over ? this.limit : this.limit - this.#used, resetAt: end };
  }

  headers(): Record<string, string> {
    const { limit, remaining, resetAt } = this.state();
    return {
      [`${this.prefix}-Limit`]: String(limit),
      [`${this.prefix}-Remaining`]: String(remaining),
      [`${this.prefix}-Reset`]: String(Math.ceil(resetAt / 1000)),
    };
  }

  clear(): void {
    this.#end = 0;
  }
}

export class RateLimits {
  readonly #windows: Partial<Record<Exclude<Operation["budget"], "none">, Window>>;

  constructor({ rateLimit, now }: Pick<EmulatorSettings, "rateLimit" | "now">) {
    const instant = new Window("X-Instant-Test-Rate-Limit", instantLimit, now);
    this.#windows =
      rateLimit === "off" ? {} : { organization: new Window("X-Organization-Rate-Limit", rateLimit, now), instant };
  }

  /** @throws Problem 429 if the request exceeds its rate limit */
  take({ budget }: Pick<Operation, "budget">): void {
    if (!this.#windowsOf(budget).every((window) => window.take())) throw new Problem(429, "Wait for the reset time.");
  }

  /** Returns the rate-limit headers of a response. Errors and responses with the status 204 also have rate-limit headers. */
  headers(budget: Operation["budget"]): Record<string, string> {
    return Object.fromEntries(this.#windowsOf(budget).flatMap((window) => Object.entries(window.headers())));
  }

  remaining(): { readonly limit: number; readonly remaining: number; readonly resetAt: number } | undefined {
    return this.#windows.organization?.state();
  }

  clear(): void {
    for (const window of Object.values(this.#windows)) window.clear();
  }

  #windowsOf(budget: Operation["budget"]): Window[] {
    const { organization, instant } = this.#windows;
    const windows: Record<typeof budget, (Window | undefined)[]> = {
      none: [],
      organization: [organization],
      instant: [organization, instant],
    };
    return windows[budget].filter((window) => window !== undefined);
  }
}
