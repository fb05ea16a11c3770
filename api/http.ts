import { Agent, type Dispatcher, EnvHttpProxyAgent, errors, Pool, request as send } from "undici";
import { ConnectionError, ProtocolError, type Place } from "./errors";
import { type Failure, failureOf } from "./http-failure";
import type { Proxies } from "./proxy";
import type { Method } from "./method";

/** Connections to the service at once: enough for Pulumi's default parallelism, few enough for a shared service. */
const connections = 16;

/** Bytes of the largest answer that is read: far above the largest page, which has a thousand agents of a few kilobytes each. */
const largestAnswer = 64 * 1024 * 1024;

/** The answer to one HTTP request, its body read whole. */
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
  /** Whether sending it again does no harm, so that a broken connection leaves nothing open. */
  repeatable: boolean;
}

export interface HttpOptions {
  baseUrl: string;
  /** Seconds without progress after which a request is given up. */
  timeout: number;
  /** Seconds after which it is given up, whatever arrives. */
  deadline: number;
  proxies: Proxies;
  /** Ends every request that is under way, and those to come. */
  signal: AbortSignal | undefined;
}

/** Sends single requests over kept-alive connections, through the proxies of the environment. It knows nothing of tokens, retries or schemas. */
export class Http {
  readonly #dispatcher: Dispatcher;
  #closed: Promise<void> | undefined;
  readonly #root: string;
  readonly #origin: string;
  /** Origin of the proxy that requests went through. */
  #proxy: string | undefined;

  constructor(private readonly options: HttpOptions) {
    const url = new URL(options.baseUrl);
    this.#origin = url.origin;
    this.#root = url.origin + url.pathname.replace(/\/+$/, "").replace(/\/v7$/, "");
    this.#dispatcher = this.#dispatcherTo(url);
  }

  /** The proxy that requests go through, without its user and password; nothing before the first one, and where they go directly. */
  get proxy(): string | undefined {
    return this.#proxy;
  }

  /**
   * @throws ConnectionError whose `outcomeUnknown` tells whether a request that must not be repeated may have reached the service
   * @throws ProtocolError for an answer that is too large
   */
  async send(request: HttpRequest): Promise<HttpResponse> {
    const place: Place = { method: request.method, path: request.path };
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
        throw new ProtocolError(place, `it is larger than ${largestAnswer / 1024 / 1024} MiB`, !request.repeatable);
      }
      const { reason, phase, neverSent, mayPass } = this.#failure(error, late);
      throw new ConnectionError(place, this.#origin, {
        reason,
        phase,
        outcomeUnknown: !request.repeatable && !neverSent,
        mayPass,
        cause: error,
      });
    }
  }

  /** Ends all connections once what is under way has been answered; a second time it is the same end. */
  close(): Promise<void> {
    return (this.#closed ??= this.#dispatcher.close());
  }

  #failure(error: unknown, late: AbortSignal): Failure {
    const ended = { phase: "answer", neverSent: false } as const;
    if (this.options.signal?.aborted) return { ...ended, reason: "it was interrupted", mayPass: false };
    if (late.aborted) return { ...ended, reason: `no whole answer within ${this.options.deadline} s`, mayPass: true };
    return failureOf(error, this.#proxy);
  }

  #dispatcherTo(url: URL): Dispatcher {
    const timeout = Math.ceil(this.options.timeout * 1_000);
    const connectTimeout = Math.min(timeout, 10_000);
    const common = {
      connections,
      headersTimeout: timeout,
      bodyTimeout: timeout,
      keepAliveTimeout: 10_000,
      maxResponseSize: largestAnswer,
    };
    // No proxy has a way to this machine itself.
    if (isLoopback(url.hostname)) return new Agent({ ...common, connect: { timeout: connectTimeout } });
    const { http, https, none } = this.options.proxies;
    return new EnvHttpProxyAgent({
      ...common,
      connect: { timeout: connectTimeout },
      // Left out, they would be read from the process, whose environment need not be the one that counts.
      httpProxy: http ?? "",
      httpsProxy: https ?? http ?? "",
      noProxy: none ?? "",
      // The one place that tells whether a request goes through a proxy: undici decides that itself.
      clientFactory: (proxy: URL, options: object) => {
        const pool = new ProxyPool(proxy, { ...options, connections, headersTimeout: timeout });
        pool.onUse = () => (this.#proxy = proxy.origin);
        return pool;
      },
    });
  }
}

/** Connections to a proxy. */
class ProxyPool extends Pool {
  onUse: () => void = () => undefined;

  override dispatch(...given: Parameters<Pool["dispatch"]>): boolean {
    this.onUse();
    return super.dispatch(...given);
  }
}

/** Whether a host name is this machine's own. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
