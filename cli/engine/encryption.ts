import { createCipheriv, pbkdf2, randomBytes } from "node:crypto";
import { promisify } from "node:util";

/** Number of rounds by which the engine derives a key from a passphrase. */
const rounds = 1_000_000;
const keyBytes = 32;
const saltBytes = 8;
const nonceBytes = 12;

/** Encrypts as the engine does, with a new passphrase that only this process and its children know. */
export class Encryption {
  private constructor(
    readonly passphrase: string,
    private readonly key: Buffer,
    private readonly bareSalt: string,
  ) {}

  static async withNewPassphrase(): Promise<Encryption> {
    const [passphrase, salt] = [randomBytes(32).toString("base64url"), randomBytes(saltBytes)];
    const key = await promisify(pbkdf2)(passphrase, salt, rounds, keyBytes, "sha256");
    return new Encryption(passphrase, key, salt.toString("base64"));
  }

  /** The salt in the format of settings and state, with a text by which the engine recognizes a wrong passphrase. */
  get salt(): string {
    return `v1:${this.bareSalt}:${this.encrypt("pulumi")}`;
  }

  encrypt(text: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv("aes-256-gcm", this.key, nonce);
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return `v1:${nonce.toString("base64")}:${sealed.toString("base64")}`;
  }
}
