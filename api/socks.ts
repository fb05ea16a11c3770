import { SocksClient } from "socks";
import type { Connector } from "./connector";
import { withoutBrackets } from "./proxy";

/** Maps messages of the SOCKS library to error codes, because the library reports failures only as messages. */
const codes: readonly (readonly [RegExp, string])[] = [
  [/authentication|initial handshake/i, "SOCKS_CREDENTIALS"],
  [/NotAllowed/, "SOCKS_NOT_ALLOWED"],
  [/timed out/, "UND_ERR_CONNECT_TIMEOUT"],
  [/Socket closed/, "SOCKS_CLOSED"],
];

/**
 * Returns a connector that uses a SOCKS5 proxy. The proxy also resolves host names.
 *
 * @param connect function that opens the connection to the proxy, and then the TLS connection to the host
 */
export function socksConnector(proxy: URL, connect: Connector, timeoutMs: number): Connector {
  const [host, port] = [withoutBrackets(proxy.hostname), Number(proxy.port || 1080)];
  const [userId, password] = [proxy.username, proxy.password].map(decodeURIComponent);
  const credentials = userId ? { userId, password: password ?? "" } : {};

  return (options, callback) => {
    const isTls = options.protocol === "https:";
    const destination = { host: withoutBrackets(options.hostname), port: Number(options.port || (isTls ? 443 : 80)) };
    connect({ hostname: host, host: proxy.host, protocol: "http:", port: String(port) }, (...[failure, socket]) => {
      if (failure) {
        callback(failure, null);
        return;
      }
      const request = {
        proxy: { host, port, type: 5, ...credentials },
        command: "connect",
        destination,
        existing_socket: socket,
        timeout: timeoutMs,
      } as const;
      void SocksClient.createConnection(request, (error) => {
        if (!error) {
          if (isTls) connect({ ...options, httpSocket: socket }, callback);
          else callback(null, socket);
          return;
        }
        socket.destroy();
        // The callback's error has no cause, because the SOCKS library's error contains the proxy password.
        const { message } = error;
        const code = codes.find(([text]) => text.test(message))?.[1] ?? "SOCKS_UNREACHABLE";
        callback(Object.assign(new Error(message), { code }), null);
      });
    });
  };
}
