import type { ErrorBody } from "./generated/common";

/** The service's description of an error, without boilerplate sentences. */
export interface Explanation {
  text: string;
  fields: string[];
}

/** Boilerplate sentences that the service adds to errors (docs/service/errors.md, Recorded 400s). */
const fixedSentences = [
  "There were some errors in your request, please correct them before trying again.",
  "Request validation failed. There are invalid or missing fields",
  "Request validation failed",
  "Resource not found",
  "Resource already exists",
  "Please ensure you are using the correct authentication token, and you have the correct role",
];
const fixed = new RegExp(`(${fixedSentences.map((sentence) => sentence.replaceAll(".", "\\.")).join("|")})\\.?`, "gi");
/** Matches a line that contains only an HTTP status: `400 Bad Request`, `404 NOT_FOUND` or `Bad Request`. */
const statusLine = /^\s*([1-5]\d\d [A-Z][A-Z_ ]*|Bad Request|Not found)\s*$/gim;
/** Matches an error about one field, up to the next error about a field: `Error in field url.url : URL is empty.` */
const complaint = /Error in field ([\w.[\]-]+) : (.*?)(?=\s*Error in field |$)/s;
const complaints = new RegExp(complaint, "gs");
/** Matches a line that begins with the name of a field: `filters: must not be empty`. */
const named = /^\s*([a-z][\w.[\]]*): (\S.*)$/;

/** Matches an error about values outside an enumeration: `Invalid value for fields: protocol`. */
const invalidValues = /^Invalid value for fields: ([\w., ]+)$/;

/** Maps member names in the service's errors to the documented names (docs/service/errors.md, Recorded 400s). */
const internalNames: Readonly<Record<string, string>> = { agentSet: "agents", command: "requestType" };

/** Extracts the description from an error body of any known shape (docs/service/errors.md, Shapes and Recorded 400s). */
export function explain(body: ErrorBody | undefined, redact: (text: string) => string): Explanation {
  if (!body) return { text: "", fields: [] };
  // Secrets are removed before the text is shortened, because a shortened secret would not be recognized.
  const clean = (text: string | undefined): string => (text ? redact(text) : "");
  const listed = (body.errors ?? []).map((e) =>
    typeof e === "string" ? clean(e) : [e.field, e.message].map(clean).filter(Boolean).join(" ") || clean(e.code),
  );
  const whole = [clean(body.detail), clean(body.title)];
  const [detail = "", title = ""] = whole.map(reasonIn);
  const others = clean([body.error_description, body.errorMessage, body.error].find(Boolean));
  // If an error has a detail, the title only summarizes the detail, unless the title describes invalid fields.
  const reasons = detail !== "" && !complaint.test(title) ? [detail] : [title, detail];
  const heads = reasons.filter((text) => text !== "");
  const messages = heads.length > 0 ? heads : [...whole, others].filter(Boolean).slice(0, 1);
  const parts = messages.map(fieldsIn);
  const fields = [...new Set([...parts.flatMap((part) => part.fields), ...listed])].filter((field) => field !== "");
  return { text: [...parts.map(({ rest }) => rest), ...fields].filter(Boolean).join("; "), fields };
}

/**
 * Returns the names of all members in the request body, or an empty list if the service's description names any of these
 * members.
 */
export function unexplained({ text, fields }: Explanation, sent: readonly string[]): readonly string[] {
  if (fields.length > 0) return [];
  const words = ` ${text.replace(/\W+/g, " ")} `;
  const inWords = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter}`);
  const isNamed = sent.some(
    (name) => words.includes(` ${name} `) || words.toLowerCase().includes(` ${inWords(name)} `.toLowerCase()),
  );
  return isNamed ? [] : sent;
}

function reasonIn(text: string): string {
  return text.replace(fixed, "").replace(statusLine, "").trim();
}

function fieldsIn(text: string): { rest: string; fields: string[] } {
  const fields: string[] = [];
  const withoutComplaints = text.replace(complaints, (_, name: string, reason: string) => {
    fields.push(`${nameOf(name)}: ${trimmed(reason)}`);
    return "";
  });
  const rest = withoutComplaints.split(/[\r\n]+/).filter((line) => {
    const names = invalidValues.exec(line)?.[1]?.split(", ") ?? [];
    for (const name of names) fields.push(`${nameOf(name)}: invalid value`);
    if (names.length > 0) return false;
    const [, name, reason] = named.exec(line) ?? [];
    if (name === undefined || reason === undefined) return line.trim() !== "";
    fields.push(`${nameOf(name)}: ${trimmed(reason)}`);
    return false;
  });
  return { rest: trimmed(rest.map(trimmed).join("; ")), fields };
}

/** Converts a member name in an error to the documented name: `url` for `url.url`, `agents` for `agentSet`. */
function nameOf(name: string): string {
  const [first = ""] = name.split(".");
  return internalNames[first] ?? first;
}

function trimmed(text: string): string {
  return text.trim().replace(/\.+$/, "");
}

/**
 * Returns the word that is most similar to a string; undefined if no word is similar. A similar word has at most one mistake for every
 * three letters. A typing mistake is an added, omitted, changed or swapped letter.
 */
export function nearest(text: string, words: readonly string[]): string | undefined {
  const max = Math.max(1, Math.floor(text.length / 3));
  const [best] = words
    .filter((word) => Math.abs(word.length - text.length) <= max)
    .map((word) => ({ word, distance: editDistance(text.toLowerCase(), word.toLowerCase()) }))
    .filter(({ distance }) => distance <= max)
    .toSorted((a, b) => a.distance - b.distance);
  return best?.word;
}

/** Returns ` (did you mean X?)` if a word is similar to the string; otherwise an empty string. */
export function suggestion(text: string, words: readonly string[]): string {
  const word = nearest(text, words);
  return word === undefined ? "" : ` (did you mean ${word}?)`;
}

/** Returns the number of typing mistakes between two words. A swap of two letters counts as one mistake. */
function editDistance(from: string, to: string): number {
  let [twoAbove, above]: number[][] = [[], Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (row: readonly number[] | undefined, column: number): number => row?.[column] ?? Infinity;
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwap = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const changed = at(above, j - 1) + (isSame ? 0 : 1);
      const swapped = isSwap ? at(twoAbove, j - 2) + 1 : Infinity;
      row.push(Math.min(changed, swapped, at(above, j) + 1, at(row, j - 1) + 1));
    }
    [twoAbove, above] = [above, row];
  }
  return at(above, to.length);
}
