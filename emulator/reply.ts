import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { PreparedFault } from "./faults";
import { Problem, type ProblemStyle } from "./problem";

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Body and content type, if the response has a body. */
  readonly body?: {
    readonly mediaType: string;
    readonly text: string;
    readonly bytes?: Uint8Array;
    /** True if the emulator sends the body in chunks, without a content length. */
    readonly chunked?: true;
  };
}

/**
 * Returns the media type of a successful response according to the Accept header (docs/service/requests.md, Media types).
 *
 * @throws Problem 406
 */
export function chooseMediaType(accept: string | undefined): string {
  const ranges = (accept ?? "*/*").split(",").map(rangeOf);
  const qualities = new Map(ranges.map(({ mediaType, quality }) => [mediaType, quality]));
  const wildcard = qualities.get("application/*") ?? qualities.get("*/*") ?? 0;
  const named = (mediaType: string) => qualities.get(mediaType) ?? 0;
  // A media type that the Accept header names takes precedence over a wildcard. If the header names `application/json` and
  // `application/hal+json`, the type with the higher quality value takes precedence.
  const [hal, plain] = [named("application/hal+json"), named("application/json")];
  if (hal > 0 && hal >= plain) return "application/hal+json";
  if (plain > 0) return "application/json";
  if (wildcard > 0 && !qualities.has("application/hal+json")) return "application/hal+json";
  if (wildcard > 0 && !qualities.has("application/json")) return "application/json";
  // The error text comes from users' reports about a related API area, for requests with only `problem+json` in the Accept header.
  throw new Problem(406, "The service can only answer with application/hal+json or application/json");
}

/** Parses one media range of an Accept header. An invalid quality value counts as 1. */
function rangeOf(item: string): { mediaType: string; quality: number } {
  const [mediaType = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return { mediaType, quality: quality >= 0 && quality <= 1 ? quality : 1 };
}

export function json(status: number, mediaType: string, body: object, headers: Record<string, string> = {}): Reply {
  return { status, headers, body: { mediaType, text: JSON.stringify(body) } };
}

export function problemReply(problem: Problem, style: ProblemStyle, path: string): Reply {
  const { oauth, headers } = problem.more;
  const body = oauth === undefined ? style.body(problem, path) : { error: oauth, error_description: problem.detail };
  return json(problem.status, style.mediaType ?? "application/problem+json", body, headers);
}

export function faultReply({ status, body, headers }: PreparedFault, style: ProblemStyle, path: string): Reply {
  if (body === null || status === 204) return { status, headers };
  const problem = problemReply(new Problem(status, "Requested with x-emulator-fault."), style, path);
  if (body === undefined) return { ...problem, headers };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { status, headers, body: { mediaType: headers["content-type"] ?? "application/problem+json", text } };
}

export async function send(response: ServerResponse, reply: Reply, fault: PreparedFault | undefined, end: AbortSignal) {
  const bytes = Buffer.from(reply.body?.bytes ?? reply.body?.text ?? "");
  const mediaType = fault?.kind === "content-type" ? "text/html" : reply.body?.mediaType;
  response.writeHead(reply.status, {
    ...reply.headers,
    ...(mediaType !== undefined && reply.body && { "content-type": mediaType }),
    ...(reply.body && !reply.body.chunked && { "content-length": bytes.length }),
  });
  if (fault?.kind === "truncate") {
    const half = bytes.subarray(0, Math.floor(bytes.length / 2));
    response.write(half, () => response.destroy());
  } else if (fault?.kind === "trickle") {
    for (let at = 0; at < bytes.length && !response.destroyed; at += 16) {
      response.write(bytes.subarray(at, at + 16));
      await delay(fault.ms ?? 10, undefined, { signal: end }).catch(() => response.destroy());
    }
    response.end();
  } else if (reply.body?.chunked) {
    response.write(bytes.subarray(0, 1));
    response.end(bytes.subarray(1));
  } else {
    // Node.js sends the head together with a text body in one write, but needs a second write for a binary body.
    response.end(reply.body?.bytes ?? reply.body?.text);
  }
}
