import { ProtocolError, RequestError, type Place } from "./errors";
import { errorBody, type ErrorBody, type Operation } from "./schemas";

/** A JSON path as people write it: `filters[0].key`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
}

/**
 * Checks a request body member by member and refuses members the interface does not have.
 *
 * @throws RequestError with a line for each wrong member
 */
export function checkBody(operation: Operation, place: Place, body: unknown): unknown {
  if (!operation.body) return undefined;
  const parsed = operation.body.safeParse(body);
  if (!parsed.success) {
    throw new RequestError(
      place,
      parsed.error.issues.map((issue) => `${pathText(issue.path) || "body"}: ${issue.message}`),
    );
  }
  const unknown = unknownMembers(body, parsed.data, []);
  if (unknown.length > 0)
    throw new RequestError(
      place,
      unknown.map((path) => `${path}: no such member`),
    );
  return parsed.data;
}

/** Members of `given` that parsing dropped: the schemas strip what they do not know. */
function unknownMembers(given: unknown, parsed: unknown, path: readonly PropertyKey[]): string[] {
  if (Array.isArray(given) && Array.isArray(parsed)) {
    return given.flatMap((item, index) => unknownMembers(item, parsed[index], [...path, index]));
  }
  if (!isObject(given) || !isObject(parsed)) return [];
  return Object.entries(given).flatMap(([key, value]) => {
    if (value === undefined) return [];
    return Object.hasOwn(parsed, key) ? unknownMembers(value, parsed[key], [...path, key]) : [pathText([...path, key])];
  });
}

/**
 * Parses the answer of a success, leniently: unknown members stay, `null` is absent. Where success has no body its status is all
 * there is to know it by, so it must be the documented one.
 *
 * @throws ProtocolError naming the JSON path
 */
export function parseAnswer(operation: Operation, place: Place, answer: Answered): unknown {
  const { status, contentType, text } = answer;
  const fail = (reason: string, jsonPath?: string): ProtocolError =>
    new ProtocolError(place, reason, !operation.repeatable, jsonPath);
  if (!operation.response) {
    if (status === operation.status) return undefined;
    throw fail(
      `its status is ${status}, and the service answers ${operation.status}, so something else than the service answered`,
    );
  }
  if (!isJson(contentType)) throw fail(`its content type is ${contentType || "not given"}, not JSON`);
  let body: unknown;
  try {
    body = parseJson(text);
  } catch {
    // Without its cause: that quotes the body, which may hold a token.
    throw fail("the body is not JSON, or was cut off");
  }
  if (isDeeperThan(body, deepest)) throw fail(`it is nested deeper than ${deepest} levels`);
  const parsed = operation.response.safeParse(readable(body));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw fail(issue?.message ?? "it does not fit", pathText(issue?.path ?? []) || "the body");
}

/** An answer as far as its body is read by it. */
export interface Answered {
  status: number;
  contentType: string;
  text: string;
}

/** Reads the body of an error answer, whatever its shape; nothing where it has none that we know. */
export function parseErrorBody({ contentType, text }: Answered): ErrorBody | undefined {
  if (!isJson(contentType)) return undefined;
  try {
    const body: unknown = JSON.parse(text);
    if (isDeeperThan(body, deepest)) return undefined;
    const parsed = errorBody.safeParse(readable(body));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether a 404 says that a record does not exist. The service says so with an error in JSON (recorded for labels); a path that it
 * does not know it answers without a body (reported), and whatever stands between answers a page
 * (shared/api/README.md, Errors, Seen on the wire).
 */
export function saysNotFound(body: ErrorBody | undefined): boolean {
  if (!body) return false;
  const { title, detail, error, errorMessage, errors = [] } = body;
  return [title, detail, error, errorMessage].some(Boolean) || errors.length > 0;
}

/** Levels of the deepest answer that is read. Those of the service have fewer than ten; what goes through them calls itself. */
const deepest = 100;

/** Whether a value is nested deeper than so many levels. It does not call itself: any depth may come. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let inner: unknown[] = [value];
  for (let level = 0; inner.length > 0; level += 1) {
    if (level > levels) return true;
    inner = inner.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return false;
}

/** A JSON number of so many digits may be more than JavaScript holds exactly. */
const longNumber = /[:[,\s]-?\d{16}/;

/** Parses JSON. A whole number that JavaScript cannot hold exactly becomes its text: identifiers keep all digits. */
function parseJson(text: string): unknown {
  if (!longNumber.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    const inexact = typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
    return inexact && /^-?\d+$/.test(context?.source ?? "") ? context?.source : value;
  });
}

/** Bodies are read by their suffix json, with or without a charset (shared/api/README.md, Shared behaviour). */
function isJson(contentType: string): boolean {
  return /^[^;]*[/+]json\s*(;|$)/i.test(contentType);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A body as callers can pass it on: without nulls, and with text that is Unicode. JSON may escape half of a surrogate pair, which no
 * encoding has, and so neither Pulumi's protocol nor its state: what cannot be decoded stands as U+FFFD, as bytes that cannot do.
 */
function readable(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(readable);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([key, member]) => [key, readable(member)]),
  );
}
