import { createCipheriv, pbkdf2, randomBytes } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { newPrivateFolder, writePrivately } from "./private-files";

/** Number of iterations that derive a key from a passphrase. Pulumi's engine uses the same number of iterations. */
const rounds = 1_000_000;
const keyBytes = 32;
const saltBytes = 8;
const nonceBytes = 12;

/**
 * A Pulumi backend in a new folder that other users of this machine cannot read. The backend uses the engine's format and
 * encryption. The caller must delete the folder of the backend after use.
 */
export class PrivateBackend {
  readonly folder = newPrivateFolder();
  readonly settingsFile = join(this.folder, "settings.yaml");
  /** The salt in the engine's format, with an encrypted string that lets the engine recognize a wrong passphrase. */
  readonly #salt: string;

  private constructor(
    private readonly passphrase: string,
    private readonly key: Buffer,
    salt: string,
  ) {
    this.#salt = `v1:${salt}:${this.encrypt("pulumi")}`;
  }

  static async create(): Promise<PrivateBackend> {
    const [passphrase, salt] = [randomBytes(32).toString("base64url"), randomBytes(saltBytes)];
    const key = await promisify(pbkdf2)(passphrase, salt, rounds, keyBytes, "sha256");
    return new PrivateBackend(passphrase, key, salt.toString("base64"));
  }

  get address(): NodeJS.ProcessEnv {
    return { PULUMI_BACKEND_URL: pathToFileURL(this.folder).href };
  }

  /** Environment variables that make the engine use this backend. */
  get env(): NodeJS.ProcessEnv {
    return { ...this.address, PULUMI_CONFIG_PASSPHRASE: this.passphrase, PULUMI_CONFIG_PASSPHRASE_FILE: undefined };
  }

  encrypt(text: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv("aes-256-gcm", this.key, nonce);
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return `v1:${nonce.toString("base64")}:${sealed.toString("base64")}`;
  }

  writeSettings(settings: object, salt = this.#salt): void {
    const { stringify } = require("yaml") as typeof import("yaml");
    writePrivately(this.settingsFile, stringify({ ...settings, encryptionsalt: salt }));
  }

  /**
   * Writes a stack in the engine's format.
   *
   * @param name full name of the stack, as `organization/project/stack`
   */
  writeStack(name: string, latest: object, exported: object = { version: 3 }, salt = this.#salt): void {
    const [, project = "", stack = ""] = name.split("/");
    const secrets = { secrets_providers: { type: "passphrase", state: { salt } } };
    const checkpoint = { stack: name, latest: { ...latest, ...secrets } };
    writePrivately(join(this.folder, ".pulumi/meta.yaml"), "version: 1\n");
    writePrivately(join(this.folder, ".pulumi/stacks", project, `${stack}.json`), JSON.stringify({ ...exported, checkpoint }));
  }
}
