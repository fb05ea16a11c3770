import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { Interceptor } from "../../../emulator/interceptor";
import type { Reply } from "../../../emulator/reply";
import type { RawRequest } from "../../../emulator/request";
import type { Effect, PendingRequest, Json, PendingResponse } from "./variation";
import { variations } from "./index";
import { Omissions } from "./omissions";

/** Default time of a variation with a time. */
const defaultTimeMs = 3_000;
const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000 };
const encoders = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };

/**
 * Creates the effect of a variation by its name, with a time if it takes one: `gzip`, `lag=3s`.
 *
 * @throws Error for another name
 */
function effectOf(text: string): Effect {
  const [name, time] = text.split("=");
  const variation = variations.find((candidate) => candidate.name === name);
  if (!variation) throw new Error(`there is no variation "${name}"`);
  if (time !== undefined && !variation.takesTime) throw new Error(`${name} takes no time`);
  if (time === undefined) return variation.effect(defaultTimeMs);
  const [, digits, unit = ""] = /^(\d{1,6})(ms|s)$/.exec(time) ?? [];
  if (digits === undefined) throw new Error(`"${time}" of ${name} is no time, such as 500ms or 3s`);
  return variation.effect(Number(digits) * (units[unit] ?? 1));
}

/** The current variations of an emulator. They can change while it runs. */
export class AppliedVariations {
  #names: readonly string[] = [];
  #effects: readonly Effect[] = [];
  readonly #counts = new Map<string, number>();
  readonly omissions = new Omissions();

  get names(): readonly string[] {
    return this.#names;
  }

  /** @throws Error for an unknown name or time */
  set(names: readonly string[]): void {
    this.#effects = names.map(effectOf);
    this.#names = [...names];
    this.#counts.clear();
  }

  /** Carries out a request with all variations. Without any, it parses and copies nothing. */
  readonly run: Interceptor = async (request, match, carryOut) => {
    if (this.#effects.length === 0 && this.omissions.isEmpty) return carryOut(request);
    const key = `${request.method} ${request.pathname}`;
    const nth = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, nth);
    const { operation } = match;
    const verb = operation.id.slice(operation.id.lastIndexOf(".") + 1);
    const pending: PendingRequest = { operation, verb, path: request.pathname, body: parsed(request.body), nth };
    let response: PendingResponse | undefined;
    for (const effect of this.#effects) response ??= effect.request?.(pending) ?? undefined;
    response ??= responseOf(
      await carryOut(pending.body === undefined ? request : { ...request, body: Buffer.from(JSON.stringify(pending.body)) }),
    );
    for (const effect of this.#effects) effect.answer?.(pending, response);
    const { status, body } = response;
    if (status < 300 && typeof body === "object" && body !== null) response.body = this.omissions.apply(operation.id, body);
    if (response.waitMs !== undefined) await new Promise((resolve) => setTimeout(resolve, response.waitMs));
    return replyOf(response);
  };
}

/** Returns a JSON object or list, or undefined for any other body, which variations do not change. */
function parsed(body: RawRequest["body"]): Json {
  try {
    const value: unknown = body === "too large" ? undefined : JSON.parse(body.toString());
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function responseOf({ status, headers, body }: Reply): PendingResponse {
  const value: Json = body === undefined ? undefined : JSON.parse(body.text);
  return { status, headers: { ...headers, ...(body && { "content-type": body.mediaType }) }, body: value };
}

function replyOf({
  status,
  headers: { "content-type": mediaType = "application/json", ...headers },
  body,
  encoding,
  chunked,
}: PendingResponse): Reply {
  if (body === undefined) return { status, headers };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const bytes = encoding && encoders[encoding](text);
  return {
    status,
    headers: { ...headers, ...(encoding && { "content-encoding": encoding }) },
    body: { mediaType, text, ...(bytes && { bytes }), ...(chunked && { chunked }) },
  };
}
