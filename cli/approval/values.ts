import { markOf, unknownMember } from "../../provider/approved";
import { type Properties, stringOf } from "../../provider/values";
import { parseJson } from "../files";
import type { InputDiff } from "../engine/preview-output";
import { type EngineResource, isSecret, opened, replaceDeep, secretMask, someDeep } from "../engine/state";
import { openSecrets } from "../engine/stack-secrets";
import type { OwnOperation } from "../operation/source";
import { UsageError } from "../command";
import { marked, type UnknownValue } from "../operation/unknown";
import { KeyedDigests } from "./keyed";

/** Opened inputs and outputs of the resources that change. */
interface OpenedStep {
  before: EngineResource | undefined;
  diff: InputDiff;
}

/**
 * The values of a preview as an approval has them. A preview masks secrets: what they are, the state and the plan have, which are
 * opened at the first secret alone. They stay in memory.
 */
export class ApprovalValues {
  #digests: Promise<KeyedDigests> | undefined;
  #steps: Promise<(urn: string, id: string | undefined) => OpenedStep> | undefined;

  /** @param sealed key of the approval that there is */
  constructor(
    private readonly source: OwnOperation,
    private readonly sealed: string | undefined,
  ) {}

  /** The key of the digests, encrypted; nothing where there was no secret, or where a setting has it. */
  async key(): Promise<string | undefined> {
    return (await this.#digests)?.sealed;
  }

  /** Properties that the state has. @param side where the state has them: outputs of what is ours, inputs of all others */
  async before(
    urn: string,
    id: string | undefined,
    side: "inputs" | "outputs",
    given: Properties,
    secrets: ReadonlySet<string>,
  ) {
    return this.#shown(urn, given, secrets, async () => (await this.#opened(urn, id)).before?.[side]);
  }

  /** Properties that the program declares. @param dependencies resources that each is made from, by URN */
  async after(
    urn: string,
    id: string | undefined,
    given: Properties,
    secrets: ReadonlySet<string>,
    unknown: readonly UnknownValue[] = [],
  ): Promise<Properties> {
    return this.#shown(urn, marked(given, unknown), secrets, async () => {
      const { before, diff } = await this.#opened(urn, id);
      const kept = Object.entries(before?.inputs ?? {}).filter(([name]) => !diff.deleted.includes(name));
      // A secret may be known only during the update, too.
      return marked({ ...Object.fromEntries(kept), ...diff.added }, unknown);
    });
  }

  /** Properties of a live record: the service masks nothing. */
  live(urn: string, given: Properties, secrets: ReadonlySet<string>): Promise<Properties> {
    return this.#shown(urn, given, secrets, () => Promise.resolve(given));
  }

  async #shown(
    urn: string,
    given: Properties,
    secrets: ReadonlySet<string>,
    open: () => Promise<Properties | undefined>,
  ): Promise<Properties> {
    const shown: [string, unknown][] = [];
    for (const [name, value] of Object.entries(given)) {
      if (value === undefined || value === null) continue;
      if (!secrets.has(name) && !someDeep(value, (part) => part === secretMask)) {
        shown.push([name, value]);
        continue;
      }
      const plain = someDeep(value, (part) => part === secretMask) ? (await open())?.[name] : value;
      // Nothing of a secret is shown that is known only in part.
      if (someDeep(plain, (part) => markOf(part) !== undefined)) {
        shown.push([name, { [unknownMember]: [] }]);
        continue;
      }
      if (plain === undefined || someDeep(plain, (part) => part === secretMask)) {
        throw new UsageError(`The secret ${name} of ${urn} cannot be opened, so nothing could be approved of it`, "work");
      }
      this.#digests ??= KeyedDigests.of(this.source.stack, this.sealed);
      shown.push([name, (await this.#digests).of(`${urn} ${name}`, plain)]);
    }
    return Object.fromEntries(shown);
  }

  async #opened(urn: string, id: string | undefined): Promise<OpenedStep> {
    return (await (this.#steps ??= this.#open()))(urn, id);
  }

  async #open(): Promise<(urn: string, id: string | undefined) => OpenedStep> {
    const { stack, held, operation } = this.source;
    const resources = Map.groupBy(held.resources, ({ urn }) => urn);
    const diffs = operation.inputDiffs ?? new Map<string, InputDiff>();
    const ciphertexts: string[] = [];
    for (const { added } of diffs.values()) {
      replaceDeep(added, (part) => {
        if (isSecret(part)) ciphertexts.push(cipherOf(part));
        return undefined;
      });
    }
    const texts = await openSecrets(stack, ciphertexts);
    const plain = new Map(ciphertexts.map((ciphertext, at) => [ciphertext, texts[at] ?? ""]));
    const open = (value: Properties): Properties =>
      // Replacing values leaves an object what it is.
      replaceDeep(value, (part) => (isSecret(part) ? [parseJson(plain.get(cipherOf(part)) ?? "")] : undefined)) as Properties;
    return (one, id) => {
      const all = resources.get(one) ?? [];
      const before = all.find((resource) => resource.id === id) ?? all.find((resource) => resource.delete !== true);
      const { added = {}, deleted = [] } = diffs.get(one) ?? {};
      return {
        before: before && {
          ...before,
          inputs: opened(before.inputs ?? {}) as Properties,
          outputs: opened(before.outputs ?? {}) as Properties,
        },
        diff: { added: open(added), deleted },
      };
    };
  }
}

function cipherOf(secret: Properties): string {
  return stringOf(secret["ciphertext"]) ?? "";
}
