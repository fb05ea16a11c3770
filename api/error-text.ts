import type { ErrorBody } from "./generated/common";

/** The service's description of an error, without its fixed sentences. */
export interface Explanation {
  /** Description of the error; empty if the service gives none. */
  text: string;
  /** One line for each field that the service names. */
  fields: string[];
}

/** Fixed sentences before or in place of a reason (docs/service/errors.md, Recorded 400s). */
const fixedSentences = [
  "There were some errors in your request, please correct them before trying again.",
  "Request validation failed. There are invalid or missing fields",
  "Request validation failed",
  "Resource not found",
  "Resource already exists",
  "Please ensure you are using the correct authentication token, and you have the correct role",
];
const fixed = new RegExp(`(${fixedSentences.map((sentence) => sentence.replaceAll(".", "\\.")).join("|")})\\.?`, "gi");
/** Matches the status in words: `400 Bad Request`, `404 NOT_FOUND`, or only `Bad Request`. */
const statusLine = /^\s*([1-5]\d\d [A-Z][A-Z_ ]*|Bad Request|Not found)\s*$/gim;
/**
 * Matches one complaint: `Error in field url.url : URL is empty.` It ends before the next such sentence or at the end of the
 * text.
 */
const complaint = /Error in field ([\w.[\]-]+) : (.*?)(?=\s*Error in field |$)/s;
const complaints = new RegExp(complaint, "gs");
/** Matches a line or sentence that begins with the name of a field: `filters: must not be empty`. */
const named = /^\s*([a-z][\w.[\]]*): (\S.*)$/;

/** Matches a sentence about values that are not in an enumeration: `Invalid value for fields: protocol`. */
const invalidValues = /^Invalid value for fields: ([\w., ]+)$/;

/** The service's own names of request members (docs/service/errors.md, Recorded 400s). */
const internalNames: Readonly<Record<string, string>> = { agentSet: "agents", command: "requestType" };

/**
 * Reads any of the known error shapes (docs/service/errors.md, Shapes and Recorded 400s): the reason is in the title after a fixed
 * sentence, in the detail, in a list of errors, or nowhere.
 */
export function explain(body: ErrorBody | undefined, redact: (text: string) => string): Explanation {
  if (!body) return { text: "", fields: [] };
  // Secrets are removed before the text is cut, because half of a secret would not be recognized.
  const clean = (text: string | undefined): string => (text ? redact(text) : "");
  const listed = (body.errors ?? []).map((e) =>
    typeof e === "string" ? clean(e) : [e.field, e.message].map(clean).filter(Boolean).join(" ") || clean(e.code),
  );
  const whole = [clean(body.detail), clean(body.title)];
  const [detail = "", title = ""] = whole.map(reasonIn);
  const others = clean([body.error_description, body.errorMessage, body.error].find(Boolean));
  // If there is also a detail, the title is only a summary, unless it contains sentences about fields.
  const reasons = detail !== "" && !complaint.test(title) ? [detail] : [title, detail];
  const heads = reasons.filter((text) => text !== "");
  const said = heads.length > 0 ? heads : [...whole, others].filter(Boolean).slice(0, 1);
  const parts = said.map(fieldsIn);
  const fields = [...new Set([...parts.flatMap((part) => part.fields), ...listed])].filter((field) => field !== "");
  return { text: [...parts.map(({ rest }) => rest), ...fields].filter(Boolean).join("; "), fields };
}

/** Returns the sent members if the service describes an error without naming a field, such as `matchType` or `match type`. */
export function unexplained({ text, fields }: Explanation, sent: readonly string[]): readonly string[] {
  if (fields.length > 0) return [];
  const words = ` ${text.replace(/\W+/g, " ")} `;
  const inWords = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter}`);
  const isNamed = sent.some(
    (name) => words.includes(` ${name} `) || words.toLowerCase().includes(` ${inWords(name)} `.toLowerCase()),
  );
  return isNamed ? [] : sent;
}

/** Removes fixed sentences and the status in words, which add no information. */
function reasonIn(text: string): string {
  return text.replace(fixed, "").replace(statusLine, "").trim();
}

/** Separates the sentences about fields from the rest of a text. */
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

/** Returns the interface's name for a member that the service names: `url` for `url.url`, `agents` for `agentSet`. */
function nameOf(name: string): string {
  const [first = ""] = name.split(".");
  return internalNames[first] ?? first;
}

function trimmed(text: string): string {
  return text.trim().replace(/\.+$/, "");
}

/**
 * Returns the closest word: the one with the fewest letters added, omitted, changed or swapped with the next letter. A word is
 * close if it has at most one such mistake for every three letters. Returns undefined if no word is close.
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

/** Returns ` (did you mean X?)` if a word is close; otherwise an empty text. */
export function suggestion(text: string, words: readonly string[]): string {
  const word = nearest(text, words);
  return word === undefined ? "" : ` (did you mean ${word}?)`;
}

/** Computes each row from the two previous rows, since a swap needs the values from two letters before. */
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
