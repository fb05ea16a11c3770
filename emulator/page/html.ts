/** Escaped markup. Only the function `html` creates markup, so all other text in a page is escaped. */
export class Html {
  constructor(private readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

/**
 * The values that a template accepts. For `undefined`, `null` and booleans, the result is an empty string. For a list, the result contains
 * its items in order.
 */
export type Content = Html | string | number | boolean | undefined | null | readonly Content[];

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes text for an element or a quoted attribute. Invisible characters that could reverse the text direction become visible codes. */
export function escape(text: string): string {
  return text
    .replaceAll(/[&<>"']/g, (char) => escapes[char] ?? char)
    .replaceAll(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}

/**
 * Builds markup. The function escapes all values except `Html` values. Attributes in a template must be quoted.
 *
 * @example html`<a href="${path}">${name}</a>`
 */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(strings.map((text, at) => text + (at < values.length ? render(values[at]) : "")).join(""));
}

function render(value: Content): string {
  if (value === undefined || value === null || typeof value === "boolean") return "";
  if (value instanceof Html) return value.toString();
  if (typeof value === "object") return value.map(render).join("");
  return escape(String(value));
}
