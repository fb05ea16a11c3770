import { ServerResponse } from "node:http";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import timers from "node:timers/promises";

/**
 * Installs a clock that skips idle time, for suites that mostly wait: all timers fire in order and at their time on this
 * clock, without real waiting. During work, a second lasts a second. Client and emulator are one process, so work shows as
 * events of its loop: connections, requests and answers. Only timing by Node and the system uses the real clock, such as
 * small writes to a socket without `noDelay`, which the system delays. While another process runs, no time is skipped.
 * @returns the number of pending timers, as `process.getActiveResourcesInfo()` returns for Node's own
 */
export function skipIdleTime(): { timers(): number } {
  let clock: IdleClock | undefined;
  beforeAll(() => {
    clock = new IdleClock();
  });
  afterAll(() => clock?.stop());
  return { timers: () => clock?.timers ?? 0 };
}

/** Number of consecutive signals without other events after which the process is idle. */
const quietSignals = 2;
/** Maximum milliseconds of one skip. */
const maxSkipMs = 1_000;

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  setImmediate: globalThis.setImmediate,
  Date: globalThis.Date,
  now: performance.now.bind(performance),
  sleep: timers.setTimeout,
  signalOf: Reflect.get(AbortSignal, "timeout"),
  // Called with its response.
  writeHead: Reflect.get(ServerResponse.prototype, "writeHead") as (...parameters: unknown[]) => ServerResponse,
};

/** A timer of this clock, with the methods of Node's timers that libraries call. */
class Timer {
  isRef = true;
  at = 0;
  /** Fires the timer by the real clock after this one has stopped. */
  fallback: NodeJS.Timeout | undefined;

  constructor(
    private readonly clock: IdleClock,
    readonly run: () => void,
    readonly ms: number,
    readonly repeats: boolean,
  ) {
    this.refresh();
  }

  ref(): this {
    this.isRef = true;
    return this;
  }

  unref(): this {
    this.isRef = false;
    return this;
  }

  hasRef(): boolean {
    return this.isRef;
  }

  refresh(): this {
    this.clock.arm(this);
    return this;
  }

  close(): this {
    this.clock.clear(this);
    return this;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

class IdleClock {
  /** Total skipped milliseconds. */
  #skipped = 0;
  /** Timers in order of their creation. */
  readonly #armed = new Set<Timer>();
  #isTurning = false;
  #isStopped = false;
  readonly #loopback = new Loopback();

  constructor() {
    const set = (repeats: boolean) =>
      ((run: (...parameters: unknown[]) => void, ms?: number, ...parameters: unknown[]) =>
        new Timer(this, () => run(...parameters), Math.max(1, Number(ms) || 0), repeats)) as unknown as typeof setTimeout;
    const clear = ((timer: Timer | undefined) => this.clear(timer)) as typeof clearTimeout;
    globalThis.setTimeout = set(false);
    globalThis.setInterval = set(true);
    globalThis.clearTimeout = clear;
    globalThis.clearInterval = clear;
    // Both clocks derive from the monotonic one, because the system may adjust the time of day during a test.
    const start = real.Date.now() - real.now();
    const now = (): number => Math.floor(start + this.now());
    globalThis.Date = new Proxy(real.Date, {
      construct: (target, parameters, self) =>
        Reflect.construct(target, parameters.length > 0 ? parameters : [now()], self) as Date,
      get: (target, key) => (key === "now" ? now : (Reflect.get(target, key) as unknown)),
    });
    // Programs of the suite and Node share it.
    performance.now = () => this.now();
    timers.setTimeout = (ms, value, options) => this.#sleep(ms, value as never, options);
    AbortSignal.timeout = (ms) => {
      const late = new AbortController();
      const abort = (): void => late.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
      this.arm(new Timer(this, abort, ms, false).unref());
      return late.signal;
    };
    ServerResponse.prototype.writeHead = function dated(this: ServerResponse, ...parameters: unknown[]) {
      if (this.sendDate && !this.hasHeader("date")) this.setHeader("date", new real.Date(now()).toUTCString());
      return Reflect.apply(real.writeHead, this, parameters);
    };
  }

  /** Number of pending timers. */
  get timers(): number {
    return this.#armed.size;
  }

  /** Milliseconds as `performance.now()` returns them. */
  now(): number {
    return real.now() + this.#skipped;
  }

  arm(timer: Timer): void {
    this.clear(timer);
    timer.at = this.now() + timer.ms;
    if (this.#isStopped) this.#fallBack(timer);
    else {
      this.#armed.add(timer);
      this.#turn();
    }
  }

  clear(timer: Timer | undefined): void {
    if (!(timer instanceof Timer)) return real.clearTimeout(timer);
    this.#armed.delete(timer);
    real.clearTimeout(timer.fallback);
    return undefined;
  }

  /** Restores all clocks. Pending timers use the real clock. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    // clearTimeout and clearInterval stay, because a later hook may clear a timer of this clock.
    for (const name of ["setTimeout", "setInterval", "Date"] as const) Reflect.set(globalThis, name, real[name]);
    Reflect.deleteProperty(performance, "now");
    timers.setTimeout = real.sleep;
    AbortSignal.timeout = real.signalOf;
    ServerResponse.prototype.writeHead = real.writeHead;
    for (const timer of this.#armed) this.#fallBack(timer);
    this.#armed.clear();
    await this.#loopback.close();
  }

  #fallBack(timer: Timer): void {
    timer.fallback = real.setTimeout(() => this.#fire(timer), Math.max(0, timer.at - this.now()));
    if (!timer.isRef) timer.fallback.unref();
  }

  #fire(timer: Timer): void {
    this.#armed.delete(timer);
    if (timer.repeats) this.arm(timer);
    timer.run();
  }

  async #sleep<T>(ms: number | undefined, value: T, options: Parameters<typeof real.sleep>[2]): Promise<T> {
    const signal = options?.signal;
    // Node's own function throws the right error.
    if (signal?.aborted) return real.sleep(0, value, options);
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = new Timer(this, resolve, ms ?? 1, false);
    signal?.addEventListener("abort", () => resolve(), { once: true });
    await promise;
    timer.close();
    return signal?.aborted ? real.sleep(0, value, options) : value;
  }

  /** Checks the timers in each turn of the loop while there are any. */
  #turn(): void {
    if (this.#isTurning || this.#isStopped || this.#armed.size === 0) return;
    this.#isTurning = true;
    real.setImmediate(() => void this.#look());
  }

  async #look(): Promise<void> {
    const next = this.#next();
    if (next && next.at > this.now() && (await this.#isIdle())) {
      // The first timer may have been cleared meanwhile.
      const first = this.#next();
      if (first) this.#skipped += Math.max(0, Math.min(first.at - this.now(), maxSkipMs));
    }
    this.#isTurning = false;
    if (this.#isStopped) return;
    const due = this.#next();
    if (due && due.at <= this.now()) this.#fire(due);
    this.#turn();
  }

  #next(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#armed) if (!first || timer.at < first.at) first = timer;
    return first;
  }

  /** Whether the process is idle: the system delivers loopback data in order, and no event preceded a signal. */
  async #isIdle(): Promise<boolean> {
    for (let quiet = 0; quiet < quietSignals; quiet += 1) {
      const before = eventsOfLoop();
      await this.#loopback.signal();
      if (eventsOfLoop() - before > 1) return false;
    }
    return !process.getActiveResourcesInfo().some((name) => elsewhere.test(name));
  }
}

/** Work outside of the loop: threads, and other processes. */
const elsewhere = /^(?:FSReq|GetAddrInfo|ProcessWrap|Worker)/;

const eventsOfLoop = (): number => performance.nodeTiming.uvMetricsInfo.events;

/** A connection of this process with itself. */
class Loopback {
  readonly #ready: Promise<Socket>;
  #server: Server;
  #arrived: () => void = () => undefined;

  constructor() {
    this.#server = createServer((socket) => {
      socket.unref().on("data", () => this.#arrived());
    });
    this.#ready = new Promise((resolve) => {
      this.#server.listen(0, "127.0.0.1", () => {
        const { port } = this.#server.address() as AddressInfo;
        const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => resolve(socket));
      });
    });
  }

  /** Resolves when a byte that is sent now has arrived, and the loop has turned. */
  async signal(): Promise<void> {
    const socket = await this.#ready;
    await new Promise<void>((resolve) => {
      this.#arrived = () => void real.setImmediate(() => void real.setImmediate(resolve));
      socket.write("!");
    });
  }

  async close(): Promise<void> {
    (await this.#ready).destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
