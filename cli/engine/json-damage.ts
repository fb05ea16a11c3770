/** Where a text stops being JSON. Lines and columns count from 1. */
export interface JsonDamage {
  line: number;
  column: number;
  /** Whether all of it up to its end is JSON: the rest is missing. */
  cutOff: boolean;
}

/** A string without its last quote: what the end of a text may hold of one. */
const openString = String.raw`"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*`;
const literal = String.raw`(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])`;
const token = new RegExp(String.raw`\s*(?:(?<mark>[{}[\],:])|(?<text>${openString}")|${literal})`, "y");
/** What a text ends with that goes on in a string, a number or a word, or between two of them. */
const openEnd = new RegExp(String.raw`^(?:${openString}(?:\\(?:u[\da-fA-F]{0,3})?)?|[\w.+-]*)$`);

type Expected = "value" | "first item" | "key" | "first key" | "colon" | "end of value";

/** Finds where a text that `JSON.parse` refuses stops being JSON: its error does not always have the place. */
export function jsonDamage(given: string): JsonDamage {
  // A cut-off text may still end with a line break.
  const text = given.trimEnd();
  const open: string[] = [];
  let expected: Expected | undefined = "value";
  let at = 0;
  while (expected !== undefined) {
    token.lastIndex = at;
    const found = token.exec(text);
    if (!found) break;
    const { mark, text: string } = found.groups ?? {};
    expected = after(expected, mark ?? (string === undefined ? "literal" : "string"), open);
    if (expected !== undefined) at = token.lastIndex;
  }
  const rest = text.slice(at).trimStart();
  const place = text.length - rest.length;
  const before = text.slice(0, place).split("\n");
  const cutOff = expected !== undefined && openEnd.test(rest);
  return { line: before.length, column: (before.at(-1) ?? "").length + 1, cutOff };
}

/** What may follow a token; nothing where it may not stand here. @param open brackets that are open, which it changes */
function after(expected: Expected, found: string, open: string[]): Expected | undefined {
  switch (expected) {
    case "colon":
      return found === ":" ? "value" : undefined;
    case "end of value":
      if (found === "," && open.length > 0) return open.at(-1) === "{" ? "key" : "value";
      return closes(found, open);
    case "key":
    case "first key":
      if (found === "string") return "colon";
      return expected === "first key" && found === "}" ? closes(found, open) : undefined;
    default:
      if (found === "string" || found === "literal") return "end of value";
      if (found === "{" || found === "[") {
        open.push(found);
        return found === "{" ? "first key" : "first item";
      }
      return expected === "first item" && found === "]" ? closes(found, open) : undefined;
  }
}

function closes(found: string, open: string[]): Expected | undefined {
  if (found !== (open.at(-1) === "{" ? "}" : open.at(-1) === "[" ? "]" : undefined)) return undefined;
  open.pop();
  return "end of value";
}
