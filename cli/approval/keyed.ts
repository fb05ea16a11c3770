import { createHmac, randomBytes } from "node:crypto";
import { isObject, stable } from "../../provider/values";
import { openSecrets, sealSecret } from "../engine/stack-secrets";
import type { ProjectStack } from "../engine/stack";
import { UsageError } from "../command";

/** How a secret stands in an approval: `{ "$secret": "<keyed digest>" }`. */
const digestMember = "$secret";

export function isSecretDigest(value: unknown): boolean {
  return isObject(value) && typeof value[digestMember] === "string";
}

/** Setting of the stack with a key of its own, a secret: then digests of approvals can be determined without their files. */
export const keySetting = "approval:key";

/** Characters of a key in the setting: one that could be guessed would protect nothing. */
const minKeyLength = 32;

/**
 * The digests of secrets in approvals: HMAC-SHA256 with a key that only those have who can open the secrets of the stack. So a
 * reader of an approval cannot try out words.
 */
export class KeyedDigests {
  private constructor(
    private readonly key: string,
    /** The key, encrypted with the key of the stack; absent where a setting of the stack has it. */
    readonly sealed: string | undefined,
  ) {}

  /**
   * The key of a stack's approvals: that of an approval that there is, else the one in the stack's settings, else a new one.
   *
   * @throws UsageError where it cannot be opened
   */
  static async of(stack: ProjectStack, sealed: string | undefined): Promise<KeyedDigests> {
    if (sealed !== undefined) {
      const [key = ""] = await openSecrets(stack, [sealed]);
      return new KeyedDigests(key, sealed);
    }
    const configured = (await stack.wholeConfiguration())[keySetting]?.value;
    if (configured !== undefined) {
      if (configured.length >= minKeyLength) return new KeyedDigests(configured, undefined);
      throw new UsageError(
        `The setting ${keySetting} of stack ${stack.name} is too short to be a key: at least ${minKeyLength} characters, such as those of \`openssl rand -hex 32\``,
        "work",
      );
    }
    const key = randomBytes(32).toString("hex");
    return new KeyedDigests(key, await sealSecret(stack, key));
  }

  /** The digest of a value. Equal secrets in different places have different ones. @param place where the value stands */
  of(place: string, value: unknown): object {
    return {
      [digestMember]: createHmac("sha256", this.key)
        .update(stable([place, value]))
        .digest("hex"),
    };
  }
}
