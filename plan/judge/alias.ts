import { errorText, maxSpan, ours, phrase, type Phrase, word } from "../../common/phrase";
import { typesOfUrn } from "../../sdk/token";
import type { Step } from "../model";

/**
 * Returns the alias that keeps the record of a renamed or moved resource.
 *
 * If the old parent is a component, the alias is the old URN as a string literal, because an expression cannot compute a component's URN.
 *
 * @param formerName TypeScript expression for the old name, if a loop declares the resource
 */
export function aliasOf(from: Pick<Step, "urn" | "name">, to: Pick<Step, "urn" | "name">, formerName?: string): string {
  const [before, after] = [typesOfUrn(from.urn), typesOfUrn(to.urn)];
  if (before !== after && before.includes("$")) return JSON.stringify(from.urn);
  const name = from.name === to.name ? [] : [`name: ${formerName ?? JSON.stringify(from.name)}`];
  const parent = before === after ? [] : ["parent: pulumi.rootStackResource"];
  return `{ ${[...name, ...parent].join(", ")} }`;
}

/** Returns advice such as `add aliases: [{ name: "old" }] to the resource options at index.ts:12`. */
export function aliasFix(alias: string, place?: string): Phrase {
  const code = `aliases: [${alias}]`;
  const shown = code.length > maxSpan ? errorText(code) : word(code);
  return phrase`add ${shown} to the resource options${ours(place === undefined ? "" : ` at ${place}`)}`;
}
