import { Agent, type Dispatcher, EnvHttpProxyAgent, errors, Pool, request as send } from "undici";
import { ConnectionError, ProtocolError, type RequestTarget } from "./errors";
import { type HttpFailure, failureOf } from "./http-failure";
import type { Proxies } from "./proxy";
import type { Method } from "./method";

/** Largest number of concurrent connections: enough for Pulumi's default parallelism, few enough for a shared service. */
const maxConnections = 16;

/** Size limit of an answer in bytes, far above the largest page: a thousand agents of a few kilobytes each. */
const maxAnswerBytes = 64 * 1024 * 1024;

/** The answer to one HTTP request, with its complete body. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export interface HttpRequest {
  method: Method;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string>;
  body: string | undefined;
  /** Whether the request can be repeated safely. If so, its outcome is never unknown. */
  repeatable: boolean;
}

export interface HttpOptions {
  baseUrl: string;
  /** Seconds without progress after which a request fails. */
  timeout: number;
  /** Seconds after which a request fails, even if parts of its answer arrive. */
  deadline: number;
  proxies: Proxies;
  /** Ends all pending and future requests. */
  signal: AbortSignal | undefined;
}

/**
 * Sends single requests over keep-alive connections, through the proxies of the environment. Tokens, retries and schemas are not its
 * concern.
 */
export class Http {
  readonly #dispatcher: Dispatcher;
  #closed: Promise<void> | undefined;
  readonly #root: string;
  readonly #origin: string;
  /** Origin of the proxy that requests used. */
  #proxy: string | undefined;

  constructor(private readonly options: HttpOptions) {
    const url = new URL(options.baseUrl);
    this.#origin = url.origin;
    this.#root = url.origin + url.pathname.replace(/\/+$/, "").replace(/\/v7$/, "");
    this.#dispatcher = this.#dispatcherTo(url);
  }

  /** Proxy of the requests, without user and password; undefined before the first request and for direct connections. */
  get proxy(): string | undefined {
    return this.#proxy;
  }

  /**
   * @throws ConnectionError, with `outcomeUnknown` if a request that must not be repeated may have reached the service
   * @throws ProtocolError for an answer that is too large
   */
  async send(request: HttpRequest): Promise<HttpResponse> {
    const target: RequestTarget = { method: request.method, path: request.path };
    const query = request.query.size > 0 ? `?${request.query.toString()}` : "";
    const { deadline, signal } = this.options;
    const late = AbortSignal.timeout(Math.ceil(deadline * 1_000));
    try {
      const answer = await send(this.#root + request.path + query, {
        dispatcher: this.#dispatcher,
        method: request.method as Dispatcher.HttpMethod,
        headers: request.headers,
        body: request.body ?? null,
        signal: signal ? AbortSignal.any([late, signal]) : late,
      });
      return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
    } catch (error) {
      if (error instanceof errors.ResponseExceededMaxSizeError) {
        throw new ProtocolError(target, `it is larger than ${maxAnswerBytes / 1024 / 1024} MiB`, !request.repeatable);
      }
      const { reason, phase, neverSent, mayPass } = this.#failure(error, late);
      throw new ConnectionError(target, this.#origin, {
        reason,
        phase,
        outcomeUnknown: !request.repeatable && !neverSent,
        mayPass,
        cause: error,
      });
    }
  }

  /** Closes all connections after the pending requests have been answered. Repeated calls return the same promise. */
  close(): Promise<void> {
    return (this.#closed ??= this.#dispatcher.close());
  }

  #failure(error: unknown, late: AbortSignal): HttpFailure {
    const ended = { phase: "answer", neverSent: false } as const;
    if (this.options.signal?.aborted) return { ...ended, reason: "it was interrupted", mayPass: false };
    if (late.aborted) return { ...ended, reason: `no complete answer within ${this.options.deadline} s`, mayPass: true };
    return failureOf(error, this.#proxy);
  }

  #dispatcherTo(url: URL): Dispatcher {
    const timeout = Math.ceil(this.options.timeout * 1_000);
    const connectTimeout = Math.min(timeout, 10_000);
    const common = {
      connections: maxConnections,
      headersTimeout: timeout,
      bodyTimeout: timeout,
      keepAliveTimeout: 10_000,
      maxResponseSize: maxAnswerBytes,
    };
    // A proxy cannot reach this machine's loopback addresses.
    if (isLoopback(url.hostname)) return new Agent({ ...common, connect: { timeout: connectTimeout } });
    const { http, https, none } = this.options.proxies;
    return new EnvHttpProxyAgent({
      ...common,
      connect: { timeout: connectTimeout },
      // If they are undefined, undici reads them from the environment of the process, which may differ from the given one.
      httpProxy: http ?? "",
      httpsProxy: https ?? http ?? "",
      noProxy: none ?? "",
      // undici decides by itself whether a request uses a proxy, and only this factory shows its decision.
      clientFactory: (proxy: URL, options: object) => {
        const pool = new ProxyPool(proxy, { ...options, connections: maxConnections, headersTimeout: timeout });
        pool.onUse = () => (this.#proxy = proxy.origin);
        return pool;
      },
    });
  }
}

/** Connections to a proxy, with a callback on each use. */
class ProxyPool extends Pool {
  onUse: () => void = () => undefined;

  override dispatch(...given: Parameters<Pool["dispatch"]>): boolean {
    this.onUse();
    return super.dispatch(...given);
  }
}

/** Whether a host name is a loopback address. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
