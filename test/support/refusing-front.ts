import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A server on loopback in front of an emulator. It rejects requests for some account groups with a 403. */
export class RefusingFront {
  /** Rejected account groups. A test may change this set at any time. */
  readonly refused = new Set<string>();

  private constructor(private readonly server: Server) {}

  /** @param target base URL of the emulator */
  static async start(target: string): Promise<RefusingFront> {
    const server = createServer();
    const front = new RefusingFront(server);
    server.on("request", (request, response) => {
      const { searchParams } = new URL(request.url ?? "", front.url);
      if (front.refused.has(searchParams.get("aid") ?? "")) {
        response.writeHead(403, { "content-type": "application/problem+json" }).end('{"title":"Forbidden","status":403}');
        return;
      }
      const { method = "GET", headers } = request;
      const { authorization = "", "content-type": type = "application/json" } = headers;
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
        const answer = await fetch(target + (request.url ?? ""), {
          method,
          headers: { authorization, "content-type": type },
          ...body,
        });
        const contentType = answer.headers.get("content-type") ?? "";
        response.writeHead(answer.status, contentType === "" ? {} : { "content-type": contentType }).end(await answer.text());
      })();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
