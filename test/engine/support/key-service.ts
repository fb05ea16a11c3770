import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** How Vault's Transit marks what it has encrypted. */
const sealed = "vault:v1:";

/**
 * Holds the keys of stacks, as the engine asks Vault's Transit for them. A key from a passphrase takes a million rounds in each start of
 * the engine, a fifth of a second.
 */
export class KeyService {
  private constructor(private readonly server: Server) {}

  static async start(): Promise<KeyService> {
    // The engine does not repeat a request on a connection that is closed at that moment: an idle one stays open until the end.
    const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (text: string) => (body += text));
      request.on("end", () => {
        const isKnown = request.url === `/v1/transit/decrypt/${keyName}`;
        const { ciphertext = "" } = (body ? JSON.parse(body) : {}) as { ciphertext?: string };
        response.writeHead(isKnown ? 200 : 404, { "content-type": "application/json" });
        response.end(JSON.stringify({ data: { plaintext: ciphertext.slice(sealed.length) } }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new KeyService(server);
  }

  /** What the engine needs to ask it. */
  get env(): NodeJS.ProcessEnv {
    const { port } = this.server.address() as AddressInfo;
    return { VAULT_SERVER_URL: `http://127.0.0.1:${port}`, VAULT_SERVER_TOKEN: "test" };
  }

  close(): Promise<unknown> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(resolve));
  }
}

const keyName = "test";

/** The lines of a stack's settings by which the engine asks for the stack's key. */
export interface KeySettings {
  secretsprovider: string;
  encryptedkey: string;
}

/** A new key, as the service encrypts it: it is all that the service would have to know. */
export function newKey(): KeySettings {
  const key = sealed + randomBytes(32).toString("base64");
  return { secretsprovider: `hashivault://${keyName}`, encryptedkey: Buffer.from(key).toString("base64") };
}

/** The key itself. */
export function keyOf({ encryptedkey }: KeySettings): Buffer {
  return Buffer.from(Buffer.from(encryptedkey, "base64").toString().slice(sealed.length), "base64");
}

/** The same in a state. */
export function keyInState({ secretsprovider, encryptedkey }: KeySettings): object {
  return { type: "cloud", state: { url: secretsprovider, encryptedkey } };
}
