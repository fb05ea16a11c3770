/** Simulates several clients that share one request budget for minutes: each client's share, and rejected requests. */
import { organizationLimit, RateGovernor } from "../../api/pacing";

const [limit, window, latency] = [240, 60_000, 80];
const start = Date.parse("2026-11-22T10:00:00.250Z");

beforeEach(() => jest.useFakeTimers({ now: start, doNotFake: ["nextTick", "queueMicrotask"] }));
afterEach(() => jest.useRealTimers());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The service. A window starts at the first request after the previous window. */
class Service {
  /** Served requests by window and client. */
  readonly served: Record<string, number>[] = [];
  refused = 0;
  #end = 0;
  #used = 0;

  constructor(private readonly of = limit) {}

  answer(client: string): { status: number; headers: Record<string, string> } {
    const now = Date.now();
    if (now >= this.#end) {
      [this.#end, this.#used] = [now + window, 0];
      this.served.push({});
    }
    const isOver = this.#used >= this.of;
    const counts = this.served.at(-1) ?? {};
    if (isOver) this.refused += 1;
    else {
      this.#used += 1;
      counts[client] = (counts[client] ?? 0) + 1;
    }
    const headers = {
      [organizationLimit.limit]: String(this.of),
      [organizationLimit.remaining]: String(this.of - this.#used),
      [organizationLimit.reset]: String(Math.ceil(this.#end / 1_000)),
      date: new Date(now).toUTCString(),
    };
    return { status: isOver ? 429 : 200, headers };
  }
}

/** Sends this number of requests, sixteen at a time as the engine does. @returns the duration in milliseconds */
async function working(name: string, service: Service, requests: number, parallel = 16): Promise<number> {
  const governor = new RateGovernor(organizationLimit);
  const began = Date.now();
  let open = requests;
  const work = async (): Promise<void> => {
    while (open > 0) {
      open -= 1;
      for (let status = 429; status === 429;) {
        await governor.acquire();
        await pause(latency / 2);
        const answer = service.answer(name);
        await pause(latency / 2);
        governor.release(answer.headers);
        ({ status } = answer);
        if (status === 429) governor.block();
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return Date.now() - began;
}

/** Advances the simulated time until the work is done. */
async function run<T>(work: Promise<T>): Promise<T> {
  const state = { isDone: false };
  void work.finally(() => (state.isDone = true));
  while (!state.isDone) await jest.advanceTimersByTimeAsync(10);
  return work;
}

test.each([2, 3])("%i stacks of 260 resources share each rate-limit window equally", async (stacks) => {
  const service = new Service();
  const names = Array.from({ length: stacks }, (_, at) => `stack ${at}`);
  await run(Promise.all(names.map((name) => working(name, service, 260))));
  // In the last window some stacks have already finished.
  const whole = service.served.slice(0, -1);
  expect(whole.length).toBeGreaterThanOrEqual(stacks - 1);
  for (const counts of whole) {
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    expect(total).toBeGreaterThanOrEqual(0.9 * limit);
    for (const name of names) expect((counts[name] ?? 0) / total).toBeGreaterThan(0.8 / stacks);
    for (const name of names) expect((counts[name] ?? 0) / total).toBeLessThan(1.2 / stacks);
  }
  expect(service.refused).toBeLessThanOrEqual(2);
});

test("a client that starts while another client runs gets a share of the request budget", async () => {
  const service = new Service();
  const late = pause(5_000).then(() => working("late", service, 260));
  await run(Promise.all([working("early", service, 260), late]));
  const [first = {}] = service.served;
  expect(first["late"]).toBeGreaterThan(0.35 * limit);
  expect(service.refused).toBeLessThanOrEqual(2);
});

test("a single client uses the whole request budget", async () => {
  const service = new Service();
  await run(working("alone", service, 500));
  expect(service.served[0]).toEqual({ alone: expect.any(Number) });
  expect(service.served[0]?.["alone"]).toBeGreaterThanOrEqual(0.95 * limit);
  expect(service.refused).toBe(0);
});

test("a small update finishes quickly while a large update runs", async () => {
  const service = new Service();
  const small = pause(10_000).then(() => working("small", service, 30));
  const [, took] = await run(Promise.all([working("large", service, 260), small]));
  // Thirty requests of 80 ms each, sixteen at a time.
  expect(took).toBeLessThan(500);
});

test("clients share even a small request budget equally", async () => {
  const service = new Service(24);
  await run(Promise.all([working("one", service, 30), working("other", service, 30)]));
  for (const { one = 0, other = 0 } of service.served.slice(0, -1)) {
    expect(one + other).toBeGreaterThanOrEqual(0.9 * 24);
    expect(Math.min(one, other)).toBeGreaterThanOrEqual(0.4 * 24);
  }
  expect(service.refused).toBeLessThanOrEqual(2);
});

test("a client sends waiting requests in order of arrival", async () => {
  const governor = new RateGovernor(organizationLimit);
  governor.block(1_000);
  const order: number[] = [];
  const waits = [1, 2, 3].map((at) => governor.acquire().then(() => order.push(at)));
  await run(Promise.all(waits));
  expect(order).toEqual([1, 2, 3]);
});

test("a client sends only four requests before the service reports a budget", async () => {
  const governor = new RateGovernor(organizationLimit);
  let gone = 0;
  const all = Promise.all(Array.from({ length: 20 }, () => governor.acquire().then(() => (gone += 1))));
  await whileAfter();
  expect(gone).toBe(4);
  governor.release({});
  await all;
  expect(gone).toBe(20);
});

const whileAfter = (): Promise<void> => jest.advanceTimersByTimeAsync(5_000);
