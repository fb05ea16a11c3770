import { ApiError, RateLimitedError } from "./errors";
import type { ClientOptions } from "./settings";
import { tokenOperations, type RequestOf, type ResponseOf } from "./schemas";

type Issue = typeof tokenOperations.issue;
/** Asks for a token; `authorization` is the header of the request, where the credentials travel by HTTP Basic. */
export type IssueToken = (body: RequestOf<Issue>["body"], authorization?: string) => Promise<ResponseOf<Issue>>;

/** A token is renewed when this share of its life is over, so that none ends while a request is under way. */
const renewAfter = 0.9;

/**
 * One token for all callers: given, or fetched with client credentials, renewed before it ends and after a 401.
 * Callers that come while it is being fetched wait for the same request. Credentials that were
 * refused stay refused; any other failure is not kept: the next caller asks again.
 */
export class TokenSource {
  #current: Promise<string> | undefined;
  #renewAt = Infinity;

  constructor(
    private readonly options: ClientOptions,
    private readonly issue: IssueToken,
  ) {}

  get(): Promise<string> {
    if (this.options.token !== undefined) return Promise.resolve(this.options.token);
    if (Date.now() >= this.#renewAt) this.#current = undefined;
    this.#current ??= this.#fetch();
    return this.#current;
  }

  /**
   * Says that `token` was refused.
   *
   * @returns whether asking again can help: not with a given token
   */
  async refuse(token: string): Promise<boolean> {
    if (this.options.token !== undefined) return false;
    // Somebody else may have renewed it already, or do so while this waits.
    const current = this.#current;
    const held = await current?.catch(() => undefined);
    if (held === token && this.#current === current) this.#current = undefined;
    return true;
  }

  #fetch(): Promise<string> {
    const { clientId = "", clientSecret = "", clientAuthentication, scope, tenantId, serviceBearerToken } = this.options;
    const byForm = clientAuthentication !== "basic";
    const asked = Date.now();
    this.#renewAt = Infinity;
    const fetching = this.issue(
      {
        grant_type: "client_credentials",
        ...(byForm ? { client_id: clientId, client_secret: clientSecret } : {}),
        scope,
        x_tenant_id: tenantId,
        service_bearer_token: serviceBearerToken,
      },
      byForm ? undefined : basicAuthorization(clientId, clientSecret),
    ).then((answer) => {
      // Without expires_in the token is kept until a 401 (shared/api/README.md, Authentication).
      if (answer.expires_in !== undefined) this.#renewAt = asked + answer.expires_in * 1_000 * renewAfter;
      return answer.access_token;
    });
    fetching.catch((error: unknown) => {
      const final = error instanceof ApiError && error.status < 500 && !(error instanceof RateLimitedError);
      if (!final && this.#current === fetching) this.#current = undefined;
    });
    return fetching;
  }
}

/** RFC 6749, section 2.3.1: both parts are form-encoded before they are joined. */
function basicAuthorization(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${formEncode(id)}:${formEncode(secret)}`).toString("base64")}`;
}

function formEncode(text: string): string {
  return new URLSearchParams({ v: text }).toString().slice("v=".length);
}
