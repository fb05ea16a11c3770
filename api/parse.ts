import { ProtocolError, RequestError, type RequestTarget, type AnswerTarget, UnconfirmedError } from "./errors";
import { errorBody, type ErrorBody, type Operation } from "./schemas";
import { parseTolerantly } from "./tolerance";

/** Returns a JSON path as a string, such as `filters[0].key`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
}

/**
 * Validates a request body and refuses undocumented members.
 *
 * @throws RequestError with one line for each invalid member
 */
export function checkBody(operation: Operation, target: RequestTarget, body: unknown): unknown {
  if (!operation.body) return undefined;
  const parsed = operation.body.safeParse(body);
  if (!parsed.success) {
    throw new RequestError(
      target,
      parsed.error.issues.map((issue) => `${pathText(issue.path) || "body"}: ${issue.message}`),
    );
  }
  const unknown = unknownMembers(body, parsed.data, []);
  if (unknown.length > 0)
    throw new RequestError(
      target,
      unknown.map((path) => `${path}: no such member`),
    );
  return parsed.data;
}

function unknownMembers(body: unknown, parsed: unknown, path: readonly PropertyKey[]): string[] {
  if (Array.isArray(body) && Array.isArray(parsed)) {
    return body.flatMap((item, index) => unknownMembers(item, parsed[index], [...path, index]));
  }
  if (!isObject(body) || !isObject(parsed)) return [];
  return Object.entries(body).flatMap(([key, value]) => {
    if (value === undefined) return [];
    return Object.hasOwn(parsed, key) ? unknownMembers(value, parsed[key], [...path, key]) : [pathText([...path, key])];
  });
}

/** The data of a successful response, and the paths of unreadable members that the client dropped. */
export interface ParsedAnswer {
  data: unknown;
  dropped: readonly string[];
}

/**
 * Parses a successful response. `parseAnswer` keeps unknown members, treats `null` as absent, and drops unreadable members that
 * no resource depends on. An operation without a response body accepts any 2xx response except an HTML page. A deletion
 * succeeds only with the documented status.
 *
 * @throws ProtocolError with the JSON path of the mismatch; UnconfirmedError if the operation writes
 */
export function parseAnswer(operation: Operation, target: AnswerTarget, answer: Answered): ParsedAnswer {
  const { status, contentType, text, location, damage } = answer;
  const fail = (reason: string, jsonPath?: string, hasNoContent = text.trim() === ""): ProtocolError =>
    operation.writes
      ? new UnconfirmedError(target, reason, !operation.repeatable, { status, id: idIn(location, target), jsonPath })
      : new ProtocolError(target, reason, !operation.repeatable, jsonPath, hasNoContent);
  if (!operation.response) {
    if (isPage(contentType)) throw fail("it is a web page, so another server than the service answered");
    if (status === 303) throw fail("it is a redirect to a result, not the result");
    // A deletion with an undocumented 2xx status may be incomplete, or a gateway may have answered the request.
    if (target.method === "DELETE" && status !== operation.status)
      throw fail(`its status is ${status}, but the service answers a deletion with ${operation.status}`);
    return { data: undefined, dropped: [] };
  }
  if (damage !== undefined) throw fail(damage);
  if (!isJson(contentType)) throw fail(`its content type is ${contentType || "not given"}, not JSON`);
  let body: unknown;
  try {
    body = parseJson(text);
  } catch {
    // The ProtocolError has no cause, because the parser's message quotes the body, which may contain a token.
    throw fail("the body is not JSON, or was cut off");
  }
  if (isDeeperThan(body, maxDepth)) throw fail(`it is nested deeper than ${maxDepth} levels`);
  const parsed = parseTolerantly(operation, operation.response, mayNeedCleaning.test(text) ? readable(body) : body);
  if ("data" in parsed) return parsed;
  const { message, path } = parsed.issue;
  const isMissing = path.length <= 1 && (path.reduce<unknown>(memberOf, body) ?? undefined) === undefined;
  throw fail(message, pathText(path) || "the body", isMissing);
}

function memberOf(value: unknown, name: PropertyKey): unknown {
  return isObject(value) ? (value as Record<PropertyKey, unknown>)[name] : undefined;
}

export interface Answered {
  status: number;
  contentType: string;
  text: string;
  location?: string;
  /** The reason why the body could not be decoded, as a clause for error messages. */
  damage?: string;
}

/** Returns the id in a Location header: the last segment of a path below the request's path. */
function idIn(location: string | undefined, { path }: RequestTarget): string | undefined {
  const pathname = location === undefined ? undefined : URL.parse(location, "https://location.invalid")?.pathname;
  const [, last = ""] = pathname?.split(`${path}/`) ?? [];
  try {
    return last === "" || last.includes("/") ? undefined : decodeURIComponent(last);
  } catch {
    return undefined;
  }
}

export function parseErrorBody({ contentType, text }: Answered): ErrorBody | undefined {
  if (!isJson(contentType)) return undefined;
  try {
    const body: unknown = JSON.parse(text);
    if (isDeeperThan(body, maxDepth)) return undefined;
    const parsed = errorBody.safeParse(readable(body));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Maximum nesting depth of a response, in levels. The service's responses have fewer than ten levels. The limit protects recursive
 * functions from a stack overflow.
 */
const maxDepth = 100;

/** Whether a value is nested more than `levels` deep. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  // Without an early return, a deeply nested value could cause a stack overflow.
  if (levels < 0) return true;
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) {
    for (const member of value) if (isDeeperThan(member, levels - 1)) return true;
    return false;
  }
  // `Object.values` would be too slow, because this loop visits every object in every response.
  for (const key in value) if (isDeeperThan((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}

/** Matches JSON numbers with at least 16 digits, which JavaScript may not represent exactly. */
const longNumber = /[:[,\s]-?\d{16}/;

/** Parses JSON. An integer that JavaScript cannot represent exactly becomes a string, so that ids keep all digits. */
function parseJson(text: string): unknown {
  if (!longNumber.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    const inexact = typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
    return inexact && /^-?\d+$/.test(context?.source ?? "") ? context?.source : value;
  });
}

/** Whether a content type means JSON: the media type ends with `json` (docs/service/requests.md, Media types). */
function isJson(contentType: string): boolean {
  return /^[^;]*[/+]json\s*(;|$)/i.test(contentType);
}

function isPage(contentType: string): boolean {
  return /^\s*(text\/html|application\/xhtml)/i.test(contentType);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Matches every JSON text that `readable` may have to change: a text with `null` or an escaped surrogate. In JSON text from
 * decoded UTF-8, unpaired surrogates are always escaped.
 */
const mayNeedCleaning = /null|\\ud[89a-f]/i;

/**
 * Removes nulls from a body and replaces unpaired surrogates with U+FFFD. Pulumi cannot encode unpaired surrogates. The function changes
 * the body in place, because copying a large list takes longer than parsing it.
 */
export function readable(value: unknown): unknown {
  if (typeof value === "string") return value.isWellFormed() ? value : value.toWellFormed();
  if (Array.isArray(value)) {
    const items = value.includes(null) ? value.filter((item) => item !== null) : value;
    for (const [at, item] of items.entries()) if (isWorkFor(item)) items[at] = readable(item);
    return items;
  }
  if (!isObject(value)) return value;
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member === null) delete value[key];
    else if (isWorkFor(member)) value[key] = readable(member);
  }
  return value;
}

function isWorkFor(value: unknown): boolean {
  return typeof value === "object" || (typeof value === "string" && !value.isWellFormed());
}
