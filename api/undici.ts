import type * as Package from "undici";
import type { Dispatcher } from "undici";
import { type Connector, connectorOf } from "./connector";
import { decode } from "./encoding";
import type { socksConnector } from "./socks";
import type { HttpOptions, HttpRequest, HttpResponse } from "./http-message";

const { Agent, ProxyAgent, Pool, buildConnector, errors } = loaded();

/** Loads only the required modules of undici. Loading the whole undici package would take four times as long. */
function loaded(): Pick<typeof Package, "Agent" | "ProxyAgent" | "Pool" | "buildConnector" | "errors"> {
  try {
    const { prototype } = require("undici/lib/dispatcher/dispatcher") as typeof Package.Dispatcher;
    // Adds the methods `request` and `connect` to dispatchers, as the undici package does. A tunnel through a proxy needs
    // `connect`.
    Object.assign(prototype, require("undici/lib/api"));
    return {
      Agent: require("undici/lib/dispatcher/agent") as typeof Package.Agent,
      ProxyAgent: require("undici/lib/dispatcher/proxy-agent") as typeof Package.ProxyAgent,
      Pool: require("undici/lib/dispatcher/pool") as typeof Package.Pool,
      buildConnector: require("undici/lib/core/connect") as typeof Package.buildConnector,
      errors: require("undici/lib/core/errors") as typeof Package.errors,
    };
  } catch {
    // Another version of undici may not contain the required modules.
    return require("undici") as typeof Package;
  }
}

/**
 * Maximum number of concurrent connections, which is enough for Pulumi's default parallelism and acceptable for a shared
 * service.
 */
const maxConnections = 16;

/** Maximum size of a response in bytes. The largest expected page is far smaller: a thousand agents of a few kilobytes each. */
const maxAnswerBytes = 64 * 1024 * 1024;

/** Maximum time to open a connection, in ms. */
const maxConnectMs = 10_000;

/** The connections of one client. Only the class `Undici` uses the undici package. */
export class Undici {
  readonly #dispatcher: Dispatcher;

  /** @param proxy URL of the proxy for all requests; undefined for direct connections */
  constructor(proxy: URL | undefined, { timeout }: Pick<HttpOptions, "timeout">) {
    this.#dispatcher = dispatcherFor(proxy, Math.ceil(timeout * 1_000));
  }

  /**
   * @param onSend called when an open connection accepts the request. A request that fails before the call of `onSend` can be
   * repeated safely, because no part of the request was sent
   */
  async send(url: string, request: HttpRequest, signal: AbortSignal, onSend: () => void): Promise<HttpResponse> {
    const { origin, pathname, search } = new URL(url);
    const noticing = this.#dispatcher.compose((dispatch) => (options, handler) => {
      const start = handler.onRequestStart?.bind(handler);
      handler.onRequestStart = (...args) => {
        onSend();
        start?.(...args);
      };
      return dispatch(options, handler);
    });
    const answer = await noticing.request({
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

  /** Returns a description of a response that is too large; undefined for any other error. */
  tooLarge(error: unknown): string | undefined {
    if (!(error instanceof errors.ResponseExceededMaxSizeError)) return undefined;
    return `it is larger than ${maxAnswerBytes / 1024 / 1024} MiB`;
  }

  close(): Promise<void> {
    return this.#dispatcher.close();
  }
}

function dispatcherFor(proxy: URL | undefined, timeoutMs: number): Dispatcher {
  const connectMs = Math.min(timeoutMs, maxConnectMs);
  const connect = connectorOf(buildConnector, connectMs);
  const common = {
    connections: maxConnections,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: 10_000,
    maxResponseSize: maxAnswerBytes,
  };
  if (proxy === undefined) return new Agent({ ...common, connect });
  if (proxy.protocol === "socks5:") return new Agent({ ...common, connect: throughSocks(proxy, connect, connectMs) });
  return new ProxyAgent({
    ...common,
    uri: proxy.href,
    connectTimeout: connectMs,
    // Each connection in the pool is opened to the proxy and then becomes a tunnel to the host.
    clientFactory: (url) => new Pool(url, { ...common, connect }),
  });
}

/** Loads the SOCKS library only if the proxy uses SOCKS. */
function throughSocks(...args: Parameters<typeof socksConnector>): Connector {
  const { socksConnector: Loaded } = require("./socks") as typeof import("./socks");
  return Loaded(...args);
}
