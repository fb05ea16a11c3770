import { count } from "../../common/text";
import type { LoggedBody } from "../requests";
import { withoutSecrets } from "../secrets";

/** Characters of a body that are shown. */
const shownCharacters = 20_000;
const hidden = "(hidden)";

/** A body for people: JSON laid out, forms by line; secret members hidden, and what cannot be read is not shown. */
export function readable({ mediaType, size, content }: LoggedBody): string {
  if (content === undefined) return `(${count(size)} bytes: too large to be kept)`;
  const text = content.toString();
  const type = mediaType.split(";")[0]?.trim().toLowerCase() ?? "";
  const laidOut = type === "application/x-www-form-urlencoded" ? formOf(text) : type.endsWith("json") ? jsonOf(text) : text;
  return laidOut.length <= shownCharacters ? laidOut : `${laidOut.slice(0, shownCharacters)}\n… (${laidOut.length} characters)`;
}

function jsonOf(text: string): string {
  try {
    return JSON.stringify(
      withoutSecrets(JSON.parse(text), () => hidden),
      undefined,
      2,
    );
  } catch {
    // A password may be anywhere in it.
    return `(${text.length} characters that are not valid JSON)`;
  }
}

function formOf(text: string): string {
  const members = Object.fromEntries(new URLSearchParams(text));
  const shown = Object.entries(Object(withoutSecrets(members, () => hidden)));
  return shown.map(([name, value]) => `${name}=${String(value)}`).join("\n");
}
