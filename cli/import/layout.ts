import { quoted } from "../edit/literal";
import type { Style } from "../edit/style";

/** Longest line, in characters. */
const width = 80;

/** What stands between two brackets; whatever else is text. */
interface Group {
  readonly open: string;
  readonly close: string;
  readonly items: readonly Item[];
  /** Whether each item gets a line, whatever their length. */
  readonly isBroken: boolean;
}

interface Item {
  readonly parts: readonly Part[];
  /** A comment behind it, which ends its line. */
  readonly comment: string | undefined;
}

type Part = string | Group;

/** A string, a comment, a bracket, a comma, a line end, spaces, or a piece of anything else. */
const tokenPattern = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|[()[\]{},]|\n|[^\S\n]+|[^"/()[\]{},\s]+|\//gu;

const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/**
 * Lays out statements as they are generated here: two spaces a step or what the style has, an item a line where a line would get
 * too long or a brace is followed by a line end, with a comma after each. It is no formatter of programs: of them it knows strings in
 * double quotes, line comments, brackets and commas.
 */
export function layOut(text: string, style: Style): string {
  const tokens = text.match(tokenPattern) ?? [];
  let at = 0;

  const group = (open: string): Group => {
    const close = closing[open] ?? "";
    const items: { parts: Part[]; comment: string | undefined }[] = [];
    let [parts, isBroken]: [Part[], boolean] = [[], open === "{" && tokens[at] === "\n"];
    const end = (): void => {
      if (parts.length > 0) items.push({ parts: trimmed(parts), comment: undefined });
      parts = [];
    };
    for (; at < tokens.length && tokens[at] !== close;) {
      const token = tokens[at++] ?? "";
      if (token === ",") end();
      else if (token.startsWith("//")) {
        isBroken = true;
        if (parts.some((part) => part !== " ")) end();
        const last = items.at(-1);
        if (last) last.comment = token;
      } else if (token in closing) parts.push(group(token));
      else if (token.trim() !== "") parts.push(requoted(token, style));
      else if (parts.length > 0) parts.push(" ");
    }
    end();
    at += 1;
    return { open, close, items, isBroken: isBroken || isList(open, items) };
  };

  const lines: string[] = [];
  while (at < tokens.length) {
    const parts: Part[] = [];
    for (; at < tokens.length && tokens[at] !== "\n";) {
      const token = tokens[at++] ?? "";
      parts.push(token in closing ? group(token) : requoted(token, style));
    }
    at += 1;
    const line = printed(parts, "", 0, style);
    lines.push(style.semicolon === "" && !line.startsWith("//") ? line.replace(/;$/, "") : line);
  }
  return `${lines.join("\n").trim()}\n`.replaceAll("\n", style.eol);
}

function requoted(token: string, { quote }: Style): string {
  // What is generated are strings of JSON.
  return token.startsWith('"') ? quoted(JSON.parse(token) as string, quote) : token;
}

function trimmed(parts: readonly Part[]): Part[] {
  return parts.at(-1) === " " ? parts.slice(0, -1) : [...parts];
}

/** Several objects of several members, which read as a table does: one below the other. */
function isList(open: string, items: readonly Item[]): boolean {
  const isObject = ({ parts: [only, ...others] }: Item): boolean =>
    typeof only === "object" && others.length === 0 && only.open === "{" && only.items.length > 1;
  return open === "[" && items.length > 1 && items.every(isObject);
}

/** @param after characters that follow on the same line */
function printed(parts: readonly Part[], base: string, after: number, style: Style): string {
  let text = "";
  parts.forEach((part, i) => {
    if (typeof part === "string") {
      text += part;
      return;
    }
    const flat = flatOf(part);
    const rest = parts
      .slice(i + 1)
      .map((one) => (typeof one === "string" ? one : (flatOf(one) ?? one.open)))
      .join("");
    const column = base.length + text.length - (text.lastIndexOf("\n") + 1);
    const fits = flat !== undefined && column + flat.length + rest.length + after <= width;
    text += fits ? flat : broken(part, base, style);
  });
  return text;
}

function broken({ open, close, items }: Group, base: string, style: Style): string {
  const inner = base + style.indent;
  const lines = items.map(({ parts, comment }) => {
    return `${inner}${printed(parts, inner, 1, style)},${comment === undefined ? "" : ` ${comment}`}`;
  });
  return [open, ...lines, `${base}${close}`].join("\n");
}

/** A group in one line; nothing where it needs several. */
function flatOf({ open, close, items, isBroken }: Group): string | undefined {
  if (isBroken) return undefined;
  const texts = items.map(({ parts }) => parts.map((part) => (typeof part === "string" ? part : flatOf(part))));
  if (texts.some((parts) => parts.includes(undefined))) return undefined;
  const inside = texts.map((parts) => parts.join("")).join(", ");
  return open === "{" && inside !== "" ? `{ ${inside} }` : `${open}${inside}${close}`;
}
