import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Ports below the range of ports that the system assigns to connections, or to servers that request any port. Another process
 * may get a port of that range before the test uses it.
 */
const [firstPort, lastPort] = [20_000, 32_000];

const returned = new Set<number>();

/** Returns a free loopback port, another one at each call: for a command that does not accept port 0, or as a closed port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = firstPort + Math.floor(Math.random() * (lastPort - firstPort));
    if (returned.has(port) || !(await isFree(port))) continue;
    returned.add(port);
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
