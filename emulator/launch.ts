import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Emulator } from "./emulator";
import { EmulatorError } from "./errors";
import { fault } from "./faults";
import type { Interceptor } from "./interceptor";
import { startScheduler } from "./measure/scheduler";
import { Problem } from "./problem";
import { pageLoad, recordPage } from "./results/visits";
import { Server } from "./server";
import type { EmulatorSettings } from "./settings";
import { Store } from "./store";
import { Tokens } from "./tokens";
import { valid } from "./valid";

/**
 * Starts an emulator, and returns the emulator with its internal objects.
 *
 * The twin (copy) of an account does not measure tests, because its agents are copies.
 *
 * @throws EmulatorError if the port or the data file is not available
 */
export async function launch(
  settings: EmulatorSettings,
  intercept?: Interceptor,
): Promise<{ emulator: Emulator; server: Server }> {
  const store = new Store(settings.dataFile);
  const ending = new AbortController();
  const server = new Server({ settings, store, tokens: new Tokens(settings) }, ending.signal, undefined, intercept);

  let url = "";
  const http = createServer({ keepAliveTimeout: 60_000 }, (request, response) => void server.respond(request, response, url));
  try {
    url = await listen(http, settings.port, settings.host);
  } catch (error) {
    store.close();
    throw error;
  }

  const scheduler = settings.twin ? undefined : startScheduler(server.service, ending.signal);
  let closed: Promise<void> | undefined;
  const emulator: Emulator = {
    url,
    requests: () => server.log.counts(),
    log: () => server.log.entries(),
    fault: (value) => server.faults.add([valid("A fault", fault, value)]),
    clearFaults: () => server.faults.clear(),
    visit: (page) => {
      const load = valid("A visit", pageLoad, page);
      try {
        return recordPage(server.service, load);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        throw new EmulatorError("INVALID_OPTION", `The emulator did not record the page visit: ${error.message}.`, {
          cause: error,
        });
      }
    },
    reset: () => server.reset(),
    close: () => {
      ending.abort();
      return (closed ??= Promise.all([end(http), scheduler?.settled()]).then(() => store.close()));
    },
  };
  return { emulator, server };
}

function listen(http: HttpServer, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    http.once("error", (error) => {
      const message = `Cannot listen on ${host} port ${port}: ${error.message}. Set the option port to another port, or to 0 for a free port.`;
      reject(new EmulatorError("ADDRESS_UNAVAILABLE", message, { cause: error }));
    });
    http.listen(port, host, () => {
      // The cast is safe, because only a server on a pipe has a string as its address.
      const { family, address, port: taken } = http.address() as AddressInfo;
      const reachable = address === "0.0.0.0" ? "127.0.0.1" : address === "::" ? "::1" : address;
      resolve(`http://${family === "IPv6" && reachable !== "127.0.0.1" ? `[${reachable}]` : reachable}:${taken}`);
    });
  });
}

function end(http: HttpServer): Promise<void> {
  return new Promise((resolve) => {
    const impatience = setTimeout(() => http.closeAllConnections(), 1000);
    // The server's method `close` also ends idle connections.
    http.close(() => {
      clearTimeout(impatience);
      resolve();
    });
  });
}
