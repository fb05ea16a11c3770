import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** The prefix of values that Vault's Transit has encrypted. */
const sealed = "vault:v1:";

/**
 * Holds the keys of stacks and answers the engine as Vault's Transit does. A key from a passphrase takes a million rounds in
 * each start of the engine, a fifth of a second.
 */
export class KeyService {
  private constructor(private readonly server: Server) {}

  static async start(): Promise<KeyService> {
    // The engine does not retry a request on a connection that closes at that moment, so idle connections stay open until the
    // end.
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

  /** Environment variables with which the engine reaches it. */
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

/** The lines of a stack's settings that make the engine request the stack's key. */
export interface KeySettings {
  secretsprovider: string;
  encryptedkey: string;
}

/** Returns a new key, encrypted by the service, which stores nothing. */
export function newKey(): KeySettings {
  const key = sealed + randomBytes(32).toString("base64");
  return { secretsprovider: `hashivault://${keyName}`, encryptedkey: Buffer.from(key).toString("base64") };
}

/** Returns the decrypted key. */
export function keyOf({ encryptedkey }: KeySettings): Buffer {
  return Buffer.from(Buffer.from(encryptedkey, "base64").toString().slice(sealed.length), "base64");
}

/** Returns the same settings in the form of a state. */
export function keyInState({ secretsprovider, encryptedkey }: KeySettings): object {
  return { type: "cloud", state: { url: secretsprovider, encryptedkey } };
}
