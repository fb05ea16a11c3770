import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { Bench, type Json, paths } from "./support";

/** Returns the port of a server on loopback, and starts the server if necessary. */
export async function portOf(server: Server, port = 0): Promise<number> {
  if (!server.listening) {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  }
  // A listening TCP server has an address. Only a pipe has a name.
  return (server.address() as AddressInfo).port;
}

/** Closes a server and its connections, unless it is closed. */
export function closeServer(server: Server & { closeAllConnections?(): void }): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections?.();
  });
}

/** Returns a TCP server that accepts connections and sends nothing. */
export function silentServer(): Server {
  return createServer((socket) => socket.on("error", () => undefined).resume());
}

/** Polls until there is a response, for at most ten seconds. */
export async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 200; tries += 1) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await delay(50);
  }
  throw new Error("Not within ten seconds");
}

/** Path of the results of a scheduled test. */
export const resultsOf = (testId: string): string => `/v7/endpoint/test-results/scheduled-tests/${testId}`;

/** Creates a test. Returns its id. */
export async function makeTest(bench: Bench, area: Exclude<keyof typeof paths, "label">, body: object): Promise<string> {
  const made = await bench.call("POST", paths[area], { body: { testName: "Measured", ...body } });
  if (made.status !== 201) throw new Error(made.text);
  return made.body.testId;
}

/** Returns network results of a test, the newest first, once there are enough of them. */
export function networkRounds(bench: Bench, testId: string, least = 1): Promise<Json[]> {
  return eventually(async () => {
    const { body } = await bench.call("POST", `${resultsOf(testId)}/network/filter`);
    return body.results.length >= least ? body.results : undefined;
  });
}
