import { isObject } from "../provider/values";

/** Source text that is not quoted, such as the name of a variable. */
export class Expression {
  /** @param comment text of a comment that follows the expression in a list */
  constructor(
    readonly text: string,
    readonly comment?: string,
  ) {}
}

export interface Layout {
  /** Preferred quotation mark for strings. A string that contains the preferred mark may have different quotation marks. */
  quote: Quote;
  /** Whether to write JSON, with quotes around keys. */
  json?: boolean;
}

export type Quote = '"' | "'" | "`";

/** Returns a value as a literal in one line. Without a layout, keys have no quotes, and strings have double quotes. */
export function literal(value: unknown, layout?: Layout): string {
  if (value instanceof Expression) return value.text;
  if (Array.isArray(value)) {
    const items = value.map((item) => literal(item, layout));
    const comments = value.map((item) =>
      item instanceof Expression && item.comment !== undefined ? ` // ${item.comment}` : "",
    );
    if (comments.every((comment) => comment === "")) return `[${items.join(", ")}]`;
    // A comment continues to the end of its line, so a line break must follow.
    return `[\n${items.map((item, i) => `${item},${comments[i]}\n`).join("")}]`;
  }
  if (!isObject(value))
    return typeof value === "string" ? quoted(value, layout?.quote) : (JSON.stringify(value) ?? "undefined");
  const members = Object.entries(value).flatMap(([key, member]) => {
    return member === undefined
      ? []
      : [`${layout?.json ? quoted(key) : keyText(key, layout?.quote)}: ${literal(member, layout)}`];
  });
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

export function keyText(key: string, quote?: Quote): string {
  if (key === "__proto__") return '["__proto__"]';
  if (/^[A-Za-z_$][\w$]*$/.test(key)) return key;
  // A template literal cannot be a key.
  return quoted(key, quote === "`" ? undefined : quote);
}

/**
 * Returns text as a string literal with the requested quotation marks.
 *
 * The function escapes invisible characters, because other people may have written the strings in a record. Invisible characters may end a
 * line, or reverse the text in an editor.
 */
export function quoted(text: string, wanted?: Quote): string {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\u0080-\u009f\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, (character) => {
      return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
    });
  const other = wanted === "'" ? '"' : "'";
  const isBetter = wanted !== undefined && wanted !== "`" && text.includes(wanted) && !text.includes(other);
  const quote = isBetter ? other : wanted;
  if (quote === undefined || quote === '"') return `"${escaped}"`;
  const bare = escaped.replaceAll('\\"', '"');
  if (quote === "'") return `'${bare.replaceAll("'", "\\'")}'`;
  return `\`${bare.replaceAll("`", "\\`").replaceAll("${", "\\${")}\``;
}
