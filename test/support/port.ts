import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Ports below the range from which the system takes one for a connection, or for a server that asks for any port. A port of that range
 * may be another process's before the test uses it.
 */
const [firstPort, lastPort] = [20_000, 32_000];

const given = new Set<number>();

/** Returns a port of loopback that nobody listens on, another one at each call: for a command that takes no port 0, or as a closed port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = firstPort + Math.floor(Math.random() * (lastPort - firstPort));
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
