import { type HandlerCall, type Handler, isWrite } from "./handler";
import type { Caller } from "./organization";
import { Problem, standardStyle, unauthorized } from "./problem";
import type { RateLimits } from "./rate-limit";
import { chooseMediaType, json, type Reply } from "./reply";
import { parseBody, parseQuery, type RawRequest, readBody } from "./request";
import type { Match } from "./router";
import type { Service } from "./service";

export type OperationMatch = Match & { matched: "operation" };

/** Executes the operation of each request, after it checks the token, role, rate limits and media type. */
export class OperationRunner {
  constructor(
    private readonly service: Service,
    private readonly limits: RateLimits,
  ) {}

  /**
   * Executes an operation, commits its changes, and returns the response.
   *
   * @throws Problem
   */
  async run(request: RawRequest, { operation, handler, path }: OperationMatch): Promise<Reply> {
    if (!handler) throw new Problem(501, `The emulator does not answer ${operation.id} yet`);
    const style = handler.style ?? standardStyle;
    const caller = handler.open ? undefined : await this.#callerOf(request);
    this.limits.take(operation);
    const mediaType = handler.mediaType ?? chooseMediaType(header(request, "accept"));
    const query = parseQuery(operation, request.query, style);
    const aid = accountGroupOf(caller, query["aid"]);
    if (caller) requirePermission(caller, handler);
    const sent = readBody(operation, request, handler.fromText);
    const body = parseBody(operation, sent, style);
    if (caller) await this.#twin(operation.id, caller, aid, { query, body });

    const suffix = typeof query["aid"] === "string" ? `?aid=${encodeURIComponent(query["aid"])}` : "";
    // Each part of the call matches the operation's schema, so the cast is safe.
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
    } as HandlerCall;
    const answer = await handler.run(call);
    await this.service.store.committed();
    if (answer.body === undefined) return { status: operation.status, headers: { ...answer.headers } };
    return json(operation.status, mediaType, answer.body, { ...answer.headers });
  }

  /**
   * Copies the records that a request to the twin (copy) of an account needs.
   *
   * @throws Problem 403 for an operation that the copied account does not allow
   */
  async #twin(operation: string, caller: Caller, aid: string, asked: { query: object; body: unknown }): Promise<void> {
    const { twin } = this.service.settings;
    if (!twin) return;
    const everywhere = "useAllPermittedAids" in asked.query && asked.query.useAllPermittedAids === true;
    await twin.copied([aid, ...(everywhere ? caller.accountGroups.map((group) => group.aid) : groupsIn(asked.body))]);
    const refusal = twin.refusal(operation, aid);
    if (refusal !== undefined) throw new Problem(403, refusal);
  }

  async #callerOf(request: RawRequest): Promise<Caller> {
    const token = /^Bearer +(\S+)$/i.exec(header(request, "authorization") ?? "")?.[1];
    const { tokens, settings } = this.service;
    const caller = token === undefined ? undefined : (tokens.callerOf(token) ?? (await settings.twin?.callerOf({ token })));
    if (!caller) throw unauthorized();
    return caller;
  }
}

function groupsIn(body: unknown): string[] {
  if (Array.isArray(body)) return body.flatMap(groupsIn);
  if (typeof body !== "object" || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) =>
    name === "fromAid" || name === "toAid" ? [String(value)] : groupsIn(value),
  );
}

export function header({ headers }: RawRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** For an account group of another user, the service probably returns the status 403 (emulator/DIFFERENCES.md). */
function accountGroupOf(caller: Caller | undefined, aid: unknown): string {
  if (!caller) return "";
  if (aid === undefined) return caller.accountGroups[0].aid;
  const group = caller.accountGroups.find((assigned) => assigned.aid === aid);
  if (!group) throw new Problem(403, "You are not assigned to this account group.");
  return group.aid;
}

function requirePermission(caller: Caller, { operation, permission }: Handler): void {
  const needed = permission ?? (isWrite(operation) ? "edit" : "none");
  if (needed !== "none" && !caller.role.permissions.includes(needed)) {
    throw new Problem(403, `The role ${caller.role.name} lacks the permission.`);
  }
}
