import { createHmac, randomBytes } from "node:crypto";
import { markOf, unknownMember } from "../../provider/approved";
import { isObject, type Properties, stable, stringOf } from "../../provider/values";
import type { InputDiff } from "../../engine/preview-output";
import { isSecret, opened, replaceDeep, someDeep } from "../../engine/state";
import type { ProjectStack } from "../../engine/stack";
import { openSecrets, sealSecret } from "../../engine/stack-secrets";
import { parseJson } from "../../common/files";
import { holdsMask } from "../step-changes";
import type { OwnOperation } from "../read";
import { marked, type UnknownValue } from "../unknown";
import { UsageError } from "../../common/errors";

/**
 * Name of the secret stack setting that contains the key for digests. CI jobs that have the key can compute digests without approval files.
 */
const keySetting = "approval:key";
/** Minimum length of the key in the stack settings, in characters. An attacker could guess a shorter key. */
const minKeyLength = 32;

/** Key for the digests of secrets. A user without the key cannot check a guessed secret against its digest. */
interface DigestKey {
  key: string;
  /** The digest key, encrypted with the stack's encryption key. An approval does not contain a key from the stack settings. */
  sealed?: string;
}

/** Member of the object that replaces a secret in an approval: `{ "$secret": "<keyed digest>" }`. */
const digestMember = "$secret";

export function isSecretDigest(value: unknown): boolean {
  return isObject(value) && typeof value[digestMember] === "string";
}

export interface StateReference {
  urn: string;
  id?: string | undefined;
}

/**
 * Converts values from a preview to the format of an approval file.
 *
 * A preview masks secrets, so the values of secrets come from the state and the engine's plan. The first use of a secret decrypts all
 * secrets, which then stay in memory.
 */
export class ApprovalValues {
  #key: Promise<DigestKey> | undefined;
  #diffs: Promise<ReadonlyMap<string, InputDiff>> | undefined;

  /** @param sealed encrypted key of an existing approval. With the same key, equal secrets have equal digests */
  constructor(
    private readonly source: OwnOperation,
    private readonly sealed: string | undefined,
  ) {}

  /** Returns the encrypted digest key, or undefined if the change has no secrets or if a stack setting contains the key. */
  async key(): Promise<string | undefined> {
    return (await this.#key)?.sealed;
  }

  /** @param side `outputs` for resources of this package, and `inputs` for resources of other providers */
  before(
    resource: StateReference,
    side: "inputs" | "outputs",
    properties: Properties,
    secrets: ReadonlySet<string>,
  ): Promise<Properties> {
    return this.#shown(resource.urn, properties, secrets, () => Promise.resolve(this.#stored(resource, side)));
  }

  /** @param resource the resource in the state, because the engine's plan contains only differences from the state */
  after(
    resource: StateReference,
    properties: Properties,
    secrets: ReadonlySet<string>,
    unknown: readonly UnknownValue[] = [],
  ): Promise<Properties> {
    return this.#shown(resource.urn, marked(properties, unknown), secrets, async () => {
      this.#diffs ??= openedDiffs(this.source);
      const { added, deleted } = (await this.#diffs).get(resource.urn) ?? { added: {}, deleted: [] };
      const kept = Object.entries(this.#stored(resource, "inputs")).filter(([name]) => !deleted.includes(name));
      // The value of a secret may also be unknown until the update.
      return marked({ ...Object.fromEntries(kept), ...added }, unknown);
    });
  }

  /** Returns the properties of a record in the service. The service never masks values. */
  live(urn: string, properties: Properties, secrets: ReadonlySet<string>): Promise<Properties> {
    return this.#shown(urn, properties, secrets, () => Promise.resolve(properties));
  }

  #stored({ urn, id }: StateReference, side: "inputs" | "outputs"): Properties {
    const all = this.source.heldState.resources.filter((engineResource) => engineResource.urn === urn);
    const resource =
      all.find((engineResource) => engineResource.id === id) ?? all.find((engineResource) => engineResource.delete !== true);
    return opened(resource?.[side] ?? {}) as Properties;
  }

  async #shown(
    urn: string,
    properties: Properties,
    secrets: ReadonlySet<string>,
    open: () => Promise<Properties>,
  ): Promise<Properties> {
    const shown: [string, unknown][] = [];
    for (const [name, value] of Object.entries(properties)) {
      if (value === undefined || value === null) continue;
      const masked = holdsMask(value);
      const plain = masked ? (await open())[name] : value;
      if (!masked && !secrets.has(name)) shown.push([name, value]);
      // If parts of a secret are unknown, the approval hides the whole value, because its known parts are also secret.
      else if (someDeep(plain, (part) => markOf(part) !== undefined)) shown.push([name, { [unknownMember]: [] }]);
      else if (plain === undefined || holdsMask(plain)) {
        throw new UsageError(`The secret ${name} of ${urn} cannot be decrypted, so this change cannot be approved`, "work");
      } else shown.push([name, await this.#digest(`${urn} ${name}`, plain)]);
    }
    return Object.fromEntries(shown);
  }

  /**
   * Equal secrets in different properties have different digests, because each digest covers the URN and the property name.
   *
   * @param place URN and property name
   */
  async #digest(place: string, secret: unknown): Promise<object> {
    this.#key ??= keyOf(this.source.stack, this.sealed);
    const { key } = await this.#key;
    const digest = createHmac("sha256", key).update(stable([place, secret]));
    return { [digestMember]: digest.digest("hex") };
  }
}

async function openedDiffs({ stack, operation }: OwnOperation): Promise<ReadonlyMap<string, InputDiff>> {
  const diffs = [...(operation.inputDiffs ?? [])];
  const ciphertexts: string[] = [];
  replaceDeep(diffs, (part) => {
    if (isSecret(part)) ciphertexts.push(cipherOf(part));
    return undefined;
  });
  const texts = await openSecrets(stack, ciphertexts);
  const plain = new Map(ciphertexts.map((ciphertext, at) => [ciphertext, texts[at] ?? ""]));
  const open = (part: unknown): [unknown] | undefined =>
    isSecret(part) ? [parseJson(plain.get(cipherOf(part)) ?? "")] : undefined;
  return new Map(replaceDeep(diffs, open) as typeof diffs);
}

function cipherOf(secret: Properties): string {
  return stringOf(secret["ciphertext"]) ?? "";
}

/**
 * Returns the key of an existing approval, the key in the stack's settings, or a new key.
 *
 * @throws UsageError if the key cannot be decrypted
 */
async function keyOf(stack: ProjectStack, sealed: string | undefined): Promise<DigestKey> {
  if (sealed !== undefined) {
    const [key = ""] = await openSecrets(stack, [sealed]);
    return { key, sealed };
  }
  const configured = (await stack.wholeConfiguration())[keySetting]?.value;
  if (configured === undefined) {
    const key = randomBytes(32).toString("hex");
    return { key, sealed: await sealSecret(stack, key) };
  }
  if (configured.length >= minKeyLength) return { key: configured };
  throw new UsageError(
    `The setting ${keySetting} of stack ${stack.name} is too short to be a key. A key requires at least ${minKeyLength} characters. Run \`openssl rand -hex 32\` to create a suitable key`,
    "work",
  );
}
