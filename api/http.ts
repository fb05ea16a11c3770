import { isNativeError } from "node:util/types";
import { Agent, request as send, type Dispatcher } from "undici";
import { ConnectionError, type ConnectionPhase, type Place } from "./errors";
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
  #closed: Promise<void> | undefined;
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
      const { reason, phase } = failureOf(error);
      throw new ConnectionError(place, this.#origin, reason, phase, !request.repeatable && !neverSent(error), error);
    }
  }

  /** Ends all connections once what is under way has been answered; a second time it is the same end. */
  close(): Promise<void> {
    return (this.#closed ??= this.#agent.close());
  }
}

interface Failure {
  phase: ConnectionPhase;
  reason: string;
}

/** Failures to connect: what could not be connected to has not been sent. */
const notConnected: Record<string, Failure> = {
  ENOTFOUND: { phase: "dns", reason: "the host name is not known" },
  EAI_AGAIN: { phase: "dns", reason: "the host name could not be looked up" },
  ECONNREFUSED: { phase: "connect", reason: "the connection was refused" },
  EHOSTUNREACH: { phase: "connect", reason: "there is no way to the host" },
  ENETUNREACH: { phase: "connect", reason: "there is no way to its network" },
  UND_ERR_CONNECT_TIMEOUT: { phase: "connect", reason: "no connection in time" },
  CERT_HAS_EXPIRED: { phase: "tls", reason: "its certificate has expired" },
  CERT_NOT_YET_VALID: { phase: "tls", reason: "its certificate is not valid yet" },
  DEPTH_ZERO_SELF_SIGNED_CERT: { phase: "tls", reason: "its certificate is signed by itself" },
  SELF_SIGNED_CERT_IN_CHAIN: { phase: "tls", reason: "a certificate of its chain is signed by itself" },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: { phase: "tls", reason: "the issuer of its certificate is not known" },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { phase: "tls", reason: "the issuer of its certificate is not known" },
  ERR_TLS_CERT_ALTNAME_INVALID: { phase: "tls", reason: "its certificate is for another host" },
};

/** Other failures: a request may have arrived before any of them. */
const broken: Record<string, Failure> = {
  ERR_SSL_WRONG_VERSION_NUMBER: { phase: "tls", reason: "it does not speak TLS on this port" },
  ECONNRESET: { phase: "answer", reason: "the connection was reset" },
  UND_ERR_HEADERS_TIMEOUT: { phase: "answer", reason: "no answer in time" },
  UND_ERR_BODY_TIMEOUT: { phase: "answer", reason: "the answer stopped coming" },
  UND_ERR_SOCKET: { phase: "answer", reason: "the connection was closed before the answer was whole" },
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
  return codesOf(error).some((code) => code in notConnected);
}

function failureOf(error: unknown): Failure {
  const codes = codesOf(error);
  const known = codes.map((code) => notConnected[code] ?? broken[code]).find((failure) => failure !== undefined);
  if (known) return known;
  const phase = codes.some((code) => /^ERR_(TLS|SSL)_/.test(code)) ? "tls" : "answer";
  return { phase, reason: codes[0] ?? (isNativeError(error) ? error.name : "unknown reason") };
}
