import { isNativeError } from "node:util/types";
import type { ConnectFailure } from "./connector";
import type { ConnectionPhase } from "./errors";

export interface HttpFailure {
  phase: ConnectionPhase;
  /** The reason for the failure, as a clause for error messages. */
  reason: string;
  mayPass: boolean;
}

type KnownFailure = Pick<HttpFailure, "phase" | "reason"> & { final?: true };

const notConnected: Record<string, KnownFailure> = {
  ENOTFOUND: { phase: "dns", reason: "the host name is not known", final: true },
  EAI_AGAIN: { phase: "dns", reason: "the host name could not be looked up" },
  ECONNREFUSED: { phase: "connect", reason: "the connection was refused" },
  EHOSTUNREACH: { phase: "connect", reason: "there is no route to the host" },
  ENETUNREACH: { phase: "connect", reason: "there is no route to its network" },
  ETIMEDOUT: { phase: "connect", reason: "no connection in time" },
  UND_ERR_CONNECT_TIMEOUT: { phase: "connect", reason: "no connection in time" },
  UND_ERR_PRX_CONN: { phase: "connect", reason: "the connection was closed" },
  SOCKS_CLOSED: { phase: "connect", reason: "the connection was closed" },
  UND_ERR_PRX_TLS: { phase: "connect", reason: "its certificate is for another host", final: true },
  CERT_HAS_EXPIRED: { phase: "tls", reason: "its certificate has expired", final: true },
  CERT_NOT_YET_VALID: { phase: "tls", reason: "its certificate is not valid yet", final: true },
  DEPTH_ZERO_SELF_SIGNED_CERT: { phase: "tls", reason: "its certificate is self-signed", final: true },
  SELF_SIGNED_CERT_IN_CHAIN: { phase: "tls", reason: "a certificate in its chain is self-signed", final: true },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: { phase: "tls", reason: "the issuer of its certificate is not known", final: true },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { phase: "tls", reason: "the issuer of its certificate is not known", final: true },
  ERR_TLS_CERT_ALTNAME_INVALID: { phase: "tls", reason: "its certificate is for another host", final: true },
};

/** Failures that can occur while the client opens a connection or waits for a response, by error code. */
const broken: Record<string, KnownFailure> = {
  ERR_SSL_WRONG_VERSION_NUMBER: { phase: "tls", reason: "it does not speak TLS on this port" },
  ERR_SSL_PACKET_LENGTH_TOO_LONG: { phase: "tls", reason: "it does not speak TLS on this port" },
  ECONNRESET: { phase: "answer", reason: "the connection was reset" },
  EPIPE: { phase: "answer", reason: "the connection was reset" },
  UND_ERR_HEADERS_TIMEOUT: { phase: "answer", reason: "no response in time" },
  UND_ERR_BODY_TIMEOUT: { phase: "answer", reason: "the response stopped before it was complete" },
  UND_ERR_SOCKET: { phase: "answer", reason: "the connection was closed before the response was complete" },
};

const socksRefusals: Record<string, Pick<HttpFailure, "mayPass"> & { why: string }> = {
  SOCKS_CREDENTIALS: { why: "refuses the user and password in its URL, or requires them", mayPass: false },
  SOCKS_NOT_ALLOWED: { why: notAllowed(), mayPass: false },
  SOCKS_UNREACHABLE: { why: "could not reach the host", mayPass: true },
};

/**
 * Matches the HTTP status in undici's error message about a proxy that refused a tunnel. The undici library reports the status
 * only in its error message.
 */
const proxyStatus = /^Proxy response \((\d+)\)/;

/**
 * Returns the failure that an undici error describes.
 *
 * @param proxy origin of the proxy that the request used; undefined for a direct connection
 * @param hasLeft whether an open connection accepted the request
 */
export function failureOf(error: unknown, proxy: string | undefined, hasLeft: boolean): HttpFailure {
  const chain = errorsOf(error);
  const codes = chain.flatMap((inner) => ("code" in inner && typeof inner.code === "string" ? [inner.code] : []));
  if (proxy !== undefined) {
    const status = chain.map(({ message }) => proxyStatus.exec(message)?.[1]).find((text) => text !== undefined);
    if (status !== undefined) return refusedBy(proxy, Number(status));
    const refusal = codes.map((code) => socksRefusals[code]).find((known) => known !== undefined);
    if (refusal) return { phase: "proxy", reason: `the proxy ${proxy} ${refusal.why}`, mayPass: refusal.mayPass };
  }

  const unconnected = codes.map((code) => notConnected[code]).find((known) => known !== undefined);
  if (unconnected) {
    const { phase, reason, final } = unconnected;
    // A client with a proxy resolves and contacts only the proxy's host, so the failure concerns the proxy.
    const ofProxy = proxy !== undefined && phase !== "tls";
    const where = phase === "connect" ? triedIn(chain) : "";
    return {
      phase: ofProxy ? "proxy" : phase,
      reason: `${ofProxy ? `the proxy ${proxy} cannot be reached: ` : ""}${reason}${where}`,
      mayPass: !final,
    };
  }
  const known = codes.map((code) => broken[code]).find((failure) => failure !== undefined);
  const phase = known?.phase ?? (codes.some((code) => /^ERR_(TLS|SSL)_/.test(code)) ? "tls" : "answer");
  const reason = known?.reason ?? codes[0] ?? (isNativeError(error) ? error.name : "unknown reason");
  if (hasLeft) return { phase, reason, mayPass: true };
  if (phase === "tls" && proxy === undefined) return { phase, reason, mayPass: true };
  const through = proxy === undefined ? "" : ` (through the proxy ${proxy})`;
  return {
    phase: proxy === undefined ? "tls" : "proxy",
    reason: `${reason} before the request was sent${through}`,
    mayPass: true,
  };
}

function triedIn(chain: readonly ConnectFailure[]): string {
  const tried = [...new Set(chain.flatMap((error) => error.tried ?? []))];
  return tried.length === 0 ? "" : ` (tried ${tried.join(", ")})`;
}

/**
 * Describes why a proxy refused to open a tunnel. Only status 5xx may be temporary, because it means that the proxy could not reach the
 * target host.
 */
function refusedBy(proxy: string, status: number): HttpFailure {
  const why =
    status === 407
      ? "requires a user name and password; add them to its URL in HTTPS_PROXY"
      : status >= 500
        ? "could not reach the host"
        : notAllowed();
  return { phase: "proxy", reason: `the proxy ${proxy} ${why} (it answered ${status})`, mayPass: status >= 500 };
}

function notAllowed(): string {
  return "does not allow connections to the host; if the host is reachable without a proxy, add it to NO_PROXY";
}

function errorsOf(error: unknown): Error[] {
  // In a JavaScript realm such as a test's sandbox, `instanceof Error` does not recognize Node's own errors.
  if (!isNativeError(error)) return [];
  // If a host has several addresses, undici throws an AggregateError with one error for each address.
  const inner: unknown[] = "errors" in error && Array.isArray(error.errors) ? error.errors : [error.cause];
  return [error, ...inner.flatMap(errorsOf)];
}
