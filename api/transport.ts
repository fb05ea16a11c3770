import { setTimeout as sleep } from "node:timers/promises";
import { answerOf } from "./answer";
import { AbortedError, ConfigurationError, ConnectionError, type AnswerTarget } from "./errors";
import { apiError, ServerError } from "./api-errors";
import { acceptEncoding } from "./encoding";
import { Http } from "./http";
import { type Log, type LogEntry, logTo } from "./log";
import { instantLimit, organizationLimit, RateGovernor, retryAfter } from "./pacing";
import { checkBody, parseAnswer, parseErrorBody } from "./parse";
import { rememberTarget } from "./pages";
import { redactor } from "./redact";
import { tokenOperations, type Operation, type RequestOf, type ResponseOf } from "./schemas";
import { checkBaseUrl, checkToken } from "./settings";
import { type ClientOptions, httpOptions } from "./client-options";
import { TokenSource } from "./token";
import { userAgent } from "./manifest";
import type { HttpResponse } from "./http-message";
import {
  accept,
  budgetNames,
  budgetsOf,
  headerText,
  requestIdOf,
  encodePath,
  encodeBody,
  encodeQuery,
  backOff,
  sensitive,
} from "./request-parts";
import { type RequestAttempt, interruptible, untilAborted } from "./request-parts";
import { maxAttempts, maxRateLimitWaits, busyStatuses, maxBusyMs, maxPauseMs } from "./request-parts";

/** Minimum duration of a wait that the client reports, in ms. */
const reportedWaitMs = 2_000;

/**
 * Minimum time between two reported waits with the same reason, in ms. Without a minimum time, every waiting request would report the same
 * reason.
 */
const repeatReportAfterMs = 30_000;

/** Calls API operations, and handles tokens, request budgets, retries and errors. */
export class Transport {
  readonly #http: Http;
  readonly #tokens: TokenSource;
  readonly #budgets = { organization: new RateGovernor(organizationLimit), instant: new RateGovernor(instantLimit) };
  readonly #secrets: string[];
  readonly #log: Log | undefined;
  /** For each reason to wait, the earliest time of the next report, in ms on the monotonic clock. */
  readonly #reportedUntil = new Map<string, number>();

  constructor(private readonly options: ClientOptions) {
    const [baseUrl, token] = [checkBaseUrl(options.baseUrl), checkToken(options.token)];
    if (baseUrl !== undefined) throw new ConfigurationError(`${baseUrl}.`, ["baseUrl"]);
    if (token !== undefined) throw new ConfigurationError(`${token}.`, ["token"]);
    this.#log = options.log && logTo(options.log);
    this.#http = new Http(httpOptions(options));
    this.#secrets = [options.token, options.clientSecret, options.serviceBearerToken].filter((secret) => secret !== undefined);
    this.#tokens = new TokenSource(options, (body, authorization) => this.#run(tokenOperations.issue, { body }, authorization));
  }

  /** URL of the proxy, without user and password; undefined for direct connections and before the first request. */
  get proxy(): string | undefined {
    return this.#http.proxy;
  }

  /**
   * Calls one operation.
   *
   * @throws RequestError, ConnectionError, AbortedError, ProtocolError or a subclass of ApiError; ConfigurationError if the
   * credentials are missing
   */
  async call<O extends Operation>(operation: O, request: RequestOf<O>): Promise<ResponseOf<O>> {
    if (!operation.authenticated) return this.#run(operation, request);
    for (let renewed = false; ; renewed = true) {
      const { method, path } = operation;
      const token = await untilAborted(this.#tokens.get(), { method, path, redact: redactor(this.#secrets) }, request.signal);
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

  async #run<O extends Operation>(operation: O, requestOf: RequestOf<O>, authorization?: string): Promise<ResponseOf<O>> {
    // The cast makes all request members optional, because the compiler does not know which members a generic operation has.
    const request = requestOf as { path?: Record<string, string>; query?: Record<string, unknown>; body?: unknown };
    // The service may repeat the Authorization header in its response. The second word of the Authorization header is a token
    // or encoded credentials.
    const secrets = (): string[] => [
      ...this.#secrets,
      ...(this.options.secrets?.() ?? []),
      ...sensitive(operation, request.body),
      authorization?.split(" ")[1] ?? "",
    ];
    const redact = (text: string): string => redactor(secrets())(text);
    const { method } = operation;
    const target: AnswerTarget = { method, redact, path: encodePath(operation, request.path) };
    const body = checkBody(operation, target, request.body);
    const encoded = body === undefined ? undefined : encodeBody(operation, body);
    const headers: Record<string, string> = { accept, "accept-encoding": acceptEncoding, "user-agent": userAgent() };
    if (authorization) headers["authorization"] = authorization;
    if (encoded !== undefined) headers["content-type"] = operation.bodyType;
    const query = encodeQuery(request.query);
    const signals = [this.options.signal, requestOf.signal].filter((candidate) => candidate !== undefined);
    const signal = signals.length > 0 ? AbortSignal.any(signals) : undefined;
    const { repeatable, writes } = operation;
    const { interrupt } = this.options;
    const endOfWaits = writes && interrupt ? AbortSignal.any([...signals, interrupt]) : signal;

    const busyUntil = performance.now() + Math.min(httpOptions(this.options).deadline * 1_000, maxBusyMs);
    let waits = 0;
    for (let attempt = 1; ; attempt += 1) {
      const call: RequestAttempt = { operation, target, attempt, signal: endOfWaits };
      const last = attempt >= maxAttempts;
      let answer: HttpResponse;
      try {
        answer = await this.#paced(call, () =>
          this.#http.send({ ...target, query, headers, body: encoded, repeatable, signal }),
        );
      } catch (error) {
        if (!(error instanceof ConnectionError) || error.outcomeUnknown || !error.mayPass || last) throw error;
        await this.#pause(call, backOff(attempt), error.reason);
        continue;
      }
      this.options.onAnswer?.(answerOf(operation, answer));
      const answered = {
        status: answer.status,
        contentType: headerText(answer, "content-type"),
        text: answer.text,
        location: headerText(answer, "location") || undefined,
        damage: answer.damage,
      };
      // Status 303 means that the service executed the write request (RFC 9110, section 15.4.4).
      const isDone = answer.status === 303 && operation.writes;
      if (isDone || (answer.status >= 200 && answer.status < 300)) {
        const { data, dropped } = parseAnswer(operation, target, answered);
        if (dropped.length > 0) this.#reportUnreadable(call, dropped.map(redact));
        rememberTarget(data, target);
        // The cast is safe, because `ResponseOf` is derived from the operation's schema.
        return data as ResponseOf<O>;
      }
      const errorBody = parseErrorBody(answered);
      const requestId = requestIdOf(answer, redact) || undefined;
      const error = apiError({
        ...target,
        status: answer.status,
        body: errorBody,
        requestId,
        repeatable,
        permission: operation.permission,
        budget: operation.budget,
        sent: Object.keys(body && typeof body === "object" ? body : {}),
      });
      if (answer.status === 429 && waits < maxRateLimitWaits) {
        waits += 1;
        attempt -= 1;
        const wait = retryAfter(answer.headers);
        const budget = operation.budget === "none" ? undefined : this.#budgets[operation.budget];
        if (budget) budget.block(wait);
        else await this.#pause(call, wait ?? 1_000, "the service requested a wait (429)");
        continue;
      }
      if (operation.writes && repeatable && busyStatuses.has(answer.status)) {
        // After status 409, another record may have the new name, so the client repeats an update request only a few times.
        const isOver = answer.status === 409 && operation.method !== "DELETE" ? last : performance.now() >= busyUntil;
        if (isOver) throw error;
        const pause = retryAfter(answer.headers) ?? Math.min(backOff(attempt), maxPauseMs);
        await this.#pause(call, pause, `the record is busy (${answer.status})`);
        continue;
      }
      if (!(error instanceof ServerError) || !repeatable || last) throw error;
      const asked = answer.status === 503 ? retryAfter(answer.headers) : undefined;
      await this.#pause(call, asked ?? backOff(attempt), `the service failed (${answer.status})`);
    }
  }

  async #paced(call: RequestAttempt, send: () => Promise<HttpResponse>): Promise<HttpResponse> {
    const taken: RateGovernor[] = [];
    let headers: HttpResponse["headers"] | undefined;
    try {
      for (const name of budgetsOf(call.operation)) {
        const budget = this.#budgets[name];
        await interruptible(
          call,
          budget.acquire((ms) => this.#reportWait(call, ms, budgetNames[name]), call.signal),
        );
        taken.push(budget);
      }
      const answer = await this.#timed(call, send);
      headers = answer.headers;
      return answer;
    } finally {
      for (const budget of taken) budget.release(headers);
    }
  }

  async #timed(call: RequestAttempt, send: () => Promise<HttpResponse>): Promise<HttpResponse> {
    const started = performance.now();
    try {
      const answer = await send();
      if (this.#log) {
        const requestId = requestIdOf(answer, call.target.redact);
        this.#logEvent(call, { level: "debug", event: String(answer.status), ms: performance.now() - started, requestId });
      }
      return answer;
    } catch (error) {
      const event = error instanceof ConnectionError ? error.reason : error instanceof AbortedError ? "aborted" : "failed";
      this.#logEvent(call, { level: "info", event, ms: performance.now() - started });
      throw error;
    }
  }

  async #pause(call: RequestAttempt, ms: number, reason: string): Promise<void> {
    this.#reportWait(call, ms, reason);
    await interruptible(call, sleep(ms, undefined, { signal: call.signal }));
  }

  #reportWait(call: RequestAttempt, ms: number, reason: string): void {
    this.#logEvent(call, { level: "info", event: `waits: ${reason}`, ms });
    const now = performance.now();
    if (ms < reportedWaitMs || now < (this.#reportedUntil.get(reason) ?? 0)) return;
    this.#reportedUntil.set(reason, now + Math.max(ms, repeatReportAfterMs));
    this.options.onWait?.({ operation: call.operation.id, reason, ms });
  }

  #reportUnreadable(call: RequestAttempt, members: readonly string[]): void {
    this.#logEvent(call, { level: "debug", event: `ignored unreadable members: ${members.join(", ")}` });
    this.options.onUnreadable?.({ operation: call.operation.id, members });
  }

  #logEvent(
    { operation, target, attempt }: RequestAttempt,
    entry: Pick<LogEntry, "level" | "event" | "ms" | "requestId">,
  ): void {
    if (!this.#log) return;
    const { method, path, redact } = target;
    this.#log({ operation: operation.id, method, path: redact(path), attempt, ...entry });
  }
}
