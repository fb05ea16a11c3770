import type * as Package from "undici";
import type { Dispatcher } from "undici";
import { decode } from "./encoding";
import { type HttpOptions, type HttpRequest, type HttpResponse, isLoopback } from "./http";

const { Agent, EnvHttpProxyAgent, Pool, errors } = loaded();

/** The package as a whole has four times as many modules, among them fetch, caches and mocks, and takes as many times longer to load. */
function loaded(): Pick<typeof Package, "Agent" | "EnvHttpProxyAgent" | "Pool" | "errors"> {
  try {
    const { prototype } = require("undici/lib/dispatcher/dispatcher") as typeof Package.Dispatcher;
    // As the package does: without it, no dispatcher has `request`, nor `connect`, with which a proxy opens a tunnel.
    Object.assign(prototype, require("undici/lib/api"));
    return {
      Agent: require("undici/lib/dispatcher/agent") as typeof Package.Agent,
      EnvHttpProxyAgent: require("undici/lib/dispatcher/env-http-proxy-agent") as typeof Package.EnvHttpProxyAgent,
      Pool: require("undici/lib/dispatcher/pool") as typeof Package.Pool,
      errors: require("undici/lib/core/errors") as typeof Package.errors,
    };
  } catch {
    // Somebody has put another version in the place of ours.
    return require("undici") as typeof Package;
  }
}

/** Largest number of concurrent connections: enough for Pulumi's default parallelism, few enough for a shared service. */
const maxConnections = 16;

/** Size limit of an answer in bytes, far above the largest page: a thousand agents of a few kilobytes each. */
const maxAnswerBytes = 64 * 1024 * 1024;

/** The connections of one client, and all that knows of undici. */
export class Undici {
  readonly #dispatcher: Dispatcher;
  #proxy: string | undefined;

  constructor(url: URL, options: Omit<HttpOptions, "baseUrl">) {
    this.#dispatcher = this.#dispatcherTo(url, options);
  }

  /** Origin of the proxy that requests used. */
  get proxy(): string | undefined {
    return this.#proxy;
  }

  async send(url: string, request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    const { origin, pathname, search } = new URL(url);
    const answer = await this.#dispatcher.request({
      origin,
      path: pathname + search,
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      signal,
    });
    const body = Buffer.from(await answer.body.arrayBuffer());
    const decoded = await decode(body, answer.headers["content-encoding"], maxAnswerBytes);
    return { status: answer.statusCode, headers: answer.headers, ...decoded };
  }

  /** Describes an answer that is too large; undefined for any other error. */
  tooLarge(error: unknown): string | undefined {
    if (!(error instanceof errors.ResponseExceededMaxSizeError)) return undefined;
    return `it is larger than ${maxAnswerBytes / 1024 / 1024} MiB`;
  }

  close(): Promise<void> {
    return this.#dispatcher.close();
  }

  #dispatcherTo(url: URL, options: Omit<HttpOptions, "baseUrl">): Dispatcher {
    const timeout = Math.ceil(options.timeout * 1_000);
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
    const { http, https, none } = options.proxies;
    return new EnvHttpProxyAgent({
      ...common,
      connect: { timeout: connectTimeout },
      // If they are undefined, undici reads them from the environment of the process, which may differ from the given one.
      httpProxy: http ?? "",
      httpsProxy: https ?? http ?? "",
      noProxy: none ?? "",
      // undici decides by itself whether a request uses a proxy, and only this factory shows its decision.
      clientFactory: (proxy: URL, given: object) => {
        const pool = new ProxyPool(proxy, { ...given, connections: maxConnections, headersTimeout: timeout });
        pool.onUse = () => (this.#proxy = proxy.origin);
        return pool;
      },
    });
  }
}

/** Connections to a proxy, with a callback on each use. */
class ProxyPool extends Pool {
  onUse: () => void = () => undefined;

  override dispatch(...given: Parameters<Dispatcher["dispatch"]>): boolean {
    this.onUse();
    return super.dispatch(...given);
  }
}
