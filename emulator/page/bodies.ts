import { count } from "../../common/text";
import type { LoggedBody } from "../requests";
import { withoutSecrets } from "../secrets";

/** Maximum number of characters of a body that the page shows. */
const shownCharacters = 20_000;
const hidden = "(hidden)";

/**
 * Returns a body in readable form: indented JSON, or one form field per line. The function hides secret members and content that is not
 * text.
 */
export function readable({ mediaType, size, content }: LoggedBody): string {
  if (content === undefined) return `(${count(size)} bytes: too large to keep)`;
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
    // Invalid JSON may contain a password, so the page hides the body.
    return `(${text.length} characters that are not valid JSON)`;
  }
}

function formOf(text: string): string {
  const members = Object.fromEntries(new URLSearchParams(text));
  const shown = Object.entries(Object(withoutSecrets(members, () => hidden)));
  return shown.map(([name, value]) => `${name}=${String(value)}`).join("\n");
}
