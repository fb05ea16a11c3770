import type { HttpOptions, HttpRequest, HttpResponse } from "./http-message";
import { AbortedError, ConnectionError, ProtocolError } from "./errors";
import { type HttpFailure, failureOf } from "./http-failure";
import { proxyOf, shownProxy } from "./proxy";
import { destinationOf, rootOf } from "./rehearsal";
import type { Undici } from "./undici";

/** Sends requests without retries, over keep-alive connections and the configured proxies. */
export class Http {
  #opened: Undici | undefined;
  #closed: Promise<void> | undefined;
  readonly #root: string;
  readonly #origin: string;
  readonly #proxy: URL | undefined;

  /** @throws ConfigurationError if the environment variable of the required proxy does not contain a proxy URL */
  constructor(private readonly options: HttpOptions) {
    // In a rehearsal (`endpoint-monitoring rehearse`), `destinationOf` returns the URL of the service's copy.
    const url = new URL(destinationOf(options.baseUrl));
    this.#origin = url.origin;
    this.#root = rootOf(url.href);
    this.#proxy = proxyOf(url, options.proxies);
  }

  /** URL of the proxy, without user and password; undefined for direct connections. */
  get proxy(): string | undefined {
    return this.#proxy && shownProxy(this.#proxy);
  }

  /**
   * Sends a request.
   *
   * @throws AbortedError if an abort signal ended the request
   * @throws ConnectionError; its `outcomeUnknown` is true if the service may have received a request that cannot be repeated
   * safely
   * @throws ProtocolError if the response is too large
   */
  async send(request: HttpRequest): Promise<HttpResponse> {
    const query = request.query.size > 0 ? `?${request.query.toString()}` : "";
    const { deadline } = this.options;
    const { repeatable, signal } = request;
    if (signal?.aborted) throw new AbortedError(request, false, signal.reason);
    const undici = this.#undici();
    // Unlike a timer of AbortSignal.timeout, this timer can be cleared when the response has arrived.
    const late = new AbortController();
    let hasLeft = false;
    const timer = setTimeout(() => late.abort(), Math.ceil(deadline * 1_000)).unref();
    try {
      const both = signal ? AbortSignal.any([late.signal, signal]) : late.signal;
      return await undici.send(this.#root + request.path + query, request, both, () => (hasLeft = true));
    } catch (error) {
      const tooLarge = undici.tooLarge(error);
      if (tooLarge !== undefined) throw new ProtocolError(request, tooLarge, !repeatable);
      if (signal?.aborted) throw new AbortedError(request, !repeatable && hasLeft, signal.reason);
      const failure = this.#failure(error, late.signal, hasLeft);
      const outcomeUnknown = !repeatable && hasLeft;
      throw new ConnectionError(request, this.#origin, { ...failure, outcomeUnknown, cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Closes all connections after the current requests have been answered. Repeated calls of `close` return the same promise.
   */
  close(): Promise<void> {
    return (this.#closed ??= this.#undici().close());
  }

  #failure(error: unknown, late: AbortSignal, hasLeft: boolean): HttpFailure {
    if (!late.aborted) return failureOf(error, this.proxy, hasLeft);
    const reason = `no ${hasLeft ? "complete response" : "connection"} within ${this.options.deadline} s`;
    return { phase: hasLeft ? "answer" : "connect", reason, mayPass: true };
  }

  /** Loads the HTTP client at the first request, because previews and updates without changes send no requests. */
  #undici(): Undici {
    if (!this.#opened) {
      const { Undici: Loaded } = require("./undici") as typeof import("./undici");
      this.#opened = new Loaded(this.#proxy, this.options);
    }
    return this.#opened;
  }
}
