import { isObject } from "../../provider/values";

/** Text that is put into the source as it is, such as the name of a variable, in place of a value. */
export class Expression {
  /** @param comment what a reader is told of it, in a comment behind it, where it stands in a list */
  constructor(
    readonly text: string,
    readonly comment?: string,
  ) {}
}

/** How a literal is written. */
export interface Layout {
  /** Quote of strings; a string that holds it and not the other one gets the other one. */
  quote: Quote;
  /** Whether it is JSON, whose keys are in quotes. */
  json?: boolean;
  /** Where the literal may take several lines: how, and when. */
  lines?: {
    eol: string;
    /** Indentation of the line that it begins on. */
    base: string;
    /** One step of indentation. */
    indent: string;
    /** Longest line. */
    width: number;
    /** Characters that are there before it on its line. */
    column: number;
  };
}

export type Quote = '"' | "'" | "`";

/** A value as TypeScript source: an object literal with its keys bare where they may be, strings as JSON unless told otherwise. */
export function literal(value: unknown, layout?: Layout): string {
  const line = inLine(value, layout);
  if (!layout?.lines || layout.lines.column + line.length <= layout.lines.width) return line;
  const { lines } = layout;
  const { eol, base, indent } = lines;
  const inner = (column: number): Layout => ({
    ...layout,
    lines: { ...lines, base: base + indent, column: base.length + indent.length + column },
  });
  const listed = (items: readonly string[]): string => items.map((item) => `${base}${indent}${item},${eol}`).join("");
  if (Array.isArray(value)) return `[${eol}${listed(value.map((item) => literal(item, inner(0))))}${base}]`;
  if (!isObject(value) || value instanceof Expression) return line;
  const members = membersOf(value).map(([key, member]) => {
    const name = `${keyOf(key, layout)}: `;
    return `${name}${literal(member, inner(name.length))}`;
  });
  return `{${eol}${listed(members)}${base}}`;
}

/** A key of an object literal. */
export function keyText(key: string, quote?: Quote): string {
  if (key === "__proto__") return '["__proto__"]';
  if (/^[A-Za-z_$][\w$]*$/.test(key)) return key;
  // A template is no key.
  return quoted(key, quote === "`" ? undefined : quote);
}

function keyOf(key: string, layout?: Layout): string {
  return layout?.json ? quoted(key) : keyText(key, layout?.quote);
}

function inLine(value: unknown, layout?: Layout): string {
  if (value instanceof Expression) return value.text;
  if (Array.isArray(value)) {
    const items = value.map((item) => inLine(item, layout));
    const comments = value.map((item) =>
      item instanceof Expression && item.comment !== undefined ? ` // ${item.comment}` : "",
    );
    if (comments.every((comment) => comment === "")) return `[${items.join(", ")}]`;
    // A comment ends with its line.
    return `[\n${items.map((item, i) => `${item},${comments[i]}\n`).join("")}]`;
  }
  if (!isObject(value))
    return typeof value === "string" ? quoted(value, layout?.quote) : (JSON.stringify(value) ?? "undefined");
  const members = membersOf(value).map(([key, member]) => `${keyOf(key, layout)}: ${inLine(member, layout)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function membersOf(value: Record<string, unknown>): [string, unknown][] {
  return Object.entries(value).filter(([, member]) => member !== undefined);
}

/**
 * JSON text in the quotes that are wanted. Escaped are the separators that editors take for the end of a line, and what turns the
 * direction of writing or is not seen: a text from elsewhere must read as what it is.
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
