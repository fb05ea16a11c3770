import { allOperations, type Operation } from "../../../api";
import { instantLimit, organizationLimit, RateGovernor, type Timers } from "../../../api/pacing";
import { RateLimits } from "../../../emulator/rate-limit";
import type { TimedRequest } from "../../../emulator/twin/start";

/**
 * Simulates recorded requests under a rate limit, with the client's own rate control and the emulator's rate-limit windows. The simulation
 * assumes that no other client sends requests, and that each request is ready at its recorded time.
 *
 * @param limit requests per minute
 * @returns the delay of the last response, in milliseconds
 */
export async function delayUnder(limit: number, requests: readonly TimedRequest[]): Promise<number> {
  const time = new VirtualTime();
  const limits = new RateLimits({ rateLimit: limit, now: () => time.now() });
  const governors = {
    organization: new RateGovernor(organizationLimit, () => time.now(), time),
    instant: new RateGovernor(instantLimit, () => time.now(), time),
  };
  const begin = requests.reduce((least, { from }) => Math.min(least, from), Infinity);
  const free = requests.reduce((most, { to }) => Math.max(most, to), -Infinity) - begin;
  let last = 0;
  const sent = requests.map(async ({ operation, from, to }) => {
    const budget = budgetOf(operation);
    const budgetGovernors = {
      none: [],
      organization: [governors.organization],
      instant: [governors.organization, governors.instant],
    }[budget];
    await time.until(from - begin);
    for (const governor of budgetGovernors) await governor.acquire();
    limits.take({ budget });
    await time.until(time.passed + (to - from));
    const headers = Object.entries(limits.headers(budget)).map(([name, value]) => [name.toLowerCase(), value]);
    const answer = { ...(Object.fromEntries(headers) as Record<string, string>), date: new Date(time.now()).toUTCString() };
    for (const governor of budgetGovernors) governor.release(answer);
    last = Math.max(last, time.passed);
  });
  await time.run();
  await Promise.all(sent);
  return requests.length === 0 ? 0 : Math.max(0, last - free);
}

export function budgetOf(operation: string): Operation["budget"] {
  return allOperations().find(({ id }) => id === operation)?.budget ?? "none";
}

/** A simulated clock that advances to the next timer as soon as no other work is pending. */
class VirtualTime implements Timers {
  /** Simulated milliseconds since the start of the clock. */
  passed = 0;
  readonly #start = Date.UTC(2000, 0, 1);
  #timers: { readonly at: number; readonly run: () => void }[] = [];

  now(): number {
    return this.#start + this.passed;
  }

  set(run: () => void, ms: number): object {
    const timer = { at: this.passed + Math.max(0, ms), run };
    this.#timers.push(timer);
    return timer;
  }

  clear(timer: object | undefined): void {
    this.#timers = this.#timers.filter((candidate) => candidate !== timer);
  }

  until(passed: number): Promise<void> {
    return new Promise((resolve) => void this.set(resolve, passed - this.passed));
  }

  async run(): Promise<void> {
    for (;;) {
      // Before the next timer fires, all promises that do not wait for a timer must settle.
      await new Promise((resolve) => setImmediate(resolve));
      const [next] = this.#timers.toSorted((a, b) => a.at - b.at);
      if (!next) return;
      this.clear(next);
      this.passed = Math.max(this.passed, next.at);
      next.run();
    }
  }
}
