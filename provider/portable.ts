import { listOf } from "./compare";
import type { Kind } from "./kind";
import { isSame } from "./shape";
import type { Properties } from "./values";

/**
 * gRPC carries an error in headers, and Node sends none of more than 64 KiB: what is longer would be lost with the state of a record that
 * exists. Texts are there twice, percent-encoded and in base64, as the state is.
 */
const [maxTextBytes, maxStateBytes] = [4_000, 20_000];

/** Returns a text, or its beginning if it is longer than an error can carry. */
export function portableText(text: string, maxBytes = maxTextBytes): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  return `${new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true })}… (${bytes.length} bytes)`;
}

/** The same for several texts. */
export function portableTexts(texts: readonly string[]): string[] {
  return texts.map((text) => portableText(text, Math.floor(maxTextBytes / texts.length)));
}

/**
 * Returns a state without its longest properties, if it is longer than an error can carry. One that is as declared is named in
 * `unknownFields`, so that the next update records it without a request; any other is sent by the next update.
 */
export function portableState(kind: Kind, state: Properties, inputs: Properties): Properties {
  const kept = { ...state };
  const unknownFields = listOf(state["unknownFields"]);
  const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "");
  const longestFirst = Object.keys(state).toSorted((a, b) => sizeOf(state[b]) - sizeOf(state[a]));
  for (const property of longestFirst) {
    if (sizeOf(kept) <= maxStateBytes) break;
    if (property in kind.schema.shape && isSame(kind, property, state[property], inputs[property]))
      unknownFields.push(property);
    delete kept[property];
  }
  return unknownFields.length > 0 ? { ...kept, unknownFields } : kept;
}
