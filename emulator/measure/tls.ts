import { once } from "node:events";
import { isIP, type Socket } from "node:net";
import { connect, type SecureVersion, type TLSSocket } from "node:tls";

/** The TLS version for each `sslVersionId`. For the id 0, client and server negotiate the TLS version. Node.js does not support SSLv3. */
const versions: Record<string, SecureVersion | "unsupported"> = {
  "3": "unsupported",
  "4": "TLSv1",
  "5": "TLSv1.1",
  "6": "TLSv1.2",
  "7": "TLSv1.3",
};

export interface TlsChoice {
  readonly sslVersionId: string;
  readonly verifyCertificate: boolean;
}

/**
 * Performs a TLS handshake over an existing connection.
 *
 * @throws if the handshake fails, if the certificate is invalid, or if `end` is aborted first
 */
export async function secure(socket: Socket, host: string, choice: TlsChoice, end: AbortSignal): Promise<TLSSocket> {
  const version = versions[choice.sslVersionId];
  if (version === "unsupported") throw new Error("SSLv3 is not supported on this machine");
  const secured = connect({
    socket,
    host,
    // A server name must not be an address (RFC 6066, section 3).
    ...(isIP(host) === 0 && { servername: host }),
    rejectUnauthorized: choice.verifyCertificate,
    ALPNProtocols: ["http/1.1"],
    ...(version && { minVersion: version, maxVersion: version }),
  });
  try {
    await once(secured, "secureConnect", { signal: end });
    secured.on("error", () => undefined);
    return secured;
  } catch (failure) {
    secured.on("error", () => undefined);
    secured.destroy();
    throw failure;
  }
}
