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
 * Parses the answer of a success, leniently: unknown members stay, `null` is absent.
 *
 * @throws ProtocolError naming the JSON path
 */
export function parseAnswer(operation: Operation, place: Place, contentType: string, text: string): unknown {
  if (!operation.response) return undefined;
  const fail = (reason: string, jsonPath?: string): ProtocolError =>
    new ProtocolError(place, reason, !operation.repeatable, jsonPath);
  if (!isJson(contentType)) throw fail(`its content type is ${contentType || "not given"}, not JSON`);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // Without its cause: that quotes the body, which may hold a token.
    throw fail("the body is not JSON, or was cut off");
  }
  const parsed = operation.response.safeParse(withoutNulls(body));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw fail(issue?.message ?? "it does not fit", pathText(issue?.path ?? []) || "the body");
}

/** Reads the body of an error answer, whatever its shape; nothing where it has none that we know. */
export function parseErrorBody(contentType: string, text: string): ErrorBody | undefined {
  if (!isJson(contentType)) return undefined;
  try {
    const parsed = errorBody.safeParse(withoutNulls(JSON.parse(text)));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Bodies are read by their suffix json, with or without a charset (shared/api/README.md, Shared behaviour). */
function isJson(contentType: string): boolean {
  return /^[^;]*[/+]json\s*(;|$)/i.test(contentType);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNulls);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([key, member]) => [key, withoutNulls(member)]),
  );
}
