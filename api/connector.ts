import { isIP, type LookupFunction, type Socket } from "node:net";
import type { buildConnector } from "undici";

/** Opens one connection of undici. */
export type Connector = buildConnector.connector;

/** A failure to open a connection, with the addresses that were tried. */
export interface ConnectFailure extends Error {
  /** The tried addresses of the host name with ports, in order: `192.0.2.1:443`, `[2001:db8::1]:443`. */
  tried?: readonly string[];
}

/** Maximum number of addresses of one host that the client tries within the connect timeout. */
const addressesPerTimeout = 4;

/**
 * Returns a connector that gives each address of a host an equal part of the connect timeout. By default, Node gives each
 * address 250 ms and never tries it again. With that default, a distant host with two addresses would be unreachable.
 *
 * @param lookup resolves host names; the system's resolver by default
 */
export function connectorOf(build: typeof buildConnector, timeoutMs: number, lookup?: LookupFunction): Connector {
  const autoSelectFamilyAttemptTimeout = Math.ceil(timeoutMs / addressesPerTimeout);
  const connect = build({ timeout: timeoutMs, autoSelectFamilyAttemptTimeout, ...(lookup && { lookup }) });
  return (options, callback) => {
    const tried: string[] = [];
    // The type does not declare the result. A connection over an open socket does not try addresses.
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
