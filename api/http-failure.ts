import { isNativeError } from "node:util/types";
import type { ConnectionPhase } from "./errors";

/** Why a request had no whole answer. */
export interface Failure {
  phase: ConnectionPhase;
  /** As a part of a sentence. */
  reason: string;
  /** Whether it was never sent, so that nothing can have come of it. */
  neverSent: boolean;
  /** Whether the next attempt may do better. */
  mayPass: boolean;
}

type Known = Pick<Failure, "phase" | "reason"> & { final?: true };

/** Failures to connect: what could not be connected to has not been sent. */
const notConnected: Record<string, Known> = {
  ENOTFOUND: { phase: "dns", reason: "the host name is not known", final: true },
  EAI_AGAIN: { phase: "dns", reason: "the host name could not be looked up" },
  ECONNREFUSED: { phase: "connect", reason: "the connection was refused" },
  EHOSTUNREACH: { phase: "connect", reason: "there is no way to the host" },
  ENETUNREACH: { phase: "connect", reason: "there is no way to its network" },
  UND_ERR_CONNECT_TIMEOUT: { phase: "connect", reason: "no connection in time" },
  UND_ERR_PRX_CONN: { phase: "connect", reason: "the connection was closed" },
  UND_ERR_PRX_TLS: { phase: "connect", reason: "its certificate is for another host", final: true },
  CERT_HAS_EXPIRED: { phase: "tls", reason: "its certificate has expired", final: true },
  CERT_NOT_YET_VALID: { phase: "tls", reason: "its certificate is not valid yet", final: true },
  DEPTH_ZERO_SELF_SIGNED_CERT: { phase: "tls", reason: "its certificate is signed by itself", final: true },
  SELF_SIGNED_CERT_IN_CHAIN: { phase: "tls", reason: "a certificate of its chain is signed by itself", final: true },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: { phase: "tls", reason: "the issuer of its certificate is not known", final: true },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { phase: "tls", reason: "the issuer of its certificate is not known", final: true },
  ERR_TLS_CERT_ALTNAME_INVALID: { phase: "tls", reason: "its certificate is for another host", final: true },
};

/** Other failures: a request may have arrived before any of them. */
const broken: Record<string, Known> = {
  ERR_SSL_WRONG_VERSION_NUMBER: { phase: "tls", reason: "it does not speak TLS on this port" },
  ECONNRESET: { phase: "answer", reason: "the connection was reset" },
  UND_ERR_HEADERS_TIMEOUT: { phase: "answer", reason: "no answer in time" },
  UND_ERR_BODY_TIMEOUT: { phase: "answer", reason: "the answer stopped coming" },
  UND_ERR_SOCKET: { phase: "answer", reason: "the connection was closed before the answer was whole" },
};

/** What a proxy answered instead of a tunnel: undici tells its status in the message alone. */
const proxyStatus = /^Proxy response \((\d+)\)/;

/**
 * What an error of undici means.
 *
 * @param proxy origin of the proxy that the request went through, which then is what could not be reached
 */
export function failureOf(error: unknown, proxy: string | undefined): Failure {
  const chain = errorsOf(error);
  const codes = chain.flatMap((one) => ("code" in one && typeof one.code === "string" ? [one.code] : []));
  const refused = chain.map(({ message }) => proxyStatus.exec(message)?.[1]).find((status) => status !== undefined);
  if (proxy !== undefined && refused !== undefined) return refusedBy(proxy, Number(refused));

  const unsent = codes.map((code) => notConnected[code]).find((known) => known !== undefined);
  if (unsent) {
    const { phase, reason, final } = unsent;
    // Through a proxy it is the proxy whose name is looked up and that is connected to.
    const ofProxy = proxy !== undefined && phase !== "tls";
    return {
      phase: ofProxy ? "proxy" : phase,
      reason: ofProxy ? `the proxy ${proxy} cannot be reached: ${reason}` : reason,
      neverSent: true,
      mayPass: !final,
    };
  }
  const known = codes.map((code) => broken[code]).find((failure) => failure !== undefined);
  if (known) return { phase: known.phase, reason: known.reason, neverSent: false, mayPass: true };
  const phase = codes.some((code) => /^ERR_(TLS|SSL)_/.test(code)) ? "tls" : "answer";
  const reason = codes[0] ?? (isNativeError(error) ? error.name : "unknown reason");
  return { phase, reason, neverSent: false, mayPass: true };
}

/** A proxy's refusal to make a tunnel. What it says of the host may pass, what it says of us may not. */
function refusedBy(proxy: string, status: number): Failure {
  const why =
    status === 407
      ? "asks for a user and password, which its URL in HTTPS_PROXY carries"
      : status >= 500
        ? "could not reach the host"
        : "does not let through to the host; NO_PROXY names hosts that are asked directly";
  return {
    phase: "proxy",
    reason: `the proxy ${proxy} ${why} (it answered ${status})`,
    neverSent: true,
    mayPass: status >= 500,
  };
}

/** An error with all that stands behind it. */
function errorsOf(error: unknown): Error[] {
  // By nature, not by class: an error of Node itself is of another realm where this code runs in a context of its own.
  if (!isNativeError(error)) return [];
  // A host with several addresses fails with one error an address, inside an AggregateError.
  const inner: unknown[] = "errors" in error && Array.isArray(error.errors) ? error.errors : [error.cause];
  return [error, ...inner.flatMap(errorsOf)];
}
