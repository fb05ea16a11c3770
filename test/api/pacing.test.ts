import { RateLimitedError, type Client, type ClientOptions } from "../../api";
import { organizationLimit, RateGovernor } from "../../api/pacing";
import { RateLimits } from "../../emulator/rate-limit";
import { calls, label, tokenCall, verbs } from "../support/api/calls";
import { bench, failureOf, type Answer, type Script } from "../support/api/service";
import { skipIdleTime } from "../support/idle-time";

const time = skipIdleTime();

const { serve, connect } = bench();

const success: Script = ({ method, path }) => {
  if (path === "/v7/oauth2/token") return { body: { access_token: "t1" } };
  return method === "DELETE" ? {} : { body: label };
};
const problem = { title: "Rate limit used up", status: 429 };

/** The service's clock in milliseconds, `skew` seconds ahead of the local clock. */
const clock = (skew = 0): number => Date.now() + skew * 1_000;
const prefix = "x-organization-rate-limit";

/**
 * A request budget by window, reported in headers. Windows end on whole seconds, one to two seconds after their start.
 * `refused` counts requests beyond the budget. A client that follows the headers has none.
 */
class Budget {
  refused = 0;
  #remaining = 0;
  #resetAt = 0;

  constructor(
    private readonly size: number,
    private readonly skew = 0,
    private readonly date: "sent" | "left out" = "sent",
  ) {}

  readonly script: Script = (request, nth) => {
    const now = clock(this.skew);
    if (now >= this.#resetAt) {
      this.#remaining = this.size;
      this.#resetAt = (Math.floor(now / 1_000) + 2) * 1_000;
    }
    const over = this.#remaining === 0;
    if (over) this.refused += 1;
    else this.#remaining -= 1;
    const headers = {
      [`${prefix}-limit`]: String(this.size),
      [`${prefix}-remaining`]: String(this.#remaining),
      [`${prefix}-reset`]: String(this.#resetAt / 1_000),
      date: this.date === "sent" ? new Date(now).toUTCString() : "",
    };
    return over ? { status: 429, headers, body: problem } : { ...success(request, nth), headers };
  };
}

test("the client waits for the rate-limit reset if the request budget is exhausted", async () => {
  const hour = 3_600;
  const budgets = [new Budget(1), new Budget(1, hour), new Budget(1, -hour), new Budget(1, 0, "left out")];
  const outcomes = await Promise.all(
    budgets.map(async (budget) => {
      const service = await serve(budget.script);
      const client = connect(service);
      await calls.GET(client);
      // POST uses the same pacing as GET.
      await calls.POST(client);
      return [service.arrived.length, budget.refused];
    }),
  );
  expect(outcomes).toEqual(budgets.map(() => [2, 0]));
});

test("concurrent calls share the remaining request budget", async () => {
  const budget = new Budget(5);
  const service = await serve(budget.script);
  const client = connect(service);
  await calls.GET(client);
  await Promise.all([...verbs, ...verbs].map((verb) => calls[verb](client)));
  expect([service.arrived.length, budget.refused]).toEqual([9, 0]);
});

/** Answers the first request with 429, and counts requests that arrive before the announced time. */
function limitedOnce(limited: (now: number) => { until: number; headers: Record<string, string> }): {
  script: Script;
  early: () => number;
} {
  let until = 0;
  let early = 0;
  return {
    early: () => early,
    script: (request, nth) => {
      const now = Date.now();
      // Timers may be a millisecond early.
      if (until !== 0) {
        if (now < until - 5) early += 1;
        return success(request, nth);
      }
      const answer = limited(now);
      ({ until } = answer);
      return { status: 429, headers: answer.headers, body: problem };
    },
  };
}

const byReset = (now: number): ReturnType<Parameters<typeof limitedOnce>[0]> => {
  const reset = Math.floor(now / 1_000) + 2;
  return {
    until: reset * 1_000,
    headers: { [`${prefix}-limit`]: "240", [`${prefix}-remaining`]: "0", [`${prefix}-reset`]: String(reset) },
  };
};
const byRetryAfter = (now: number): ReturnType<typeof byReset> => ({ until: now + 2_000, headers: { "retry-after": "2" } });
const byDate = (now: number): ReturnType<typeof byReset> => {
  const until = (Math.floor(now / 1_000) + 2) * 1_000;
  return { until, headers: { "retry-after": new Date(until).toUTCString() } };
};
const byNothing = (now: number): ReturnType<typeof byReset> => ({ until: now + 1_000, headers: {} });

const withToken: Partial<ClientOptions> = { token: undefined, clientId: "client", clientSecret: "client-secret" };

test("the client waits after a 429 response to any request, including the token request", async () => {
  type Case = [string, (client: Client) => Promise<unknown>, Partial<ClientOptions>, Parameters<typeof limitedOnce>[0]];
  const cases: Case[] = [
    ...verbs.flatMap((verb): Case[] => [
      [`${verb} until Reset`, calls[verb], {}, byReset],
      [`${verb} for Retry-After`, calls[verb], {}, byRetryAfter],
    ]),
    ["GET until a Retry-After that is a date", calls.GET, {}, byDate],
    ["GET where the service does not say how long", calls.GET, {}, byNothing],
    [`${tokenCall} for Retry-After`, calls.GET, withToken, byRetryAfter],
  ];
  const outcomes = await Promise.all(
    cases.map(async ([name, call, options, limited]) => {
      const { script, early } = limitedOnce(limited);
      const service = await serve(script);
      await call(connect(service, options));
      return [name, service.arrived.length, early()];
    }),
  );
  expect(outcomes).toEqual(cases.map(([name, , options]) => [name, options === withToken ? 3 : 2, 0]));
});

test("a 429 response to one request also delays the client's other requests", async () => {
  const { script, early } = limitedOnce(byRetryAfter);
  const service = await serve(script);
  const client = connect(service);
  const first = calls.GET(client);
  await new Promise((resolve) => void setTimeout(resolve, 200));
  expect(service.arrived).toHaveLength(1);
  await Promise.all([first, ...verbs.map((verb) => calls[verb](client))]);
  expect([service.arrived.length, early()]).toEqual([6, 0]);
});

test.each(verbs)("the client gives up on a request after repeated 429 responses: %s", async (verb) => {
  const answer: Answer = { status: 429, headers: { "retry-after": "0" }, body: problem };
  const service = await serve(() => answer);
  const error = await failureOf(RateLimitedError, calls[verb](connect(service)));
  expect(error.outcomeUnknown).toBe(false);
  expect(service.arrived).toHaveLength(6);
});

test("the client does not count the wait after a 429 response as an attempt", async () => {
  const waited = { status: 429, headers: { "retry-after": "0" }, body: problem };
  const service = await serve((request, nth) =>
    nth <= 3 ? waited : nth === 4 ? { status: 503, body: {} } : success(request, nth),
  );
  await calls.GET(connect(service));
  expect(service.arrived).toHaveLength(5);
});

test("the client ignores the budget in a delayed response from an earlier rate-limit window", async () => {
  const now = Date.now();
  const governor = new RateGovernor(organizationLimit, () => now);
  const answer = (remaining: number, seconds: number): Record<string, string> => ({
    [`${prefix}-limit`]: "10",
    [`${prefix}-remaining`]: `${remaining}`,
    [`${prefix}-reset`]: `${now / 1_000 + seconds}`,
  });
  await governor.acquire();
  await governor.acquire();
  governor.release(answer(0, 60));
  // This response arrives late.
  governor.release(answer(9, 3));
  const waits: number[] = [];
  const ending = new AbortController();
  const wait = governor.acquire((ms) => waits.push(ms), ending.signal).catch(() => undefined);
  ending.abort();
  await wait;
  expect(waits.map((ms) => Math.round(ms / 1_000))).toEqual([60]);
});

test("the client reports a wait once, even if several requests share the wait", async () => {
  const service = await serve(() => ({
    body: label,
    headers: {
      [`${prefix}-limit`]: "1",
      [`${prefix}-remaining`]: "0",
      [`${prefix}-reset`]: `${Math.ceil(clock() / 1_000) + 60}`,
    },
  }));
  const waits: string[] = [];
  const ending = new AbortController();
  const client = connect(service, { signal: ending.signal, onWait: ({ reason }) => waits.push(reason) });
  await calls.GET(client);
  const many = Array.from({ length: 5 }, () => calls.GET(client).catch(() => undefined));
  await new Promise((resolve) => setTimeout(resolve, 50));
  ending.abort();
  await Promise.all(many);
  expect(waits).toEqual(["the request budget of the organization"]);
});

describe("a request that the program aborts during a wait", () => {
  test("an aborted wait does not end the waits of concurrent requests", async () => {
    const governor = new RateGovernor(organizationLimit);
    await governor.acquire();
    governor.release({
      [`${prefix}-limit`]: "1",
      [`${prefix}-remaining`]: "0",
      [`${prefix}-reset`]: `${clock() / 1_000 + 60}`,
    });
    const before = time.timers();
    const [first, second] = [new AbortController(), new AbortController()];
    const waits = [first, second].map(({ signal }) => governor.acquire(undefined, signal).catch((error: unknown) => error));
    expect(time.timers()).toBe(before + 1);
    first.abort("first");
    expect(time.timers()).toBe(before + 1);
    second.abort("second");
    expect(time.timers()).toBe(before);
    expect(await Promise.all(waits)).toEqual(["first", "second"]);
  });

  test("an aborted wait does not consume request budget", async () => {
    const governor = new RateGovernor(organizationLimit);
    // The budget is unknown: four requests proceed, and the others wait for a response.
    for (let i = 0; i < 4; i += 1) await governor.acquire();
    const ending = new AbortController();
    let others = 0;
    const letGo = governor.acquire(undefined, ending.signal);
    const after = governor.acquire().then(() => (others += 1));
    governor.release({
      [`${prefix}-limit`]: "4",
      [`${prefix}-remaining`]: "4",
      [`${prefix}-reset`]: `${clock() / 1_000 + 60}`,
    });
    ending.abort("too late");
    await letGo;
    for (let i = 0; i < 4; i += 1) governor.release();
    await after;
    expect(others).toBe(1);
  });
});

describe("a system clock that a user sets back by an hour", () => {
  const realNow = Date.now;
  afterEach(() => {
    Date.now = realNow;
  });

  test("the client waits no longer than the rate-limit window", async () => {
    for (const date of ["sent", "left out"] as const) {
      const waits: number[] = [];
      const timers = { set: (_run: () => void, ms: number) => ({ ms: waits.push(ms) }), clear: () => undefined };
      const governor = new RateGovernor(organizationLimit, undefined, timers);
      await governor.acquire();
      const now = Date.now();
      governor.release({
        ...(date === "sent" && { date: new Date(now).toUTCString() }),
        [organizationLimit.limit]: "240",
        [organizationLimit.remaining]: "0",
        [organizationLimit.reset]: String(Math.floor(now / 1_000) + 30),
      });
      Date.now = () => realNow() - 3_600_000;
      void governor.acquire();
      Date.now = realNow;
      expect(waits).toHaveLength(1);
      expect(waits[0]).toBeGreaterThan(25_000);
      expect(waits[0]).toBeLessThanOrEqual(31_000);
    }
  });

  test("the client does not use a token after the token's expiry", async () => {
    const service = await serve(({ path }) =>
      path === "/v7/oauth2/token" ? { body: { access_token: "t1", expires_in: 100 } } : { body: label },
    );
    const client = connect(service, { token: undefined, clientId: "id", clientSecret: "secret" });
    await calls.GET(client);
    Date.now = () => realNow() - 3_600_000;
    await new Promise((resolve) => setTimeout(resolve, 95_000));
    await calls.GET(client);
    expect(service.to(tokenCall)).toHaveLength(2);
  });

  test("the emulator still starts a new rate-limit window", () => {
    let now = realNow();
    const limits = new RateLimits({ rateLimit: 1, now: () => now });
    const take = (): void => limits.take({ budget: "organization" });
    take();
    expect(take).toThrow("Wait for the reset time");
    now -= 3_600_000;
    expect(take).not.toThrow();
  });
});
