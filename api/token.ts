import { ConfigurationError } from "./errors";
import { ApiError, RateLimitedError } from "./api-errors";
import type { ClientOptions } from "./client-options";
import { tokenOperations, type RequestOf, type ResponseOf } from "./schemas";

type IssueOperation = typeof tokenOperations.issue;
/**
 * Requests an API token. `authorization` is the HTTP Basic header with the credentials; undefined if the form body contains the
 * credentials.
 */
export type IssueToken = (
  body: RequestOf<IssueOperation>["body"],
  authorization?: string,
) => Promise<ResponseOf<IssueOperation>>;

/**
 * Share of a token's lifetime after which the client renews the token. The client renews a token early, so that the token does
 * not expire during a request.
 */
const renewAfterShare = 0.9;

/**
 * Provides the API token for all requests: a configured token, or a token from client credentials. A token from client credentials is
 * renewed before it expires, and after status 401. Concurrent requests share one renewal. After the service refuses the credentials, all
 * later requests fail immediately.
 */
export class TokenSource {
  #current: Promise<string> | undefined;
  /** Time of the next renewal on the monotonic clock, in ms. */
  #renewAt = Infinity;

  constructor(
    private readonly options: ClientOptions,
    private readonly issue: IssueToken,
  ) {}

  /** @throws ConfigurationError if the settings contain no credentials */
  async get(): Promise<string> {
    const { token, clientId, clientSecret } = this.options;
    if (token !== undefined) return token;
    if (!clientId || !clientSecret) {
      const missing = clientId ? "clientSecret for its clientId" : clientSecret ? "clientId for its clientSecret" : undefined;
      throw new ConfigurationError(
        `The client has ${missing ? `no ${missing}` : "no credentials"}. Pass \`token\`, or \`clientId\` and \`clientSecret\`, to createClient. ` +
          "The function readSettings reads credentials from environment variables, such as ENDPOINT_MONITORING_TOKEN.",
        missing ? [clientId ? "clientSecret" : "clientId"] : ["token"],
      );
    }
    if (performance.now() >= this.#renewAt) this.#current = undefined;
    this.#current ??= this.#fetch();
    return this.#current;
  }

  /**
   * Reports that the service refused `token`.
   *
   * @returns whether another token is available; always false for a configured token
   */
  async refuse(token: string): Promise<boolean> {
    if (this.options.token !== undefined) return false;
    // Another request may renew the token while this method awaits `current`.
    const current = this.#current;
    const cached = await current?.catch(() => undefined);
    if (cached === token && this.#current === current) this.#current = undefined;
    return true;
  }

  #fetch(): Promise<string> {
    const { clientId = "", clientSecret = "", clientAuthentication, scope, tenantId, serviceBearerToken } = this.options;
    const byForm = clientAuthentication !== "basic";
    const asked = performance.now();
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
      // Without `expires_in`, the client uses the token until the service returns status 401 (docs/service/requests.md, Authentication).
      if (answer.expires_in !== undefined) this.#renewAt = asked + answer.expires_in * 1_000 * renewAfterShare;
      return answer.access_token;
    });
    fetching.catch((error: unknown) => {
      const final = error instanceof ApiError && error.status < 500 && !(error instanceof RateLimitedError);
      if (!final && this.#current === fetching) this.#current = undefined;
    });
    return fetching;
  }
}

/**
 * Returns the HTTP Basic header with the client id and secret. Client id and secret are form-encoded before they are joined
 * (RFC 6749, section 2.3.1).
 */
function basicAuthorization(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${formEncode(id)}:${formEncode(secret)}`).toString("base64")}`;
}

function formEncode(text: string): string {
  return new URLSearchParams({ v: text }).toString().slice("v=".length);
}
