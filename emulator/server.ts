import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { answerDoor, doorPrefix } from "./doors";
import { Faults, type PreparedFault } from "./faults";
import { prepareFleet } from "./fleet/fleet";
import type { Inside } from "./inside";
import { type Call, type Handler, isWrite } from "./handler";
import { LastAnswers } from "./last-answers";
import { Omissions } from "./omissions";
import type { Caller } from "./organization";
import { Page } from "./page/page";
import { Problem, standardStyle, unauthorized } from "./problem";
import { RateLimits } from "./rate-limit";
import { chooseMediaType, faultReply, json, problemReply, type Reply, send } from "./reply";
import { parseBody, parseQuery, type RawRequest, readBody, readRequest } from "./request";
import { RequestLog } from "./requests";
import { type Match, Router } from "./router";
import { allHandlers } from "./routes";
import type { Service } from "./service";

/** Everything between the socket and the handlers: parsing, tokens, roles, limits, media types, faults, counts. */
export class Server implements Inside {
  readonly log = new RequestLog();
  readonly faults = new Faults();
  readonly omissions = new Omissions();
  readonly #lastAnswers = new LastAnswers();
  readonly #limits: RateLimits;
  readonly #page: Page;
  readonly #router: Router;

  /** @param end aborted when the emulator closes: nothing waits any longer then */
  constructor(
    readonly service: Service,
    readonly end: AbortSignal,
    handlers: readonly Handler[] = allHandlers,
  ) {
    this.#router = new Router(handlers);
    this.#limits = new RateLimits(service.settings);
    this.#page = new Page(this);
    this.faults.add(service.settings.faults);
    prepareFleet(service);
  }

  /** As just started: the fleet alone, no counts, faults, omissions; tokens stay valid. */
  reset(): void {
    this.service.store.clear();
    prepareFleet(this.service);
    this.#limits.clear();
    this.log.reset();
    this.faults.clear();
    this.omissions.clear();
    this.#lastAnswers.clear();
  }

  /** Answers one request; never rejects. */
  async respond(incoming: IncomingMessage, response: ServerResponse, origin: string): Promise<void> {
    try {
      const request = await readRequest(incoming, origin);
      const match = this.#router.match(request.method, request.pathname);
      if (request.pathname.startsWith(doorPrefix)) await send(response, answerDoor(this, request), undefined, this.end);
      else if (match.found === "operation") await this.#perform(request, match, response);
      else await send(response, this.#page.answer(request) ?? this.#refuse(match, request), undefined, this.end);
    } catch {
      // The client went away in the middle of its request or of the answer.
      response.destroy();
    }
  }

  async #perform(request: RawRequest, match: Match & { found: "operation" }, response: ServerResponse): Promise<void> {
    const { operation, handler } = match;
    const style = handler?.style ?? standardStyle;
    const { method, pathname } = request;
    this.log.count(operation.id);
    const done = (status: number) => {
      const aid = request.query.get("aid");
      this.log.add({ operation: operation.id, method, path: request.target, status, ...(aid !== null && { aid }) });
      this.#page.logged();
    };
    const drop = () => {
      done(0);
      if (fault?.kind === "half-close") response.socket?.end();
      else response.destroy();
    };
    const refuse = (problem: Problem) => problemReply(problem, style, pathname);

    let fault: PreparedFault | undefined;
    try {
      fault = this.faults.take(operation.id, method, header(request, "x-emulator-fault"));
    } catch (error) {
      done(400);
      return send(response, refuse(asProblem(error)), undefined, this.end);
    }
    const reply = await this.#outcome(fault, match, request, () =>
      this.#answer(request, match).catch((error: unknown) => refuse(asProblem(error))),
    );
    if (!reply) return drop();
    if (!fault && method === "GET" && reply.status === operation.status) this.#lastAnswers.keep(request.target, reply);
    done(reply.status);
    const date = new Date(this.service.settings.now()).toUTCString();
    const headers = { date, ...this.#limits.headers(operation.budget), ...reply.headers };
    return send(response, { ...reply, headers }, fault, this.end);
  }

  /** What a request is answered that a fault may have hit; nothing where the connection ends without an answer. */
  async #outcome(
    fault: PreparedFault | undefined,
    { operation, handler }: Match & { found: "operation" },
    request: RawRequest,
    answer: () => Promise<Reply>,
  ): Promise<Reply | undefined> {
    let carryOut = answer;
    if (fault?.storedAfterMs !== undefined) {
      const late = delay(fault.storedAfterMs, undefined, { signal: this.end }).then(answer);
      // When the emulator closes, what was to be carried out later is not.
      late.catch(() => undefined);
      // What is answered before that holds nothing of the record.
      const early = json(operation.status, "application/json", {});
      carryOut = fault.kind === "latency" ? () => late : () => Promise.resolve(early);
    }
    switch (fault?.kind) {
      case "latency":
        await delay(fault.ms ?? 1000, undefined, { signal: this.end });
        return carryOut();
      case "drop-before":
        return undefined;
      case "drop-after":
        await carryOut();
        return undefined;
      case "half-close":
        if (fault.after) await carryOut();
        return undefined;
      case "redirect":
        return { status: 307, headers: { location: new URL(request.target, fault.to).href } };
      case "status":
        if (fault.after) await carryOut();
        return faultReply(fault, handler?.style ?? standardStyle, request.pathname);
      case "stale":
        return this.#lastAnswers.get(request.target) ?? carryOut();
      default:
        return carryOut();
    }
  }

  async #answer(request: RawRequest, { operation, handler, path }: Match & { found: "operation" }): Promise<Reply> {
    if (!handler) throw new Problem(501, `The emulator does not answer ${operation.id} yet`);
    const style = handler.style ?? standardStyle;
    const caller = handler.open ? undefined : this.#callerOf(request);
    this.#limits.take(operation);
    const mediaType = handler.mediaType ?? chooseMediaType(header(request, "accept"));
    const query = parseQuery(operation, request.query, style);
    const aid = accountGroupOf(caller, query["aid"]);
    if (caller) requirePermission(caller, handler);
    const sent = readBody(operation, request, handler.fromText);
    const body = parseBody(operation, sent, style);

    const suffix = typeof query["aid"] === "string" ? `?aid=${encodeURIComponent(query["aid"])}` : "";
    // The one place where a call is put together: each part has passed the schema of this operation, which is what the
    // handler's type says. Without a caller (`open`), nothing of the handler's reads one.
    const call = {
      path,
      query,
      body,
      sent,
      caller,
      aid,
      self: request.origin + request.target,
      link: (to: string) => request.origin + to + suffix,
      header: (name: string) => header(request, name),
      service: this.service,
    } as Call;
    const answer = await handler.run(call);
    if (answer.body === undefined) return { status: operation.status, headers: { ...answer.headers } };
    return json(operation.status, mediaType, this.omissions.apply(operation.id, answer.body), { ...answer.headers });
  }

  /** For what is no operation of the service. */
  #refuse(match: Match, request: RawRequest): Reply {
    const headers = this.#limits.headers("organization");
    const problem =
      match.found === "path"
        ? new Problem(405, `${request.method} is not known here.`, { headers: { ...headers, allow: match.allow.join(", ") } })
        : new Problem(404, "The service has no such path.", { headers });
    return problemReply(problem, standardStyle, request.pathname);
  }

  #callerOf(request: RawRequest): Caller {
    const token = /^Bearer +(\S+)$/i.exec(header(request, "authorization") ?? "")?.[1];
    const caller = token === undefined ? undefined : this.service.tokens.callerOf(token);
    if (!caller) throw unauthorized();
    return caller;
  }
}

function header({ headers }: RawRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The account group that a request is about. That a foreign one is a 403 is assumed (DIFFERENCES.md). */
function accountGroupOf(caller: Caller | undefined, aid: unknown): string {
  if (!caller) return "";
  if (aid === undefined) return caller.accountGroups[0].aid;
  const group = caller.accountGroups.find((one) => one.aid === aid);
  if (!group) throw new Problem(403, "You are not assigned to this account group.");
  return group.aid;
}

function requirePermission(caller: Caller, { operation, permission }: Handler): void {
  const needed = permission ?? (isWrite(operation) ? "edit" : "none");
  if (needed !== "none" && !caller.role.permissions.includes(needed)) {
    throw new Problem(403, `The role ${caller.role.name} lacks the permission.`);
  }
}

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem(500, `The emulator failed: ${error instanceof Error ? error.message : String(error)}`);
}
