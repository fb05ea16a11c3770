import { isIP, type LookupFunction, type Socket } from "node:net";
import type { buildConnector } from "undici";

export type Connector = buildConnector.connector;

export interface ConnectFailure extends Error {
  /** Addresses that the client tried, in order and with ports: `192.0.2.1:443`, `[2001:db8::1]:443`. */
  tried?: readonly string[];
}

/** Maximum number of a host's addresses that the client tries within the connect timeout. */
const addressesPerTimeout = 4;

/**
 * Returns a connector that gives each address of a host an equal part of the connect timeout. Node's default of 250 ms for each
 * address is too short for distant hosts.
 *
 * @param lookup resolves host names; the system's resolver by default
 */
export function connectorOf(build: typeof buildConnector, timeoutMs: number, lookup?: LookupFunction): Connector {
  const autoSelectFamilyAttemptTimeout = Math.ceil(timeoutMs / addressesPerTimeout);
  const connect = build({ timeout: timeoutMs, autoSelectFamilyAttemptTimeout, ...(lookup && { lookup }) });
  return (options, callback) => {
    const tried: string[] = [];
    // `connect` returns a socket, although its type declares no return value.
    const socket = connect(options, (...[error, connected]) => {
      if (error) callback(Object.assign(error, { tried }), null);
      else callback(null, connected);
    }) as unknown as Socket;
    socket.on("connectionAttempt", (address: string, port: number, family: number) => {
      if (isIP(options.hostname) > 0) return;
      tried.push(`${family === 6 ? `[${address}]` : address}:${port}`);
    });
  };
}
