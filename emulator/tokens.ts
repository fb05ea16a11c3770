import { createHmac, timingSafeEqual } from "node:crypto";
import { type Caller, users } from "./organization";
import type { Settings } from "./options";

interface Claims {
  readonly user: string;
  readonly expires: number;
  readonly generation: number;
}

/**
 * Issues and reads access tokens. An issued token carries its user and its end, signed with the client secret: it stays
 * valid over a restart without being stored.
 */
export class Tokens {
  #generation = 0;

  constructor(private readonly settings: Settings) {}

  issue(caller: Caller): string {
    const expires = this.settings.now() + this.settings.tokenLifetimeSeconds * 1000;
    const claims: Claims = { user: caller.userId, expires, generation: this.#generation };
    const payload = Buffer.from(JSON.stringify(claims)).toString("base64url");
    return `${payload}.${this.#sign(payload)}`;
  }

  /** Whom the token speaks for; nobody when it is unknown or over. */
  callerOf(token: string): Caller | undefined {
    const user = userOfApiToken(token);
    if (user) return user;
    const [payload, signature, ...rest] = token.split(".");
    if (payload === undefined || signature === undefined || rest.length > 0 || !this.#fits(payload, signature))
      return undefined;
    // The signature proves that `issue` wrote it.
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as Claims;
    if (claims.generation !== this.#generation || claims.expires <= this.settings.now()) return undefined;
    return users.find(({ userId }) => userId === claims.user);
  }

  /** Ends every token issued so far; user API tokens stay. */
  revokeIssued(): void {
    this.#generation += 1;
  }

  #sign(payload: string): string {
    return createHmac("sha256", this.settings.clientSecret).update(payload).digest("base64url");
  }

  #fits(payload: string, signature: string): boolean {
    const expected = Buffer.from(this.#sign(payload));
    const given = Buffer.from(signature);
    return expected.length === given.length && timingSafeEqual(expected, given);
  }
}

/** The user whose API token this is. */
export function userOfApiToken(token: string): Caller | undefined {
  return users.find((user) => user.token === token);
}
