/** A release server on loopback for the engine: release files by the URL in the schema. */
import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

export interface ReleaseServer {
  /** URL of the repository. */
  readonly home: string;
  /** Names of the files that were downloaded. */
  readonly downloads: readonly string[];
  end(): void;
}

/** @param folders folders of release files by version, read at each request */
export async function startReleaseServer(folders: Readonly<Record<string, string>>): Promise<ReleaseServer> {
  const downloads: string[] = [];
  const server: Server = createServer((request, response) => {
    const asked = /^\/owner\/name\/releases\/download\/v(?<version>[^/]+)\/(?<name>[^/?]+)/.exec(request.url ?? "")?.groups;
    const file = join(folders[asked?.["version"] ?? ""] ?? "", asked?.["name"] ?? "");
    if (!asked || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    downloads.push(asked["name"] ?? "");
    response.end(readFileSync(file));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const end = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { home: `http://127.0.0.1:${port}/owner/name`, downloads, end };
}
