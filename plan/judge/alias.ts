import { errorText, maxSpan, ours, phrase, type Phrase, word } from "../../common/phrase";
import { typesOfUrn } from "../../sdk/token";
import type { Step } from "../model";

/**
 * Returns the alias that keeps a record. The former name is text, or an expression of the program for the resources of a loop. A resource
 * that had another parent needs its old URN, which no expression has.
 */
export function aliasOf(from: Pick<Step, "urn" | "name">, to: Pick<Step, "urn" | "name">, formerName?: string): string {
  const [before, after] = [typesOfUrn(from.urn), typesOfUrn(to.urn)];
  if (before !== after && before.includes("$")) return JSON.stringify(from.urn);
  const name = from.name === to.name ? [] : [`name: ${formerName ?? JSON.stringify(from.name)}`];
  const parent = before === after ? [] : ["parent: pulumi.rootStackResource"];
  return `{ ${[...name, ...parent].join(", ")} }`;
}

/** `add aliases: [{ name: "old" }] to the resource options at index.ts:12` */
export function aliasFix(alias: string, place?: string): Phrase {
  const code = `aliases: [${alias}]`;
  const shown = code.length > maxSpan ? errorText(code) : word(code);
  return phrase`add ${shown} to the resource options${ours(place === undefined ? "" : ` at ${place}`)}`;
}
