import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Operation } from "../api/schemas";
import { fieldErrors, Problem, type ProblemStyle } from "./problem";
import { inOurWords } from "./wording";

/** Maximum size of a body in bytes. The service documents no limit, and all known bodies are smaller than a megabyte. */
export const maxBodyBytes = 1024 * 1024;
/** Number of bytes after which the emulator stops reading a body. */
const maxDrainedBytes = 64 * maxBodyBytes;
const maxDepth = 32;

export interface RawRequest {
  readonly method: string;
  /** Path and query as sent, without the host of an absolute request target. */
  readonly target: string;
  readonly pathname: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer | "too large";
  /** Scheme and authority (host and port) that the client used. */
  readonly origin: string;
  readonly fromLoopback: boolean;
}

/**
 * Reads a request. If the body is too large, the function reads and discards it, so that the client receives the response.
 *
 * @throws Problem 400 if the request's host is invalid
 */
export async function readRequest(request: IncomingMessage, fallbackOrigin: string): Promise<RawRequest> {
  const { authority, target } = targetOf(request);
  const [pathname = "/", ...search] = target.split("?");
  const chunks: Buffer[] = [];
  let size = 0;
  // Without an encoding, the stream yields Buffers, but IncomingMessage declares its chunks as any.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBodyBytes) chunks.push(chunk);
    else if (size > maxDrainedBytes) {
      request.destroy();
      throw new Error(`The request body has more than ${maxDrainedBytes} bytes`);
    }
  }
  return {
    method: request.method ?? "GET",
    target,
    pathname,
    query: new URLSearchParams(search.join("?")),
    headers: request.headers,
    body: size > maxBodyBytes ? "too large" : Buffer.concat(chunks),
    origin: authority === undefined || authority === "" ? fallbackOrigin : originOf(authority),
    fromLoopback: /^(::1|(::ffff:)?127\.)/.test(request.socket.remoteAddress ?? ""),
  };
}

/** A host in the request target overrides the Host header (RFC 9112, section 3.2.2). */
function targetOf({ url = "/", headers }: IncomingMessage): { authority?: string; target: string } {
  const [, authority, rest = ""] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (authority === undefined) return { authority: headers.host, target: url };
  return { authority, target: rest.startsWith("/") ? rest : `/${rest}` };
}

function originOf(authority: string): string {
  const wellFormed = /^(\[[\da-f:.]+\]|[^\s:[\]/?#@\\]+)(:\d*)?$/i.test(authority);
  if (wellFormed && URL.canParse(`http://${authority}`)) return `http://${authority}`;
  throw new Problem(400, "The request's host is neither a name nor an address, with or without a port.");
}

/**
 * Checks the query against the operation's schema. The function ignores unknown parameters, because the service ignored them in recorded
 * requests.
 */
export function parseQuery(operation: Operation, query: URLSearchParams, style: ProblemStyle): Record<string, unknown> {
  const sent = Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const values = query.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
  const parsed = operation.query.safeParse(sent, inOurWords);
  if (parsed.success) return parsed.data;
  throw style.invalid("query", fieldErrors(parsed.error, sent));
}

/**
 * Reads the body of a request according to its media type.
 *
 * @param fromText function that reads a body that is neither JSON nor a form
 */
export function readBody(operation: Operation, request: RawRequest, fromText?: (text: string) => object): unknown {
  if (!operation.body) return undefined;
  if (request.body.length === 0 && operation.body.safeParse(undefined).success) return undefined;
  const mediaType = mediaTypeOf(request);
  if (fromText && operation.bodyTypes.some((accepted) => accepted === mediaType && accepted.startsWith("text/"))) {
    return fromText(readText(request, operation.bodyTypes));
  }
  return operation.bodyType === "application/json" ? readJson(request, operation.bodyTypes) : readForm(request);
}

/**
 * Checks a body against the operation's schema. The function drops unknown members, because the service ignored them in recorded requests.
 */
export function parseBody(operation: Operation, sent: unknown, style: ProblemStyle): unknown {
  if (!operation.body) return undefined;
  const parsed = operation.body.safeParse(sent, inOurWords);
  if (parsed.success) return parsed.data;
  throw style.invalid("body", fieldErrors(parsed.error, sent));
}

/** Reads a JSON object of limited size and depth. Messages do not quote the body, because it may contain a password. */
export function readJson(request: RawRequest, mediaTypes: readonly string[] = ["application/json"]): object {
  const text = readText(request, mediaTypes);
  if (depth(text) > maxDepth) throw new Problem(400, `Request body is nested deeper than ${maxDepth} levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem(400, "Request body is not valid JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Problem(400, "Request body must be a JSON object");
  }
  return value;
}

function readForm(request: RawRequest): object {
  const form = new URLSearchParams(readText(request, ["application/x-www-form-urlencoded"]));
  const repeated = [...form.keys()].find((name) => form.getAll(name).length > 1);
  if (repeated !== undefined) throw new Problem(400, `Parameter ${repeated} appears more than once`);
  return Object.fromEntries(form);
}

function mediaTypeOf({ headers }: RawRequest): string | undefined {
  return headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
}

function readText(request: RawRequest, mediaTypes: readonly string[]): string {
  const { body, headers } = request;
  if (body === "too large") throw new Problem(413, `Request body is larger than ${maxBodyBytes} bytes`);
  // According to users' reports about a related API area, the service responds to a compressed body with status 400.
  if ((headers["content-encoding"] ?? "identity") !== "identity")
    throw new Problem(400, "Compressed request bodies are not supported");
  if (body.length === 0) throw new Problem(400, "Required request body is missing");
  const mediaType = mediaTypeOf(request);
  if (mediaType === undefined || !mediaTypes.includes(mediaType)) {
    throw new Problem(415, `Content type must be ${mediaTypes.join(" or ")}`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw new Problem(400, "Request body is not UTF-8");
  }
}

/** Returns the depth of nested brackets. The emulator refuses text that is nested too deeply before it parses the text. */
function depth(text: string): number {
  let deepest = 0;
  let level = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (inString && char === "\\") at += 1;
    else if (char === '"') inString = !inString;
    else if (inString) continue;
    else if (char === "[" || char === "{") deepest = Math.max(deepest, (level += 1));
    else if (char === "]" || char === "}") level -= 1;
  }
  return deepest;
}
