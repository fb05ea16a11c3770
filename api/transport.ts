import { setTimeout as sleep } from "node:timers/promises";
import { answerOf } from "./answer";
import { apiError, ConfigurationError, ConnectionError, ProtocolError, RequestError, ServerError, type Place } from "./errors";
import { Http, type HttpResponse } from "./http";
import { instantLimit, organizationLimit, RateGovernor, retryAfter } from "./pacing";
import { checkBody, parseAnswer, parseErrorBody, saysNotFound } from "./parse";
import { tokenOperations, type Operation, type RequestOf, type ResponseOf } from "./schemas";
import { checkBaseUrl, checkToken, type ClientOptions } from "./settings";
import { TokenSource } from "./token";

/** How often a request is sent when it fails in a way that may pass. */
const attempts = 4;
/** How often a 429 is waited out: each wait lasts to the end of a window, a minute at most as documented. */
const rateLimitWaits = 5;
/** All three together: an Accept of problem+json alone gives 406 in places (shared/api/README.md, Shared behaviour). */
const accept = "application/hal+json, application/json, application/problem+json";

/** Calls operations: token, pacing, retries, parsing and errors are its business. */
export class Transport {
  readonly #http: Http;
  readonly #tokens: TokenSource;
  readonly #budgets = { organization: new RateGovernor(organizationLimit), instant: new RateGovernor(instantLimit) };
  readonly #secrets: string[];
  readonly #onAnswer: ClientOptions["onAnswer"];

  constructor(options: ClientOptions) {
    const [baseUrl, token] = [checkBaseUrl(options.baseUrl), checkToken(options.token)];
    if (baseUrl !== undefined) throw new ConfigurationError(`${baseUrl}.`, ["baseUrl"]);
    if (token !== undefined) throw new ConfigurationError(`${token}.`, ["token"]);
    this.#onAnswer = options.onAnswer;
    this.#http = new Http(options.baseUrl, options.timeout ?? 30);
    this.#secrets = [options.token, options.clientSecret, options.serviceBearerToken].filter((secret) => secret !== undefined);
    this.#tokens = new TokenSource(options, (body, authorization) => this.#run(tokenOperations.issue, { body }, authorization));
  }

  /**
   * Calls one operation.
   *
   * @throws RequestError, ApiError (one of its classes), ConnectionError or ProtocolError
   */
  async call<O extends Operation>(operation: O, request: RequestOf<O>): Promise<ResponseOf<O>> {
    if (!operation.authenticated) return this.#run(operation, request);
    for (let renewed = false; ; renewed = true) {
      const token = await this.#tokens.get();
      try {
        return await this.#run(operation, request, `Bearer ${token}`);
      } catch (error) {
        const refused = error instanceof Error && "status" in error && error.status === 401;
        if (!refused || renewed || !(await this.#tokens.refuse(token))) throw error;
      }
    }
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  /** Sends a request until it has an answer that counts; decides by the operation what may be repeated. */
  async #run<O extends Operation>(operation: O, given: RequestOf<O>, authorization?: string): Promise<ResponseOf<O>> {
    // What RequestOf demands depends on the operation; here every part is looked at if it is there.
    const request = given as { path?: Record<string, string>; query?: Record<string, unknown>; body?: unknown };
    const path = encodePath(operation, request.path);
    const place: Place = { method: operation.method, path };
    const body = checkBody(operation, place, request.body);
    const encoded = body === undefined ? undefined : encodeBody(operation, body);
    const headers: Record<string, string> = { accept };
    if (authorization) headers["authorization"] = authorization;
    if (encoded !== undefined) headers["content-type"] = operation.bodyType;

    const { repeatable } = operation;
    // The header carries a token, or client id and secret: what the service may echo of it is its second word.
    const secrets = [...this.#secrets, ...sensitive(operation, body), authorization?.split(" ")[1] ?? ""];
    let waits = 0;
    for (let attempt = 1; ; attempt += 1) {
      const last = attempt >= attempts;
      let answer: HttpResponse;
      try {
        answer = await this.#paced(operation, () =>
          this.#http.send({ ...place, query: encodeQuery(request.query), headers, body: encoded, repeatable }),
        );
      } catch (error) {
        if (!(error instanceof ConnectionError) || error.outcomeUnknown || last) throw error;
        await backOff(attempt);
        continue;
      }
      this.#onAnswer?.(answerOf(operation, answer));
      const answered = { status: answer.status, contentType: headerText(answer, "content-type"), text: answer.text };
      if (answer.status >= 200 && answer.status < 300) {
        // The schema behind `response` is what ResponseOf is made from.
        return parseAnswer(operation, place, answered) as ResponseOf<O>;
      }
      const errorBody = parseErrorBody(answered);
      if (answer.status === 404 && !saysNotFound(errorBody)) {
        const reason = "a 404 without an error of the service, so it does not say that the record does not exist";
        throw new ProtocolError(place, reason, false);
      }
      const error = apiError({
        ...place,
        status: answer.status,
        body: errorBody,
        requestId: headerText(answer, "x-request-id") || undefined,
        repeatable,
        budget: operation.budget,
        redact: (text) => redact(text, secrets),
      });
      if (answer.status === 429 && waits < rateLimitWaits) {
        waits += 1;
        attempt -= 1;
        const wait = retryAfter(answer.headers);
        const budget = this.#budget(operation);
        if (budget) budget.block(wait);
        else await sleep(wait ?? 1_000);
        continue;
      }
      if (!(error instanceof ServerError) || !repeatable || last) throw error;
      await backOff(attempt);
    }
  }

  #budget(operation: Operation): RateGovernor | undefined {
    return operation.budget === "none" ? undefined : this.#budgets[operation.budget];
  }

  async #paced(operation: Operation, send: () => Promise<HttpResponse>): Promise<HttpResponse> {
    const budget = this.#budget(operation);
    await budget?.acquire();
    let headers: HttpResponse["headers"] | undefined;
    try {
      const answer = await send();
      headers = answer.headers;
      return answer;
    } finally {
      budget?.release(headers);
    }
  }
}

function headerText(answer: HttpResponse, name: string): string {
  const value = answer.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? "";
}

/** @throws RequestError for an id with which the request would go to another path, such as a list */
function encodePath(operation: Operation, parameters: Record<string, string> = {}): string {
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name] ?? "";
    if (/^\.{0,2}$/.test(value)) throw new RequestError(operation, [`${name}: must be given, and be neither "." nor ".."`]);
    return encodeURIComponent(value);
  });
}

function encodeBody(operation: Operation, body: unknown): string {
  if (operation.bodyType === "application/json") return JSON.stringify(body);
  return encodeQuery(body as Record<string, unknown>).toString();
}

/** Lists go comma-separated, the style the interface declares for `expand`. */
function encodeQuery(query: Record<string, unknown> = {}): URLSearchParams {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return new URLSearchParams(
    given.map(([key, value]): [string, string] => [key, Array.isArray(value) ? value.join(",") : String(value)]),
  );
}

/** Exponential, with full jitter: 250 ms, 500 ms, 1 s at most. */
function backOff(attempt: number): Promise<void> {
  return sleep(Math.random() * 250 * 2 ** (attempt - 1));
}

/** Values of the body that its schema marks as sensitive. */
function sensitive(operation: Operation, body: unknown): string[] {
  if (!operation.body || typeof body !== "object" || body === null || !("shape" in operation.body)) return [];
  // Bodies are zod objects, so `shape` has the schema of each member.
  const shape = operation.body.shape as Record<string, { meta?: () => { sensitive?: boolean } | undefined }>;
  return Object.entries(body)
    .filter(([name, value]) => typeof value === "string" && shape[name]?.meta?.()?.sensitive)
    .map(([, value]) => String(value));
}

/** Longest first, so that no secret leaves the tail of another behind. */
function redact(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== "")
    .toSorted((a, b) => b.length - a.length)
    .reduce((clean, secret) => clean.replaceAll(secret, "[secret]"), text);
}
