import { isNativeError } from "node:util/types";
import { Agent, request as send, type Dispatcher } from "undici";
import { ConnectionError, type Place } from "./errors";
import type { Method } from "./schemas";

/** Connections to the service at once: enough for Pulumi's default parallelism, few enough for a shared service. */
const connections = 16;

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

/** Sends single requests over kept-alive connections. It knows nothing of tokens, retries or schemas. */
export class Http {
  readonly #agent: Agent;
  readonly #root: string;
  readonly #origin: string;

  constructor(baseUrl: string, timeoutSeconds: number) {
    const url = new URL(baseUrl);
    this.#origin = url.origin;
    this.#root = url.origin + url.pathname.replace(/\/+$/, "").replace(/\/v7$/, "");
    const timeout = Math.ceil(timeoutSeconds * 1_000);
    this.#agent = new Agent({
      connections,
      connect: { timeout: Math.min(timeout, 10_000) },
      headersTimeout: timeout,
      bodyTimeout: timeout,
      keepAliveTimeout: 10_000,
    });
  }

  /** @throws ConnectionError whose `outcomeUnknown` tells whether a request that must not be repeated may have reached the service */
  async send(request: HttpRequest): Promise<HttpResponse> {
    const place: Place = { method: request.method, path: request.path };
    const query = request.query.size > 0 ? `?${request.query.toString()}` : "";
    try {
      const answer = await send(this.#root + request.path + query, {
        dispatcher: this.#agent,
        method: request.method as Dispatcher.HttpMethod,
        headers: request.headers,
        body: request.body ?? null,
      });
      return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
    } catch (error) {
      throw new ConnectionError(place, this.#origin, reasonOf(error), !request.repeatable && !neverSent(error), error);
    }
  }

  close(): Promise<void> {
    return this.#agent.close();
  }
}

/** Failures to connect: what could not be connected to has not been sent. */
const notConnected = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

const reasons: Record<string, string> = {
  ECONNREFUSED: "the connection was refused",
  ENOTFOUND: "the host name is not known",
  EAI_AGAIN: "the host name could not be looked up",
  ECONNRESET: "the connection was reset",
  UND_ERR_CONNECT_TIMEOUT: "no connection in time",
  UND_ERR_HEADERS_TIMEOUT: "no answer in time",
  UND_ERR_BODY_TIMEOUT: "the answer stopped coming",
  UND_ERR_SOCKET: "the connection was closed before the answer was whole",
};

function codesOf(error: unknown): string[] {
  // By nature, not by class: an error of Node itself is of another realm where this code runs in a context of its own.
  if (!isNativeError(error)) return [];
  const own = "code" in error && typeof error.code === "string" ? [error.code] : [];
  // A host with several addresses fails with one error an address, inside an AggregateError.
  const inner: unknown[] = "errors" in error && Array.isArray(error.errors) ? error.errors : [error.cause];
  return [...own, ...inner.flatMap(codesOf)];
}

function neverSent(error: unknown): boolean {
  return codesOf(error).some((code) => notConnected.has(code));
}

function reasonOf(error: unknown): string {
  const codes = codesOf(error);
  const known = codes.map((code) => reasons[code]).find((reason) => reason !== undefined);
  return known ?? codes[0] ?? (isNativeError(error) ? error.name : "unknown reason");
}
