import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { EmulatorError } from "./errors";
import { startScheduler } from "./measure/scheduler";
import { type EmulatorOptions, settle } from "./options";
import type { LogEntry } from "./requests";
import { Server } from "./server";
import { Store } from "./store";
import { Tokens } from "./tokens";

/** A running emulator. */
export interface Emulator {
  /** Base URL, such as `http://127.0.0.1:41234`. */
  readonly url: string;
  /** How many requests came, by operation id. Requests of `/_emulator` are not counted. */
  requests(): Record<string, number>;
  /** The last 1,000 requests, oldest first. */
  log(): readonly LogEntry[];
  /** Everything as just started: no records, counts, faults. Ids start again; tokens stay valid. */
  reset(): void;
  /** Ends it. Resolves when port and file are released; a request in progress gets a second to finish. */
  close(): Promise<void>;
}

/**
 * Starts the service on loopback.
 *
 * @example
 * const emulator = await start({ rateLimit: "off" });
 * const answer = await fetch(`${emulator.url}/v7/endpoint/labels`, { headers: { authorization: "Bearer emulator-token" } });
 * await emulator.close();
 *
 * @throws EmulatorError when the port or the data file cannot be had, or an option is out of range
 */
export async function start(options: EmulatorOptions = {}): Promise<Emulator> {
  const settings = settle(options);
  const store = new Store(settings.dataFile);
  const ending = new AbortController();
  const server = new Server({ settings, store, tokens: new Tokens(settings) }, ending.signal);

  let url = "";
  const http = createServer({ keepAliveTimeout: 60_000 }, (request, response) => void server.respond(request, response, url));
  try {
    url = await listen(http, settings.port, settings.host);
  } catch (error) {
    store.close();
    throw error;
  }

  const scheduler = startScheduler(server.service, ending.signal);
  let closed: Promise<void> | undefined;
  return {
    url,
    requests: () => server.log.counts(),
    log: () => server.log.entries(),
    reset: () => server.reset(),
    close: () => {
      ending.abort();
      return (closed ??= Promise.all([end(http), scheduler.settled()]).then(() => store.close()));
    },
  };
}

function listen(http: HttpServer, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    http.once("error", (error) => {
      const message = `Cannot listen on ${host} port ${port}: ${error.message}. Choose another port, or 0 for a free one.`;
      reject(new EmulatorError("ADDRESS_UNAVAILABLE", message, { cause: error }));
    });
    http.listen(port, host, () => {
      // A listening TCP server has an address; only one on a pipe has a name.
      const { family, address, port: taken } = http.address() as AddressInfo;
      const reachable = address === "0.0.0.0" ? "127.0.0.1" : address === "::" ? "::1" : address;
      resolve(`http://${family === "IPv6" && reachable !== "127.0.0.1" ? `[${reachable}]` : reachable}:${taken}`);
    });
  });
}

function end(http: HttpServer): Promise<void> {
  return new Promise((resolve) => {
    const impatience = setTimeout(() => http.closeAllConnections(), 1000);
    // Ends idle connections, too.
    http.close(() => {
      clearTimeout(impatience);
      resolve();
    });
  });
}
