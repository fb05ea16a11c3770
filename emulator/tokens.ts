import { createHmac, timingSafeEqual } from "node:crypto";
import { defaults } from "./defaults";
import { administrator, type Caller, editor, reader, users } from "./organization";
import type { EmulatorSettings } from "./settings";

interface Claims {
  readonly user: string;
  readonly expires: number;
  readonly generation: number;
  /** True for a user API token. User API tokens stay valid when issued tokens are revoked. */
  readonly api?: true;
}

const dayMs = 86_400_000;
/**
 * Lifetime of a user API token in milliseconds. A new API token does not invalidate the previous one (docs/service/requests.md,
 * Authentication).
 */
const apiTokenMs = 2 * 365 * dayMs;
const overlapMs = 14 * dayMs;

/**
 * Issues and reads access tokens.
 *
 * An issued token contains its user and its expiry, signed with the client secret. The emulator does not store tokens, so tokens stay
 * valid after a restart.
 */
export class Tokens {
  #generation = 0;
  /** For each user, the time when the API token was last regenerated. */
  readonly #regenerated = new Map<string, number>();

  /** User API tokens that never expire. */
  readonly #wellKnown: ReadonlyMap<string, Caller>;
  /** Users with issued tokens, by user id. */
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

  /** The user that the OAuth client represents. */
  get owner(): Caller {
    return this.settings.twin?.caller ?? administrator;
  }

  issue(caller: Caller): string {
    this.#others.set(caller.userId, caller);
    const expires = this.settings.now() + this.settings.tokenLifetimeSeconds * 1000;
    const claims: Claims = { user: caller.userId, expires, generation: this.#generation };
    return this.#seal(claims);
  }

  /** Returns a new API token for a user, or undefined if the previous API token is recent. The well-known API token is always valid. */
  regenerate(caller: Caller): { token: string; validUntil: number } | undefined {
    const now = this.settings.now();
    if (now < (this.#regenerated.get(caller.userId) ?? -Infinity) + overlapMs) return undefined;
    this.#regenerated.set(caller.userId, now);
    const validUntil = now + apiTokenMs;
    return { token: this.#seal({ user: caller.userId, expires: validUntil, generation: 0, api: true }), validUntil };
  }

  /** Returns undefined for unknown and expired tokens. */
  callerOf(token: string): Caller | undefined {
    return this.#wellKnown.get(token) ?? this.#sealedFor(token);
  }

  /** Returns the user of an API token: a well-known API token, or an API token from `regenerate`. */
  apiUserOf(token: string): Caller | undefined {
    return this.#wellKnown.get(token) ?? this.#sealedFor(token, true);
  }

  #sealedFor(token: string, apiOnly = false): Caller | undefined {
    const [payload, signature, ...rest] = token.split(".");
    if (payload === undefined || signature === undefined || rest.length > 0 || !this.#fits(payload, signature))
      return undefined;
    // The signature proves that the emulator wrote the token.
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as Claims;
    const ended = claims.api ? false : apiOnly || claims.generation !== this.#generation;
    if (ended || claims.expires <= this.settings.now()) return undefined;
    return [this.owner, ...users].find(({ userId }) => userId === claims.user) ?? this.#others.get(claims.user);
  }

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
