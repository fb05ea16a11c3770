import type { IncomingMessage, ServerResponse } from "node:http";
import { requireOwnHost } from "./access";
import { answerControl, controlPrefix } from "./control";
import { outcomeOf } from "./fault-outcome";
import type { Interceptor } from "./interceptor";
import { Faults, type PreparedFault } from "./faults";
import { prepareFleet } from "./fleet/fleet";
import type { Handler } from "./handler";
import type { Internals } from "./internals";
import { LastAnswers } from "./last-answers";
import { header, type OperationMatch, OperationRunner } from "./operation-runner";
import { EmulatorPage } from "./page/page";
import { ownStyle, Problem, standardStyle } from "./problem";
import { RateLimits } from "./rate-limit";
import { problemReply, type Reply, send } from "./reply";
import { type RawRequest, readRequest } from "./request";
import { loggedBody, RequestLog } from "./requests";
import { type Match, Router } from "./router";
import { allHandlers } from "./routes";
import type { Service } from "./service";

/** Passes requests from the socket to the handlers. The class is responsible for routing, faults, counts and internal errors. */
export class Server implements Internals {
  readonly log = new RequestLog();
  readonly faults = new Faults();
  readonly limits: RateLimits;
  program: Internals["program"];
  readonly #lastAnswers = new LastAnswers();
  readonly #runner: OperationRunner;
  readonly #page: EmulatorPage;
  readonly #router: Router;

  /** @param end signal that is aborted when the emulator closes, to end all waits */
  constructor(
    readonly service: Service,
    readonly end: AbortSignal,
    handlers: readonly Handler[] = allHandlers,
    private readonly intercept: Interceptor = (request, _match, carryOut) => carryOut(request),
  ) {
    this.#router = new Router(handlers);
    this.limits = new RateLimits(service.settings);
    this.#runner = new OperationRunner(service, this.limits);
    this.#page = new EmulatorPage(this);
    this.faults.add(service.settings.faults);
    prepareFleet(service);
  }

  /** Restores the initial agents, and deletes all other records, counts and faults. Tokens stay valid. */
  reset(): void {
    this.service.store.clear();
    prepareFleet(this.service);
    this.limits.clear();
    this.log.reset();
    this.faults.clear();
    this.#lastAnswers.clear();
  }

  /** The promise never rejects, because all errors become responses. */
  async respond(incoming: IncomingMessage, response: ServerResponse, origin: string): Promise<void> {
    const { method = "GET", url = "/" } = incoming;
    try {
      const request = await readRequest(incoming, origin);
      requireOwnHost(request, this.service.settings);
      const match = this.#router.match(request.method, request.pathname);
      if (request.pathname.startsWith(controlPrefix)) await this.#control(request, response);
      else if (match.matched === "operation") await this.#perform(request, match, response);
      else await send(response, this.#page.answer(request) ?? this.#refuse(match, request), undefined, this.end);
    } catch (error) {
      // If the client has disconnected or the emulator is closing, the emulator sends no response.
      if (incoming.destroyed && !incoming.complete) response.destroy();
      else if (this.end.aborted || response.headersSent) response.destroy();
      else {
        const path = url.split("?")[0] ?? "/";
        const problem = this.#asProblem(error, `${method} ${path}`);
        const style = path.startsWith(controlPrefix) ? ownStyle : standardStyle;
        await send(response, problemReply(problem, style, path), undefined, this.end);
      }
    }
  }

  async #control(request: RawRequest, response: ServerResponse): Promise<void> {
    const reply = answerControl(this, request);
    await this.service.store.committed();
    await send(response, reply, undefined, this.end);
  }

  async #perform(request: RawRequest, match: OperationMatch, response: ServerResponse): Promise<void> {
    const { operation, handler } = match;
    const style = handler?.style ?? standardStyle;
    const { method, pathname } = request;
    const started = performance.now();
    this.log.count(operation.id);
    const refuse = (error: unknown) =>
      problemReply(this.#asProblem(error, `${method} ${pathname} (${operation.id})`), style, pathname);

    let fault: PreparedFault | undefined;
    let reply: Reply | undefined;
    try {
      fault = this.faults.take(operation.id, method, header(request, "x-emulator-fault"));
      const carryOut = (changed: RawRequest) => this.#runner.run(changed, match).catch(refuse);
      const answer = () => this.intercept(request, match, carryOut);
      reply = await outcomeOf(fault, match, request, answer, { lastAnswers: this.#lastAnswers, end: this.end });
    } catch (error) {
      if (this.end.aborted) throw error;
      reply = refuse(error);
    }
    this.#logged(request, operation.id, reply, started);
    if (!reply) {
      if (fault?.kind === "half-close") response.socket?.end();
      else response.destroy();
      return;
    }
    if (!fault && method === "GET" && reply.status === operation.status) this.#lastAnswers.keep(request.target, reply);
    const date = new Date(this.service.settings.now()).toUTCString();
    const headers = { date, ...this.limits.headers(operation.budget), ...reply.headers };
    await send(response, { ...reply, headers }, fault, this.end);
  }

  /** @param started time by `performance.now()` */
  #logged(request: RawRequest, operation: string, reply: Reply | undefined, started: number): void {
    const { method, target, body, headers } = request;
    const aid = request.query.get("aid");
    const durationMs = performance.now() - started;
    this.service.settings.twin?.answered(operation, reply?.status ?? 0, durationMs);
    this.log.add(
      { operation, method, path: target, status: reply?.status ?? 0, ...(aid !== null && { aid }) },
      {
        at: this.service.settings.now(),
        durationMs,
        ...(body !== "too large" && body.length > 0 && { sent: loggedBody(headers["content-type"] ?? "", body) }),
        ...(reply?.body && { answered: loggedBody(reply.body.mediaType, reply.body.text) }),
      },
    );
  }

  #refuse(match: Match, request: RawRequest): Reply {
    const headers = this.limits.headers("organization");
    const { twin } = this.service.settings;
    if (twin) {
      twin.stray(request.pathname);
      const text = "This rehearsal has no copy of the account that the request is for. Nothing was sent to that account.";
      return problemReply(new Problem(421, text), ownStyle, request.pathname);
    }
    const problem =
      match.matched === "path"
        ? new Problem(405, `The method ${request.method} is not supported for this path.`, {
            headers: { ...headers, allow: match.allow.join(", ") },
          })
        : new Problem(404, "The service has no such path.", { headers });
    return problemReply(problem, standardStyle, request.pathname);
  }

  /** Reports an internal error with its stack trace, and returns a response without the stack trace. */
  #asProblem(error: unknown, activity: string): Problem {
    if (error instanceof Problem) return error;
    this.service.settings.onError(error, activity);
    return new Problem(500, "The emulator failed. Its standard error has the details.");
  }
}
