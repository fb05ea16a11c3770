import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { CannotAsk } from "./row";
import type { Session } from "./session";

export interface Relay {
  readonly url: string;
  close(): Promise<void>;
}

/** Matches HTTP headers that belong to one connection or that the session sets. */
const dropped = /^(host|connection|content-length|authorization|accept-encoding|transfer-encoding|keep-alive)$/;

/**
 * Starts a server on loopback that forwards the engine's requests to the service. The session counts the requests, checks them
 * against the contract, and adds the account's credentials. No stack therefore contains credentials. Records that the engine
 * creates belong to the run.
 */
export async function startRelay(session: Session, row: string): Promise<Relay> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://relay");
    const query = Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]));
    const headers = Object.entries(request.headers).filter(([name]) => !dropped.test(name));
    const raw = chunks.length > 0 ? Buffer.concat(chunks).toString() : undefined;
    try {
      const asked = {
        method: request.method ?? "GET",
        path: pathname,
        query,
        raw,
        headers: Object.fromEntries(headers) as Record<string, string>,
      };
      const answer = await session.send(row, asked);
      // The session waits for the service's rate limit.
      const kept = Object.entries(answer.headers).filter(([name]) => ["content-type", "location"].includes(name));
      const text = answer.body === undefined ? "" : JSON.stringify(answer.body);
      const rewritten = text.replaceAll(session.access.baseUrl, `http://${request.headers.host}`);
      response.writeHead(answer.status, Object.fromEntries(kept)).end(rewritten);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      const problem = { title: "Not asked", status: 403, detail };
      response.writeHead(error instanceof CannotAsk ? 403 : 502, { "content-type": "application/problem+json" });
      response.end(JSON.stringify(problem));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The cast is safe, because a listening TCP server has an address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
