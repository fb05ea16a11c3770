import { markOf } from "../../provider/approved";
import { registry } from "../../provider/registry";
import { typeOfUrn } from "../../sdk/token";
import { kindNameOf, nameOfUrn } from "../../engine/state";
import { ours, phrase, type Phrase, word } from "../../common/phrase";
import { compareText } from "../../common/text";
import { outcomeWords, type ResourceOutcome } from "../judge/review";
import type { HarmlessRule } from "./rules";
import { isSecretDigest } from "../approve/values";
import { valueText } from "../changes";

export type DifferenceKind = "new" | "gone" | "differs" | "record" | "reach" | "finding" | "setting" | "version" | "digest";

/**
 * The differences between an approval and the current change. `apply` refuses a difference unless a rule in `rules.ts` declares it
 * harmless.
 */
export class Comparison {
  readonly differences: { what: DifferenceKind; urn?: string; text: Phrase }[] = [];
  readonly passed: { rule: HarmlessRule; urn?: string; text: Phrase }[] = [];

  refuse(what: DifferenceKind, urn: string | undefined, text: Phrase): void {
    this.differences.push({ what, ...(urn !== undefined && { urn }), text });
  }

  pass(rule: HarmlessRule, urn: string | undefined, text: Phrase): void {
    this.passed.push({ rule, ...(urn !== undefined && { urn }), text });
  }
}

export function sideBySide<T>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (item: T) => string,
): [key: string, before: T | undefined, after: T | undefined][] {
  const [was, is] = [before, after].map((items) => new Map(items.map((item) => [keyOf(item), item])));
  const keys = new Set([...before, ...after].map(keyOf));
  return [...keys].toSorted(compareText).map((key) => [key, was?.get(key), is?.get(key)]);
}

export function without(all: readonly string[], some: readonly string[]): string[] {
  const left = new Set(some);
  return all.filter((item) => !left.has(item));
}

const maxValue = 60;

export function shown(value: unknown): Phrase {
  if (value === undefined) return ours("none");
  if (isSecretDigest(value)) return ours("a secret");
  const mark = markOf(value);
  if (mark)
    return "id" in mark ? phrase`the new id of ${nameOfUrn(mark.id)}` : ours("a value that is known only during the update");
  return [word(value === "" ? '""' : valueText(value, maxValue))];
}

/** Returns the type and the name of a resource, such as `HTTP server test "portal"`. */
export function subject(urn: string): Phrase {
  const type = typeOfUrn(urn);
  const kindName = kindNameOf(type);
  if (!urn.startsWith("urn:")) return phrase`test ${word(urn)}`;
  return phrase`${ours(kindName === undefined ? type : registry[kindName].noun)} ${nameOfUrn(urn)}`;
}

/** Returns an operation as a past participle, such as `deleted`. Operations on resources of other providers keep the engine's names. */
export function outcome(op: string): string {
  return op in outcomeWords ? outcomeWords[op as ResourceOutcome] : op;
}
