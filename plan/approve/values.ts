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

/** Setting of the stack with a key of its own, a secret: then digests of approvals can be determined without their files. */
const keySetting = "approval:key";
/** Characters of a key in the setting: one that could be guessed would protect nothing. */
const minKeyLength = 32;

/** The key of the digests of secrets, which only those have who can open the secrets of the stack: so readers cannot try out words. */
interface DigestKey {
  key: string;
  /** The key, encrypted with the key of the stack; absent where a setting of the stack has it. */
  sealed?: string;
}

/** A secret stands in an approval as `{ "$secret": "<keyed digest>" }`. */
const digestMember = "$secret";

export function isSecretDigest(value: unknown): boolean {
  return isObject(value) && typeof value[digestMember] === "string";
}

export interface Held {
  urn: string;
  id?: string | undefined;
}

/**
 * The values of a preview as an approval has them. A preview masks secrets: the state and the plan have them, which are opened at the
 * first secret. They stay in memory.
 */
export class ApprovalValues {
  #key: Promise<DigestKey> | undefined;
  #diffs: Promise<ReadonlyMap<string, InputDiff>> | undefined;

  /** @param sealed key of the approval with which these values are compared */
  constructor(
    private readonly source: OwnOperation,
    private readonly sealed: string | undefined,
  ) {}

  /** Returns the key of the digests, encrypted; nothing where there was no secret, or where a setting has it. */
  async key(): Promise<string | undefined> {
    return (await this.#key)?.sealed;
  }

  /** Returns properties of the state. @param side where the state has them: outputs of what is ours, inputs of all others */
  before(
    resource: Held,
    side: "inputs" | "outputs",
    properties: Properties,
    secrets: ReadonlySet<string>,
  ): Promise<Properties> {
    return this.#shown(resource.urn, properties, secrets, () => Promise.resolve(this.#stored(resource, side)));
  }

  /** Returns properties that the program declares. @param resource what the state has, to which the plan only holds differences */
  after(
    resource: Held,
    properties: Properties,
    secrets: ReadonlySet<string>,
    unknown: readonly UnknownValue[] = [],
  ): Promise<Properties> {
    return this.#shown(resource.urn, marked(properties, unknown), secrets, async () => {
      this.#diffs ??= openedDiffs(this.source);
      const { added, deleted } = (await this.#diffs).get(resource.urn) ?? { added: {}, deleted: [] };
      const kept = Object.entries(this.#stored(resource, "inputs")).filter(([name]) => !deleted.includes(name));
      // A secret may be known only during the update, too.
      return marked({ ...Object.fromEntries(kept), ...added }, unknown);
    });
  }

  /** Returns properties of a live record: the service masks nothing. */
  live(urn: string, properties: Properties, secrets: ReadonlySet<string>): Promise<Properties> {
    return this.#shown(urn, properties, secrets, () => Promise.resolve(properties));
  }

  #stored({ urn, id }: Held, side: "inputs" | "outputs"): Properties {
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
      // Nothing of a secret is shown that is known only in part.
      else if (someDeep(plain, (part) => markOf(part) !== undefined)) shown.push([name, { [unknownMember]: [] }]);
      else if (plain === undefined || holdsMask(plain)) {
        throw new UsageError(`The secret ${name} of ${urn} cannot be opened, so nothing could be approved of it`, "work");
      } else shown.push([name, await this.#digest(`${urn} ${name}`, plain)]);
    }
    return Object.fromEntries(shown);
  }

  /** The digest of a secret. Equal secrets in different places have different ones. @param place where the secret stands */
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
  // Replacing values leaves a list of differences what it is.
  return new Map(replaceDeep(diffs, open) as typeof diffs);
}

function cipherOf(secret: Properties): string {
  return stringOf(secret["ciphertext"]) ?? "";
}

/**
 * The key of a stack's approvals: that of an existing approval, else the one in the stack's settings, else a new one.
 *
 * @throws UsageError where it cannot be opened
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
    `The setting ${keySetting} of stack ${stack.name} is too short to be a key: at least ${minKeyLength} characters, such as those of \`openssl rand -hex 32\``,
    "work",
  );
}
