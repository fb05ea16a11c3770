import { createHmac, timingSafeEqual } from "node:crypto";
import { defaults } from "./defaults";
import { administrator, type Caller, editor, reader, users } from "./organization";
import type { EmulatorSettings } from "./settings";

interface Claims {
  readonly user: string;
  readonly expires: number;
  readonly generation: number;
  /** A user API token: ending the issued ones leaves it. */
  readonly api?: true;
}

const dayMs = 86_400_000;
/** How long a user API token lasts, and its predecessor beside it (docs/service/requests.md, Authentication). */
const apiTokenMs = 2 * 365 * dayMs;
const overlapMs = 14 * dayMs;

/**
 * Issues and reads access tokens. An issued token carries its user and its end, signed with the client secret: it stays
 * valid over a restart without being stored.
 */
export class Tokens {
  #generation = 0;
  /** When each user last had a new API token made. */
  readonly #regenerated = new Map<string, number>();

  /** User API tokens that never expire. */
  readonly #wellKnown: ReadonlyMap<string, Caller>;
  /** Users of a twin who are not known by a token of their own. */
  readonly #others = new Map<string, Caller>();

  constructor(private readonly settings: EmulatorSettings) {
    this.#wellKnown = new Map(
      settings.twin
        ? [[settings.token, settings.twin.caller]]
        : [
            [defaults.readOnlyToken, reader],
            [defaults.editorToken, editor],
            [settings.token, administrator],
          ],
    );
  }

  /** The user that the client acts for. */
  get owner(): Caller {
    return this.settings.twin?.caller ?? administrator;
  }

  issue(caller: Caller): string {
    this.#others.set(caller.userId, caller);
    const expires = this.settings.now() + this.settings.tokenLifetimeSeconds * 1000;
    const claims: Claims = { user: caller.userId, expires, generation: this.#generation };
    return this.#seal(claims);
  }

  /** A new API token of a user; none while the one before is valid. The well-known one always is. */
  regenerate(caller: Caller): { token: string; validUntil: number } | undefined {
    const now = this.settings.now();
    if (now < (this.#regenerated.get(caller.userId) ?? -Infinity) + overlapMs) return undefined;
    this.#regenerated.set(caller.userId, now);
    const validUntil = now + apiTokenMs;
    return { token: this.#seal({ user: caller.userId, expires: validUntil, generation: 0, api: true }), validUntil };
  }

  /** Returns the caller with a token; nobody if the token is unknown or has expired. */
  callerOf(token: string): Caller | undefined {
    return this.#wellKnown.get(token) ?? this.#sealedFor(token);
  }

  /** Whose API token this is, the well-known one or one made by {@link regenerate}. */
  apiUserOf(token: string): Caller | undefined {
    return this.#wellKnown.get(token) ?? this.#sealedFor(token, true);
  }

  #sealedFor(token: string, apiOnly = false): Caller | undefined {
    const [payload, signature, ...rest] = token.split(".");
    if (payload === undefined || signature === undefined || rest.length > 0 || !this.#fits(payload, signature))
      return undefined;
    // The signature proves that `issue` wrote it.
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as Claims;
    const ended = claims.api ? false : apiOnly || claims.generation !== this.#generation;
    if (ended || claims.expires <= this.settings.now()) return undefined;
    return [this.owner, ...users].find(({ userId }) => userId === claims.user) ?? this.#others.get(claims.user);
  }

  /** Ends every token issued so far; user API tokens stay. */
  revokeIssued(): void {
    this.#generation += 1;
  }

  #seal(claims: Claims): string {
    const payload = Buffer.from(JSON.stringify(claims)).toString("base64url");
    return `${payload}.${this.#sign(payload)}`;
  }

  #sign(payload: string): string {
    return createHmac("sha256", this.settings.clientSecret).update(payload).digest("base64url");
  }

  #fits(payload: string, signature: string): boolean {
    const expected = Buffer.from(this.#sign(payload));
    const actual = Buffer.from(signature);
    return expected.length === actual.length && timingSafeEqual(expected, actual);
  }
}
